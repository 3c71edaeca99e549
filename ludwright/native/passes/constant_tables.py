"""Functions that depend on nothing but their arguments, as constant tables.

What a rulebook says of its board (how far a point is, which square lies where) reads no state. With
few possible arguments such a function is evaluated once, here, by the interpreter; a call is then
one load.

This relies on the bounds of the arguments, which come from everything that calls the function.
Where they are wide, the table covers a window, and code calls the function for what lies outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.run import TICKS, Cells, Fn, Refused
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import I64_MAX, I64_MIN, Int
from ludwright.program.nodes import walk

_MOST_ENTRIES = 4096  # of one table
WORK_LIMIT = 1_000_000  # nodes evaluated for one table: a function that takes more is called
WINDOW = Int(-16, 111)  # of an argument that has no narrow bounds
HOLE = 1 - (1 << 31)  # for these arguments the function itself must be called
# What depends on more than its arguments, or says how much work it is.
_STATE = (
    ir.LoadAt, ir.LoadWide, ir.Times, ir.PiecesSource, ir.DrawFrom, ir.SeatsSource, ir.Spend,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConstantTable:
    """The values for all arguments, the last one running fastest; `HOLE` where there is none."""

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    values: tuple[int, ...]
    bounds: Int | None  # of all values the function can have
    clipped: tuple[bool, ...]  # arguments that may also lie outside the table

    @property
    def total(self) -> bool:
        return HOLE not in self.values and not any(self.clipped)


class _TooMuchWork(Exception):
    """A table would take too much work."""


class _CountingExpressions(Expressions):
    """Expressions that count each of their nodes as it is evaluated.

    Not the clock: what becomes a table decides what code is made and which states it can take, and
    that must be the same on every machine.
    """

    def expr(self, node: ir.Expr) -> Fn:
        plain = super().expr(node)

        def counted(memory: Cells) -> Any:
            memory[TICKS] -= 1
            if memory[TICKS] < 0:
                raise _TooMuchWork
            return plain(memory)

        return counted


class ConstantTables:
    """The functions of one Program that became tables."""

    def __init__(self, program: ir.Program, shapes: Inference, on: bool = True) -> None:
        self._program = program
        self._on = on
        self._shapes = shapes
        self._expressions = _CountingExpressions(program)
        self._static: dict[int, bool] = {}
        self._known: dict[int, ConstantTable | None] = {}

    def results(self) -> dict[int, Int]:
        """What the tables tell of the values of functions."""
        numbers = range(len(self._program.functions))
        made = {number: self.of(number) for number in numbers}
        return {n: t.bounds for n, t in made.items() if t is not None and t.bounds is not None}

    def of(self, number: int) -> ConstantTable | None:
        if number not in self._known:
            makes = self._on and self._is_static(number)
            self._known[number] = self._made(number) if makes else None
        return self._known[number]

    def _is_static(self, number: int) -> bool:
        if number not in self._static:
            body = self._program.functions[number].body
            self._static[number] = all(self._reads_nothing(node) for node in walk(body))
        return self._static[number]

    def _reads_nothing(self, node: object) -> bool:
        if isinstance(node, ir.Load):
            return node.addr >= self._program.cells
        if isinstance(node, ir.CallFn):
            return self._is_static(node.fn)
        return not isinstance(node, _STATE)

    def _made(self, number: int) -> ConstantTable | None:
        function = self._program.functions[number]
        bounds = [self._shapes.registers.get(register) for register in function.params]
        known = [shape for shape in bounds if isinstance(shape, Int)]
        if (
            not known
            or len(known) != len(bounds)
            or not isinstance(self._shapes.of(function.body), Int)
        ):
            return None
        clipped = tuple(shape.hi - shape.lo > WINDOW.hi - WINDOW.lo for shape in known)
        # Never outside of its bounds: a number below 0 is no set, and a walk over it never ends.
        known = [
            Int(max(shape.lo, WINDOW.lo), min(shape.hi, WINDOW.hi)) if clip else shape
            for clip, shape in zip(clipped, known, strict=True)
        ]
        sizes = tuple(shape.hi - shape.lo + 1 for shape in known)
        if min(sizes) < 1 or prod(sizes) > _MOST_ENTRIES:
            return None
        values: list[int] = []
        low, high = I64_MAX, I64_MIN
        cells = [0] * (self._program.cells + self._program.registers + 2)
        body = self._expressions.expr(function.body)
        cells[TICKS] = WORK_LIMIT
        for arguments in product(*(range(shape.lo, shape.hi + 1) for shape in known)):
            for register, argument in zip(function.params, arguments, strict=True):
                cells[register] = argument
            try:
                value = int(body(cells))
                low, high = min(low, value), max(high, value)
            except _TooMuchWork:
                return None
            except (LudwrightError, Refused):
                value = HOLE
            values.append(value if -(1 << 31) <= value < 1 << 31 else HOLE)
        if 2 * values.count(HOLE) > len(values):
            return None
        lows = tuple(shape.lo for shape in known)
        reached = None if any(clipped) else Int(low, high)
        return ConstantTable(lows, sizes, tuple(values), reached, clipped)
