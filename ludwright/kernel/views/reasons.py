"""Why a rule refuses: its author's words, or the condition that fails with the values in it.

Which rule refuses an answer is found by `kernel.play.answers`.
"""

from __future__ import annotations

from typing import Any

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells, Memory, Refused
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.views.wording import Wording


class Reasons:
    """Explains the refusals of one Program."""

    def __init__(self, machine: Machine, wording: Wording) -> None:
        self._expressions = machine.expressions
        self._program = machine.program
        self._wording = wording

    def of_site(self, site: int, memory: Memory) -> str:
        """What the rule at a site needs and does not have; "" if it cannot say."""
        if not 0 <= site < len(self._program.sites):
            return ""
        known = self._program.sites[site]
        return known.words or self.failing(known.conditions, memory)

    def options(self, cells: Cells, stop: Stop) -> list[str]:
        """What could be answered instead, in words."""
        return self._wording.answers(cells, stop)

    def called(self, name: str) -> list[int]:
        """The pieces that people call so."""
        pieces = range(self._program.world.piece_count)
        return [piece for piece in pieces if name in self._wording.names(piece)]

    def of_option(self, site: int, memory: Memory, value: Any) -> str:
        """The filter that dropped an option from a choice; "" if none did."""
        for dropped in self._program.sites[site].dropped if site >= 0 else ():
            if self._is_among(dropped, memory, value):
                memory[dropped.element] = value
                if told := self.failing(dropped.filters, memory):
                    return told
        return ""

    def _is_among(self, dropped: ir.Dropped, memory: Memory, value: Any) -> bool:
        """Whether a value would be an option but for the filters."""
        made, among = self._expressions.expr, ir.InStream(ir.Const(value), dropped.among)
        try:
            return all(made(test)(memory) for test in (*dropped.where, among))
        except (Refused, RulebookFault):
            return False

    def failing(self, conditions: tuple[ir.Condition, ...], memory: Memory) -> str:
        """The first condition that does not hold, with its values; "" if all do."""
        for condition in conditions:
            try:
                if self._expressions.expr(condition.when)(memory):
                    continue
                parts = [self._part(part, memory) for part in condition.parts]
            except (Refused, RulebookFault):
                return ""
            values = f" ({', '.join(filter(None, parts))})" if any(parts) else ""
            return f"it needs `{condition.text}`{values}"
        return ""

    def _part(self, part: ir.Part, memory: Memory) -> str:
        told = self._wording.value(part.type, self._expressions.expr(part.value)(memory))
        return "" if told == part.text else f"{part.text} is {told}"
