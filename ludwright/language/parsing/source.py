"""Where a piece of rule text stands in its file, and how a mistake in it is reported."""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.nodes import YScalar, span_within

# A name that stands for an expression that could not be read: the declaration around it stays,
# so later passes can go on, and they must not complain about this one a second time.
BROKEN = "__broken"

MAX_TEXT = 4000  # characters of one expression or statement
MAX_DEPTH = 64  # levels of an expression
MAX_BLOCK_DEPTH = 20  # effects within effects


class Refused(Exception):
    """A mistake inside one text. Never leaves the parsing package: see `Source.report`."""

    def __init__(
        self, code: str, start: int, end: int, message: str, suggestion: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.start = start
        self.end = end
        self.message = message
        self.suggestion = suggestion


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one scalar, or a part of it; offsets into it become places in the file."""

    node: YScalar
    first: int = 0  # where in the scalar the part begins
    last: int | None = None

    @property
    def text(self) -> str:
        return self.node.text[self.first : self.last]

    def part(self, start: int, end: int) -> Source:
        return Source(self.node, self.first + start, self.first + end)

    def shifted(self, refused: Refused) -> Refused:
        """A mistake in this part, told of the whole scalar."""
        return Refused(
            refused.code,
            self.first + refused.start,
            self.first + refused.end,
            refused.message,
            refused.suggestion,
        )

    def span(self, start: int, end: int) -> Span:
        if not self.node.text:
            return self.node.span
        return span_within(self.node, self.first + start, self.first + max(end, start + 1))

    def report(self, refused: Refused, diagnostics: Diagnostics) -> None:
        span = self.span(refused.start, refused.end)
        diagnostics.error(refused.code, span, refused.message, refused.suggestion)
