// The board: a scene as SVG, in which what can be chosen glows.

import { LitElement, html, nothing, svg, type PropertyValues, type SVGTemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { colour, mark, outline, place } from "./marks";
import type { Item, Moved, Scene } from "./types";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LEAST = [560, 400];
const SMALLEST = [280, 280]; // the same on a phone
const BUTTONS = [56, 130]; // the room that zooming takes
const MOVE = 220; // milliseconds
const PHONE = 720; // pixels
const SMALL = 0.7; // of the usual size: smaller than this is hard to read
const TINY = 0.45; // the same for boards without words on them
const READABLE = 0.85; // of the usual size, on a phone

/** How large a scene is drawn at least, so that a few cells do not fill a screen. */
function roomFor(scene: Scene): [number, number] {
  const [wide, high] = innerWidth <= PHONE ? SMALLEST : LEAST;
  return [Math.max(scene.width, wide), Math.max(scene.height, high)];
}

/** How far up an outline reaches, where it begins at its top; 0: it is round. */
const top = (edge: string): number => Math.min(0, Number(/^M\S+ (\S+?)[A-Za-z]/.exec(edge)?.[1] ?? 0));

@customElement("lw-board")
export class Board extends LitElement {
  @property({ attribute: false }) scene?: Scene;
  /** Which items can be chosen now. */
  @property({ attribute: false }) targets: ReadonlySet<string> = new Set();
  /** Items that are picked, with the order of the pick. */
  @property({ attribute: false }) chosen: ReadonlyMap<string, number> = new Map();
  /** What the log points at. */
  @property({ attribute: false }) lit: ReadonlySet<string> = new Set();
  /** What this move has named so far. */
  @property({ attribute: false }) named: ReadonlySet<string> = new Set();
  @property({ attribute: false }) changed: ReadonlySet<string> = new Set();
  @property({ attribute: false }) moved: Moved[] = [];
  /** What the option that one points at would move. */
  @property({ attribute: false }) ghosts: Moved[] = [];
  @property() label = "";
  @state() private zoom = 1;
  @state() private at = ""; // the space that one points at: its lines stand out
  @state() private fit = 0; // how large a scene is drawn that would be too small as a whole; 0: as a whole
  private drawn?: Scene;
  private sized = new ResizeObserver(() => this.measure());
  private close = false; // on a phone: near enough to read, and moved to what can be chosen

  createRenderRoot(): HTMLElement { return this; }

  render() {
    const scene = this.scene;
    if (!scene) return nothing;
    const aboutPieces = scene.items.some((item) => item.kind === "piece" && this.targets.has(item.id));
    const anyPlace = scene.items.some((item) => item.kind !== "piece" && this.targets.has(item.id));
    const occupied = this.occupied(scene);
    // a scene of two cups is not blown up to the size of a map
    const [wide, high] = roomFor(scene);
    const scale = this.zoom !== 1 ? this.zoom : this.fit || 1;
    const moving = this.zoom !== 1 || this.fit > 0;
    const box = `${(scene.width - wide) / 2} ${(scene.height - high) / 2} ${wide} ${high}`;
    return html`
      <div class="pan" @keydown=${this.onKey} tabindex=${moving ? 0 : nothing}
        role=${moving ? "region" : nothing} aria-label=${moving ? "Board, scrollable" : nothing}>
        <svg class="scene" viewBox=${box} role="group" aria-label=${this.label}
          width=${wide * scale} height=${high * scale} data-zoomed=${moving ? "yes" : nothing}>
          ${repeat(scene.items, (item) => item.id, (item) => this.item(item, aboutPieces && !anyPlace, occupied))}
          ${this.ghosts.map((ghost) => this.ghost(scene, ghost))}
        </svg>
      </div>
      <div class="zoom" role="group" aria-label="Zoom">
        <button @click=${() => this.scale(1.25)} aria-label="Larger">+</button>
        <button @click=${() => this.scale(0.8)} aria-label="Smaller">−</button>
        <button @click=${() => { this.zoom = 1; this.close = false; }}>Fit</button>
      </div>`;
  }

  private scale(factor: number): void {
    const now = this.zoom !== 1 ? this.zoom : this.fit || 1;
    this.zoom = Math.max(0.3, Math.min(4, now * factor));
  }

  /** Spaces that something stands on, a piece or a number, by where it stands. */
  private occupied(scene: Scene): Set<string> {
    const places = new Set(scene.items.filter((i) => i.kind === "piece" || i.kind === "tag").map((i) => `${i.x} ${i.y}`));
    return new Set(scene.items.filter((i) => i.kind === "space" && places.has(`${i.x} ${i.y}`)).map((i) => i.id));
  }

  private item(item: Item, askable: boolean, occupied: Set<string>): SVGTemplateResult {
    const target = this.targets.has(item.id);
    const order = this.chosen.get(item.id);
    const isPlace = item.kind === "space" || item.kind === "zone";
    const reachable = target || isPlace || (askable && item.kind === "piece" && !!item.answers?.length);
    const cell = item.kind === "space" && !item.marks.some((one) => one.text !== undefined);
    const classes = [
      "item", item.kind, target && "legal", order !== undefined && "chosen",
      this.lit.has(item.id) && "lit", this.changed.has(item.id) && "changed", this.named.has(item.id) && "named",
      item.kind === "edge" && this.at && item.id.slice(5).split(":").includes(this.at) && "near",
      reachable && "reachable", cell && "cell", cell && !occupied.has(item.id) && "empty",
    ].filter(Boolean).join(" ");
    const edge = outline(item);
    return svg`<g class=${classes} data-id=${item.id} transform=${place(item)}
        tabindex=${target ? 0 : nothing} role=${target ? "button" : nothing}
        aria-label=${target ? (item.name ?? item.id) : nothing}
        aria-pressed=${target && this.chosen.size ? String(order !== undefined) : nothing}
        @click=${reachable || item.row ? () => this.pick(item) : nothing}
        @mouseenter=${() => this.aimAt(item)} @mouseleave=${() => this.aimAt()}
        @focus=${() => this.aimAt(item)} @blur=${() => this.aimAt()}>
      <g class="body">
        ${item.name && !target ? svg`<title>${item.name}</title>` : nothing}
        <g aria-hidden="true">${item.marks.map(mark)}</g>
        ${edge && this.changed.has(item.id) ? svg`<path class="tint" d=${edge}></path>` : nothing}
        ${target || order !== undefined || this.lit.has(item.id) || this.named.has(item.id)
          ? svg`<path class="halo" d=${edge}></path><path class="ring" d=${edge}></path>` : nothing}
        ${target && cell && !occupied.has(item.id) ? svg`<circle class="dot" r="7"></circle>` : nothing}
        ${order !== undefined ? svg`<g class="badge" transform="translate(0 ${top(edge)})"><circle r="10"></circle><text>${order}</text></g>` : nothing}
      </g>
    </g>`;
  }

  /** Where something would go: a line, and a hollow disc at its end. */
  private ghost(scene: Scene, { from, to }: Moved): SVGTemplateResult | typeof nothing {
    const place = (name: string | null) => scene.items.find((item) =>
      name !== null && (item.kind === "space" || item.kind === "zone") && item.answers?.includes(name));
    const [start, end] = [place(from), place(to)];
    if (!end) return nothing;
    return svg`<g class="ghost" aria-hidden="true">
      ${start ? svg`<path d="M${start.x} ${start.y}L${end.x} ${end.y}"></path>` : nothing}
      <circle cx=${end.x} cy=${end.y} r="15"></circle></g>`;
  }

  private aimAt(item?: Item): void {
    this.at = item?.kind === "space" ? item.id.slice(6) : "";
    this.dispatchEvent(new CustomEvent("aim", { detail: item, bubbles: true, composed: true }));
  }

  private pick(item: Item): void {
    this.dispatchEvent(new CustomEvent("pick", { detail: item, bubbles: true, composed: true }));
  }

  /** Arrow keys go to the next target in their direction; Enter and space take it. */
  private onKey(event: KeyboardEvent): void {
    const here = (event.target as Element).closest<SVGGElement>("g.item");
    const item = this.scene?.items.find((one) => one.id === here?.dataset.id);
    if (!item) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(item);
      return;
    }
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    this.focusItem(this.towards(item, way));
  }

  private towards(from: Item, [dx, dy]: [number, number]): Item {
    let best = from;
    let least = Infinity;
    for (const item of this.scene?.items ?? []) {
      if (!this.targets.has(item.id) || item === from) continue;
      const [x, y] = [item.x - from.x, item.y - from.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along <= 1 || aside > along * 3) continue;
      const cost = along + 2 * aside;
      if (cost < least) [best, least] = [item, cost];
    }
    return best;
  }

  focusItem(item: Item): void {
    this.querySelector<SVGGElement>(`g.item[data-id="${CSS.escape(item.id)}"]`)?.focus();
  }

  focusFirst(): void {
    this.querySelector<SVGGElement>("g.item.legal")?.focus();
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sized.disconnect();
  }

  protected firstUpdated(): void {
    this.sized.observe(this);
  }

  /** A large board with much below it: the board fits, and what lies below is scrolled to. */
  private measure(): void {
    const scene = this.scene;
    const [width, height] = [this.clientWidth - 24, this.clientHeight - 24];
    if (scene && width > 0 && innerWidth > PHONE) this.toggleAttribute("tight", this.underZoom(scene, width, height));
    if (scene && this.close) this.zoom = this.near(scene, height + 24);
    if (!scene?.board || width <= 0 || height <= 0) return;
    const whole = Math.min(width / scene.width, height / scene.height);
    const board = Math.min(width / scene.width, height / scene.board);
    this.fit = whole < SMALL && board > whole * 1.1 ? board : 0;
  }

  /** Whether the corner of the scene would lie under the buttons that make it larger. */
  private underZoom(scene: Scene, width: number, height: number): boolean {
    const [wide, high] = roomFor(scene);
    const scale = Math.min(width / wide, height / high);
    return (width - scene.width * scale) / 2 < BUTTONS[0] && (height - scene.height * scale) / 2 < BUTTONS[1];
  }

  protected updated(changes: PropertyValues): void {
    if (changes.has("scene")) this.measure();
    if (changes.has("scene") && this.scene !== this.drawn) {
      if (this.scene?.background) this.style.setProperty("--table", colour(this.scene.background));
      else this.style.removeProperty("--table");
      if (this.drawn && !STILL.matches) this.animateFrom(this.drawn);
      if (!this.drawn && this.scene) this.comeClose(this.scene);
      this.drawn = this.scene;
    }
    if (this.close && this.scene && (changes.has("targets") || changes.has("zoom"))) this.aim(this.scene);
  }

  /** On a narrow screen a large board would be too small to read: it opens larger than the screen. */
  private comeClose(scene: Scene): void {
    const pan = this.querySelector<HTMLElement>(".pan");
    if (!pan || innerWidth > PHONE || !this.label) return;
    const [wide, high] = roomFor(scene);
    const words = scene.items.some((item) => item.kind === "space" && item.marks.some((one) => one.text !== undefined));
    if (Math.min(pan.clientWidth / wide, pan.clientHeight / high) >= (words ? SMALL : TINY)) return;
    this.close = true;
    this.zoom = this.near(scene, pan.clientHeight);
  }

  private near(scene: Scene, height: number): number {
    return Math.max(READABLE, Math.min(1.15, (height * 0.92) / roomFor(scene)[1]));
  }

  /** The middle of what can be chosen, or of what has changed, into the middle of the screen. */
  private aim(scene: Scene): void {
    const pan = this.querySelector<HTMLElement>(".pan");
    const among = (ids: ReadonlySet<string>) => scene.items.filter((item) => ids.has(item.id));
    const found = [among(this.targets), among(this.changed), scene.items].find((items) => items.length) ?? [];
    if (!pan || !found.length) return;
    const middle = (of: (item: Item) => number) => (Math.min(...found.map(of)) + Math.max(...found.map(of))) / 2;
    const [wide, high] = roomFor(scene);
    pan.scrollTo({
      left: (middle((item) => item.x) + (wide - scene.width) / 2) * this.zoom - pan.clientWidth / 2,
      top: (middle((item) => item.y) + (high - scene.height) / 2) * this.zoom - pan.clientHeight / 2,
      behavior: STILL.matches ? "auto" : "smooth",
    });
  }

  /** Pieces go in a straight line from where they were. */
  private animateFrom(before: Scene): void {
    const old = new Map(before.items.map((item) => [item.id, item]));
    const places = new Map<string, Item>();
    for (const item of before.items) {
      if (item.kind === "space" || item.kind === "zone") for (const name of item.answers ?? []) places.set(name, item);
    }
    const arrivals = new Map<string, Item>();
    for (const { from, to } of this.moved) {
      const origin = from === null ? undefined : places.get(from);
      const goal = to === null ? undefined : places.get(to);
      if (origin && goal) arrivals.set(`${goal.x} ${goal.y}`, origin);
    }
    for (const item of this.scene?.items ?? []) {
      if (item.kind !== "piece") continue;
      const same = old.get(item.id);
      const start = same && (same.x !== item.x || same.y !== item.y) ? same : arrivals.get(`${item.x} ${item.y}`);
      const body = this.querySelector<SVGGElement>(`g.item[data-id="${CSS.escape(item.id)}"] > .body`);
      if (!body || (same && !start)) continue;
      if (start) {
        const turn = (-(item.turn ?? 0) * Math.PI) / 180;
        const [x, y] = [start.x - item.x, start.y - item.y];
        const [dx, dy] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
        body.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }],
          { duration: MOVE, easing: "ease-out" });
      } else if (!same) {
        body.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
      }
    }
  }
}
