"""What YAML text means to us: scalars, lists and maps that know where they stand."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, NamedTuple, TypeAlias

from ludwright.cached import cached_property
from ludwright.diagnostics import Span
from ludwright.language.reading.offsets import source_offsets
from ludwright.language.reading.source import Block
from ludwright.quick_records import dataclass

ScalarStyle = Literal["plain", "single", "double", "literal", "folded"]


class Origin(NamedTuple):
    """Where a scalar's characters come from: the half-open range `start:end` of a block."""

    block: Block
    start: int
    end: int


@dataclass(frozen=True)
class YScalar:
    """One piece of text, whole number, bool or null.

    `text` is the content after unquoting and folding; `value` is what it resolves to (the
    text itself unless it is unquoted and reads as a number, bool or null). `quoted` is true
    for 'single' and "double" quotes; block text (`|`, `>`) is never resolved either.
    """

    value: str | int | bool | None
    text: str
    quoted: bool
    span: Span
    style: ScalarStyle = "plain"
    origin: Origin | None = field(default=None, compare=False, repr=False)

    @cached_property
    def offsets(self) -> list[int] | None:
        """Block index of each character of `text`, plus one for its end."""
        if self.origin is None:
            return None
        block, start, end = self.origin
        return source_offsets(block.text, start, end, self.style, self.text)


@dataclass(frozen=True)
class YList:
    items: tuple[YNode, ...]
    span: Span
    flow: bool = False


@dataclass(frozen=True)
class YMap:
    entries: tuple[tuple[YScalar, YNode], ...]
    span: Span
    flow: bool = False

    def get(self, key: str) -> YNode | None:
        for name, value in self.entries:
            if name.text == key:
                return value
        return None


YNode: TypeAlias = YScalar | YList | YMap


def position(node: YScalar, offset: int) -> tuple[int, int]:
    """Line and column in the file of the character at `offset` of the scalar's text.

    `offset == len(node.text)` is the place right after the last character.
    """
    offsets = node.offsets
    if node.origin is None or offsets is None:
        return node.span.line, node.span.column
    return node.origin.block.locate(offsets[min(max(offset, 0), len(offsets) - 1)])


def span_within(node: YScalar, start: int, end: int) -> Span:
    """The span of `node.text[start:end]`, for pointing inside an expression."""
    line, column = position(node, start)
    end_line, end_column = position(node, max(start, end))
    return Span(node.span.file, line, column, end_line, end_column)
