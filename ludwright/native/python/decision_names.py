"""How the decision of one instruction is called, found from the bytes of a state in little time.

Most decisions are called the same in all states. The id of the others (inside loops, or met on
several ways) depends on a few cells: only these are looked at, and each name is worked out once.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.protocol.decision import Asked
from ludwright.kernel.protocol.state import reader
from ludwright.kernel.views.decisions import DecisionIds

KEPT = 4096  # names of one instruction; a rulebook with longer loops begins anew


class DecisionNames:
    """The names of one decision."""

    __slots__ = ("_cells", "_choice", "_found", "_ids", "_pc", "fixed")

    def __init__(self, choice: ir.Choice, pc: int, ids: DecisionIds) -> None:
        self._choice, self._pc, self._ids = choice, pc, ids
        name = ids.fixed(choice, pc)
        self.fixed = None if name is None else self._asked(name)
        self._cells = reader(ids.depends_on(choice, pc))
        self._found: dict[tuple[int, ...], Asked] = {}

    def asked(self, data: bytes) -> Asked:
        """The name in a state with these bytes."""
        key = self._cells.unpack_from(data)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= KEPT:
                self._found.clear()
            view = memoryview(data).cast("i")
            found = self._asked(self._ids.of_choice(view, self._choice, self._pc))
            self._found[key] = found
        return found

    def _asked(self, name: str) -> Asked:
        choice = self._choice
        return Asked(name, choice.name, choice.role, choice.kind == "many")
