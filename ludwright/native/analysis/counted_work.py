"""Which expressions count the work they do (`Spend`): they are evaluated as often as the
interpreter evaluates them.

A table, a memoised result or a hoisted loop invariant would make a run cheaper than it is there,
so that it ended in a fault at another place, or not at all.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.program.nodes import walk


class CountedWork:
    """The expressions of one Program that count their work."""

    def __init__(self, program: ir.Program) -> None:
        self._functions: set[int] = set()
        for number, function in enumerate(program.functions):  # each after those that it calls
            if self.within(function.body):
                self._functions.add(number)

    def within(self, node: object) -> bool:
        return any(
            isinstance(item, ir.Spend)
            or (isinstance(item, ir.CallFn) and item.fn in self._functions)
            for item in walk(node)
        )
