// The panel of a designer: all views of a position, its events, and the position as a test.
// It is there only where the server was started with --develop.

import { html, nothing, type TemplateResult } from "lit";

export interface Behind {
  at: number; views: Record<string, unknown>; events: unknown[]; before: unknown; test: string;
}

export async function lookBehind(match: string, at: number): Promise<Behind | null> {
  const answer = await fetch(`/api/behind/${match}?at=${at}`);
  return answer.ok ? ((await answer.json()) as Behind) : null;
}

export function behindPanel(found: Behind, close: () => void): TemplateResult {
  const section = (name: string, data: unknown) => data === null ? nothing
    : html`<details><summary>${name}</summary><pre>${JSON.stringify(data, null, 1)}</pre></details>`;
  return html`<div class="behind" role="dialog" aria-label="Behind this position">
    <button class="second" @click=${close}>Close</button>
    <h2>Behind position ${found.at}</h2>
    <details open><summary>As a test</summary>
      <button class="second" @click=${() => navigator.clipboard?.writeText(found.test)}>Copy</button>
      <pre>${found.test}</pre></details>
    ${section("Events", found.events)}
    ${Object.entries(found.views).map(([seat, view]) => section(seat === "everything" ? "The state after" : `As ${seat} sees it`, view))}
    ${section("The state before", found.before)}</div>`;
}
