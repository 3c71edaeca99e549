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
    """The text of one scalar; offsets into it become places in the file."""

    node: YScalar

    @property
    def text(self) -> str:
        return self.node.text

    def span(self, start: int, end: int) -> Span:
        if not self.text:
            return self.node.span
        return span_within(self.node, start, max(end, start + 1))

    def report(self, refused: Refused, diagnostics: Diagnostics) -> None:
        span = self.span(refused.start, refused.end)
        diagnostics.error(refused.code, span, refused.message, refused.suggestion)
