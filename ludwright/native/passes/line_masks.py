"""Lines through a space as masks: `line(c, 3)`.

Such a condition counts the men of one side on two rows that begin at the space, each up to the
first space without one, and asks whether they are enough together. That is so if the first i spaces
of one row and the first k - i of the other are all theirs, for some i: so each space has a few
masks, known beforehand, of which one must be full.

This relies on the rows being constant, and on facts about what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int
from ludwright.native.passes.masks import Fact, Mask, Others

_MOST_SPACES = 128  # two words
_MOST_MASKS = 16  # of one space
_FULL = -1  # a mask that is never full, if there are spaces without a bit of their own

Masking = Callable[[ir.Expr, int], Mask | None]  # a condition on the element in a register


@dataclass(frozen=True, slots=True)
class Lines:
    """The masks of all spaces that a register can hold, from the lowest on: as many for each."""

    register: int
    lowest: int
    fact: Fact
    masks: tuple[tuple[int, ...], ...]

    @property
    def width(self) -> int:
        return len(self.masks[0])


@dataclass(frozen=True, slots=True)
class _Run:
    """How many spaces at the start of a row belong to a fact; the row depends on a register."""

    table: int
    register: int
    offset: int
    fact: Fact


class LineMasks:
    """The conditions of a Program that ask for lines."""

    def __init__(
        self, program: ir.Program, shapes: Inference, spaces: int, mask: Masking, on: bool
    ) -> None:
        self._program, self._shapes, self._spaces, self._mask = program, shapes, spaces, mask
        self._on = on and spaces <= _MOST_SPACES
        self._found: dict[int, tuple[ir.Expr, Lines | None]] = {}

    def of(self, node: ir.Expr) -> Lines | None:
        """A condition that asks for any of some lines through the same space."""
        if not self._on or not isinstance(node, ir.Or | ir.Compare):
            return None
        if id(node) not in self._found:
            self._found[id(node)] = node, self._lines(node)
        return self._found[id(node)][1]

    def _lines(self, node: ir.Expr) -> Lines | None:
        pairs = [self._pair(part) for part in _alternatives(node)]
        known = [pair for pair in pairs if pair is not None]
        runs = [run for one, two, _ in known for run in (one, two)]
        if len(known) < len(pairs) or len({(run.register, run.fact) for run in runs}) != 1:
            return None
        bounds = self._shapes.of(ir.Load(runs[0].register))
        if not isinstance(bounds, Int) or bounds.lo < -1 or bounds.hi >= self._spaces:
            return None
        masks: list[list[int]] = []
        for space in range(bounds.lo, bounds.hi + 1):
            own: dict[int, None] = {}
            for one, two, least in known:
                left, right = self._row(one, space), self._row(two, space)
                if left is None or right is None:
                    return None
                own.update(dict.fromkeys(_full(left, right, least)))
            masks.append(list(own))
        most = max(map(len, masks), default=0)  # no space at all, where nothing leads here
        without = self._spaces % 64 == 0 and not all(masks)
        if not 0 < most <= _MOST_MASKS or without:
            return None
        even = (own + (own[:1] or [_FULL]) * (most - len(own)) for own in masks)
        return Lines(runs[0].register, bounds.lo, runs[0].fact, tuple(map(tuple, even)))

    def _row(self, run: _Run, space: int) -> tuple[int, ...] | None:
        rows, at = self._program.rows[run.table], space + run.offset
        if not 0 <= at < len(rows):
            return () if at < 0 else None
        row = [item for item in rows[at] if isinstance(item, int) and 0 <= item < self._spaces]
        return tuple(row) if len(row) == len(rows[at]) else None

    def _pair(self, node: ir.Expr) -> tuple[_Run, _Run, int] | None:
        """Two runs, and the length that they must have together."""
        match node:
            case ir.Compare(
                op=">=", left=ir.Arith(op="+", left=left, right=right),
                right=ir.Const(value=int(least)),
            ) if least > 0:  # fmt: skip
                one, two = self._run(left), self._run(right)
                return None if one is None or two is None else (one, two, least)
            case _:
                return None

    def _run(self, node: ir.Expr) -> _Run | None:
        match node:
            case ir.Aggregate(
                op="count",
                stream=ir.Stream(
                    clauses=(
                        ir.Loop(regs=(element,), source=ir.RowSource(table=table, index=index)),
                        ir.Until(when=until), ir.Filter(when=ir.Not(arg=other)),
                    ),
                    head=ir.Const(),
                ),
            ) if until == other:  # fmt: skip
                mask = self._mask(until, element)
                place = _place(index)
                if isinstance(mask, Others) and isinstance(mask.of, Fact) and place is not None:
                    return _Run(table, *place, mask.of)
            case _:
                pass
        return None


def _alternatives(node: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(node, ir.Or):
        yield from _alternatives(node.left)
        yield from _alternatives(node.right)
    else:
        yield node


def _place(index: ir.Expr) -> tuple[int, int] | None:
    """The register and the number that are added."""
    match index:
        case ir.Load(addr=register):
            return register, 0
        case ir.Arith(op="+", left=ir.Load(addr=register), right=ir.Const(value=int(offset))):
            return register, offset
        case _:
            return None


def _full(one: tuple[int, ...], two: tuple[int, ...], least: int) -> Iterator[int]:
    """The sets of spaces that make two runs long enough."""
    for first in range(max(0, least - len(two)), min(least, len(one)) + 1):
        yield sum(1 << space for space in {*one[:first], *two[: least - first]})
