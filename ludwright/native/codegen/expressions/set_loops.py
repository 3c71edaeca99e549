"""Loops over spaces as operations on sets, as `passes.space_sets` plans them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.codegen.expressions.body import Body, Take
from ludwright.native.codegen.expressions.cheap import cheap
from ludwright.native.codegen.expressions.set_functions import called_set, moved
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.facts import facts_at, need_facts
from ludwright.native.codegen.state.values import Value, Wide, number, to_bits, truth
from ludwright.native.passes.masks import (
    Both,
    Either,
    Entry,
    Fact,
    Fixed,
    Holds,
    Mask,
    Moved,
    Only,
    Others,
    families,
)
from ludwright.native.passes.set_steps import Neighbours, neighbours_of
from ludwright.native.passes.space_sets import Plan, levels
from ludwright.program import faults
from ludwright.program.faults import FIRST_NUMBER

SPARE = 16  # elements that `write_all` may write behind the last one
_ELEMENT = -1  # a register that no expression uses


@dataclass(frozen=True, slots=True)
class Bits:
    """A set of spaces or pieces as one large number, in the order of its bits.

    An element is the number of its bit, in which the bits of `flip` are changed: all of them where
    the highest element comes first.
    """

    all: Operand
    flip: Operand

    @property
    def _size(self) -> int:
        return int(self.all.type[1:])

    def _count(self, name: str, *more: Operand) -> Operand:
        """The number that one of LLVM's functions counts."""
        kind = self.all.type
        found = self.all.f.call(kind, f"llvm.{name}.{kind}", self.all, *more)
        return found if kind == "i64" else _as(found, "trunc", "i64")

    def some(self) -> Operand:
        return self.all.ne(0)

    def count(self) -> Operand:
        return self._count("ctpop")

    def first(self) -> Operand:
        """The first element of a set that is not empty."""
        return self._count("cttz", self.all.f.true) ^ self.flip

    def has(self, element: Operand) -> Operand:
        """Whether an element belongs to a set in which none is flipped."""
        assert self.flip.constant == 0
        kind = self.all.type
        at = element if kind == "i64" else _as(element, "zext", kind)
        return ((self.all >> at) & 1).ne(0)

    def nth(self, position: Operand, size: int) -> Operand:
        """The element at a position that is taken, of elements below `size`: halves are counted,
        down to one word."""
        f, left, at, bits = self.all.f, position, self.all.f.value(0), self.all
        width = 1 << (size - 1).bit_length()
        while width > 64:
            width //= 2
            low, high = (_as(half, "trunc", f"i{width}") for half in (bits, bits >> width))
            below = Bits(low, at).count()
            beyond = left >= below
            left = left - f.select(beyond, below, 0)
            at = at + f.select(beyond, width, f.value(0))
            bits = f.select(beyond, high, low)
        if bits.type != "i64":
            bits = _as(bits, "trunc", "i64")
        return (at + f.call("i64", "nth_bit", bits, left)) ^ self.flip

    def value(self, shape: Shape) -> Value:
        """The set as a value of the rulebook."""
        assert self.flip.constant == 0
        f = self.all.f
        if isinstance(shape, Int):
            return self.all if self._size == 64 else _as(self.all, "trunc", "i64")
        size = max(64 * shape.words, self._size)
        ptr = f.array(size // 64)
        wide = self.all if size == self._size else _as(self.all, "zext", f"i{size}")
        f.do(f"store {wide.type} {wide.text}, ptr {ptr.text}, align 8")
        return Wide(ptr, shape)

    def each(self, take: Take) -> None:
        f = self.all.f
        left, flip = Var(f, self.all.type, self.all), Var(f, init=self.flip)
        with f.loop() as out:
            now = Bits(left.get(), self.flip if self.flip.constant == 0 else flip.get())
            f.leave_unless(now.some(), out)
            left.set(now.all & (now.all - 1))
            take(now.first())


def _as(number: Operand, how: str, kind: str) -> Operand:
    return number.f.emit(f"{how} {number.type} {number.text} to {kind}", kind)


def set_plan(b: Body, loop: ir.Loop, clauses: Sequence[ir.Filter | ir.Until]) -> Plan | None:
    return b.module.sets.plan(loop, clauses, lambda node: cheap(b, node))


def whole_set(b: Body, stream: ir.Source) -> Bits | None:
    """A comprehension that is nothing but a set: `c for c in board if …`."""
    plan = whole_plan(b, stream)
    return None if plan is None else planned_set(b, plan)


def unordered_set(b: Body, stream: ir.Source, *, one_is_enough: bool = False) -> Bits | None:
    """A comprehension whose order and repeats do not matter, as a set."""
    bits = whole_set(b, stream)
    if bits is not None or not b.module.sets or not b.module.uses("set_steps"):
        return bits
    found = neighbours_of(b.program, b.module.sets, stream, lambda node: cheap(b, node))
    return None if found is None else _neighbours(b, found, one_is_enough)


def _neighbours(b: Body, found: Neighbours, one_is_enough: bool) -> Bits:
    """All spaces of a set take a step at once: see `passes.set_steps`."""
    f, size = b.f, found.rows
    masks = _Masks(b, Plan(-1, ir.ConstSource(()), False, [], None, [], []))
    given = to_bits(f, b.expr(found.source.of), masks.words)
    own, beyond = masks.load(given.ptr), _beyond(given, size)
    if found.kept:
        need_facts(b.module, f)
    near = f.value(0, masks.kind)
    for distance, spaces in found.shifts.steps.items():
        here = own & spaces
        near = near | (here << distance if distance > 0 else here >> -distance)
    bits = Bits(reduce(Operand.__and__, map(masks.of, found.kept), near), f.value(0))
    members = b.element(found.source)
    if not isinstance(members, Int) or members.hi >= size:
        # Elements ascend, so those without a row come last: a hit ends the loop before them.
        error = f.errors.fault(faults.index_outside(FIRST_NUMBER, size - 1), found.site)
        none = beyond.all.eq(0)
        f.check(none | bits.some() if one_is_enough else none, error, beyond.first() + size)
    return bits


def space_sets(b: Body, masks: Sequence[Mask]) -> list[Operand]:
    """Conditions on spaces as sets."""
    if families(masks):
        need_facts(b.module, b.f)
    made = _Masks(b, Plan(-1, ir.ConstSource(()), False, [], None, [], []))
    return [made.of(mask) for mask in masks]


def _beyond(given: Wide, size: int) -> Bits:
    """The elements of a set from a number on, counted from there."""
    f, kind = given.ptr.f, f"i{64 * given.shape.words}"
    every = f.emit(f"load {kind}, ptr {given.ptr.text}, align 8", kind)
    return Bits(every >> size if size < 64 * given.shape.words else f.value(0, kind), f.value(0))


def is_whole_set(b: Body, stream: ir.Source) -> bool:
    while isinstance(stream, ir.BindSource):
        stream = stream.body
    return whole_plan(b, stream) is not None


def whole_plan(b: Body, stream: ir.Source) -> Plan | None:
    if not b.module.sets or not isinstance(stream, ir.Stream):
        return None
    found = list(levels(stream))
    if len(found) == 1 and len(stream.clauses) == 1 + len(found[0][1]):
        plan = set_plan(b, *found[0])
        if plan is not None and not plan.rest and stream.head == ir.Load(plan.register):
            return plan
    return b.module.sets.set_plan(stream, lambda node: cheap(b, node))


def tested_set(b: Body, op: str, stream: ir.Source) -> Bits | None:
    """The elements that decide `exists`, `any` or `all` of a comprehension: one is enough."""
    if op == "exists" or not isinstance(stream, ir.Stream):
        bits = unordered_set(b, stream, one_is_enough=True)
        if bits is not None or not b.module.sets or not isinstance(stream, ir.Stream):
            return bits
        plan = b.module.sets.set_plan(stream, lambda node: cheap(b, node), givers=True)
        return None if plan is None else planned_set(b, plan)
    test = stream.head if op == "any" else ir.Not(stream.head)
    for clause in stream.clauses:
        if isinstance(clause, ir.Loop) and len(clause.regs) == 1:
            element = ir.Load(clause.regs[0])
            return whole_set(b, ir.Stream((*stream.clauses, ir.Filter(test)), element))
    return None


def first_is(b: Body, node: ir.Compare) -> Operand | None:
    """Whether the piece on the first space of a set has a property: `first(…).piece.owner == me`.

    None if that is not what a condition asks.
    """
    key = node.left
    match key:
        case ir.LoadAt(
            index=ir.LoadAt(
                index=ir.Aggregate(op="first", default=ir.Const(value=-1)) as first
            ) as piece
        ):
            key = replace(key, index=replace(piece, index=ir.Load(_ELEMENT)))
        case _:
            return None
    sets, stream = b.module.sets, first.stream
    if not sets or not isinstance(stream, ir.Stream):
        return None
    asked = ir.Compare("==", key, node.right)
    mask = sets.mask(asked, _ELEMENT, lambda part: cheap(b, part))
    plan = whole_plan(b, stream)
    if plan is None or not isinstance(mask, Fact) or not sets.has(plan.source, mask):
        return None
    masks = _Masks(b, plan)
    found = planned_set(b, plan, masks).all
    lowest = found & (b.f.value(0, found.type) - found)
    some = (lowest & masks.of(mask)).ne(0)
    bounds, none = b.bounds(node.right), mask.family.none
    if bounds.lo <= none <= bounds.hi:  # without a space there is no piece
        some = some | (found.eq(0) & b.num(node.right).eq(none))
    return some if node.op == "==" else ~some


def line_test(b: Body, node: ir.Expr) -> Operand | None:
    """Whether a space lies on a full line; None if that is not what a condition asks."""
    sets = b.module.sets
    lines = sets.lines.of(node) if sets else None
    if lines is None or not sets.can_test(lines, lambda part: cheap(b, part)):
        return None
    need_facts(b.module, b.f)
    masks = _Masks(b, Plan(-1, ir.ConstSource(()), False, [], None, [], []))
    held, every = masks.of(lines.fact), [mask for own in lines.masks for mask in own]
    first = (b.num(ir.Load(lines.register)) - lines.lowest) * lines.width
    wanted = [masks.from_table(every, first + at) for at in range(lines.width)]
    return reduce(Operand.__or__, ((held & mask).eq(mask) for mask in wanted))


def write_all(b: Body, plan: Plan, to: Operand, found: Var) -> None:
    """Write the elements of a plan to a buffer, and count them.

    The start of a row is written without a branch, with all that the row holds and whatever comes
    behind it: the next element overwrites what does not belong. So the buffer has room for `SPARE`
    elements more.
    """
    f, bits, source = b.f, planned_set(b, plan), plan.source
    rows = b.program.rows[source.table] if isinstance(source, ir.RowSource) else ((),)
    longest = 1 << (max(map(len, rows)) - 1).bit_length()
    if not isinstance(source, ir.RowSource) or not plan.is_start_of_row or longest > SPARE:

        def take(element: Value) -> None:
            f.store(to, found.get(), number(element))
            found.add(1)

        bits.each(take)
        return
    starts = [0, *accumulate(map(len, rows))]
    elements = [element for row in rows for element in row if isinstance(element, int)]
    index = f.smax(b.num(source.index), 0)
    first = f.load(b.module.table(f, starts), index, "i32")
    at = f.gep(b.module.table(f, [*elements, *[0] * longest]), first, "i32")
    row = f.emit(f"load <{longest} x i32>, ptr {at.text}, align 4", f"<{longest} x i32>")
    words = _as(row, "sext", f"<{longest} x i64>")
    f.do(f"store {words.type} {words.text}, ptr {f.gep(to, found.get()).text}, align 8")
    found.add(bits.count())


def planned_set(b: Body, plan: Plan, masks: _Masks | None = None) -> Bits:
    """The elements that a plan leaves."""
    need_facts(b.module, b.f)
    masks = masks or _Masks(b, plan)
    kept = masks.elements
    for mask in plan.kept:
        kept = kept & masks.whole(mask)
    if plan.until is not None:
        end = kept & masks.of(plan.until)
        kept = kept & (end ^ (end - 1))  # up to the lowest bit of `end`, or all
    for mask in plan.after:
        kept = kept & masks.of(mask)
    return Bits(kept, masks.flip)


class _Masks:
    """The sets of one plan; where its row falls, in the mirror."""

    def __init__(self, b: Body, plan: Plan) -> None:
        self.b, self.f = b, b.f
        self.words = b.module.sets.words_of(plan.of_pieces)
        self.kind = f"i{64 * self.words}"
        self.falls = self.f.value(0)
        self.flip = self.f.value(0)
        self.elements = self._elements(plan.source)
        self._known: dict[int, tuple[Mask, Operand]] = {}  # by mask: what is shared is made once

    def _elements(self, source: ir.Source) -> Operand:
        """All elements of the loop."""
        b, f = self.b, self.f
        if isinstance(source, ir.ConstSource):
            return f.value(_bits(source.values), self.kind)
        if isinstance(source, ir.SelectSource):
            chosen = Var(f, self.kind)
            with f.if_(truth(b.expr(source.when))):
                chosen.set(self._elements(source.then))
            with f.else_():
                chosen.set(self._elements(source.other))
            return chosen.get()
        assert isinstance(source, ir.RowSource)
        rows = b.program.rows[source.table]
        index, bounds = b.num(source.index), b.bounds(source.index)
        b.check_index(index, bounds, len(rows), source.site)
        at = index if bounds.lo >= 0 else f.smax(index, 0)
        sets = [_bits(row) for row in rows]
        falls = b.module.sets.falls(source)
        if falls is not None:
            sets = [self._mirrored(bits) if down else bits
                    for bits, down in zip(sets, falls, strict=True)]  # fmt: skip
            self.falls = f.load(b.module.table(f, list(map(int, falls)), "i8"), at, "i8")
            self.flip = (f.value(0) - self.falls) & (64 * self.words - 1)
        found = self.from_table(sets, at)
        return found if bounds.lo >= 0 else f.select(index < 0, f.value(0, self.kind), found)

    def of(self, mask: Mask) -> Operand:
        known = self._known.get(id(mask))
        if known is None:
            known = self._known[id(mask)] = mask, self._of(mask)
        return known[1]

    def _of(self, mask: Mask) -> Operand:
        match mask:
            case Fact():
                return self._fact(mask)
            case Entry(table=table, value=value):
                return self._entry(table, value)
            case Only(value=value):
                return self._only(value)
            case Both(left=left, right=right):
                return self.of(left) & self.of(right)
            case Either(left=left, right=right):
                return self.of(left) | self.of(right)
            case Others(of=of):
                return self.of(of) ^ -1
            case Fixed(bits=bits):
                return self.f.value(bits, self.kind)
            case Holds(when=when):
                holds = truth(self.b.expr(when))
                every, none = (self.f.value(number, self.kind) for number in (-1, 0))
                return self.f.select(holds, every, none)
            case Moved(of=of, steps=steps):
                return moved(self.of(of), steps)

    def whole(self, mask: Mask) -> Operand:
        """The same as `of`; where it has many parts, by a call."""
        called = called_set(self.b.module, self.kind, mask)
        if called is None:
            return self.of(mask)
        name, facts = called
        return self.f.call(self.kind, name, *map(self.of, facts))

    def _fact(self, fact: Fact) -> Operand:
        f, sets = self.f, self.b.module.sets
        start = facts_at(self.b.module, f.context, fact.family)
        if self.falls.constant is None:
            start = f.gep(start, self.falls * sets.mirror(fact.family))
        if fact.value is None:
            return self.load(start)
        bounds = sets.bounds(fact.family)
        size = bounds.hi - bounds.lo + 1
        return self._chosen(
            fact.value, bounds.lo, size, lambda at: self.load(f.gep(start, at * self.words))
        )

    def _entry(self, table: int, value: ir.Expr) -> Operand:
        entries = self.b.program.tables[table]
        low, size = min(entries), max(entries) - min(entries) + 1
        sets = [0] * size
        for element, entry in enumerate(entries[: 64 * self.words]):
            sets[entry - low] |= 1 << element
        if self.falls.constant is None:
            sets += [self._mirrored(bits) for bits in sets]
        return self._chosen(
            value, low, size, lambda at: self.from_table(sets, at + self.falls * size)
        )

    def _only(self, value: ir.Expr) -> Operand:
        f, bounds, size = self.f, self.b.bounds(value), 64 * self.words
        number_ = self.b.num(value)
        known = number_.below(size)
        at = f.select(known, number_, 0) ^ self.flip
        one = f.value(1, self.kind) << (at if self.words == 1 else _as(at, "zext", self.kind))
        sure = bounds.lo >= 0 and bounds.hi < size
        return one if sure else f.select(known, one, f.value(0, self.kind))

    def _chosen(
        self, value: ir.Expr, low: int, size: int, set_at: Callable[[Operand], Operand]
    ) -> Operand:
        """The set of a value; there are sets for `size` values from `low` on."""
        f, bounds = self.f, self.b.bounds(value)
        at = self.b.num(value) - low
        if low <= bounds.lo and bounds.hi < low + size:
            return set_at(at)
        known = at.below(size)
        return f.select(known, set_at(f.select(known, at, 0)), f.value(0, self.kind))

    def _mirrored(self, bits: int) -> int:
        return int(f"{bits:0{64 * self.words}b}"[::-1], 2)

    def from_table(self, sets: Sequence[int], at: Operand) -> Operand:
        """One of many sets that never change."""
        f, whole = self.f, (1 << 64) - 1
        listed = [(bits >> 64 * word) & whole for bits in sets for word in range(self.words)]
        return self.load(f.gep(self.b.module.table(f, listed, "i64"), at * self.words))

    def load(self, at: Operand) -> Operand:
        return self.f.emit(f"load {self.kind}, ptr {at.text}, align 8", self.kind)


def _bits(values: Sequence[object]) -> int:
    return sum(1 << value for value in values if isinstance(value, int))
