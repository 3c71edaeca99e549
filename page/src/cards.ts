// What the rulebook says of its cards: of those in play, and of the one that somebody points at.

import { html, nothing, type TemplateResult } from "lit";
import { prose } from "./prose";
import type { CardWords } from "./types";

export type Words = Record<string, CardWords>;

export async function loadWords(match: string): Promise<Words> {
  const answer = await fetch(`/api/words/${encodeURIComponent(match)}`);
  return answer.ok ? await answer.json() : {};
}

/** Cards that lie alone and open on the table, as everybody acts on them. */
export function cardsInPlay(rows: string[], words: Words): TemplateResult | typeof nothing {
  const found = rows.map((row) => words[row]).filter(Boolean);
  if (!found.length) return nothing;
  return html`<section class="inplay" aria-label="Cards in play">${found.slice(0, 3).map((card, at) => html`<article class=${at ? "next" : "now"}>
    <h2>${card.title}</h2><p class="prose">${prose(card.text)}</p></article>`)}</section>`;
}

export function aboutTip(card?: CardWords): TemplateResult | typeof nothing {
  return card ? html`<div class="about-tip" role="status"><b>${card.title}</b><p class="prose">${prose(card.text)}</p></div>` : nothing;
}
