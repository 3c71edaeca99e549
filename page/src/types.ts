// What the server tells. The same names as in ludwright/table/view.py and room.py.

export interface Mark {
  path?: string; fill?: string; stroke?: string; width?: number; dash?: boolean; opacity?: number;
  text?: string; x?: number; y?: number; style?: string; scale?: number; anchor?: "start" | "middle" | "end";
}

export interface Item {
  id: string; kind: "space" | "zone" | "piece" | "edge" | "tag";
  x: number; y: number; marks: Mark[]; name?: string; turn?: number; answers?: string[]; row?: string;
  holds?: string[]; // pieces in it that are not drawn themselves
}

export interface Moved { from: string | null; to: string | null }

export interface Scene { width: number; height: number; board?: number; background?: string; items: Item[] }

export interface Value { name: string; text: string; most: number | null; dice?: number[] }

export interface SeatView {
  id: string; name: string; number: number; colour: string; rank: number | null; toAct: boolean; values: Value[];
  badges?: string[]; faint?: boolean;
}

export interface Rule { rule: string; heading: string; text: string; line: number }

export interface Option { text: string; items: string[] }

export interface Decision {
  number: number; id: string; prompt: string; path: { text: string; undo: number; items: string[] }[];
  many: boolean; min: number; max: number; together: string[]; rule: Rule;
  range?: { lo: number; hi: number; presets?: { text: string; value: number }[] }; options?: Option[]; decline?: number; canStop?: boolean;
  opens?: boolean; // the only action does nothing but ask on
}

export type Word = string | { text: string; ref: string };

export interface LogLine {
  at: number; seat: string; words: Word[]; details: Word[][]; done: boolean; head?: string;
}

export interface Undo { to: number | null; ask: number | null; steps: number; reason: string; withdraw: boolean }

export interface Result { winners: string[]; reason: string; outcome: string; scores: Record<string, number> }

export interface View {
  title: string; viewer: string | null; all: boolean; version: number; at: number; last: number;
  status: string; phase: string | null; turn: number; scene: Scene; seats: SeatView[];
  values: Value[]; result: Result | null; log: LogLine[]; moved: Moved[];
  asked: string[]; inPlay: string[]; undo?: Undo; decision?: Decision;
}

/** What the rulebook says of a card. */
export interface CardWords { title: string; text: string }

export interface Company { id: string; holder: string; label: string; bot: string; here: boolean }

export interface WhyNot { value: string; legal: boolean; title: string; reason: string; rule: Rule | null }

/** What an option would change. */
export interface Preview { decision: number; option: number; moved: Moved[]; says: string[] }

export interface Wish { seat: string; position?: number; agreed?: string[]; refusedBy: string }

export type Told =
  | ({ tell: "view" } & View)
  | { tell: "welcome"; seats: string[]; hides: boolean; title: string; bots: string[]; develop: boolean; messages: string[] }
  | { tell: "company"; seats: Company[] }
  | { tell: "done"; seat: string; decision: number }
  | { tell: "refused"; code: string; reason: string }
  | { tell: "picks"; decision: number; option: number[]; add: number[]; canStop: boolean }
  | ({ tell: "preview" } & Preview)
  | ({ tell: "why" } & WhyNot)
  | ({ tell: "wish" } & Wish)
  | { tell: "behind"; last: number }
  | { tell: "mistakes"; text: string }
  | { tell: "moved"; match: string; differs: string }
  | { tell: "contact"; seat: string; webhook: string; mail: string; confirmed: boolean }
  | { tell: "note"; text: string };

export interface Game {
  id: string; title: string; summary: string; players: [number, number]; own?: boolean; error?: string;
  intro?: string; seats?: { id: string; name: string; colour: string }[]; scenarios?: string[]; bots?: string[];
  parameters?: { name: string; default: number | boolean; min: number | null; max: number | null; doc: string }[];
  scene?: Scene;
}

export interface MyMatch {
  match: string; title: string; seats: string[]; yourTurn: boolean; over: boolean; asked: string[];
  created: number; decisions: number;
}
