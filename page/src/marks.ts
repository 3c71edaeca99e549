// Marks and items of a scene as SVG.

import { svg, type SVGTemplateResult } from "lit";
import type { Item, Mark } from "./types";

export const colour = (token?: string): string =>
  !token || token === "none" ? "none" : token.startsWith("#") ? token : `var(--${token})`;

export function mark(one: Mark): SVGTemplateResult {
  if (one.text !== undefined) {
    const scale = one.scale ? ` scale(${one.scale})` : "";
    return svg`<text class="t-${one.style ?? "label"}" transform="translate(${one.x ?? 0} ${one.y ?? 0})${scale}"
      text-anchor=${one.anchor ?? "middle"} fill=${colour(one.fill ?? "ink")}>${one.text}</text>`;
  }
  return svg`<path d=${one.path ?? ""} fill=${colour(one.fill)} stroke=${colour(one.stroke)}
    stroke-width=${one.width ?? 1} stroke-dasharray=${one.dash ? "4 3" : "none"}
    opacity=${one.opacity ?? 1}></path>`;
}

export const place = (item: Item): string =>
  `translate(${item.x} ${item.y})${item.turn ? ` rotate(${item.turn})` : ""}`;

/** The outline of an item: its first shape. */
export const outline = (item: Item): string => item.marks.find((one) => one.path)?.path ?? "";

// The same eight marks as in ludwright/scene/shapes.py, for the panels and the log.
const SEATS = [
  "M-7 0A7 7 0 1 1 7 0A7 7 0 1 1 -7 0Z",
  "M0 -8L7.6 6H-7.6Z",
  "M-6.6 -6.6H6.6V6.6H-6.6Z",
  "M0 -8.4L8.4 0L0 8.4L-8.4 0Z",
  "M0 -8L7.6 -2.5L4.7 6.5H-4.7L-7.6 -2.5Z",
  "M0 -8L6.9 -4V4L0 8L-6.9 4V-4Z",
  "M-2.6 -8H2.6V-2.6H8V2.6H2.6V8H-2.6V2.6H-8V-2.6H-2.6Z",
  "M0 -9L2.3 -3L8.6 -2.8L3.6 1.1L5.3 7.2L0 3.7L-5.3 7.2L-3.6 1.1L-8.6 -2.8L-2.3 -3Z",
];

export function seatMark(number: number, token: string, size = 18): SVGTemplateResult {
  return svg`<svg class="mark" viewBox="-10 -10 20 20" width=${size} height=${size} aria-hidden="true">
    <path d=${SEATS[number % 8]} fill=${colour(token)}
      stroke="var(--outline)" stroke-opacity=".62"></path></svg>`;
}

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]], 2: [[-1, 1], [1, -1]], 3: [[-1, 1], [0, 0], [1, -1]], 4: [[-1, -1], [1, 1], [-1, 1], [1, -1]],
  5: [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]], 6: [[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]],
};

/** The face of a die, for panels. */
export const dieFace = (face: number): SVGTemplateResult => svg`<svg class="die" viewBox="-11 -11 22 22" width="22" height="22" aria-hidden="true">
  <rect x="-10" y="-10" width="20" height="20" rx="4" fill="var(--paper)" stroke="var(--line2)"></rect>
  ${(PIPS[face] ?? []).map(([x, y]) => svg`<circle cx=${x * 5.4} cy=${y * 5.4} r="1.9" fill="var(--ink)"></circle>`)}</svg>`;
