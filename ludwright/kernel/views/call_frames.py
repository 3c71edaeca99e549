"""Which procedures are under way in a state, and what their locals may hold.

A stopped program stands in a procedure that somebody called, whom somebody called, and so on up to
the main program. These have frames; every other frame has been cleared. Frames of procedures that
are never under way at the same time share cells, so what a cell may hold depends on this chain.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright import program as ir
from ludwright.program.cells import holds
from ludwright.program.open_moves import NO_MOVE, OpenMoves

Cells = Sequence[int]


class Frames:
    """The frames of one Program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._owner = {
            pc: procedure
            for procedure in program.procedures
            for pc in range(procedure.entry, procedure.end)
        }
        self._own = {p.entry: _cells(p.frame) for p in program.procedures}
        self._all = frozenset().union(*self._own.values())
        self._moves = OpenMoves(program)

    def problem(self, cells: Cells) -> str | None:
        """What is wrong with the chain of calls or a local, in words; None if nothing is."""
        if not self._program.procedures:
            return None  # assembled by hand
        chain = self.under_way(cells)
        if isinstance(chain, str):
            return chain
        if not self.can_be_open(cells, chain):
            return f"no move number {cells[ir.HEAD]} can be under way where it stands"
        for cell in self.cleared(chain):
            if cells[cell]:
                return f"cell {cell} holds {cells[cell]} although no procedure uses it now"
        for procedure in chain:
            for local in procedure.frame:
                if local.addr != procedure.ret and not fits(cells, local):
                    return f"`{local.name}` of `{procedure.name}` holds what it cannot"
        return None

    def can_be_open(self, cells: Cells, chain: Sequence[ir.Procedure]) -> bool:
        """Whether the move that HEAD names can be under way at the end of these calls."""
        heads = NO_MOVE
        for caller, called in zip(reversed(chain), (*reversed(chain[:-1]), None), strict=True):
            at = cells[ir.PC] if called is None else cells[called.ret] - 1
            heads = self._moves.inside(caller, heads, at)
        return cells[ir.HEAD] in heads

    def cleared(self, chain: Sequence[ir.Procedure]) -> frozenset[int]:
        """The cells of all frames that are not in use while these procedures are under way."""
        alive = frozenset().union(*(self._own[procedure.entry] for procedure in chain))
        return self._all - alive

    def under_way(self, cells: Cells) -> list[ir.Procedure] | str:
        """From where the program stands up to the main program; or why that cannot be."""
        program = self._program
        main = program.procedures[0]
        chain: list[ir.Procedure] = []
        at = cells[ir.PC]
        for _ in program.procedures:
            owner = self._owner.get(at)
            if owner is None:
                return "it stands outside of all procedures"
            chain.append(owner)
            back = cells[owner.ret] if 0 <= owner.ret < program.cells else 0
            if owner is main:
                return "the main program was called from somewhere" if back else chain
            at = back - 1
            call = program.code[at] if 0 <= at < len(program.code) else None
            if not isinstance(call, ir.CallProc) or call.entry != owner.entry:
                return f"`{owner.name}` does not know where it was called from"
        return "its calls go round in a circle"


def _cells(frame: tuple[ir.Local, ...]) -> frozenset[int]:
    return frozenset(
        cell
        for local in frame
        for cell in range(local.addr, local.addr + local.count * local.type.width)
    )


def fits(cells: Cells, local: ir.Local) -> bool:
    """Each of its values is one of its type, or has been cleared."""
    width = local.type.width
    return all(
        holds(cells, at, local.type) or not any(cells[at : at + width])
        for at in range(local.addr, local.addr + local.count * width, width)
    )
