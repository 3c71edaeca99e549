"""Whether cells from outside are a state of a game, found with few operations on whole arrays.

The same questions as in `kernel.views.state_check` and `call_frames`, and the bounds that native
code relies on. A state that passes here passes there; of one that does not, they find out in words
what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.views.call_frames import Frames, fits
from ludwright.kernel.views.state_check import header_bounds, place_problem, stands_wrong
from ludwright.program.cells import holds
from ludwright.program.types import INT_MAX, Type

Block = npt.NDArray[np.int32]

_CHAINS = 1 << 10  # chains of calls whose locals are remembered


class _Bounds:
    """Cells with the lowest and the highest number of each, and one number more that it may be."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, int, int]] = []

    def add(self, at: int, type_: Type, cleared: bool = False) -> bool:
        """Add a value of a type; False if its cells cannot be checked one by one."""
        if type_.is_scalar:
            other = type_.none if type_.optional else 0 if cleared else type_.lo
            if cleared and type_.optional and not type_.lo <= 0 <= type_.hi and type_.none:
                return False  # it may also be 0 or none, which lie outside its range
            self._rows.append((at, type_.lo, type_.hi, other))
            return True
        if type_.kind != "set":
            return False
        left = type_.items[0].hi - type_.items[0].lo + 1
        for word in range(type_.width):
            self._rows.append((at + word, 0, (1 << max(0, min(31, left))) - 1, 0))
            left -= 31
        return True

    def add_range(self, at: int, lowest: int, highest: int) -> None:
        self._rows.append((at, lowest, highest, lowest))

    def done(self) -> _Checked:
        return _Checked(self._rows)


