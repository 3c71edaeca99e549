"""Short loops without branches.

A branch that ends a loop early is mispredicted about once per loop, which costs more than looking
at a few dozen cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ludwright.kernel import program as ir
from ludwright.native.builder import V, Var
from ludwright.native.indexing import Indexed, indexed
from ludwright.native.shapes import Int
from ludwright.native.streams import Streams, sorted_clauses

_FLAT = 64  # elements that are looked at without an early end, where each is one cell
_FEW = 9  # and where each takes more than that
_SHORT_ROW = 4  # elements of a table's row
_LONG = 4096  # and where all must be looked at anyway


def constants_of(source: ir.Source) -> list[int] | None:
    """The numbers a source gives, if they are known."""
    match source:
        case ir.ConstSource(values=values):
            numbers = [int(value) for value in values if isinstance(value, int)]
            return numbers if len(numbers) == len(values) else None
        case ir.RangeSource(lo=ir.Const(value=int(low)), hi=ir.Const(value=int(high))):
            return list(range(low, high + 1)) if high - low < _LONG else None
        case _:
            return None


def direct(node: ir.Expr, register: int) -> bool:
    """Reads nothing but cells and tables at the element itself."""
    match node:
        case ir.Const() | ir.Load():
            return True
        case ir.LoadAt(index=index) | ir.Lookup(index=index):
            return index == ir.Load(register)
        case ir.Compare(left=left, right=right) | ir.And(left=left, right=right):
            return direct(left, register) and direct(right, register)
        case ir.Not(arg=arg):
            return direct(arg, register)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Plan:
    """A loop that can be written without branches."""

    loop: ir.Loop
    filters: list[ir.Expr]
    head: ir.Expr
    values: list[int]  # at equal distances, or unused where there is an index
    index: Indexed | None
    backwards: bool  # the last element comes first


@dataclass(frozen=True, slots=True)
class RowPlan:
    """The same for the elements of a short row of a table, perhaps up to some element."""

    loop: ir.Loop
    row: ir.RowSource
    before: list[ir.Expr]  # conditions in front of `until`
    until: ir.Expr | None
    after: list[ir.Expr]
    head: ir.Expr


Take = Callable[[V, V], None]  # gets whether an element belongs, and its value


class Flat(Streams):
    """Loops over constants with simple conditions, in one function."""

    def plan(self, stream: ir.Source, whole: bool = False) -> Plan | None:
        """How to look at all elements of a stream without a branch, if that pays.

        `whole`: all of them have to be looked at in any case.
        """
        if not isinstance(stream, ir.Stream) or not stream.clauses:
            return None
        loop, *rest = stream.clauses
        if not isinstance(loop, ir.Loop) or len(loop.regs) != 1:
            return None
        filters = [clause.when for clause in rest if isinstance(clause, ir.Filter)]
        values = constants_of(loop.source)
        if len(filters) != len(rest) or not values or not self.simple(stream.head):
            return None
        index = indexed(self.program, loop, filters)
        if index is not None and self.simple(index.wanted):
            size = len(index.groups[0])
            equal = all(len(group) == size for group in index.groups)
            if not equal or size > _FEW or not all(map(self.simple, index.rest)):
                return None
            return Plan(loop, index.rest, stream.head, values, index, True)
        if len(values) > (_LONG if whole else _FLAT) or not all(map(self.simple, filters)):
            return None
        tests = [*filters, stream.head]
        few = len(values) <= _FEW
        if not few and not whole and not all(direct(test, loop.regs[0]) for test in tests):
            return None
        step = values[1] - values[0] if len(values) > 1 else 1
        if step == 0 or any(two - one != step for one, two in pairwise(values)):
            return None
        return Plan(loop, filters, stream.head, values, None, few)

    def follow(self, plan: Plan, take: Take) -> None:
        """Write a planned loop."""
        f = self.f
        if plan.index is not None:
            self._follow_index(plan, plan.index, take)
            return
        values = plan.values
        step = values[1] - values[0] if len(values) > 1 else 1
        with f.count(0, len(values)) as at:
            value = f.value(values[-1]) - at * step if plan.backwards else at * step + values[0]
            self._element(plan, value, take)

    def _follow_index(self, plan: Plan, index: Indexed, take: Take) -> None:
        f = self.f
        size = len(index.groups[0])
        out = f.label()
        at = self.num(index.wanted) - index.low
        f.leave_unless(at.below(len(index.groups)), out)
        values = [value for group in index.groups for value in group]
        table = V(f, self.module.table(values), "ptr")
        last = Var(f, init=at * size + (size - 1))
        with f.count(0, size) as number:
            self._element(plan, f.load(table, last.get() - number, "i32"), take)
        f.place(out)

    def _element(self, plan: Plan, value: V, take: Take) -> None:
        f = self.f
        self.put_register(plan.loop.regs[0], value, Int())
        keep = V(f, "true", "i1")
        for condition in plan.filters:
            keep = keep & self.condition(condition)
        take(keep, self.number(self.expr(plan.head)).i64())

    def row_plan(self, stream: ir.Source) -> RowPlan | None:
        """How to look at a row of at most a few elements, whichever row it is."""
        match stream:
            case ir.Stream(
                clauses=(ir.Loop(regs=(_,), source=ir.RowSource() as row) as loop, *rest), head=head
            ):
                pass
            case _:
                return None
        clauses = [clause for clause in rest if isinstance(clause, ir.Filter | ir.Until)]
        rows = self.program.rows[row.table]
        if len(clauses) != len(rest) or not 0 < max(map(len, rows), default=0) <= _SHORT_ROW:
            return None
        before, until, after = sorted_clauses(clauses)
        tests = [*before, *after, head, *([] if until is None else [until])]
        numbers = isinstance(self.element(row), Int) and self.bounds(row.index).hi < len(rows)
        if not numbers or not all(map(self.simple, tests)):
            return None
        return RowPlan(loop, row, before, until, after, head)

    def follow_row(self, plan: RowPlan, take: Take) -> None:
        f = self.f
        rows = [
            [int(v) for v in row if isinstance(v, int)] for row in self.program.rows[plan.row.table]
        ]
        width = max(map(len, rows))
        spare = next(row[0] for row in rows if row)  # some element that may be looked at
        padded = [value for row in rows for value in [*row, *[spare] * (width - len(row))]]
        table = V(f, self.module.table(padded), "ptr")
        lengths = V(f, self.module.table([len(row) for row in rows]), "ptr")
        index, out = self.num(plan.row.index), f.label()
        if self.bounds(plan.row.index).lo < 0:
            f.leave_unless(index >= 0, out)
        length = f.load(lengths, index, "i32")
        alive = V(f, "true", "i1")
        for at in range(width):
            inside = alive & (length > at)
            self.put_register(plan.loop.regs[0], f.load(table, index * width + at, "i32"), Int())
            for condition in plan.before:
                inside = inside & self.condition(condition)
            keep = inside
            for condition in plan.after:
                keep = keep & self.condition(condition)
            take(keep, self.number(self.expr(plan.head)).i64())
            if plan.until is not None:
                alive = alive & (inside & self.condition(plan.until)).not_()
        f.place(out)

    def least(self, stream: ir.Source) -> Plan | None:
        """The plan for a stream whose first element is also its lowest."""
        plan = self.plan(stream)
        if plan is None or plan.head != ir.Load(plan.loop.regs[0]):
            return None
        return plan if plan.values == sorted(plan.values) else None
