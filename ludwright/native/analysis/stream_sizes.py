"""How many elements a stream can have, and whether it can repeat one."""

from __future__ import annotations

from math import prod

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int, Lst

_ABSURD = 1 << 16  # elements: no room is kept for more


class StreamSizes:
    """Sizes of the streams of one Program, as far as they are plain to see."""

    def __init__(self, program: ir.Program, shapes: Inference) -> None:
        self.program = program
        self._shapes = shapes

    def most(self, node: ir.Source) -> int | None:
        """The most elements a stream can have; None: unknown, or absurdly many."""
        size = self._most(node)
        return size if size is not None and size <= _ABSURD else None

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
                return (
                    len(loops) == 1
                    and len(loops[0].regs) == 1
                    and head == ir.Load(loops[0].regs[0])
                    and self.distinct(loops[0].source)
                )
            case _:
                return False
