"""Loops over spaces as operations on sets, as `passes.space_sets` plans them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.codegen.body import Body, Take
from ludwright.native.codegen.builder import Operand, Var
from ludwright.native.codegen.conditions import cheap
from ludwright.native.codegen.facts import facts_at, need_facts
from ludwright.native.codegen.values import Value, Wide
from ludwright.native.passes.space_sets import (
    Both,
    Either,
    Entry,
    Fact,
    Mask,
    Others,
    Plan,
    levels,
    rows_fall,
)


@dataclass(frozen=True, slots=True)
class Bits:
    """A set of spaces or pieces as one large number; whether it is walked from its highest on."""

    all: Operand
    falls: Operand

    @property
    def _size(self) -> int:
        return int(self.all.type[1:])

    def _count(self, name: str, of: Operand, *more: Operand) -> Operand:
        """The number that one of LLVM's functions counts."""
        found = of.f.call(of.type, f"llvm.{name}.{of.type}", of, *more)
        return found if of.type == "i64" else _as(found, "trunc", "i64")

    def some(self) -> Operand:
        return self.all.ne(0)

    def count(self) -> Operand:
        return self._count("ctpop", self.all)

    def first(self) -> Operand:
        """The first element of a set that is not empty."""
        f = self.all.f
        lowest = self._count("cttz", self.all, f.true)
        if self.falls.constant == 0:
            return lowest
        return f.select(self.falls, self.highest(self.all), lowest)

    def highest(self, of: Operand) -> Operand:
        return of.f.value(self._size - 1) - self._count("ctlz", of, of.f.true)

    def up_to(self, end: Operand) -> Operand:
        """The elements in front of the first one of a set, and that one."""
        f = self.all.f
        rising = end ^ (end - 1)
        if self.falls.constant == 0:
            return self.all & rising
        falling = f.value(-1, end.type) << _wide(self.highest(end | 1), end.type)
        return self.all & f.select(self.falls, falling, rising)

    def value(self, shape: Shape) -> Value:
        """As a value of the rulebook."""
        f = self.all.f
        if isinstance(shape, Int):
            return self.all if self._size == 64 else _as(self.all, "trunc", "i64")
        size = max(64 * shape.words, self._size)
        ptr = f.array(size // 64)
        wide = self.all if size == self._size else _as(self.all, "zext", f"i{size}")
        f.do(f"store {wide.type} {wide.text}, ptr {ptr.text}, align 8")
        return Wide(ptr, shape)

    def each(self, take: Take) -> None:
        f, kind = self.all.f, self.all.type
        left, falls = Var(f, kind, self.all), Var(f, "i1", self.falls)
        with f.loop() as out:
            now = Bits(left.get(), self.falls if self.falls.constant is not None else falls.get())
            f.leave_unless(now.some(), out)
            found = now.first()
            if self.falls.constant == 0:
                left.set(now.all & (now.all - 1))
            else:
                left.set(now.all & (_one(found, kind) ^ -1))
            take(found)


def _one(element: Operand, kind: str) -> Operand:
    """The set of one element."""
    return element.f.value(1, kind) << _wide(element, kind)


def _wide(number: Operand, kind: str) -> Operand:
    return number if kind == "i64" else _as(number, "zext", kind)


def _as(number: Operand, how: str, kind: str) -> Operand:
    return number.f.emit(f"{how} {number.type} {number.text} to {kind}", kind)


def set_plan(b: Body, loop: ir.Loop, clauses: Sequence[ir.Filter | ir.Until]) -> Plan | None:
    return b.module.sets.plan(loop, clauses, lambda node: cheap(b, node))


def whole_set(b: Body, stream: ir.Source) -> Bits | None:
    """A comprehension that is nothing but a set: `c for c in board if …`."""
    if not b.module.sets or not isinstance(stream, ir.Stream):
        return None
    found = list(levels(stream))
    if len(found) != 1 or len(stream.clauses) != 1 + len(found[0][1]):
        return None
    plan = set_plan(b, *found[0])
    if plan is None or plan.rest or stream.head != ir.Load(plan.register):
        return None
    return planned_set(b, plan)


def tested_set(b: Body, op: str, stream: ir.Source) -> Bits | None:
    """The elements that decide `exists`, `any` or `all` of a comprehension: one is enough."""
    if op == "exists" or not isinstance(stream, ir.Stream):
        return whole_set(b, stream)
    test = stream.head if op == "any" else ir.Not(stream.head)
    for clause in stream.clauses:
        if isinstance(clause, ir.Loop) and len(clause.regs) == 1:
            element = ir.Load(clause.regs[0])
            return whole_set(b, ir.Stream((*stream.clauses, ir.Filter(test)), element))
    return None


def planned_set(b: Body, plan: Plan) -> Bits:
    """The elements that a plan leaves."""
    need_facts(b.module, b.f)
    source = _elements(b, plan)
    kept = source.all
    for mask in plan.kept:
        kept = kept & _mask(b, plan, mask)
    if plan.until is not None:
        end = kept & _mask(b, plan, plan.until)
        kept = Bits(kept, source.falls).up_to(end)
    for mask in plan.after:
        kept = kept & _mask(b, plan, mask)
    return Bits(kept, source.falls)


def _words(b: Body, plan: Plan) -> int:
    return b.module.sets.words_of(plan.of_pieces)


def _kind(b: Body, plan: Plan) -> str:
    return f"i{64 * _words(b, plan)}"


def _elements(b: Body, plan: Plan) -> Bits:
    """All elements of the loop."""
    f, source = b.f, plan.source
    if isinstance(source, ir.ConstSource):
        bits = sum(1 << int(value) for value in source.values if isinstance(value, int))
        return Bits(f.value(bits, _kind(b, plan)), f.false)
    rows = b.program.rows[source.table]
    index, bounds = b.num(source.index), b.bounds(source.index)
    b.check_index(index, bounds, len(rows), source.site)
    at = index if bounds.lo >= 0 else f.smax(index, 0)
    found = _from_table(b, plan, [_bits(row) for row in rows], at)
    if bounds.lo < 0:
        found = f.select(index < 0, f.value(0, found.type), found)
    falls = rows_fall(rows)
    if len(set(falls)) == 1:
        return Bits(found, f.value(falls[0], "i1"))
    return Bits(found, f.load(b.module.table(f, list(map(int, falls)), "i8"), at, "i8").ne(0))


def _bits(row: Sequence[object]) -> int:
    return sum(1 << value for value in row if isinstance(value, int))


def _from_table(b: Body, plan: Plan, sets: Sequence[int], at: Operand) -> Operand:
    """One of many sets that never change."""
    f, words = b.f, _words(b, plan)
    listed = [(bits >> 64 * word) & ((1 << 64) - 1) for bits in sets for word in range(words)]
    return _load(b, plan, f.gep(b.module.table(f, listed, "i64"), at * words))


def _load(b: Body, plan: Plan, at: Operand) -> Operand:
    kind = _kind(b, plan)
    return b.f.emit(f"load {kind}, ptr {at.text}, align 8", kind)


def _mask(b: Body, plan: Plan, mask: Mask) -> Operand:
    match mask:
        case Fact():
            return _fact(b, plan, mask)
        case Entry(table=table, value=value):
            entries = b.program.tables[table]
            low, size = min(entries), max(entries) - min(entries) + 1
            sets = [0] * size
            for element, entry in enumerate(entries):
                if element < 64 * _words(b, plan):
                    sets[entry - low] |= 1 << element
            return _chosen(b, plan, value, low, size, lambda at: _from_table(b, plan, sets, at))
        case Both(left=left, right=right):
            return _mask(b, plan, left) & _mask(b, plan, right)
        case Either(left=left, right=right):
            return _mask(b, plan, left) | _mask(b, plan, right)
        case Others(of=of):
            return _mask(b, plan, of) ^ -1


def _fact(b: Body, plan: Plan, fact: Fact) -> Operand:
    f, words = b.f, _words(b, plan)
    start = facts_at(b.module, f.context, fact.family)
    if fact.value is None:
        return _load(b, plan, start)
    bounds = b.module.sets.bounds(fact.family)
    size = bounds.hi - bounds.lo + 1
    return _chosen(
        b, plan, fact.value, bounds.lo, size, lambda at: _load(b, plan, f.gep(start, at * words))
    )


def _chosen(
    b: Body, plan: Plan, value: ir.Expr, low: int, size: int, set_at: Callable[[Operand], Operand]
) -> Operand:
    """The set of a value; there are sets for `size` values from `low` on."""
    f, bounds = b.f, b.bounds(value)
    at = b.num(value) - low
    if low <= bounds.lo and bounds.hi < low + size:
        return set_at(at)
    known = at.below(size)
    return f.select(known, set_at(f.select(known, at, 0)), f.value(0, _kind(b, plan)))
