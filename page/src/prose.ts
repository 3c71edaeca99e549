// Emphasis of Markdown as text, never as markup.

import { html } from "lit";

export const prose = (text: string): unknown[] =>
  text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) =>
    part.startsWith("**") ? html`<b>${part.slice(2, -2)}</b>` : part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part);
