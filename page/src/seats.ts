// The seats, with who sits there and what they have; and the values of the game.

import { html, nothing, svg, type TemplateResult } from "lit";
import { dieFace, seatMark } from "./marks";
import type { Company, SeatView, Value, View } from "./types";

export function seatName(seat: { id: string; name: string }, company: Company[], mine: string[]): string {
  const label = company.find((one) => one.id === seat.id)?.label;
  if (label) return label;
  return mine.length === 1 && mine[0] === seat.id ? "You" : seat.name;
}

/** `level:3` is level 3, `search:1s` a search of 1 s. */
export const botName = (bot: string): string => bot.replace(/:(\d+)s$/, ", $1 s").replace(":", " ");

function holder(seat: SeatView, company: Company[], mine: string[]): string {
  const one = company.find((found) => found.id === seat.id);
  const words: string[] = [];
  if (seatName(seat, company, mine) !== seat.name) words.push(seat.name);
  if (one?.holder === "bot") words.push(`bot, ${botName(one.bot)}`);
  else if (mine.includes(seat.id)) { if (mine.length > 1) words.push("yours"); }
  else if (one) words.push(one.here ? "here" : "away");
  return words.join(" · ");
}

export function seatPanels(
  view: View, company: Company[], mine: string[], targets: ReadonlySet<string>, lit: ReadonlySet<string>,
  pick: (id: string) => void, look: (id: string) => void, sit: (id: string, bot: string) => void,
): TemplateResult {
  return html`<ul class="seats" aria-label="Seats">${view.seats.map((seat) => {
    const target = targets.has(`seat:${seat.id}`);
    const name = seatName(seat, company, mine);
    const acting = view.asked.includes(seat.id) && !view.result;
    return html`<li class="seat ${acting ? "acting" : ""} ${target ? "legal" : ""} ${seat.faint ? "faint" : ""} ${lit.has(`seat:${seat.id}`) ? "lit" : ""} ${view.viewer === seat.id ? "viewer" : ""}">
      ${seatMark(seat.number, seat.colour)}
      <div class="who">
        ${target ? html`<button class="choice" @click=${() => pick(seat.id)}>${name}</button>` : html`<b>${name}</b>`}
        ${(seat.badges ?? []).map((badge) => html`<span class="badge" title=${badge}>${badge}</span>`)}
        <small>${holder(seat, company, mine)}</small>
        ${seat.rank !== null ? html`<span class="tag">${ordinal(seat.rank)}</span>`
          : acting ? html`<span class="tag act">to decide</span>` : nothing}
        ${mine.includes(seat.id) && mine.length > 1 && view.viewer !== seat.id
          ? html`<button class="link" @click=${() => look(seat.id)}>look</button>` : nothing}
        ${standIn(seat.id, company, mine, !!view.result, sit)}
        ${values(seat.values)}
      </div></li>`;
  })}</ul>`;
}

/** A bot plays for somebody who is away, and stops when they come back. */
function standIn(
  id: string, company: Company[], mine: string[], over: boolean, sit: (id: string, bot: string) => void,
): TemplateResult | typeof nothing {
  const one = company.find((found) => found.id === id);
  if (!one || over) return nothing;
  if (mine.includes(id) && one.holder === "bot") return html`<button class="link" @click=${() => sit(id, "")}>play myself</button>`;
  if (mine.length && !mine.includes(id) && one.holder === "person" && !one.here) {
    return html`<button class="link" @click=${() => sit(id, "greedy")}>let a bot play</button>`;
  }
  return nothing;
}

const ordinal = (n: number): string => `${n}${["th", "st", "nd", "rd"][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? "th"}`;

function values(all: Value[]): TemplateResult | typeof nothing {
  if (!all.length) return nothing;
  return html`<dl>${all.map((value) => html`<div><dt>${value.name}</dt><dd>${value.text}</dd></div>`)}</dl>`;
}

/** The scores of a match that is over, the best first. */
export function scores(view: View): TemplateResult | typeof nothing {
  const found = view.result?.outcome === "score" ? view.result.scores : {};
  const seats = view.seats.filter((seat) => found[seat.id] !== undefined).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  if (!seats.length) return nothing;
  return html`<dl class="scores">${seats.map((seat) => html`<div><dt>${seat.rank !== null ? `${ordinal(seat.rank)} ` : ""}${seat.name}</dt><dd>${found[seat.id]}</dd></div>`)}</dl>`;
}

export function valuePanel(view: View): TemplateResult | typeof nothing {
  if (!view.values.length) return nothing;
  return html`<h2>Values</h2><dl class="values">${view.values.map((value) => html`<div><dt>${value.name}</dt>
    <dd>${value.dice?.length ? value.dice.map(dieFace) : html`${rail(value)}<b>${value.text}</b>`}${value.most !== null && value.most < 1000 && !value.dice?.length ? html`<small> / ${value.most}</small>` : nothing}</dd></div>`)}</dl>`;
}

/** A small number out of a small number is shown as cells. */
function rail(value: Value): TemplateResult | typeof nothing {
  const number = Number(value.text);
  if (value.most === null || value.most > 16 || value.most < 2 || !Number.isInteger(number)) return nothing;
  return html`<svg class="rail" viewBox="0 0 ${value.most * 6} 8" width=${value.most * 5} height="8" aria-hidden="true">
    ${Array.from({ length: value.most }, (_, at) => cell(at, at < number))}</svg>`;
}

const cell = (at: number, full: boolean) =>
  svg`<rect x=${at * 6} y="1" width="5" height="6" rx="1" fill=${full ? "var(--ink)" : "var(--line)"}></rect>`;
