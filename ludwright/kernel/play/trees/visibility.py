"""What can be hidden in a game, and what a seat's view of a state is as a key.

The key names all that the seat sees of the pieces, variables and counts. It is cheaper than an
observation, and only compared with other keys: nodes of a search over information sets are told
apart by it. The order within a row or stack is left out.
"""

from __future__ import annotations

from collections.abc import Hashable

from ludwright import program as ir
from ludwright.kernel.interpreter.pieces import Pieces
from ludwright.kernel.interpreter.run import Cells

SHOWN_HEADER = (ir.PC, ir.ACTIVE, ir.PHASE, ir.TURN)


def hides(program: ir.Program) -> bool:
    """Whether a seat may not know all that there is to know: then a search needs worlds."""
    return (
        any(place.see != "all" for place in program.world.places)
        or any(variable.see != "all" for variable in program.variables if told(variable))
        or any(choice.together for choice in program.choices)
    )


def told(variable: ir.Variable) -> bool:
    return not variable.name.startswith("__")


def view_key(program: ir.Program, pieces: Pieces, cells: Cells, seat: int) -> Hashable:
    """What a seat sees of a state."""
    key = [cells[cell] for cell in SHOWN_HEADER]
    count = len(program.world.places)
    key += cells[program.place_count : program.place_count + count]
    seen = [bool(pieces.viewers(cells, p) >> seat & 1) for p in range(program.world.piece_count)]
    key += [cells[pieces.place + p] if sees else -2 for p, sees in enumerate(seen)]
    for variable in program.variables:
        if not told(variable):
            continue
        width = variable.type.width
        for index in range(variable.count):
            at = variable.addr + index * width
            if _shown(variable, index, seat, seen):
                key += cells[at : at + width]
    return tuple(key)


def _shown(variable: ir.Variable, index: int, seat: int, seen: list[bool]) -> bool:
    if variable.scope == "piece":
        return seen[index]
    return variable.see == "all" or (
        variable.see == "owner" and variable.scope == "seat" and index == seat
    )
