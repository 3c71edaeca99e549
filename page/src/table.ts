// A match: the board, the prompt, the seats and the log, joined by one line to the server.

import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import "./board";
import type { Board } from "./board";
import "./log";
import "./prompt";
import type { Prompt } from "./prompt";
import { botName, scores, seatName, seatPanels, valuePanel } from "./seats";
import { forget, linksOf, prefersText, preferText, remember, takeTokensFromAddress, tokens } from "./memory";
import { confirmFromAddress } from "./confirm";
import { Line, NARROW } from "./socket";
import { textBoard } from "./text";
import { topBar } from "./bar";
import { type Behind, behindPanel, lookBehind } from "./behind";
import { prose } from "./prose";
import { begun, counted, withCards } from "./words";
import { aboutTip, cardsInPlay, loadWords, type Words } from "./cards";
import type { Company, Item, LogLine, Preview, Told, View, WhyNot, Wish } from "./types";

const TICK = 2000; // milliseconds that an answer is said to be saved
const NOTE = 8000; // milliseconds that a note stays
const AIM = 120; // milliseconds that one points at something before it is asked what it would do

@customElement("lw-table")
export class Table extends LitElement {
  @property() match = "";
  /** Beside a rulebook: only the board and the prompt, seen by any seat. */
  @property({ type: Boolean }) embedded = false;
  @state() private view?: View;
  @state() private mine: string[] = [];
  @state() private company: Company[] = [];
  @state() private hides = false;
  @state() private bots: string[] = [];
  @state() private develop = false;
  @state() private messages: string[] = []; // ways to tell absent players
  @state() private picks: number[] = [];
  @state() private addable?: ReadonlySet<number>;
  @state() private canStop = false;
  @state() private only?: number[];
  @state() private lit: ReadonlySet<string> = new Set();
  @state() private why?: WhyNot;
  @state() private note = "";
  @state() private online = false;
  @state() private waiting = false;
  @state() private saved = false; // for a moment, once an answer is stored
  @state() private handOver = "";
  @state() private panel: "board" | "log" | "seats" | "rules" = "board";
  @state() private text = prefersText();
  @state() private wish?: Wish;
  @state() private sharing = false;
  @state() private rulebook = "";
  @state() private mistakes = "";
  @state() private behind?: Behind | null;
  @state() private words: Words = {};
  @state() private about = ""; // the card that one points at
  @state() private preview?: Preview;
  private aimed = 0; // the timer of a preview
  private ticking = 0;
  private reached = ""; // what was clicked where the only action has to be taken first
  private noted = 0; // the timer of a note
  @query("lw-board") private board?: Board;
  @query("lw-prompt") private prompt?: Prompt;
  private line!: Line;
  private log: LogLine[] = [];
  private asked = -1;
  private playing = 0; // the timer of what is played back
  private later = ""; // a note for the next view
  private keys = (event: KeyboardEvent) => this.onKey(event);

  createRenderRoot(): HTMLElement { return this; }

  connectedCallback(): void {
    super.connectedCallback();
    takeTokensFromAddress(this.match);
    void confirmFromAddress(this.match).then((told) => { if (told) this.later = this.note = told; });
    this.connect();
    addEventListener("keydown", this.keys);
    addEventListener("hashchange", this.onHash);
    NARROW.addEventListener("change", this.turned);
  }

  /** The screen was turned, or made narrow: the table is drawn for it. */
  private turned = (): void => { this.line.close(); this.connect(); };

  private connect(): void {
    this.line = new Line(this.match, tokens()[this.match] ?? []);
    this.line.onTold = (told) => this.hear(told);
    this.line.onState = (open) => (this.online = open);
    this.line.open();
  }

