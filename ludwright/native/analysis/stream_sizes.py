"""How many elements a stream can have, and whether it can repeat one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from operator import or_

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int, Lst
from ludwright.program.limits import OPTION_LIMIT
from ludwright.program.nodes import walk


class StreamSizes:
    """Sizes of the streams of one Program, as far as they are plain to see."""

    def __init__(self, program: ir.Program, shapes: Inference) -> None:
        self.program = program
        self._shapes = shapes

    def most(self, node: ir.Source) -> int | None:
        """The most elements a stream can have; None: unknown, or absurdly many."""
        size = self._most(node)
        return size if size is not None and size <= OPTION_LIMIT else None

    def _most(self, node: ir.Source) -> int | None:
        match node:
            case ir.RangeSource():
                shape = self._shapes.element(node)
                assert isinstance(shape, Int)
                return max(0, shape.hi - shape.lo + 1)
            case ir.ConstSource(values=values):
                return len(values)
            case ir.RowSource(table=table):
                return max((len(row) for row in self.program.rows[table]), default=0)
            case ir.PiecesSource() | ir.DrawFrom():
                return self.program.world.piece_count
            case ir.SetSource(of=of):
                return 64 * self._shapes.of(of).words
            case ir.ListSource(of=of):
                listed = self._shapes.of(of)
                return listed.cap if isinstance(listed, Lst) else 64
            case ir.ItemsSource(items=items):
                return len(items)
            case ir.ConcatSource(parts=parts):
                sizes = [self.most(part) for part in parts]
                return None if None in sizes else sum(size or 0 for size in sizes)
            case ir.SelectSource(then=then, other=other):
                one, two = self.most(then), self.most(other)
                return None if one is None or two is None else max(one, two)
            case ir.BindSource(body=body):
                return self.most(body)
            case ir.SeatsSource():
                return len(self.program.world.seats)
            case ir.Stream(clauses=clauses):
                sizes = [self.most(each.source) for each in clauses if isinstance(each, ir.Loop)]
                return None if None in sizes else prod(size or 0 for size in sizes)
            case _:
                return None

    def distinct(self, node: ir.Source) -> bool:
        """Whether a stream certainly repeats no element."""
        match node:
            case ir.RangeSource() | ir.PiecesSource() | ir.DrawFrom():
                return True
            case ir.SetSource() | ir.SeatsSource():
                return True
            case ir.ConstSource(values=values):
                return len(set(values)) == len(values)
            case ir.RowSource(table=table):
                return all(len(set(row)) == len(row) for row in self.program.rows[table])
            case ir.ItemsSource(items=items):
                return len(items) < 2
            case ir.SelectSource(then=then, other=other):
                return self.distinct(then) and self.distinct(other)
            case ir.BindSource(body=body):
                return self.distinct(body)
            case ir.Stream(clauses=clauses, head=head):
                loops = [clause for clause in clauses if isinstance(clause, ir.Loop)]
                if not loops or len(loops[-1].regs) != 1 or head != ir.Load(loops[-1].regs[0]):
                    return False
                if len(loops) == 1:
                    return self.distinct(loops[0].source)
                return len(loops) == 2 and self._disjoint(*loops) and self.distinct(loops[1].source)
            case _:
                return False

    def _disjoint(self, outer: ir.Loop, inner: ir.Loop) -> bool:
        """Whether the rows that two loops go through have no element in common: `for d in all for x
        in ray(c, d)`.

        That must hold of all rows at the same distances, since nothing is known of `c`.
        """
        if not isinstance(inner.source, ir.RowSource) or not isinstance(
            outer.source, ir.ConstSource
        ):
            return False
        numbers = [value for value in outer.source.values if isinstance(value, int)]
        if len(outer.regs) != 1 or len(set(numbers)) < len(outer.source.values):
            return False
        step = _steps(inner.source.index, outer.regs[0])
        if not step:
            return False
        rows = _bits(self.program.rows[inner.source.table])
        for first in range(-step * max(numbers, default=0), len(rows)):
            met = 0
            for number in numbers:
                at = first + step * number
                row = rows[at] if 0 <= at < len(rows) else 0
                if met & row:
                    return False
                met |= row
        return True


def _bits(rows: Sequence[Sequence[object]]) -> list[int]:
    """Rows as sets."""
    known: dict[object, int] = {}
    return [
        reduce(or_, (1 << known.setdefault(item, len(known)) for item in row), 0) for row in rows
    ]


def _steps(index: ir.Expr, register: int) -> int | None:
    """By how much an index grows with a register; None if that is not always the same."""
    match index:
        case ir.Load(addr=addr) if addr == register:
            return 1
        case ir.Arith(op="+" | "-" as op, left=left, right=right):
            one, two = _steps(left, register), _steps(right, register)
            if one is None or two is None:
                return None
            return one + two if op == "+" else one - two
        case ir.Arith(op="*", left=left, right=ir.Const(value=int(times))):
            one = _steps(left, register)
            return None if one is None else one * times
        case _:
            return None if ir.Load(register) in walk(index) else 0