class _Checked:
    def __init__(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        columns = np.array(rows, np.int64).reshape(-1, 4).T
        self._at = columns[0]
        self._low, self._high, self._other = (column.astype(np.int32) for column in columns[1:])

    def hold(self, block: Block) -> bool:
        held = block[self._at]
        good = (held >= self._low) & (held <= self._high)
        return bool(good.all()) or bool((good | (held == self._other)).all())


class SoundStates:
    """Checks states of one Program."""

    def __init__(
        self, program: ir.Program, frames: Frames, lows: Sequence[int], highs: Sequence[int]
    ) -> None:
        self._program, self._frames = program, frames
        limits = np.iinfo(np.int32)
        self._lows, self._highs = (
            np.array([min(max(bound, limits.min), limits.max) for bound in all_], np.int32)
            for all_ in (lows, highs)
        )
        bounds = _Bounds()
        for cell, (low, high) in header_bounds(program).items():
            bounds.add_range(cell, low, high)
        self._wide: list[tuple[int, Type]] = []
        for variable in program.variables:
            width = variable.type.width
            for at in range(variable.addr, variable.addr + variable.count * width, width):
                if not bounds.add(at, variable.type):
                    self._wide.append((at, variable.type))
        for history in program.histories:
            bounds.add_range(history.addr, 0, INT_MAX if history.last else history.keep)
        if program.revealed >= 0:
            for cell in range(program.revealed, program.revealed + program.world.piece_count):
                bounds.add_range(cell, 0, (1 << len(program.world.seats)) - 1)
        self._bounds = bounds.done()
        self._places = _Places(program)
        self._chains: dict[tuple[int, ...], _Locals] = {}

    def holds(self, data: bytes, cells: Cells) -> bool:
        """Whether this is a state. False may also mean that these questions do not tell."""
        if len(cells) != self._program.cells:
            return False
        block = np.frombuffer(data, "<i4")
        return (
            bool(((block >= self._lows) & (block <= self._highs)).all())
            and self._bounds.hold(block)
            and all(holds(cells, at, type_) for at, type_ in self._wide)
            and not stands_wrong(self._program, cells)
            and self._places.hold(block, cells)
            and (bool(cells[ir.OVER]) or self._locals_hold(block, cells))
        )

    def _locals_hold(self, block: Block, cells: Cells) -> bool:
        if not self._program.procedures:
            return True
        chain = self._frames.under_way(cells)
        if isinstance(chain, str) or not self._frames.can_be_open(cells, chain):
            return False
        key = tuple([procedure.entry for procedure in chain])
        known = self._chains.get(key)
        if known is None:
            if len(self._chains) >= _CHAINS:
                self._chains.clear()
            known = self._chains[key] = _Locals(chain, self._frames.cleared(chain))
        return known.hold(block, cells)


class _Locals:
    """The locals of procedures under way, and the cells of all others, which hold nothing."""

    def __init__(self, chain: Sequence[ir.Procedure], cleared: frozenset[int]) -> None:
        self._cleared = np.array(sorted(cleared), np.int64)
        bounds = _Bounds()
        self._others: list[ir.Local] = []
        for procedure in chain:
            for local in procedure.frame:
                if local.addr == procedure.ret:
                    continue
                own = range(local.addr, local.addr + local.count * local.type.width)
                plain = local.type.is_scalar or local.type.kind == "set"
                added = plain and [
                    bounds.add(at, local.type, True) for at in own[:: local.type.width]
                ]
                if not added or not all(added):
                    self._others.append(local)
        self._bounds = bounds.done()

    def hold(self, block: Block, cells: Cells) -> bool:
        return (
            not block[self._cleared].any()
            and self._bounds.hold(block)
            and all(fits(cells, local) for local in self._others)
        )


class _Places:
    """Where pieces are: in bags, and in decks of which no order is known, they are linked by
    number, so that one sorting tells how all of them have to be linked."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        world = program.world
        self._count, self._numbers = world.piece_count, len(world.places)
        # by place (one further row for no place) and piece: whether it may lie there
        takes = [
            [place.takes(kind) for kind in world.kinds for _ in kind.pieces]
            for place in world.places
        ]
        self._takes: Any = np.array([*takes, [True] * self._count], bool)
        self._pieces = np.arange(self._count)
        self._decks = [
            (at, program.deck_top[at], program.deck_bottom[at]) for at in program.deck_top
        ]
        self._ordered = [
            at for at, place in enumerate(world.places) if place.order in ("row", "stack")
        ]

    def hold(self, block: Block, cells: Cells) -> bool:
        program, count, numbers = self._program, self._count, self._numbers
        counts = block[program.place_count : program.place_count + numbers]
        if not count:
            empty = block[program.place_head : program.place_head + numbers] == -1
            return bool(empty.all()) and not counts.any()
        where = block[program.piece_place : program.piece_place + count]
        if where.min() < -1 or where.max() >= numbers or not self._takes[where, self._pieces].all():
            return False
        sizes = np.bincount(where + 1, minlength=numbers + 1)[1:]
        if not (sizes == counts).all():
            return False
        heads = np.full(numbers + 1, -1, np.int32)  # the last one is for no place
        following = np.full(count, -1, np.int32)
        order = np.argsort(where, kind="stable")
        sorted_ = where[order]
        same = sorted_[1:] == sorted_[:-1]
        following[order[:-1][same]] = order[1:][same]
        following[where < 0] = -1
        first = np.concatenate(([True], ~same))
        heads[sorted_[first]] = order[first]
        free = self._walked(cells)
        if free:
            if not self._in_order(cells, free):
                return False
            heads[free] = block[[program.place_head + place for place in free]]
            within = np.isin(where, free)
            following[within] = block[program.piece_next : program.piece_next + count][within]
        return bool(
            (heads[:-1] == block[program.place_head : program.place_head + numbers]).all()
            and (following == block[program.piece_next : program.piece_next + count]).all()
        )

    def _in_order(self, cells: Cells, places: Sequence[int]) -> bool:
        """Whether the pieces of places that have an order are linked, and say where they are."""
        said, home = self._program.piece_place, dict[int, int]()
        return all(
            place_problem(self._program, cells, place, home) is None for place in places
        ) and all(cells[said + piece] == place for piece, place in home.items())

    def _walked(self, cells: Cells) -> list[int]:
        """The places in which pieces have an order."""
        size = self._program.place_count
        known = [at for at, top, bottom in self._decks if cells[top] or cells[bottom]]
        return [*known, *(at for at in self._ordered if cells[size + at] > 1)]
