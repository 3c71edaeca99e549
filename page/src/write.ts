// The Write page: a rulebook beside the game it makes. Its code is loaded only here.

import { LitElement, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { topBar } from "./bar";
import "./editor";
import type { Editor, Found, Word } from "./editor";
import { ownerToken, remember } from "./memory";
import { kept, strip } from "./strip";
import "./table";
import type { Item, View } from "./types";
import { counted } from "./words";

interface File { name: string; text: string; version: string }

interface Check { ok: boolean; diagnostics: Found[]; names: Word[]; milliseconds?: number; stopped?: string }

const LOOK_AGAIN = 1500; // milliseconds between looks at the files, which other editors may change
const PAUSE = 350; // milliseconds without a key before the text is checked

const versions = (files: File[]): string => files.map((file) => file.version).join(" ");

@customElement("lw-write")
export class Write extends LitElement {
  @property() game = "";
  @state() private files: File[] = [];
  @state() private open = 0;
  @state() private edited = false;
  @state() private check?: Check;
  @state() private note = "";
  @state() private match = "";
  @state() private seen?: View;
  @state() private at?: Item; // what one points at
  @query("lw-editor") private editor?: Editor;
  private drafts: string[] = [];
  private timer = 0;
  private looking = 0;
  private round = 0;
  private beginning = false; // whether a match is being made
  private keys = (event: KeyboardEvent) => this.onKey(event);

  createRenderRoot(): HTMLElement { return this; }

  connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keys);
    addEventListener("beforeunload", this.leaving);
    document.title = `${this.game} · write`;
    this.looking = window.setInterval(() => void this.follow(), LOOK_AGAIN);
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keys);
    removeEventListener("beforeunload", this.leaving);
    clearInterval(this.looking);
  }

  private leaving = (event: Event): void => { if (this.edited) event.preventDefault(); };

  private async ask(path: string, body?: object): Promise<Response> {
    return fetch(`/api/write/${encodeURIComponent(this.game)}${path}`, {
      method: body ? "POST" : "GET", body: body && JSON.stringify(body), headers: { "x-ludwright-owner": ownerToken() },
    });
  }

  private async begin(): Promise<void> {
    const answer = await this.ask("");
    const told = await answer.json();
    if (!answer.ok) { this.note = told.reason; return; }
    this.files = told.files;
    this.drafts = this.files.map((file) => file.text);
    this.show(0);
    await this.look();
  }

  /** Take over what another editor has saved. What is being written here stays: saving it is refused then. */
  private async follow(): Promise<void> {
    if (document.hidden || this.edited || !this.files.length) return;
    const known = versions(this.files);
    const answer = await this.ask("").catch(() => undefined);
    if (!answer?.ok) return;
    const files = (await answer.json()).files as File[];
    if (this.edited || known !== versions(this.files) || versions(files) === known) return;
    this.files = files;
    this.drafts = files.map((file) => file.text);
    this.show(Math.min(this.open, files.length - 1));
    await this.look();
  }

  private show(at: number): void {
    if (this.editor && this.files.length) {
      if (at !== this.open) this.drafts[this.open] = this.editor.text;
      this.open = at;
      this.editor.text = this.drafts[at] ?? "";
      this.mark();
    }
  }

  private edit(): void {
    this.drafts[this.open] = this.editor?.text ?? "";
    this.edited = this.drafts.some((text, at) => text !== this.files[at]?.text);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), PAUSE);
  }

  private async look(): Promise<void> {
    const round = ++this.round;
    const texts = Object.fromEntries(this.files.map((file, at) => [file.name, this.drafts[at]]));
    const answer = await this.ask("/check", texts);
    const told = await answer.json();
    if (round !== this.round) return; // something newer is being checked
    if (!answer.ok) { this.note = told.reason; return; }
    this.check = told;
    this.note = told.stopped ?? "";
    this.editor?.offer(told.names);
    this.mark();
    // whichever check was the last: what is saved and right is played
    if (told.ok && !this.edited && !this.match) await this.play();
  }

  private mark(): void {
    const name = this.files[this.open]?.name;
    this.editor?.mark((this.check?.diagnostics ?? []).filter((one) => one.file === null || one.file === name));
  }

  private async save(): Promise<void> {
    for (const [at, file] of this.files.entries()) {
      if (this.drafts[at] === file.text) continue;
      const answer = await this.ask("/save", { name: file.name, text: this.drafts[at], base: file.version });
      const told = await answer.json();
      if (!answer.ok) { this.note = told.reason; return; }
      this.files[at] = { ...file, text: this.drafts[at], version: told.version };
    }
    this.edited = false;
    this.note = "";
    await this.look();
  }

  /** A match with all seats, to see what was written. */
  private async play(): Promise<void> {
    if (this.beginning) return;
    this.beginning = true;
    try {
      await this.newMatch();
    } finally {
      this.beginning = false;
    }
  }

  private async newMatch(): Promise<void> {
    const about = await (await fetch(`/api/games/${encodeURIComponent(this.game)}`)).json();
    if (about.error) { this.note = about.error; return; }
    const seats = Array.from({ length: about.players[0] }, () => "me");
    const answer = await fetch("/api/matches", { method: "POST", body: JSON.stringify({ game: this.game, seats }) });
    const told = await answer.json();
    if (!answer.ok) { this.note = told.reason; return; }
    remember(told.match, Object.values(told.tokens as Record<string, string>));
    this.match = told.match;
  }

  private onKey(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      void this.save();
    } else if (event.key === "F8" && !event.defaultPrevented) this.editor?.next();
  }

  /** What was pointed at last stays: the pointer has to leave the board to reach anything else. */
  private point(at: unknown): void {
    if (at && typeof at === "object" && "marks" in at) this.at = at as Item;
  }

  /** The same thing as it is now: a move may have changed it. */
  private aimed(view: View): Item | undefined {
    return view.scene.items.find((item) => item.id === this.at?.id) ?? this.at;
  }

  private async keep(): Promise<void> {
    if (!this.seen) return;
    await navigator.clipboard?.writeText(kept(this.seen.scene));
    this.note = "The places are copied: paste each `at` at its space, and the map stays as it is.";
  }

  private problems() {
    const found = this.check?.diagnostics ?? [];
    const count = (kind: string) => found.filter((one) => one.severity === kind).length;
    const [errors, warnings] = [count("error"), count("warning")];
    if (!this.check) return html`<span class="hint">…</span>`;
    return html`${errors ? html`<span class="tag err">● ${counted(errors, "error")}</span>` : nothing}
      ${warnings ? html`<span class="tag warn">▲ ${counted(warnings, "warning")}</span>` : nothing}
      ${errors + warnings ? html`<button class="second" @click=${() => this.editor?.next()}>Next <kbd>F8</kbd></button>`
        : html`<span class="tag ok">no mistakes</span>`}
      ${this.check.milliseconds === undefined ? nothing : html`<span class="hint">checked in ${this.check.milliseconds} ms</span>`}`;
  }

  render() {
    return html`${topBar({ title: this.game, detail: "write" })}
      <main class="write">
        <section class="text" aria-label="Rulebook">
          <div class="problems" role="status">
            ${this.files.length > 1 ? html`<select aria-label="File" @change=${(e: Event) => this.show((e.target as HTMLSelectElement).selectedIndex)}>
              ${this.files.map((file, at) => html`<option ?selected=${at === this.open}>${file.name}</option>`)}</select>`
              : html`<b>${this.files[0]?.name ?? ""}</b>`}
            ${this.problems()}
            <button class="primary" ?disabled=${!this.edited} @click=${() => this.save()}>Save <kbd>Ctrl S</kbd></button></div>
          ${this.note ? html`<p class="note" role="alert">${this.note}</p>` : nothing}
          <lw-editor label="Text of the rulebook" @ready=${() => void this.begin()} @edit=${() => this.edit()}></lw-editor>
        </section>
        <section class="live" aria-label="The game">
          ${this.match ? html`<lw-table embedded match=${this.match} @seen=${(e: CustomEvent<View>) => (this.seen = e.detail)}
            @aim=${(e: CustomEvent<unknown>) => this.point(e.detail)}></lw-table>
            ${this.seen ? strip(this.seen, this.aimed(this.seen), () => void this.keep()) : nothing}`
            : html`<div class="empty"><p class="hint">The board appears once the rulebook is saved without mistakes.</p></div>`}
        </section>
      </main>`;
  }
}
