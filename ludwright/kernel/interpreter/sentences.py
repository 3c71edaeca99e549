"""The values of sentences for people, read from the cells."""

from __future__ import annotations

from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.run import Cells


class Sentence:
    """One sentence of a Program."""

    def __init__(self, expressions: Expressions, sentence: ir.Sentence) -> None:
        everyone = (1 << len(expressions.program.world.seats)) - 1
        self._values = [expressions.expr(value) for value in sentence.values]
        self._seen = [
            expressions.expr(seen) if seen is not None else lambda _: everyone
            for seen in sentence.seen
        ]

    def values(self, cells: Cells) -> tuple[Any, ...]:
        return tuple([value(cells) for value in self._values])

    def seen(self, cells: Cells) -> tuple[int, ...]:
        """For each value the seats, as a set, that may know which pieces are in it."""
        return tuple([seen(cells) for seen in self._seen])
