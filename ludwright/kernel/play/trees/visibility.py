"""What can be hidden in a game, and what a seat's view of a state is as a key.

The key names all that the seat sees of the pieces, variables and counts. It is cheaper than an
observation, and only compared with other keys: nodes of a search over information sets are told
apart by it. The order within a row or stack is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import itemgetter

from ludwright import program as ir
from ludwright.kernel.interpreter.pieces import Pieces
from ludwright.kernel.interpreter.run import Cells

SHOWN_HEADER = (ir.PC, ir.ACTIVE, ir.PHASE, ir.TURN)


def hides(program: ir.Program) -> bool:
    """Whether a seat may not know all that there is to know: then a search needs worlds."""
    return (
        any(place.see != "all" for place in program.world.places)
        or any(variable.see != "all" for variable in program.variables if is_declared(variable))
        or any(choice.together for choice in program.choices)
    )


def is_declared(variable: ir.Variable) -> bool:
    """Whether the rulebook declares a variable; all others are the compiler's own."""
    return not variable.name.startswith("__")


class Views:
    """What seats see of the states of one game, as keys."""

    def __init__(self, program: ir.Program, pieces: Pieces) -> None:
        self._pieces, self._place = pieces, pieces.place
        self._count = program.world.piece_count
        shown = [variable for variable in program.variables if is_declared(variable)]
        # The cells that a seat always sees, wherever the pieces lie.
        self._always = [
            _reader([*SHOWN_HEADER, *_counts(program), *_always_shown(shown, seat)])
            for seat in range(len(program.world.seats))
        ]
        self._properties = [variable for variable in shown if variable.scope == "piece"]

    def key(self, cells: Cells, seat: int) -> Hashable:
        """What a seat sees of a state."""
        always = self._always[seat](cells)
        if not self._count:
            return always
        viewers, place = self._pieces.viewers, self._place
        seen = [p for p in range(self._count) if viewers(cells, p) >> seat & 1]
        key: list[int] = []
        for piece in seen:
            key.append(piece)
            key.append(cells[place + piece])
            for variable in self._properties:
                if piece in variable.owners:
                    at = variable.cell_of(piece)
                    key += cells[at : at + variable.type.width]
        return always, tuple(key)


def _reader(cells: list[int]) -> Callable[[Cells], Hashable]:
    return itemgetter(*cells)


def _counts(program: ir.Program) -> range:
    return range(program.place_count, program.place_count + len(program.world.places))


def _always_shown(variables: list[ir.Variable], seat: int) -> list[int]:
    """The cells of variables that a seat sees, but for those of pieces."""
    found: list[int] = []
    for variable in variables:
        width = variable.type.width
        if variable.scope == "piece":
            continue
        if variable.see == "all":
            found += range(variable.addr, variable.addr + width * variable.count)
        elif variable.see == "owner" and variable.scope == "seat":
            found += range(variable.addr + seat * width, variable.addr + (seat + 1) * width)
    return found
