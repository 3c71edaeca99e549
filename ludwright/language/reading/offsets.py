"""Where each character of a scalar's text stands in the source.

YAML folds lines, drops indentation and undoes escapes, so the offset of a character in an
expression says little about its place in the file. Each function here repeats what YAML does
to one style of scalar and notes, for every character of the result, where it came from. A
space or newline made by folding stands at the end of the line it replaces.
"""

from __future__ import annotations

import re

_PROPERTIES = re.compile(r"(?:[!&][^\s,\[\]{}]*[ \t\n]+)*")
_HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f",
    "r": "\r", "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85",
    "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_BLANKS = " \t"


def source_offsets(source: str, start: int, end: int, style: str, text: str) -> list[int]:
    """For each character of `text`, and for its end, the index in `source`.

    `start:end` is the range of the scalar including quotes or block header.
    """
    if style in ("plain", "single", "double"):
        match = _PROPERTIES.match(source, start, end)
        start = match.end() if match is not None else start
    table = _Table()
    if style == "plain":
        table.flow(source, start, end, quote="")
    elif style == "single":
        table.flow(source, start + 1, end - 1, quote="'")
    elif style == "double":
        table.flow(source, start + 1, end - 1, quote='"')
    else:
        table.block(source, start, end, text, folded=style == "folded")
    if not table.agrees_with(text):
        # Tags, anchors and mended splits, all errors already: count on from the start.
        return [min(start + at, end) for at in range(len(text) + 1)]
    return [*table.offsets[: len(text)], table.end_of(len(text))]


def folded_plain_text(source: str, start: int, end: int) -> str:
    """What `source[start:end]` would read as if it were one unquoted scalar."""
    table = _Table()
    table.flow(source, start, end, quote="")
    return "".join(table.characters)


class _Table:
    """The text built so far and where its characters came from."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.offsets: list[int] = []
        self.end = 0

    def agrees_with(self, text: str) -> bool:
        # Chomping only ever removes newlines at the end of a block scalar.
        built = "".join(self.characters)
        return built[: len(text)] == text and not built[len(text) :].strip("\n")

    def end_of(self, length: int) -> int:
        return self.offsets[length] if length < len(self.offsets) else self.end

    def _add(self, character: str, index: int) -> None:
        self.characters.append(character)
        self.offsets.append(index)

    def _drop_trailing_blanks(self, since: int) -> None:
        while len(self.characters) > since and self.characters[-1] in _BLANKS:
            self.characters.pop()
            self.offsets.pop()

    def flow(self, source: str, start: int, end: int, quote: str) -> None:
        """Plain and quoted scalars: line breaks fold to a space, blank lines to newlines."""
        at = start
        kept = 0  # characters that may not be trimmed: escapes such as `\\t` at a line's end
        while at < end:
            character = source[at]
            if character == "\n":
                self._drop_trailing_blanks(kept)
                at = self._fold(source, at, end)
                kept = len(self.characters)
            elif quote == "'" and character == "'":
                self._add("'", at)
                at += 2
            elif quote == '"' and character == "\\":
                at = self._escape(source, at, end)
                kept = len(self.characters)
            else:
                self._add(character, at)
                at += 1
        self.end = end

    def _fold(self, source: str, at: int, end: int) -> int:
        line_end = at
        if self.offsets:
            # Blanks before the break were dropped: point right behind the last character.
            while line_end > 0 and source[line_end - 1] in _BLANKS:
                line_end -= 1
        breaks: list[int] = []
        while at < end and source[at] in " \t\n":
            if source[at] == "\n":
                breaks.append(at)
            at += 1
        if len(breaks) == 1:
            self._add(" ", line_end)
        else:
            for index in breaks[1:]:
                self._add("\n", index)
        return at

    def _escape(self, source: str, at: int, end: int) -> int:
        letter = source[at + 1] if at + 1 < end else ""
        if letter == "\n":
            # An escaped line break joins the lines; blank lines after it still count.
            at += 2
            while at < end and source[at] in " \t\n":
                if source[at] == "\n":
                    self._add("\n", at)
                at += 1
            return at
        if letter in _HEX_ESCAPES:
            width = _HEX_ESCAPES[letter]
            digits = source[at + 2 : at + 2 + width]
            number = int(digits, 16) if re.fullmatch(r"[0-9a-fA-F]+", digits) else 0xFFFD
            self._add(chr(number) if number <= 0x10FFFF else "\ufffd", at)
            return at + 2 + width
        self._add(_ESCAPES.get(letter, letter or "\\"), at)
        return at + 2

    def block(self, source: str, start: int, end: int, text: str, folded: bool) -> None:
        """Literal and folded block scalars; `end` may lie anywhere after the last line."""
        header_end = source.find("\n", start, end)
        if header_end == -1:
            self.end = end
            return
        lines = _lines(source, header_end + 1, end)
        indent = _block_indent(source, lines, text)
        pending: list[int] = []  # breaks since the last line with text
        started = False
        previous_is_blank_led = False
        for line_start, line_end in lines:
            text_start = min(line_start + indent, line_end)
            if text_start == line_end and not source[line_start:line_end].strip(" "):
                pending.append(line_end)
                continue
            blank_led = source[text_start] in _BLANKS
            if started and folded and not previous_is_blank_led and not blank_led:
                if len(pending) == 1:
                    self._add(" ", pending[0])
                pending = pending[1:]
            for index in pending:
                self._add("\n", index)
            for index in range(text_start, line_end):
                self._add(source[index], index)
            pending = [line_end]
            started = True
            previous_is_blank_led = blank_led
        for index in pending:
            self._add("\n", index)
        self.end = pending[-1] if pending else end


def _lines(source: str, start: int, end: int) -> list[tuple[int, int]]:
    """Start and end (before the newline) of each line from `start` up to `end`."""
    lines: list[tuple[int, int]] = []
    at = start
    while at < end:
        line_end = source.find("\n", at, end)
        if line_end == -1:
            line_end = end
        lines.append((at, line_end))
        at = line_end + 1
    return lines


def _block_indent(source: str, lines: list[tuple[int, int]], text: str) -> int:
    """Columns cut off each line: what the first line lost on its way into `text`."""
    kept = next((line for line in text.split("\n") if line.strip(" ")), "")
    for line_start, line_end in lines:
        line = source[line_start:line_end]
        if line.strip(" "):
            return max(0, _leading_spaces(line) - _leading_spaces(kept))
    # Only blank lines: all of their spaces are indentation.
    return max((line_end - line_start for line_start, line_end in lines), default=0)


def _leading_spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
