"""Source files and the blocks of YAML inside them, with exact positions."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from ludwright.cached import cached_property
from ludwright.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Source:
    """One file as the author sees it: no byte order mark, every line end a newline."""

    file: str
    text: str


def source_from_text(file: str, text: str) -> Source:
    """Line ends and the byte order mark must never shift a column, so they go first."""
    return Source(file, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class PlayBlock:
    """A game written down line by line: a fence marked `play`."""

    mark: str  # all that stands behind the fence
    text: str
    first_line: int
    span: Span


@dataclass(frozen=True, eq=False)
class Block:
    """A stretch of YAML inside a source file.

    `text` is what the YAML parser reads. Markdown may cut columns off the front of each line
    (a fence inside a list item or a quotation), so every line knows how many were cut.
    """

    file: str
    text: str
    first_line: int
    columns_cut: tuple[int, ...]
    opening: Span

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at != -1:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def line_index(self, index: int) -> int:
        """Which line of the block (from 0) the character at `index` stands in."""
        return bisect_right(self.line_starts, index) - 1

    def line_text(self, line: int) -> str:
        start = self.line_starts[line]
        end = self.text.find("\n", start)
        return self.text[start:] if end == -1 else self.text[start:end]

    def locate(self, index: int) -> tuple[int, int]:
        """Line and column in the file of the character at `index` of the block."""
        line = self.line_index(index)
        cut = self.columns_cut[line] if line < len(self.columns_cut) else 0
        # A tab that Markdown half consumed counts as several columns in the block only.
        return self.first_line + line, max(1, index - self.line_starts[line] + 1 + cut)

    def span(self, start: int, end: int) -> Span:
        line, column = self.locate(start)
        end_line, end_column = self.locate(max(start, end))
        return Span(self.file, line, column, end_line, end_column)
