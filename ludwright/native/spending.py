"""What counts the work it does (`Spend`): it is evaluated as often as the interpreter would.

A table, a kept result or a value that a loop remembers would make a run cheaper than it is there,
and it would end in a fault at another place, or not at all.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import inside


class Spending:
    """Which expressions of a Program count their work."""

    def __init__(self, program: ir.Program) -> None:
        self._functions: set[int] = set()
        for number, function in enumerate(program.functions):  # each after those that it calls
            if self.within(function.body):
                self._functions.add(number)

    def within(self, node: object) -> bool:
        return any(
            isinstance(item, ir.Spend)
            or (isinstance(item, ir.CallFn) and item.fn in self._functions)
            for item in inside(node)
        )
