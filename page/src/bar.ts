// The bar at the top of every page.

import { html, nothing, type TemplateResult } from "lit";

export interface Bar {
  title: string; detail?: string; online?: boolean; text?: boolean;
  toText?: () => void; share?: () => void; rules?: () => void; behind?: () => void;
}

export function topBar(bar: Bar): TemplateResult {
  return html`<header class="bar">
    <a class="brand" href="/" aria-label="Ludwright, all games"><img src="/static/icon.svg" alt="" width="20" height="20"> <span>Ludwright</span></a>
    <strong>${bar.title}</strong> <span class="hint">${bar.detail ?? ""}</span>
    ${bar.online === false ? html`<span class="tag warn" role="status">connecting …</span>` : nothing}
    <nav aria-label="Page">
      ${bar.behind ? html`<button @click=${bar.behind}>Behind</button>` : nothing}
      ${bar.rules ? html`<button @click=${bar.rules}>Rulebook</button>` : nothing}
      ${bar.share ? html`<button @click=${bar.share}>Share</button>` : nothing}
      ${bar.toText ? html`<button aria-pressed=${bar.text} title="The board as text" @click=${bar.toText}>Aa</button>` : nothing}
    </nav></header>`;
}
