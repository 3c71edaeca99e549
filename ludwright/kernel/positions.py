"""The hash of a position: what matters for the play to come, and nothing else.

Left out are the generator, the log, the turn counter and whatever the rulebook declares as history.
Pieces that are alike count as equal, so that two ways to the same position give the same hash.
"""

from __future__ import annotations

import hashlib
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.context import Cells
from ludwright.kernel.machine import Machine

_SKIPPED_HEADER = (ir.RNG_LO, ir.RNG_HI, ir.LOG, ir.TURN)


class Positions:
    """Hashes the positions of one machine's states."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._kept = _plain_cells(machine.program)

    def hash(self, cells: Cells) -> str:
        machine = self._machine
        plain = [int(cells[at]) for at in self._kept]
        told = repr((plain, _pieces(machine, cells), _holders(machine, cells)))
        return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def _plain_cells(program: ir.Program) -> list[int]:
    """Cells that are hashed as they are: all but clocks, history and anything about pieces."""
    skipped: set[int] = set(_SKIPPED_HEADER)
    count, places = program.world.piece_count, len(program.world.places)
    for start, size in (
        (program.piece_place, count),
        (program.piece_next, count),
        (program.place_head, places),
        (program.place_count, places),
        *(((program.revealed, count),) if program.revealed >= 0 else ()),
        *((history.addr, 1 + 2 * history.keep) for history in program.histories),
    ):
        skipped.update(range(start, start + size))
    for variable in program.variables:
        if variable.history or variable.scope == "piece" or variable.type.kind == "piece":
            skipped.update(
                range(variable.addr, variable.addr + variable.count * variable.type.width)
            )
    return [at for at in range(program.cells) if at not in skipped]


def _pieces(machine: Machine, cells: Cells) -> list[Any]:
    """The classes in every place: sorted where order means nothing, in order where it does."""
    found: list[Any] = []
    for place, order in enumerate(machine.pieces.orders):
        keys = [machine.classes.key(cells, piece) for piece in machine.pieces.within(cells, place)]
        if order == "deck":
            top = cells[machine.pieces.deck_top[place]]
            end = len(keys) - cells[machine.pieces.deck_bottom[place]]
            keys = [*keys[:top], *sorted(keys[top:end]), *keys[end:]]
        elif order == "bag":
            keys.sort()
        found.append(keys)
    program = machine.program
    out = [
        machine.classes.key(cells, piece)
        for piece in range(program.world.piece_count)
        if cells[program.piece_place + piece] < 0
    ]
    return [*found, sorted(out)]


def _holders(machine: Machine, cells: Cells) -> list[Any]:
    """Variables that hold a piece, by its class."""
    return [
        machine.classes.key(cells, piece) if piece >= 0 else None
        for variable in machine.program.variables
        if variable.type.kind == "piece" and variable.scope != "piece" and not variable.history
        for piece in cells[variable.addr : variable.addr + variable.count]
    ]
