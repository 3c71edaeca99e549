// Below the game on the Write page: what one points at, what is on the table, and how a map is laid out.

import { html, nothing, type TemplateResult } from "lit";
import type { Item, Scene, View } from "./types";

type Point = [number, number];

/** How many pairs of lines cross; lines that meet at a space do not. */
export function crossings(lines: [Point, Point][]): number {
  const side = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) => Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
  let found = 0;
  lines.forEach(([a, b], at) => {
    for (const [c, d] of lines.slice(at + 1)) {
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) found += 1;
    }
  });
  return found;
}

/** The spaces of a map by name, and the lines between them. */
function map(scene: Scene): { places: Map<string, Item>; lines: [Point, Point][] } {
  const edges = scene.items.filter((item) => item.kind === "edge").map((item) => item.id.slice(5).split(":"));
  const joined = new Set(edges.flat());
  const places = new Map(scene.items.filter((item) => item.kind === "space" && joined.has(item.id.slice(6)))
    .map((item) => [item.id.slice(6), item]));
  const lines = edges.flatMap(([from, to]): [Point, Point][] => {
    const [a, b] = [places.get(from), places.get(to)];
    return a && b ? [[[a.x, a.y], [b.x, b.y]]] : [];
  });
  return { places, lines };
}

/** What to write at the spaces of a map so that it stays as it is drawn. */
export const kept = (scene: Scene): string => [...map(scene).places]
  .map(([name, item]) => `${name}: { at: [${Math.round(item.x)}, ${Math.round(item.y)}] }`).join("\n");

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function pointed(item: Item): TemplateResult {
  const [kind, ...name] = item.id.split(":");
  return html`<h2>Scene <small>${name.join(":")}</small></h2><p><b>${kind}</b> ${item.name ?? ""}</p>
    ${item.answers?.length ? html`<p class="hint">answers ${item.answers.join(", ")}</p>` : nothing}`;
}

export function strip(view: View, at: Item | undefined, keep: () => void): TemplateResult {
  const { places, lines } = map(view.scene);
  const count = (kind: Item["kind"]) => view.scene.items.filter((item) => item.kind === kind).length;
  return html`<div class="strip">
    <section aria-label="Scene">${at ? pointed(at) : html`<h2>Scene</h2><p class="hint">Point at something on the table.</p>`}</section>
    <section aria-label="Drawn"><h2>Drawn <small>${Math.round(view.scene.width)} × ${Math.round(view.scene.height)}</small></h2>
      <p>${many(count("space"), "space")}, ${many(count("zone"), "zone")}, ${many(count("piece"), "piece")}</p>
      <p class="hint">${many(view.values.length, "value")} in the panel, ${many(view.seats[0]?.values.length ?? 0, "value")} at each seat</p></section>
    <section aria-label="Layout"><h2>Layout</h2>${places.size
      ? html`<p>${many(places.size, "place")}, ${many(lines.length, "line")}, ${many(crossings(lines), "crossing")}</p>
        <p><button class="link" @click=${keep}>Copy as <code>at</code></button> <span class="hint">for the spaces of the rulebook</span></p>`
      : html`<p class="hint">No map: the layout follows from what is declared.</p>`}</section></div>`;
}
