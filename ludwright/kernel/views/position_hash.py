"""The hash of a position: what matters for the play to come, and nothing else.

Left out are the generator, the log, the turn counter and whatever the rulebook declares as history.
Pieces that are alike count as equal, so that two ways to the same position give the same hash.
While a local of the program holds a piece, its number matters, and pieces count as themselves.
"""

from __future__ import annotations

import hashlib
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells
from ludwright.program.types import Type

_SKIPPED_HEADER = (ir.RNG_LO, ir.RNG_HI, ir.LOG, ir.TURN)


class Positions:
    """Hashes the positions of one machine's states; with `everything`, clocks and all else that
    a rule can read count too."""

    def __init__(self, machine: Machine, everything: bool = False) -> None:
        self._machine = machine
        self._kept = _plain_cells(machine.program, everything)
        self._holding = _cells_holding_pieces(machine.program)

    def holds_pieces(self, cells: Cells) -> bool:
        """Whether the numbers of alike pieces count."""
        if not self._holding:
            return False
        return bool(cells[ir.ANSWERED]) or any(cells[at] for at in self._holding)

    def hash(self, cells: Cells) -> str:
        machine = self._machine
        plain = [int(cells[at]) for at in self._kept]
        text = repr((plain, _pieces(machine, cells), _holders(machine, cells)))
        if self.holds_pieces(cells):
            start = machine.program.piece_place
            text += repr(cells[start : start + machine.program.world.piece_count])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _plain_cells(program: ir.Program, everything: bool) -> list[int]:
    """Cells that are hashed as they are: all but clocks, history and anything about pieces."""
    skipped: set[int] = {ir.LOG} if everything else set(_SKIPPED_HEADER)
    count, places = program.world.piece_count, len(program.world.places)
    for start, size in (
        (program.piece_place, count),
        (program.piece_next, count),
        (program.place_head, places),
        (program.place_count, places),
        *(((program.revealed, count),) if program.revealed >= 0 else ()),
        *((history.addr, 1 + 2 * history.keep) for history in program.histories if not everything),
    ):
        skipped.update(range(start, start + size))
    for variable in program.variables:
        clock = variable.history and not everything
        if clock or variable.scope == "piece" or variable.type.kind == "piece":
            skipped.update(
                range(variable.addr, variable.addr + variable.count * variable.type.width)
            )
    return [at for at in range(program.cells) if at not in skipped]


def _cells_holding_pieces(program: ir.Program) -> list[int]:
    """Locals and wide variables in which the number of a piece that is alike may stand."""
    if all(kind.individual for kind in program.world.kinds):
        return []
    found: set[int] = set()

    def note(addr: int, type_: Type, count: int = 1) -> None:
        if _names_pieces(type_):
            found.update(range(addr, min(addr + count * type_.width, program.cells)))

    for instr in program.code:
        if isinstance(instr, ir.Store) and instr.variable < 0:
            note(instr.addr, instr.type, max(instr.size, 1))
        elif isinstance(instr, ir.Chance):
            note(instr.addr, instr.type)
    for choice in program.choices:
        note(choice.result, choice.result_type, len(program.world.seats) if choice.together else 1)
    for variable in program.variables:
        if not variable.type.is_scalar or variable.scope == "piece":
            note(variable.addr, variable.type, variable.count)
    return sorted(found)


def _names_pieces(type_: Type) -> bool:
    return type_.kind == "piece" or any(map(_names_pieces, type_.items))


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
