"""Sets over nothing are not asked, but a move may say of them that nothing was chosen."""

from __future__ import annotations

import re
from functools import cache

from ludwright.kernel import program as ir

_INDICES = re.compile(r"(@\d+)?(\[\d+\])*$")


class Unasked:
    """The sets that belong to each action, by their binds."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._procedures = {procedure.entry: procedure for procedure in program.procedures}
        self._sets_of = cache(self._find_sets)

    def may_be_empty(self, action: str, decision_id: str) -> bool:
        """Whether a decision of this id can be a set of the action."""
        bind = _INDICES.sub("", decision_id)
        return any(bind == name or bind.endswith(f".{name}") for name in self._sets_of(action))

    def _find_sets(self, action: str) -> frozenset[str]:
        """The binds of all `chooseN` that the action, or what it calls, can come to."""
        program = self._program
        numbers = {at for at, info in enumerate(program.actions) if info.name == action}
        waiting = [p for p in program.procedures if p.action in numbers]
        waiting = waiting or list(program.procedures)  # a choice of the flow
        seen = {procedure.entry for procedure in waiting}
        found: set[str] = set()
        while waiting:
            procedure = waiting.pop()
            for instr in program.code[procedure.entry : procedure.end]:
                if isinstance(instr, ir.CallProc) and instr.entry not in seen:
                    seen.add(instr.entry)
                    waiting.append(self._procedures[instr.entry])
                elif isinstance(instr, ir.Choose):
                    choice = program.choices[instr.choice]
                    if choice.kind == "many":
                        found.add(choice.name)
        return frozenset(found)
