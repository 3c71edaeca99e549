// The prompt: what is asked, in one line, and every way to answer it that is not on the board.

import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Decision, Undo } from "./types";
import { NARROW } from "./socket";
import { begun, withCards } from "./words";

const CRUMBS = 6; // answers of a move that stand above the question
const FEW = 6; // options shown as buttons
const FEWER = 3; // the same on a phone
const SOME = 14; // the same, where nothing on the board stands for them

@customElement("lw-prompt")
export class Prompt extends LitElement {
  @property({ attribute: false }) decision?: Decision;
  @property({ attribute: false }) undo?: Undo;
  @property({ attribute: false }) picks: number[] = [];
  @property({ attribute: false }) addable?: ReadonlySet<number>;
  @property({ type: Boolean }) canStop = false;
  @property({ type: Boolean }) waiting = false;
  /** Whether the last answer has just been stored. */
  @property({ type: Boolean }) saved = false;
  /** In text mode the choices are always listed, with their numbers. */
  @property({ type: Boolean }) text = false;
  /** What the option that one points at would change. */
  @property({ attribute: false }) says: string[] = [];
  @property() who = "";
  @property() status = "";
  @property({ attribute: false }) only?: number[]; // options of the item that was clicked
  @state() private listed = false;
  @state() private filter = "";
  @state() private amount = 0;
  private shown = -1;

  createRenderRoot(): HTMLElement { return this; }

  willUpdate(): void {
    const number = this.decision?.number ?? -1;
    if (number === this.shown) return;
    this.shown = number;
    this.listed = false;
    this.filter = "";
    this.amount = this.decision?.range?.lo ?? 0;
  }

  showList(): void {
    this.listed = !this.listed;
    if (this.listed) this.updateComplete.then(() => this.querySelector<HTMLElement>(".list input, .list button")?.focus());
  }

  render() {
    const decision = this.decision;
    if (!decision) {
      return html`<section class="prompt quiet" aria-live="polite">
        <div class="ask"><p class="question">${begun(this.status)}</p></div>
        <div class="choices">${this.tick()}${this.undoButton()}</div></section>`;
    }
    return html`<section class="prompt" aria-live="polite" aria-label="Your decision">
      <div class="ask">
        <p class="path"><b>${this.who}</b>${crumbs(decision.path).map((step) => html`<span class="sep">›</span><button
          class="crumb" title="Undo to before this" @click=${() => this.tell("undo", step.undo)}>${withCards(step.text)}</button>`)}</p>
        <p class="question">${decision.many ? html`${withCards(asked(decision.prompt))} <em>${this.picks.length} chosen</em>` : withCards(decision.prompt)}</p>
        ${decision.range && this.far(decision) ? html`<p class="hint">${decision.range.lo} to ${decision.range.hi}</p>` : nothing}
        ${decision.together.length > 1 ? html`<p class="hint">All choose together; nobody sees your choice before the last has chosen.</p>` : nothing}
        ${decision.many ? this.chips(decision) : nothing}
        ${this.says.length ? html`<p class="hint would">${withCards(this.says.slice(0, 3).join(" · "))}</p>` : nothing}
      </div>
      <div class="choices">
        ${this.tick()}
        ${this.undoButton()}
        ${this.far(decision) ? this.stepper(decision) : nothing}
        ${this.buttons(decision)}
        ${decision.many ? html`<button class="primary" ?disabled=${!this.canStop} @click=${() => this.tell("confirm")}>
          ${this.picks.length ? `Done with ${this.picks.length}` : this.canStop ? "Done with none" : "Done"} <kbd>↵</kbd></button>` : nothing}
      </div>
      ${(this.listed || this.text) && decision.options ? this.list(decision) : nothing}
    </section>`;
  }

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private tick(): TemplateResult | typeof nothing {
    if (this.waiting) return html`<span class="waiting">saving …</span>`;
    return this.saved ? html`<span class="waiting saved" role="status">✓ saved</span>` : nothing;
  }

  private undoButton(): TemplateResult | typeof nothing {
    const undo = this.undo;
    if (!undo) return nothing;
    if (undo.withdraw) return html`<button class="plain" @click=${() => this.tell("withdraw")}>Take back my choice</button>`;
    if (undo.to === null && undo.ask !== null) {
      return html`<button class="plain undo" title="Goes back to before your last answer if all agree"
        @click=${() => this.tell("undo", undo.ask)}>Ask to undo<small>${undo.reason}</small></button>`;
    }
    const possible = undo.to !== null;
    const far = possible ? `${undo.steps} back, then ${undo.reason}` : undo.reason;
    return html`<button class="plain undo" ?disabled=${!possible} title="Takes back one answer at a time"
      @click=${() => this.tell("undo", undo.to)}>Undo <kbd>⌫</kbd><small>${far}</small></button>`;
  }

