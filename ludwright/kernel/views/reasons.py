"""Why a rule refuses: its author's words, or the condition that fails with the values in it."""

from __future__ import annotations

from typing import Any

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Memory, Refused
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
        return known.words or self._failing(known.conditions, memory)

    def of_option(self, site: int, memory: Memory, value: Any) -> str:
        """The filter that dropped an option from a choice; "" if none did."""
        dropped = self._program.sites[site].dropped if site >= 0 else None
        if dropped is None:
            return ""
        try:
            if not self._expressions.expr(ir.InStream(ir.Const(value), dropped.among))(memory):
                return ""
        except (Refused, RulebookFault):
            return ""
        memory[dropped.element] = value
        return self._failing(dropped.filters, memory)

    def _failing(self, conditions: tuple[ir.Condition, ...], memory: Memory) -> str:
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
