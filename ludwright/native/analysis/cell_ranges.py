"""Between which bounds the value of each cell of a state lies.

The bounds of a cell come from everything that writes it. Code relies on them where it uses the
value of a cell as an index without a check, so a state from outside must keep to them: see
`outside`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import le

from ludwright import program as ir
from ludwright.native.analysis.shapes import CELL, NOTHING, Int, Shape, join
from ludwright.program.types import INT_MAX, Type


def is_number(type_: Type) -> bool:
    """A value of one cell."""
    return type_.is_scalar or (type_.kind == "set" and type_.width == 1)


def is_plain_list(type_: Type) -> bool:
    """A list of numbers: its cells have bounds of their own."""
    return type_.kind == "list" and type_.items[0].is_scalar


class CellBounds:
    """Bounds of all cells; cells that are indexed together share theirs.

    One rule for every cell: its bounds join everything that is ever written there, by rules or by
    the engine. Frames overlay, so the return address of one procedure may lie where another one
    keeps a number. No writer may be left out because of what a cell is meant for.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._group = list(range(program.cells))
        self._united: set[tuple[int, int, int]] = set()
        self._bounds: dict[int, Int] = {}
        for variable in program.variables:
            if is_number(variable.type) or is_plain_list(variable.type):
                self.unite(variable.addr, 1, variable.count * variable.type.width)
        self._written_by_the_engine()
        self._initial()

    # -------------------------------------------------------------- groups

    def _find(self, addr: int) -> int:
        group = self._group
        while group[addr] != addr:
            group[addr] = group[group[addr]]
            addr = group[addr]
        return addr

    def group(self, addr: int) -> int:
        """The number of the group that a cell belongs to; of a register, its own."""
        return self._find(addr) if 0 <= addr < len(self._group) else addr

    def unite(self, addr: int, stride: int, count: int) -> None:
        """Cells that one index reaches."""
        if (addr, stride, count) in self._united:
            return
        self._united.add((addr, stride, count))
        first = self._find(addr)
        for number in range(1, count):
            other = self._find(addr + number * stride)
            if other != first:
                self._group[other] = first
                self.bind(first, self._bounds.pop(other, NOTHING))

    # --------------------------------------------------------------- known

    def _written_by_the_engine(self) -> None:
        """What instructions and the start of a game write, apart from the values of rules."""
        program, world = self.program, self.program.world
        pieces, places, seats = world.piece_count, len(world.places), len(world.seats)
        arrays = [
            (program.piece_place, pieces, Int(-1, places - 1)),
            (program.piece_next, pieces, Int(-1, pieces - 1)),
            (program.place_head, places, Int(-1, pieces - 1)),
            (program.place_count, places, Int(0, pieces)),
            *((addr, 1, Int(0, pieces)) for addr in program.deck_top.values()),
            *((addr, 1, Int(0, pieces)) for addr in program.deck_bottom.values()),
            (ir.PC, 1, Int(0, max(0, len(program.code) - 1))),
            (ir.LOG, 1, CELL), (ir.RNG_LO, 1, CELL), (ir.RNG_HI, 1, CELL),
            (ir.HEAD, 1, Int(0, len(program.heads))),
            (ir.ANSWERED, 1, Int(0, 1)),
            (ir.ACTION, 1, Int(0, len(program.actions))),
            (ir.OVER, 1, Int(0, len(program.ends))),
            (ir.PLAYERS, 1, Int(max(1, world.min_players), max(1, seats))),
            (ir.SCENARIO, 1, Int(0, max(0, len(program.scenarios) - 1))),
        ]  # fmt: skip
        for at, instr in enumerate(program.code):
            if isinstance(instr, ir.CallProc):
                arrays.append((instr.ret, 1, Int(at + 1, at + 1)))
        if program.revealed >= 0:
            arrays.append((program.revealed, pieces, Int(0, (1 << seats) - 1)))
        for history in program.histories:
            arrays.append((history.addr, 1, Int(0, INT_MAX)))
            arrays.append((history.addr + 1, 2 * history.keep, CELL))
        for addr, count, bounds in arrays:
            if count and 0 <= addr < program.cells:
                self.unite(addr, 1, count)
                self.bind(addr, bounds)

    def _initial(self) -> None:
        """What cells hold at first, and the 0 that clears a local."""
        program = self.program
        declared = {
            addr
            for variable in program.variables
            for addr in range(variable.addr, variable.addr + variable.count * variable.type.width)
        }
        for addr, value in enumerate(program.initial):
            if addr == ir.PLAYERS:
                continue  # never read before a game has been given its players
            self.bind(addr, Int(value, value))
            if addr not in declared:
                self.bind(addr, Int(0, 0))

    # -------------------------------------------------------------- bounds

    def bind(self, addr: int, shape: Shape) -> bool:
        """A value of this shape is written here; whether that widens the bounds."""
        if shape == NOTHING:
            return False
        root = self._find(addr)
        old = self._bounds.get(root)
        number = shape if isinstance(shape, Int) else CELL
        new = number if old is None else join(old, number)
        assert isinstance(new, Int)
        new = Int(max(new.lo, CELL.lo), min(new.hi, CELL.hi))
        self._bounds[root] = new
        return new != old

    def bind_wide(self, addr: int, count: int) -> set[int]:
        """The words of a wide value lie here; gives the groups whose bounds that widens."""
        return {self._find(cell) for cell in range(addr, addr + count) if self.bind(cell, CELL)}

    def widen(self, addr: int) -> None:
        """Give up bounds that keep growing."""
        self._bounds[self._find(addr)] = CELL

    def of(self, addr: int) -> Int:
        return self._bounds[self._find(addr)]

    # -------------------------------------------------------------- states

    def all(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The lowest and the highest value of every cell."""
        found = [self.of(addr) for addr in range(self.program.cells)]
        return tuple(bounds.lo for bounds in found), tuple(bounds.hi for bounds in found)


def outside(lows: Sequence[int], highs: Sequence[int], cells: Sequence[int]) -> str | None:
    """A sentence about the first cell that is out of its bounds; None if there is none."""
    if all(map(le, lows, cells)) and all(map(le, cells, highs)):
        return None
    for number, (low, cell, high) in enumerate(zip(lows, cells, highs, strict=True)):
        if not low <= cell <= high:
            return f"cell {number} holds {cell}, outside {low}..{high}"
    return None