  private buttons(decision: Decision): unknown {
    const options = decision.options ?? [];
    const numbers = this.only ?? options.map((_, at) => at);
    const decline = decision.decline === undefined ? nothing
      : html`<button class="choice" @click=${() => this.tell("choose", decision.decline)}>None</button>`;
    if (this.far(decision)) return decline;
    const onBoard = options.every((option) => option.items.length > 0);
    const few = NARROW.matches && onBoard && !this.only ? FEWER : FEW;
    const most = options.some((option) => option.items.length > 0) ? few : SOME;
    if (numbers.length > most || (decision.many && onBoard)) {
      return html`<button class="second" aria-expanded=${this.listed} @click=${() => this.showList()}>As a list <kbd>L</kbd></button>${decline}`;
    }
    const sole = numbers.length === 1 && !decision.many && decision.decline === undefined; // Enter takes it
    const letters = hotkeys(numbers.map((at) => options[at].text));
    return html`${numbers.map((at, place) => html`<button class=${sole ? "choice primary sole" : "choice"} aria-pressed=${decision.many ? this.picks.includes(at) : nothing}
      ?disabled=${decision.many && !this.picks.includes(at) && this.addable !== undefined && !this.addable.has(at)}
      data-key=${letters[place]} @click=${() => this.tell("choose", at)}
      @mouseenter=${() => this.tell("aim", [at])} @mouseleave=${() => this.tell("aim", [])}
      @focus=${() => this.tell("aim", [at])} @blur=${() => this.tell("aim", [])}>${withCards(begun(options[at].text))}
      ${letters[place] ? html`<kbd>${sole ? "↵" : letters[place].toUpperCase()}</kbd>` : nothing}</button>`)}${decline}`;
  }

  private chips(decision: Decision): TemplateResult {
    const open = Math.max(0, Math.min(decision.max - this.picks.length, 3));
    return html`<p class="chips">${this.picks.map((at, order) => html`<button class="chip" title="Put it back"
      @click=${() => this.tell("choose", at)}><span class="n">${order + 1}</span>${withCards(decision.options?.[at]?.text ?? String(at))} ×</button>`)}
      ${Array.from({ length: open }, (_, at) => html`<span class="chip hollow">${this.picks.length + at < decision.min ? "one more" : "may follow"}</span>`)}</p>`;
  }

  /** Whether so many numbers can be chosen that they do not stand on buttons. */
  private far(decision: Decision): boolean {
    return decision.range !== undefined && (decision.options?.length ?? Infinity) > SOME;
  }

  private stepper({ range, path }: Decision): TemplateResult {
    const { lo, hi } = range!;
    const set = (value: number) => (this.amount = Math.max(lo, Math.min(hi, Math.round(value))));
    const plain = [lo, Math.round((lo + hi) / 2), hi].map((value) => ({ text: "", value }));
    const presets = range!.presets ?? (hi - lo > 3 ? plain : []);
    const what = path.length ? begun(path[path.length - 1].text) : "Take"; // the action that the number is of
    return html`<span class="stepper"><span class="dial">
      <button aria-label="Less" @click=${() => set(this.amount - 1)}>−</button>
      <input type="range" aria-label="Amount" min=${lo} max=${hi} .value=${String(this.amount)}
        @input=${(e: Event) => set(Number((e.target as HTMLInputElement).value))}>
      <button aria-label="More" @click=${() => set(this.amount + 1)}>+</button>
      <input class="amount" type="number" aria-label="Exact amount" min=${lo} max=${hi} .value=${String(this.amount)}
        @change=${(e: Event) => set(Number((e.target as HTMLInputElement).value))}
        @keydown=${(e: KeyboardEvent) => e.key === "Enter" && this.take(e, lo)}></span>
      <span class="presets" role="group" aria-label="Amounts">${presets.map(({ text, value }) => html`<button aria-pressed=${this.amount === value}
        @click=${() => { set(value); this.querySelector<HTMLElement>(".stepper > .primary")?.focus(); }}>${text ? html`${text} <b>${value}</b>` : value}</button>`)}</span>
      <button class="primary" @click=${() => this.tell("choose", this.amount - lo)}>${what} ${this.amount} <kbd>↵</kbd></button></span>`;
  }

  private take(event: KeyboardEvent, lo: number): void {
    event.stopPropagation();
    this.amount = Number((event.target as HTMLInputElement).value);
    this.tell("choose", this.amount - lo);
  }

  private list(decision: Decision): TemplateResult {
    const wanted = this.filter.toLowerCase();
    const found = (decision.options ?? []).map((option, at) => ({ option, at }))
      .filter(({ option, at }) => option.text.toLowerCase().includes(wanted) || String(at + 1) === wanted);
    return html`<div class="list">
      <input type="search" placeholder="filter" aria-label="Filter the choices" .value=${this.filter}
        @input=${(e: Event) => (this.filter = (e.target as HTMLInputElement).value)}>
      <ol>${found.map(({ option, at }) => html`<li><button aria-pressed=${decision.many ? this.picks.includes(at) : nothing}
        @click=${() => this.tell("choose", at)}
        @focus=${() => this.tell("point", option.items)} @blur=${() => this.tell("point", [])}
        @mouseenter=${() => this.tell("point", option.items)} @mouseleave=${() => this.tell("point", [])}
        ><span class="n">${at + 1}</span> ${withCards(option.text)}</button></li>`)}</ol></div>`;
  }
}

/** A question before a count: without its own number, which the empty chips show. */
const asked = (prompt: string): string => {
  const bare = prompt.replace(/ \(\d+(?: to \d+)?\)$/, "");
  return /[?!.:]$/.test(bare) ? bare : `${bare},`;
};

/** The last few answers of a long move: the first of them can be reached in the log. */
const crumbs = <T>(path: T[]): T[] => path.slice(-CRUMBS);

/** A key for each choice: its first letter if all differ, else its number. "l" opens the list. */
export function hotkeys(texts: string[]): string[] {
  const letters = texts.map((text) => text.trim().charAt(0).toLowerCase());
  const clear = new Set(letters).size === texts.length && letters.every((one) => /[a-km-z]/.test(one));
  return clear ? letters : texts.map((_, at) => (at < 9 ? String(at + 1) : ""));
}
