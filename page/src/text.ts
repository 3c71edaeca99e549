// The board as text, for screen readers and small screens: what lies where, and what can be chosen.

import { html, nothing, type TemplateResult } from "lit";
import type { Item, View } from "./types";

let asked = "";

/** Pieces are listed with the place they stand on: the last place before them at their spot. */
function byPlace(items: Item[]): Map<Item, Item[]> {
  const places = items.filter((item) => item.kind === "space" || item.kind === "zone");
  const found = new Map<Item, Item[]>(places.map((item) => [item, []]));
  for (const piece of items) {
    if (piece.kind !== "piece" || !piece.name) continue;
    let best: Item | undefined;
    let least = Infinity;
    for (const place of places) {
      const far = Math.hypot(place.x - piece.x, place.y - piece.y);
      if (far < least) [best, least] = [place, far];
    }
    if (best) found.get(best)?.push(piece);
  }
  return found;
}

export function textBoard(
  view: View, targets: ReadonlySet<string>, pick: (item: Item) => void,
): TemplateResult {
  const wanted = asked.toLowerCase();
  const rows = [...byPlace(view.scene.items)].filter(([place, pieces]) =>
    (pieces.length || targets.has(place.id) || wanted) &&
    `${place.name} ${place.answers} ${pieces.map((piece) => piece.name)}`.toLowerCase().includes(wanted));
  const button = (item: Item) => targets.has(item.id)
    ? html`<button class="choice" @click=${() => pick(item)}>${item.name}</button>` : html`${item.name}`;
  return html`<div class="textboard">
    <label>Ask the board <input type="search" placeholder="a place or a piece" .value=${asked} @input=${(e: Event) => {
      asked = (e.target as HTMLInputElement).value;
      (e.target as HTMLElement).closest<HTMLElement & { requestUpdate(): void }>("lw-table")?.requestUpdate();
    }}></label>
    <p>${view.status}</p>
    <ul>${rows.map(([place, pieces]) => html`<li>${button(place)}${pieces.length
      ? html`: ${pieces.map((piece, at) => html`${at ? ", " : ""}${button(piece)}`)}` : nothing}</li>`)}</ul></div>`;
}
