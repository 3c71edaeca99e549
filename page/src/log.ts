// The log, and the way through the positions of a match.

import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { seatMark } from "./marks";
import { withCards } from "./words";
import type { LogLine, SeatView, Word } from "./types";

@customElement("lw-log")
export class Log extends LitElement {
  @property({ attribute: false }) lines: LogLine[] = [];
  @property({ attribute: false }) seats: SeatView[] = [];
  @property({ attribute: false }) names: ReadonlyMap<string, string> = new Map();
  @property({ type: Number }) at = 0;
  @property({ type: Number }) last = 0;
  @property({ type: Boolean }) mayUndo = false;
  /** The position after the last answer of this page, if others have answered since. */
  @property({ attribute: false }) since: number | null = null;

  private counted = -1;

  createRenderRoot(): HTMLElement { return this; }

  render() {
    const past = this.at < this.last;
    return html`<div class="lines" tabindex="0" role="log" aria-label="Log">
        ${this.lines.length ? nothing : html`<p class="hint">Nothing has happened yet.</p>`}
        ${this.lines.map((line) => this.line(line))}</div>
      <div class="time" role="group" aria-label="Time">
        <button aria-label="To the start" @click=${() => this.go(0)}>«</button>
        <button aria-label="One back" @click=${() => this.go(this.at - 1)}>‹</button>
        <input type="range" aria-label="Decision" min="0" max=${this.last} .value=${String(this.at)}
          @input=${(e: Event) => this.go(Number((e.target as HTMLInputElement).value))}>
        <button aria-label="One on" @click=${() => this.go(this.at + 1)}>›</button>
        <button aria-label="To the end" @click=${() => this.go(this.last)}>»</button>
        <span class="count">${this.at} / ${this.last}</span>
        ${this.since !== null ? html`<button class="wide" @click=${() => this.tell("since", this.since)}>Since my last turn</button>` : nothing}
        ${past && this.mayUndo ? html`<button class="wide" @click=${() => this.tell("undo", this.at)}>Undo to here</button>` : nothing}
      </div>`;
  }

  /** To the last line when there is a new one; whoever reads further up is left there otherwise. */
  protected updated(changes: PropertyValues): void {
    const lines = this.querySelector(".lines");
    const count = this.lines.reduce((sum, line) => sum + 1 + line.details.length, 0);
    if (lines && (count !== this.counted || changes.has("at"))) lines.scrollTop = lines.scrollHeight;
    this.counted = count;
  }

  private line(line: LogLine) {
    const seat = this.seats.find((one) => one.id === line.seat);
    return html`${line.head ? html`<h3 class="head">${line.head}</h3>` : nothing}<div class="line ${line.at > this.at ? "later" : ""}">
      ${seat ? seatMark(seat.number, seat.colour, 16) : nothing}
      <div><button class="go" title="Show this moment" @click=${() => this.go(line.at)}>${this.names.get(line.seat) ?? line.seat}</button>
        ${line.words.map((word) => this.word(word))}${line.done ? nothing : " …"}
        ${line.details.map((words) => html`<p class="detail">${words.map((word) => this.word(word))}</p>`)}</div></div>`;
  }

  private word(word: Word) {
    if (typeof word === "string") return html`${/^[,.:;!?)]/.test(word) ? "" : " "}${withCards(word)}`;
    const point = (refs: string[]) => () => this.tell("refer", refs);
    const refs = [word.ref, ...word.ref.split(" ")];
    return html` <button class="ref" @mouseenter=${point(refs)} @mouseleave=${point([])} @focus=${point(refs)}
      @blur=${point([])}>${withCards(word.text)}</button>`;
  }

  private go(at: number): void {
    this.tell("go", Math.max(0, Math.min(this.last, at)));
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