  /** The rulebook was changed: the same seats go on in a match with the new rules. */
  private goOver(match: string, differs: string): void {
    remember(match, tokens()[this.match] ?? []);
    this.line.close();
    this.match = match;
    if (!this.embedded) history.replaceState(null, "", `/m/${match}`);
    this.asked = -2;
    this.log = [];
    this.connect();
    this.later = differs || "The new rules are in force.";
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keys);
    removeEventListener("hashchange", this.onHash);
    NARROW.removeEventListener("change", this.turned);
    this.line.close();
  }

  /** A note has been read after a while; it would lie over the board for ever. */
  protected updated(changes: PropertyValues): void {
    if (!(changes as Map<string, unknown>).has("note")) return;
    clearTimeout(this.noted);
    if (this.note && this.view) this.noted = window.setTimeout(() => (this.note = ""), NOTE);
  }

  // ------------------------------------------------------------------ hearing

  private hear(told: Told): void {
    switch (told.tell) {
      case "welcome":
        this.mine = told.seats;
        this.hides = told.hides;
        this.bots = told.bots;
        this.develop = told.develop;
        this.messages = told.messages;
        void loadWords(this.match).then((words) => (this.words = words));
        if (this.wanted() !== null) this.line.say({ say: "look", seat: told.seats[0] ?? "", at: this.wanted() });
        break;
      case "company": this.company = told.seats; break;
      case "view": this.show(told); break;
      case "done": this.waiting = false; this.tick(); break;
      case "behind": if (this.view) this.view = { ...this.view, last: told.last }; break;
      case "picks": this.drafted(told); break;
      case "preview": if (told.decision === this.view?.decision?.number && this.aimed) this.preview = told; break;
      case "why":
        if (told.legal) break;
        this.why = told;
        break;
      case "wish": this.wish = told.seat || told.refusedBy ? told : undefined; break;
      case "mistakes": this.mistakes = told.text; break;
      case "moved": this.goOver(told.match, told.differs); break;
      case "contact": this.note = !told.confirmed ? `A message was sent to ${told.mail}. Open its link; before that nothing else is sent there.`
        : told.webhook || told.mail ? "You are told of your turns while you are away." : "You are no longer told of your turns."; break;
      case "note": this.note = told.text; break;
      case "refused": this.refused(told.code, told.reason); break;
    }
  }

  private tick(): void {
    this.saved = true;
    clearTimeout(this.ticking);
    this.ticking = window.setTimeout(() => (this.saved = false), TICK);
  }

  private refused(code: string, reason: string): void {
    this.waiting = false;
    if (code === "no-match") {
      forget(this.match);
      this.note = "There is no such match here.";
    } else if (code !== "stale") this.note = reason;
  }

  private drafted(told: { decision: number; option: number[]; add: number[]; canStop: boolean }): void {
    if (told.decision !== this.view?.decision?.number || String(told.option) !== String(this.picks)) return;
    this.addable = new Set(told.add);
    this.canStop = told.canStop;
  }

  private show(view: View): void {
    if (this.embedded) this.dispatchEvent(new CustomEvent("seen", { detail: view }));
    const first = view.log[0]?.at ?? view.at + 1;
    const other = this.view?.viewer !== view.viewer || this.view?.all !== view.all;
    if (other) this.log = view.log; // who looks anew gets the whole log
    else if (view.at === view.last) this.log = [...this.log.filter((line) => line.at < first), ...view.log];
    const number = view.decision?.number ?? -1;
    if (number !== this.asked || this.view?.viewer !== view.viewer) {
      this.asked = number;
      this.picks = [];
      this.addable = undefined;
      this.canStop = view.decision?.canStop ?? false;
      this.only = undefined;
      this.note = this.later;
      this.later = "";
      this.waiting = false;
    }
    this.why = undefined;
    this.aim();
    this.lit = new Set();
    this.view = view;
    this.turnTo(view);
    this.reach(view);
    const yours = view.asked.some((seat) => this.mine.includes(seat)) && !view.result;
    if (this.embedded) return;
    document.title = `${yours ? "● " : ""}${view.title}${yours ? " · your turn" : ""}`;
    if (yours && document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification(view.title, { body: "It is your turn.", tag: this.match });
    }
  }

  /** With several seats on one page: whoever is asked looks next, after a hand-over where things are hidden. */
  private turnTo(view: View): void {
    if (this.mine.length < 2 || view.at !== view.last || view.result || view.all) return;
    if (view.viewer !== null && view.asked.includes(view.viewer)) return;
    const next = this.mine.find((seat) => view.asked.includes(seat));
    if (!next) return;
    if (this.hides && !this.embedded) this.handOver = next;
    else this.look(next);
  }

  // ------------------------------------------------------------------- saying

  private look(seat: string, at: number | null = null): void {
    this.handOver = "";
    this.line.say({ say: "look", seat, at });
  }

  private get seat(): string { return this.view?.viewer ?? ""; }

  private choose(number: number): void {
    const decision = this.view?.decision;
    if (!decision || this.waiting) return;
    if (!decision.many) {
      this.waiting = true;
      this.only = undefined;
      this.line.answer({ seat: this.seat, decision: decision.number, option: number });
      return;
    }
    this.picks = this.picks.includes(number) ? this.picks.filter((one) => one !== number) : [...this.picks, number];
    this.canStop = false;
    this.line.say({ say: "picks", seat: this.seat, decision: decision.number, option: this.picks });
  }

  private confirm(): void {
    const decision = this.view?.decision;
    if (!decision?.many) { this.querySelector<HTMLButtonElement>(".stepper .primary, .choices .sole")?.click(); return; }
    if (!this.canStop || this.waiting) return;
    this.waiting = true;
    this.line.answer({ seat: this.seat, decision: decision.number, option: this.picks });
  }

  private undo(position: number | null | undefined): void {
    if (position === null || position === undefined || !this.view) return;
    this.line.say({ say: "undo", seat: this.seat || this.mine[0], version: this.view.version, position });
    if (this.view.at !== this.view.last) this.go(this.view.last);
  }

  /** The options that an item stands for. */
  private optionsAt(item: Item): number[] {
    return (this.view?.decision?.options ?? []).map((option, at) => ({ option, at }))
      .filter(({ option, at }) => option.items.includes(item.id) && this.possible(at)).map(({ at }) => at);
  }

  /** Somebody points at something: its words are shown, and what it would change. */
  private aim(item?: Item): void {
    this.about = item?.row ?? "";
    this.aimOption(item ? this.optionsAt(item) : []);
  }

  private aimOption(numbers: number[]): void {
    clearTimeout(this.aimed);
    this.aimed = 0;
    this.preview = undefined;
    const decision = this.view?.decision;
    if (!decision || decision.many || numbers.length !== 1 || this.waiting) return;
    this.aimed = window.setTimeout(() => this.line.say({ say: "preview", seat: this.seat, decision: decision.number, option: numbers[0] }), AIM);
  }

  private pick(item: Item): void {
    const decision = this.view?.decision;
    this.why = undefined;
    const numbers = this.optionsAt(item);
    if (numbers.length === 1 || (decision?.many && numbers.length)) {
      const fresh = numbers.find((at) => !this.picks.includes(at));
      this.choose(fresh ?? numbers[0]);
    } else if (numbers.length > 1) this.only = numbers;
    else if (decision?.opens && item.answers?.length) { // the only action is meant, and then this
      this.reached = item.id;
      this.choose(0);
    } else if (item.row && this.words[item.row]) this.about = item.row;
    else if (item.answers?.length && this.seat) this.line.say({ say: "why", seat: this.seat, value: item.answers[0] });
  }

  /** What was clicked before the only action was taken is chosen now, or it is told why not. */
  private reach(view: View): void {
    if (!this.reached || view.decision?.opens) return;
    const item = view.scene.items.find((one) => one.id === this.reached);
    this.reached = "";
    if (item && view.decision && view.decision.path.length) this.pick(item);
  }

  private possible(number: number): boolean {
    return !this.addable || this.picks.includes(number) || this.addable.has(number);
  }

  private go(at: number): void {
    const view = this.view;
    if (!view) return;
    const past = at < view.last;
    history.replaceState(null, "", location.pathname + (past ? `#at=${at}` : ""));
    this.line.say({ say: "look", seat: view.all ? "*" : this.seat, at: past ? at : null });
  }

  /** Where this page's last answer led to, if somebody else has answered since. */
  private lastTurn(view: View): number | null {
    if (view.at !== view.last || this.mine.length !== 1) return null;
    const lines = this.log.filter((line) => line.at <= view.last);
    const own = lines.map((line) => this.mine.includes(line.seat)).lastIndexOf(true);
    const next = lines[own + 1]; // a line says where it begins
    return own >= 0 && next ? next.at - 1 : null;
  }

  /** The positions since then, one after the other; Escape goes to the last at once. */
  private playBack(from: number): void {
    const last = this.view?.last ?? from;
    const step = Math.min(600, 3000 / Math.max(1, last - from));
    let at = from;
    const on = () => {
      this.go(at);
      this.playing = at < last ? window.setTimeout(on, step) : 0;
      at += 1;
    };
    on();
  }

  private wanted(): number | null {
    const at = new URLSearchParams(location.hash.slice(1)).get("at");
    return at === null || !/^\d+$/.test(at) ? null : Number(at);
  }

  private onHash = (): void => {
    const at = this.wanted();
    if (at !== null && this.view) this.go(at);
  };

  private refer(refs: string[]): void {
    const wanted = new Set(refs);
    const items = (this.view?.scene.items ?? []).filter((item) =>
      item.answers?.some((answer) => wanted.has(answer)) || item.holds?.some((name) => wanted.has(name)));
    this.lit = new Set([...items.map((item) => item.id), ...refs.map((ref) => `seat:${ref}`)]);
  }

  private onKey(event: KeyboardEvent): void {
    const at = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || at.matches?.("input, textarea, select")) return;
    if (event.key === "Backspace") { event.preventDefault(); this.undo(this.view?.undo?.to); }
    else if (event.key === "Enter" && !at.closest?.("button, a, g.item")) this.confirm();
    else if (event.key === "Escape" && this.playing) {
      clearTimeout(this.playing);
      this.playing = 0;
      this.go(this.view?.last ?? 0);
    } else if (event.key === "Escape") { this.why = undefined; this.only = undefined; this.sharing = false; this.note = ""; }
    else if (event.key === "l" || event.key === "L") this.prompt?.showList();
    else if (event.key === "B" || (event.key.startsWith("Arrow") && at === document.body)) {
      event.preventDefault();
      this.board?.focusFirst();
    }
    else if (event.key.length === 1) {
      this.querySelector<HTMLButtonElement>(`.choices button[data-key="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
    }
  }

  // ------------------------------------------------------------------ drawing

  render() {
    const view = this.view;
    const bar = topBar({
      title: view?.title ?? "", detail: view ? this.detail(view) : "", online: this.online, text: this.text,
      toText: () => { this.text = !this.text; preferText(this.text); },
      behind: this.develop ? () => this.openBehind() : undefined,
      share: () => (this.sharing = !this.sharing), rules: () => this.openRules(),
    });
    if (this.embedded) return view ? this.renderEmbedded(view) : html`<p class="hint">Opening the match …</p>`;
    if (!view) return html`${bar}<main class="empty"><p class="question">${this.note || "Opening the match …"}</p></main>`;
    if (this.handOver) return html`${bar}${this.handOverScreen(view)}`;
    const targets = this.targets();
    const names = new Map(view.seats.map((seat) => [seat.id, seatName(seat, this.company, this.mine)]));
    return html`${bar}
      <main class="table" data-panel=${this.panel}>
        <aside class="left" aria-label="Seats and values">
          ${seatPanels(view, this.company, this.mine, targets, this.lit, (id) => this.pickSeat(id), (id) => this.look(id),
            (seat, bot) => this.line.say({ say: "sit", seat, bot }))}
          ${valuePanel(view)}
        </aside>
        ${this.middle(view, targets, names)}
        <aside class="right" aria-label="Log and rules">
          ${cardsInPlay(view.inPlay, this.words)}
          <lw-log .lines=${this.log} .seats=${view.seats} .names=${names} at=${view.at} last=${view.last}
            ?mayUndo=${this.mine.length > 0 && !view.result} .since=${this.lastTurn(view)}
            @since=${(e: CustomEvent<number>) => this.playBack(e.detail)}
            @go=${(e: CustomEvent<number>) => this.go(e.detail)} @undo=${(e: CustomEvent<number>) => this.undo(e.detail)}
            @refer=${(e: CustomEvent<string[]>) => this.refer(e.detail)}></lw-log>
          ${this.ruleInForce(view)}
        </aside>
        <nav class="tabs" aria-label="Parts of the page">
          ${(["board", "seats", "log", "rules"] as const).map((name) => html`<button aria-pressed=${this.panel === name}
            @click=${() => (this.panel = name)}>${name[0].toUpperCase() + name.slice(1)}</button>`)}
        </nav>
      </main>
      ${this.behind ? behindPanel(this.behind, () => (this.behind = undefined)) : nothing}
      ${this.rulebook ? this.rulesBox() : nothing}`;
  }

  private middle(view: View, targets: ReadonlySet<string>, names: Map<string, string>) {
    return html`<section class="middle" aria-label="Board">
          ${this.text ? textBoard(view, targets, (item) => this.pick(item)) : html`<lw-board .scene=${view.scene} .targets=${targets}
            .chosen=${this.chosen()} .lit=${this.lit} .named=${new Set(view.decision?.path.flatMap((step) => step.items))} .changed=${this.changed(view)} .moved=${view.moved}
            label="${view.title}: ${view.status}" .ghosts=${this.preview?.moved ?? []}
            @pick=${(e: CustomEvent<Item>) => this.pick(e.detail)} @aim=${(e: CustomEvent<Item | undefined>) => this.aim(e.detail)}></lw-board>`}
          ${this.about && !this.why ? aboutTip(this.words[this.about]) : nothing}
          ${this.why ? this.whyTip(this.why) : nothing}
          ${this.note ? html`<p class="toast" role="status">${this.note} <button class="link" @click=${() => (this.note = "")}>close</button></p>` : nothing}
          ${this.mistakes ? html`<pre class="mistakes" role="alert">${this.mistakes}</pre>` : nothing}
          ${this.wish ? this.wishBar(this.wish, names) : nothing}
          ${this.sharing ? this.shareBox(view) : nothing}
          <lw-prompt .decision=${view.decision} .undo=${view.undo} .picks=${this.picks} .addable=${this.addable}
            .canStop=${this.canStop} .only=${this.only} .waiting=${this.waiting} .saved=${this.saved} .text=${this.text} who=${this.whoLine(view)}
            status=${this.statusLine(view, names)} .says=${this.preview?.says ?? []}
            @aim=${(e: CustomEvent<number[]>) => this.aimOption(e.detail)}
            @choose=${(e: CustomEvent<number>) => this.choose(e.detail)} @confirm=${() => this.confirm()}
            @undo=${(e: CustomEvent<number | null>) => this.undo(e.detail)}
            @withdraw=${() => this.line.say({ say: "withdraw", seat: this.seat, version: view.version })}
            @point=${(e: CustomEvent<string[]>) => (this.lit = new Set(e.detail))}></lw-prompt>
        </section>`;
  }

  private renderEmbedded(view: View) {
    const names = new Map(view.seats.map((seat) => [seat.id, seat.name]));
    const seen = view.all ? "*" : view.viewer ?? "";
    const as = [...this.mine, ...(this.develop ? ["*"] : [])];
    return html`<div class="as" role="group" aria-label="Seen by">
        ${as.map((seat) => html`<button aria-pressed=${seen === seat} @click=${() => this.look(seat)}>${
          seat === "*" ? "all seen" : `as ${names.get(seat) ?? seat}`}</button>`)}
        <span class="hint">${counted(view.last, "decision")}</span></div>
      ${this.middle(view, this.targets(), names)}`;
  }

  private targets(): ReadonlySet<string> {
    const found = new Set<string>();
    (this.view?.decision?.options ?? []).forEach((option, at) => {
      if (this.possible(at)) option.items.forEach((id) => found.add(id));
    });
    return found;
  }

  private chosen(): Map<string, number> {
    const found = new Map<string, number>();
    const options = this.view?.decision?.options ?? [];
    this.picks.forEach((at, order) => options[at]?.items.forEach((id) => found.set(id, order + 1)));
    return found;
  }

  private changed(view: View): Set<string> {
    const names = new Set(view.moved.flatMap((one) => [one.from, one.to]));
    return new Set(view.scene.items.filter((item) => item.kind === "space" && item.answers?.some((a) => names.has(a))).map((item) => item.id));
  }

  private pickSeat(id: string): void {
    this.pick({ id: `seat:${id}`, kind: "tag", x: 0, y: 0, marks: [], answers: [id] });
  }

  private detail(view: View): string {
    const words = [view.at < view.last ? `at ${view.at} of ${view.last}` : "", view.all ? "everything shown" : "",
      this.mine.length || view.all ? "" : "watching"];
    return words.filter(Boolean).join(" · ");
  }

  private whoLine(view: View): string {
    const seat = view.seats.find((one) => one.id === view.viewer);
    return seat ? (this.mine.length > 1 ? seat.name : `You, ${seat.name}`) : "";
  }

  private statusLine(view: View, names: Map<string, string>): string {
    if (view.result || view.at < view.last) return view.status;
    const who = view.asked.map((seat) => names.get(seat) ?? seat).join(" and ");
    return who ? `${who} ${view.asked.length > 1 ? "decide" : who === "You" ? "decide" : "decides"} …` : view.status;
  }

  private ruleInForce(view: View) {
    const rule = view.decision?.rule;
    const over = view.result;
    return html`<section class="rule" aria-label="Rule in force" tabindex="0">
      ${over ? html`<h2>The end</h2><p class="prose">${begun(view.status)}</p>${scores(view)}
        ${!view.all && this.hides ? html`<button class="second" @click=${() => this.line.say({ say: "look", seat: "*", at: null })}>Show everything</button>` : nothing}`
      : rule?.text ? html`<h2>Rule in force <small>${rule.heading}</small></h2><p class="prose">${prose(rule.text)}</p>
        <p class="mono">${rule.rule}${rule.line ? ` · line ${rule.line}` : ""}</p>`
      : html`<h2>Rule in force</h2><p class="hint">${view.decision ? (rule?.rule ?? "") : "Nothing is asked of you now."}</p>`}
    </section>`;
  }

  private whyTip(why: WhyNot) {
    return html`<div class="why" role="status"><b>${withCards(why.title)}</b><p>${withCards(why.reason)}</p>
      ${why.rule?.text ? html`<p class="prose">${prose(why.rule.text)}</p>` : nothing}
      <button class="link" @click=${() => (this.why = undefined)}>close</button></div>`;
  }

  private wishBar(wish: Wish, names: Map<string, string>) {
    if (!wish.seat) return html`<p class="toast" role="status">${names.get(wish.refusedBy) ?? wish.refusedBy} does not agree to the undo.
      <button class="link" @click=${() => (this.wish = undefined)}>close</button></p>`;
    const mine = this.mine.filter((seat) => !wish.agreed?.includes(seat));
    return html`<div class="toast" role="status">${begun(names.get(wish.seat) ?? wish.seat)} asks to take back all that came after decision ${wish.position}.
      ${mine.length ? html`<button class="primary" @click=${() => this.consent(mine, true)}>Agree</button>
        <button class="second" @click=${() => this.consent(mine.slice(0, 1), false)}>No</button>` : "Waiting for the others."}</div>`;
  }

  private consent(seats: string[], yes: boolean): void {
    for (const seat of seats) this.line.say({ say: "consent", seat, yes });
  }

  private handOverScreen(view: View) {
    const name = view.seats.find((seat) => seat.id === this.handOver)?.name ?? this.handOver;
    return html`<main class="empty handover"><h1>Next: ${name}</h1>
      <p class="hint">Hand the device over. Nothing is shown until the button is pressed.</p>
      <button class="primary" @click=${() => this.look(this.handOver)}>I am ${name}</button></main>`;
  }

  private shareBox(view: View) {
    const watch = `${location.origin}/m/${this.match}`;
    const known = linksOf(this.match);
    return html`<div class="share" role="dialog" aria-label="Share">
      <h2>Links</h2>
      ${view.seats.filter((seat) => known[seat.id]).map((seat) => this.linkRow(`Play ${seat.name}`, `${watch}#seat=${known[seat.id]}`))}
      ${this.linkRow("Watch", watch)}
      ${this.mine.map((seat) => html`<p class="row"><label>Your name as ${seat} <input maxlength="32" @change=${(e: Event) =>
        this.line.say({ say: "sit", seat, label: (e.target as HTMLInputElement).value })}></label>
        ${this.company.find((one) => one.id === seat)?.holder === "bot"
          ? html`<button class="second" @click=${() => this.line.say({ say: "sit", seat, bot: "" })}>Play ${seat} myself</button>`
          : html`<label>Let a bot play <select @change=${(e: Event) => this.line.say({ say: "sit", seat, bot: (e.target as HTMLSelectElement).value })}>
            <option value="" selected disabled>which?</option>${this.bots.map((bot) => html`<option value=${bot}>${botName(bot)}</option>`)}</select></label>`}</p>`)}
      ${this.messages.length ? this.mine.map((seat) => this.contactRow(seat)) : nothing}
      ${"Notification" in window && Notification.permission === "default"
        ? html`<button class="second" @click=${() => Notification.requestPermission()}>Tell me when it is my turn</button>` : nothing}
    </div>`;
  }

  private contactRow(seat: string) {
    const send = (event: Event) => {
      event.preventDefault();
      const data = new FormData(event.target as HTMLFormElement);
      this.line.say({ say: "tell", seat, webhook: String(data.get("webhook") ?? ""), mail: String(data.get("mail") ?? "") });
    };
    return html`<form class="row contact" @submit=${send}><b>While away, tell ${seat}</b>
      ${this.messages.includes("mail") ? html`<input name="mail" type="email" maxlength="254" placeholder="e-mail" aria-label="E-mail for ${seat}">` : nothing}
      <input name="webhook" type="url" maxlength="500" placeholder="https://… (webhook)" aria-label="Webhook for ${seat}">
      <button class="second">Set</button></form>`;
  }

  private linkRow(name: string, link: string) {
    return html`<p class="row"><b>${name}</b> <input readonly aria-label=${name} .value=${link} @focus=${(e: Event) => (e.target as HTMLInputElement).select()}>
      <button class="second" @click=${() => navigator.clipboard?.writeText(link)}>Copy</button></p>`;
  }

  private async openRules(): Promise<void> {
    if (this.rulebook) { this.rulebook = ""; return; }
    const answer = await fetch(`/api/rules/${this.match}`);
    this.rulebook = answer.ok ? await answer.text() : "The rulebook cannot be shown.";
  }

  private async openBehind(): Promise<void> {
    this.behind = this.behind ? undefined : await lookBehind(this.match, this.view?.at ?? 0);
  }

  private rulesBox() {
    return html`<div class="rulebook" role="dialog" aria-label="Rulebook"><button class="second" @click=${() => (this.rulebook = "")}>Close</button>
      ${this.rulebook.split(/\n\n+/).map((block) => block.startsWith("#")
        ? html`<h2>${block.replace(/^#+ */, "")}</h2>` : html`<p class="prose">${prose(block)}</p>`)}</div>`;
  }
}
