// Words in which cards are drawn as small cards.

import { html } from "lit";

const CARDS = /((?:10|[2-9AJQK])[♣♦♥♠])/;

export const withCards = (text: string): unknown[] => text.split(CARDS).map((part) => CARDS.test(part)
  ? html`<span class="minicard ${/[♦♥]/.test(part) ? "red" : ""}">${part}</span>` : part);

/** `1 decision`, `2 decisions`. */
export const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;

/** A text at the head of something begins with a capital; coordinates stay as they are. */
export const begun = (text: string): string => (/^[a-z]{2}/.test(text) ? text[0].toUpperCase() + text.slice(1) : text);
