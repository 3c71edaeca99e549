// How a rulebook is coloured: Markdown outside, and inside its fences YAML with expressions.

import { HighlightStyle, StreamLanguage, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const WORDS = new Set(("for in if else until and or not true false none to from of at then do let say require move place "
  + "remove draw shuffle reveal roll end turn game win lose swap return push").split(" "));

interface Where { fence: boolean; yaml: boolean; value: boolean }

export const rulebook = StreamLanguage.define<Where>({
  name: "rulebook",
  startState: () => ({ fence: false, yaml: false, value: false }),
  token(stream, where) {
    if (stream.sol()) {
      where.value = false;
      const fence = /^\s*```+\s*(\w*)/.exec(stream.string);
      if (fence) {
        where.yaml = !where.fence && fence[1] === "yaml";
        where.fence = !where.fence;
        stream.skipToEnd();
        return "meta";
      }
    }
    return where.yaml ? yaml(stream, where) : where.fence ? plain(stream) : prose(stream);
  },
  languageData: { commentTokens: { line: "#" } },
});

function prose(stream: StringStream): string | null {
  if (stream.sol() && stream.match(/^#{1,6}\s/)) { stream.skipToEnd(); return "heading"; }
  if (stream.match(/^\*\*[^*]+\*\*/)) return "strong";
  if (stream.match(/^`[^`]+`/)) return "string";
  stream.next();
  stream.eatWhile(/[^*`]/);
  return null;
}

function plain(stream: StringStream): string { stream.skipToEnd(); return "string"; }

function yaml(stream: StringStream, where: Where): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return "string";
  if (stream.match(/^\$\w+/)) return "variableName";
  if (stream.match(/^-?\d+/)) return "number";
  if (!where.value && stream.match(/^[\w.$-]+(?:\([^)]*\))?(?=\s*:(?:\s|$))/)) return "propertyName";
  if (stream.eat(":")) { return "punctuation"; }
  if (stream.match(/^[{,[]/)) { where.value = false; return "punctuation"; }
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) return WORDS.has(word[0]) ? "keyword" : null;
  stream.next();
  return null;
}

export const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--ink)", fontWeight: "600", fontFamily: "var(--serif)", fontSize: "1.15em" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.keyword, color: "var(--act)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: tags.variableName, color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--ink3)", fontStyle: "italic" },
  { tag: tags.meta, color: "var(--ink3)" },
  { tag: tags.punctuation, color: "var(--ink2)" },
]);
