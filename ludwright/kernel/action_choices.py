"""Which choices an action, or what it calls, can come to."""

from __future__ import annotations

import re
from functools import cache

from ludwright.kernel import program as ir

_INDICES = re.compile(r"(@\d+)?(\[\d+\])*$")


class ActionChoices:
    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._procedures = {procedure.entry: procedure for procedure in program.procedures}
        self._of = cache(self._find)

    def may_be_empty(self, action: str, decision_id: str) -> bool:
        """Whether a decision of this id can be a set of the action. A set over nothing is not
        asked, but a move may say that nothing was chosen."""
        bind = _INDICES.sub("", decision_id)
        sets = (choice.name for choice in self._of(action) if choice.kind == "many")
        return any(bind == name or bind.endswith(f".{name}") for name in sets)

    def takes_sides(self, action: str) -> bool:
        """Whether the action may resolve a card with sides or branches."""
        return any(choice.role in ("side", "branch") for choice in self._of(action))

    def _find(self, action: str) -> tuple[ir.Choice, ...]:
        program = self._program
        numbers = {at for at, info in enumerate(program.actions) if info.name == action}
        waiting = [p for p in program.procedures if p.action in numbers]
        waiting = waiting or list(program.procedures)  # a choice of the flow
        seen = {procedure.entry for procedure in waiting}
        found: list[ir.Choice] = []
        while waiting:
            procedure = waiting.pop()
            for instr in program.code[procedure.entry : procedure.end]:
                if isinstance(instr, ir.CallProc) and instr.entry not in seen:
                    seen.add(instr.entry)
                    waiting.append(self._procedures[instr.entry])
                elif isinstance(instr, ir.Choose):
                    found.append(program.choices[instr.choice])
        return tuple(found)
