"""Which choices an action, or what it calls, can come to."""

from __future__ import annotations

import re
from functools import cache

from ludwright import program as ir
from ludwright.program.flow import callees, reachable

_INDICES = re.compile(r"(@\d+)?(\[\d+\])*$")


class ActionChoices:
    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._bodies = {p.entry: program.code[p.entry : p.end] for p in program.procedures}
        self._of = cache(self._find)

    def may_be_empty(self, action: str, decision_id: str) -> bool:
        """Whether a decision of this id can be a set of the action. A set over nothing is not
        asked, but a move may say that nothing was chosen."""
        bind = _INDICES.sub("", decision_id)
        sets = (choice.name for choice in self._of(action) if choice.kind == "many")
        return any(bind == name or bind.endswith(f".{name}") for name in sets)

    def declares_more(self, action: str, params: tuple[str, ...]) -> bool:
        """Whether answers to more than these parameters may belong to the name of a move."""
        return any(c.role == "param" and c.name not in params for c in self._of(action))

    def _find(self, action: str) -> tuple[ir.Choice, ...]:
        program = self._program
        numbers = {at for at, info in enumerate(program.actions) if info.name == action}
        own = [p.entry for p in program.procedures if p.action in numbers]
        entries = own or [p.entry for p in program.procedures]  # a choice of the flow
        return tuple(
            program.choices[instr.choice]
            for entry in reachable(entries, lambda entry: callees(self._bodies[entry]))
            for instr in self._bodies[entry]
            if isinstance(instr, ir.Choose)
        )
