// The lobby: a game, who sits where, its settings; and the matches of this browser.

import { LitElement, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { topBar } from "./bar";
import "./board";
import { seatMark } from "./marks";
import { keepLinks, ownerToken, remember, tokens } from "./memory";
import type { Game, MyMatch, Scene } from "./types";
import { counted } from "./words";

@customElement("lw-lobby")
export class Lobby extends LitElement {
  @state() private games: Game[] = [];
  @state() private game?: Game;
  @state() private seats: string[] = [];
  @state() private settings: Record<string, number | boolean> = {};
  @state() private scenario = "";
  @state() private seed = "";
  @state() private mine: MyMatch[] = [];
  @state() private problem = "";
  @state() private chosen = "";
  @state() private pictured = -1; // how many games have their picture
  private blank = new Set<string>(); // games without one
  private owner = "";

  createRenderRoot(): HTMLElement { return this; }

  connectedCallback(): void {
    super.connectedCallback();
    document.title = "Ludwright";
    this.owner = ownerToken();
    void this.begin();
  }

  private async begin(): Promise<void> {
    void this.loadMine();
    const answer = await fetch("/api/games");
    this.games = await answer.json();
    const wanted = new URLSearchParams(location.hash.slice(1)).get("game");
    await this.select(this.games.find((game) => game.id === wanted)?.id ?? this.games[0]?.id ?? "");
  }

  private async loadMine(): Promise<void> {
    const known = tokens();
    if (!Object.keys(known).length) return;
    const answer = await fetch("/api/mine", { method: "POST", body: JSON.stringify(known) });
    if (answer.ok) this.mine = await answer.json();
  }

  private async select(id: string): Promise<void> {
    if (!id) return;
    this.chosen = id;
    this.game = undefined;
    const answer = await fetch(`/api/games/${encodeURIComponent(id)}`);
    const game: Game = await answer.json();
    if (this.chosen !== id) return;
    this.game = game;
    if (this.pictured < 0) this.pictured = 0;
    this.problem = game.error ?? "";
    this.seats = Array.from({ length: game.players?.[0] ?? 0 }, (_, at) => (at ? "bot:greedy" : "me"));
    this.settings = Object.fromEntries((game.parameters ?? []).map((one) => [one.name, one.default]));
    this.scenario = "";
    history.replaceState(null, "", `#game=${id}`);
  }

  private async create(): Promise<void> {
    if (!this.game) return;
    const answer = await fetch("/api/matches", {
      method: "POST",
      body: JSON.stringify({
        game: this.game.id, seats: this.seats, parameters: this.settings,
        scenario: this.scenario || null, seed: this.seed ? Number(this.seed) : null,
      }),
    });
    const told = await answer.json();
    if (!answer.ok) {
      this.problem = told.reason;
      return;
    }
    const found = told as { match: string; mine: string[]; tokens: Record<string, string> };
    remember(found.match, found.mine.map((seat) => found.tokens[seat]));
    const links = Object.fromEntries(Object.entries(found.tokens).filter(([seat]) => !found.mine.includes(seat)));
    keepLinks(found.match, links);
    location.assign(`/m/${found.match}`);
  }

  private async upload(event: Event): Promise<void> {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (!file) return;
    const answer = await fetch("/api/upload", {
      method: "POST", headers: { "x-ludwright-owner": ownerToken() },
      body: JSON.stringify({ name: file.name, text: await file.text() }),
    });
    const told = await answer.json();
    if (!answer.ok) { this.problem = told.reason; return; }
    this.games = await (await fetch("/api/games")).json();
    await this.select(told.game);
  }

  private set(at: number, holder: string): void {
    if (holder === "none") this.seats = this.seats.slice(0, at);
    else {
      const seats = [...this.seats];
      while (seats.length < at) seats.push("bot:greedy");
      seats[at] = holder;
      this.seats = seats;
    }
  }

  render() {
    return html`${topBar({ title: "New match" })}
      <main class="lobby">
        <nav class="games" aria-label="Games"><h2>Games <small>${this.games.length} rulebooks</small></h2>
          ${this.games.map((game, at) => html`<button class="game" aria-pressed=${this.chosen === game.id} @click=${() => this.select(game.id)}>
            ${this.thumbnail(game, at)}
            <span><b>${game.title}</b><small>${game.summary}</small></span>
            <span class="players">${players(game)}</span></button>`)}
          ${this.owner ? html`<label class="upload">Upload a rulebook <input type="file" accept=".md,.markdown,text/markdown" @change=${(e: Event) => this.upload(e)}></label>` : nothing}</nav>
        <section class="setup" aria-label="Set up">${this.game ? this.setup(this.game) : html`<p class="hint">Opening the rulebook … a large one takes a while the first time.</p>`}</section>
        <aside class="mine" aria-label="Your matches"><h2>Your matches</h2>
          ${this.mine.length ? nothing : html`<p class="hint">Matches you create or join on this device stand here.</p>`}
          ${this.mine.map((match) => html`<a class="match" href="/m/${match.match}"><b>${match.title}</b>
            <span class="tag ${match.yourTurn ? "act" : ""}">${match.over ? "ended" : match.yourTurn ? "your turn" : `${match.asked.join(", ")} decides`}</span>
            <small>${match.seats.join(", ")} · ${counted(match.decisions, "decision")}</small></a>`)}</aside>
      </main>`;
  }

  /** Pictures are asked for one after the other: the first time they have to be drawn. */
  private thumbnail(game: Game, at: number) {
    if (at > this.pictured || this.blank.has(game.id)) return html`<span class="thumb"></span>`;
    const on = () => (this.pictured = Math.max(this.pictured, at + 1));
    return html`<img class="thumb" alt="" src="/api/games/${encodeURIComponent(game.id)}/picture"
      @load=${on} @error=${() => { this.blank.add(game.id); on(); this.requestUpdate(); }}>`;
  }

  private setup(game: Game) {
    return html`<div class="scroll"><div class="about"><div>
        <h1>${game.title}</h1><p class="intro">${game.intro || game.summary}</p>
        <p>${game.error ? nothing : html`<span class="tag">${players(game)} players</span>`} ${game.own ? html`<span class="tag">your file</span> ${ownerToken() ? html`<a href="/write/${encodeURIComponent(game.id)}">Write</a>` : nothing}` : nothing}</p></div>
        ${game.scene ? html`<div class="preview"><lw-board .scene=${boardsOf(game.scene)} label="The board of ${game.title}"></lw-board></div>` : nothing}</div>
      ${this.problem ? html`<pre class="problem" role="alert">${this.problem}</pre>` : nothing}
      ${game.error ? nothing : this.wishes(game)}</div>
      ${game.error ? nothing : this.readiness()}`;
  }

  /** Who sits where, and how the game begins. */
  private wishes(game: Game) {
    const [least, most] = game.players ?? [1, 1];
    return html`<h2>Seats</h2>
      ${(game.seats ?? []).slice(0, most).map((seat, at) => html`<div class="setseat" role="group" aria-label=${seat.name}>
        ${seatMark(at, seat.colour)} <b>${seat.name}</b>
        <span class="segments">${this.holders(at, least).map(([value, name]) => html`<button aria-pressed=${(this.seats[at] ?? "none") === value}
          @click=${() => this.set(at, value)}>${name}</button>`)}</span></div>`)}
      ${(game.parameters ?? []).length || (game.scenarios ?? []).length ? html`<h2>Settings <small>from the rulebook</small></h2>` : nothing}
      <div class="settings">${(game.parameters ?? []).map((one) => html`<label><b>${one.name}</b><small>${one.doc}</small>
        ${typeof one.default === "boolean"
          ? html`<input type="checkbox" .checked=${Boolean(this.settings[one.name])} @change=${(e: Event) => this.setting(one.name, (e.target as HTMLInputElement).checked)}>`
          : html`<input type="number" min=${one.min ?? nothing} max=${one.max ?? nothing} .value=${String(this.settings[one.name])}
            @change=${(e: Event) => this.setting(one.name, Number((e.target as HTMLInputElement).value))}>`}</label>`)}
        ${(game.scenarios ?? []).length ? html`<label><b>scenario</b><select @change=${(e: Event) => (this.scenario = (e.target as HTMLSelectElement).value)}>
          <option value="">as usual</option>${game.scenarios!.map((name) => html`<option>${name}</option>`)}</select></label>` : nothing}
        <label><b>seed</b><small>the same seed gives the same rolls and deals</small><input inputmode="numeric" pattern="[0-9]*" placeholder="chance"
          .value=${this.seed} @change=${(e: Event) => (this.seed = (e.target as HTMLInputElement).value.replace(/\D/g, ""))}></label></div>`;
  }

  private readiness() {
    const bots = this.seats.filter((seat) => seat.startsWith("bot")).length;
    const links = this.seats.filter((seat) => seat === "link").length;
    return html`<footer class="prompt"><div class="ask"><p class="question">${this.ready(bots, links)}</p>
        <p class="hint">${links ? "You get a link for each friend. You may begin at once." : "Nobody needs an account."}</p></div>
        <div class="choices"><button class="primary" @click=${() => this.create()}>Create match</button></div></footer>`;
  }

  private holders(at: number, least: number): [string, string][] {
    const found: [string, string][] = [["me", "You"], ["link", "Friend"], ["bot:greedy", "Bot"], ["bot:search:1s", "Strong bot"]];
    return at >= least ? [...found, ["none", "Empty"]] : found;
  }

  private setting(name: string, value: number | boolean): void {
    this.settings = { ...this.settings, [name]: value };
  }

  private ready(bots: number, links: number): string {
    const me = this.seats.filter((seat) => seat === "me").length;
    const words = [me === 0 ? "" : me === 1 ? "you" : `you in ${me} seats`,
      bots ? `${bots} bot${bots > 1 ? "s" : ""}` : "", links ? `${links} friend${links > 1 ? "s" : ""} to come` : ""];
    return `Ready: ${words.filter(Boolean).join(", ")}`;
  }
}

/** A scene without the zones below its boards, which would make them small. */
const boardsOf = (scene: Scene): Scene => scene.board === undefined ? scene
  : { ...scene, height: scene.board, board: undefined, items: scene.items.filter((item) => item.y <= scene.board!) };

const players = (game: Game): string => {
  const [least, most] = game.players ?? [0, 0];
  return least === most ? `${least}` : `${least}–${most}`;
};
