"""Showing diagnostics: for a terminal, with the source line underlined, and as JSON.

Columns count code points, as editors do; only the underline knows that a tab or a wide
character takes more than one cell. Rulebooks may come from strangers, so characters that
would steer the terminal are never printed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ludwright.diagnostics import Diagnostic, Span

_TAB_CELLS = 4
_WINDOW = 100  # cells of a source line that are shown
_LEAD = 30  # cells shown before the marked place when a line is windowed
_LINES_SHOWN = 3  # longer spans show their first and last line
_LONGEST_JSON_LINE = 4_000

_RESET = "\x1b[0m"
_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "help": "\x1b[1;36m",
    "gutter": "\x1b[1;34m",
    "bold": "\x1b[1m",
}


def render_text(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], color: bool = False
) -> str:
    """All diagnostics in reading order, each with its place in the source."""
    renderer = _Renderer(_Lines(sources), color)
    shown = [renderer.diagnostic(item) for item in in_reading_order(diagnostics, sources)]
    return "\n".join(shown)


def to_json(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]
) -> list[dict[str, str | int | None]]:
    """All diagnostics in reading order as plain data; places are null where there is none."""
    lines = _Lines(sources)
    result: list[dict[str, str | int | None]] = []
    for item in in_reading_order(diagnostics, sources):
        span = item.span
        line = lines.get(span.file, span.line) if span is not None else None
        result.append(
            {
                "code": item.code,
                "severity": item.severity,
                "file": span.file if span is not None else None,
                "line": span.line if span is not None else None,
                "column": span.column if span is not None else None,
                "end_line": span.end_line if span is not None else None,
                "end_column": span.end_column if span is not None else None,
                "message": item.message,
                "suggestion": item.suggestion,
                "source_line": line[:_LONGEST_JSON_LINE] if line is not None else None,
            }
        )
    return result


def in_reading_order(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]
) -> list[Diagnostic]:
    """By file in the order they were read, then by place; what has no place comes first."""
    order = {file: number for number, file in enumerate(sources)}

    def key(item: Diagnostic) -> tuple[int, str, int, int]:
        if item.span is None:
            return -1, "", 0, 0
        span = item.span
        return order.get(span.file, len(order)), span.file, span.line, span.column

    return sorted(diagnostics, key=key)


class _Lines:
    """The lines of each source, split once and only where needed."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._split: dict[str, list[str]] = {}

    def get(self, file: str, line: int) -> str | None:
        if file not in self._sources:
            return None
        if file not in self._split:
            self._split[file] = self._sources[file].split("\n")
        lines = self._split[file]
        return lines[line - 1] if 1 <= line <= len(lines) else None


class _Marked(NamedTuple):
    """A source line and the columns (from 0, end exclusive) to underline."""

    number: int
    text: str
    start: int
    end: int


class _Renderer:
    def __init__(self, lines: _Lines, color: bool) -> None:
        self.lines = lines
        self.color = color

    def diagnostic(self, item: Diagnostic) -> str:
        place = ""
        if item.span is not None:
            place = f"{_printable(item.span.file)}:{item.span.line}:{item.span.column}: "
        label = self._paint(item.severity, f"{item.severity}[{item.code}]")
        first, *rest = _printable(item.message).split("\n")
        out = [f"{self._paint('bold', place)}{label}: {first}", *(f"  {line}" for line in rest)]
        width = 1
        if item.span is not None:
            marked = self._marked_lines(item.span)
            if marked:
                width = len(str(marked[-1].number))
                out.extend(self._source(marked, width, item.severity))
        if item.suggestion:
            label = self._paint("help", "help")
            sign = self._paint("gutter", "=")
            first, *rest = _printable(item.suggestion).split("\n")
            out.append(f"{' ' * width} {sign} {label}: {first}")
            out.extend(f"{' ' * width}         {line}" for line in rest)
        return "\n".join(out) + "\n"

    def _marked_lines(self, span: Span) -> list[_Marked]:
        """The lines to show for a span; none when the file or the line is not known."""
        marked: list[_Marked] = []
        for number in _shown_numbers(span):
            text = self.lines.get(span.file, number)
            if text is None:
                continue
            start = span.column - 1 if number == span.line else _indent(text)
            end = span.end_column - 1 if number == span.end_line else len(text.rstrip())
            start = max(0, min(start, len(text)))
            marked.append(_Marked(number, text, start, max(end, start)))
        if len(marked) > 1 and marked[-1].end <= marked[-1].start:
            marked.pop()  # the span ends before the first character of its last line
        return marked

    def _source(self, marked: list[_Marked], width: int, severity: str) -> list[str]:
        bar = self._paint("gutter", "|")
        empty = f"{' ' * width} {bar}"
        out = [empty]
        previous: int | None = None
        for line in marked:
            if previous is not None and line.number > previous + 1:
                out.append(self._paint("gutter", "..."))
            text, carets = _windowed(line)
            number = self._paint("gutter", f"{line.number:>{width}}")
            out.append(f"{number} {bar} {text}".rstrip())
            lead = len(carets) - len(carets.lstrip(" "))
            out.append(f"{empty} {carets[:lead]}{self._paint(severity, carets[lead:])}")
            previous = line.number
        return out

    def _paint(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self.color and text else text


def _shown_numbers(span: Span) -> list[int]:
    if span.end_line - span.line < _LINES_SHOWN:
        return list(range(span.line, max(span.line, span.end_line) + 1))
    return [span.line, span.end_line]


def _windowed(line: _Marked) -> tuple[str, str]:
    """What is printed for a line, and the carets under it, both at most a window wide."""
    first = _first_shown(line)
    shown: list[str] = ["…"] if first else []
    carets: list[str] = [" "] if first else []
    cells = len(shown)
    cut = False
    # A little past the line's end, so that a mark at the end of the line has a caret.
    for at in range(first, max(len(line.text), line.start + 1)):
        character = line.text[at] if at < len(line.text) else " "
        text, taken = _cells(character)
        # Characters without width would otherwise be shown by the million.
        if cells + taken > _WINDOW or len(shown) > 4 * _WINDOW:
            cut = True
            break
        shown.append(text)
        is_marked = line.start <= at < max(line.end, line.start + 1)
        carets.append(("^" if is_marked else " ") * taken)
        cells += taken
    if cut:
        shown.append("…")
    return "".join(shown).rstrip(), "".join(carets).rstrip()


def _first_shown(line: _Marked) -> int:
    """Where the window starts: at the line's start if the mark is seen from there."""
    wanted = min(max(line.end, line.start + 1), line.start + _WINDOW - _LEAD)
    cells = 0
    for at in range(min(wanted, len(line.text))):
        cells += _cells(line.text[at])[1]
        if cells > _WINDOW:
            return max(0, line.start - _LEAD // 2)
    return 0


def _cells(character: str) -> tuple[str, int]:
    """How a character is printed and how many cells of a terminal it takes."""
    if character == "\t":
        return " " * _TAB_CELLS, _TAB_CELLS
    if character.isascii() and character.isprintable():
        return character, 1
    category = unicodedata.category(character)
    if character in "\u200c\u200d" or category in ("Mn", "Me"):
        return character, 0  # joins with its neighbour
    if category.startswith("C") or category in ("Zl", "Zp"):
        return "\ufffd", 1
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _printable(text: str) -> str:
    return "".join("\n" if character == "\n" else _cells(character)[0] for character in text)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
