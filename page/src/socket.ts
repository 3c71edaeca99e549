// The line to the server. It comes back by itself, and sends an unacknowledged answer again.

import type { Told } from "./types";

/** On a phone scenes are laid out anew. */
export const NARROW = matchMedia("(max-width: 720px)");

export interface Answer { seat: string; decision: number; option: number | number[] }

export class Line {
  onTold: (told: Told) => void = () => {};
  onState: (open: boolean) => void = () => {};
  private socket?: WebSocket;
  private waiting?: Answer;
  private pause = 250;
  private closed = false;

  constructor(private match: string, private tokens: string[]) {}

  open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/socket`));
    socket.onopen = () => {
      this.pause = 250;
      this.say({ say: "hello", match: this.match, tokens: this.tokens, narrow: NARROW.matches });
      this.onState(true);
      if (this.waiting) this.say({ say: "answer", ...this.waiting });
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data) as Told);
    socket.onclose = () => {
      this.onState(false);
      if (this.closed) return;
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(this.pause * 2, 8000);
    };
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  say(frame: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  answer(answer: Answer): void {
    this.waiting = answer;
    this.say({ say: "answer", ...answer });
  }

  private hear(told: Told): void {
    if (told.tell === "done" || (told.tell === "refused" && told.code !== "not-stored")) {
      this.waiting = undefined;
    }
    this.onTold(told);
  }
}
