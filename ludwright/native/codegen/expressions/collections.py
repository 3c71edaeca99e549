"""Sets, lists, tuples and groups: made from streams or from items, taken apart, combined."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import Bits, Int, Lst, Tup, as_list, readable_as
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.branchless_loops import follow, planned
from ludwright.native.codegen.expressions.comparison import equal, order
from ludwright.native.codegen.expressions.set_loops import unordered_set
from ludwright.native.codegen.expressions.sources import members
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.values import (
    Value,
    Wide,
    add_bit,
    copied,
    element,
    element_at,
    item,
    length,
    number,
    own_list,
    read,
    temp,
    to_bits,
    to_list,
    write,
)
from ludwright.program import faults
from ludwright.program.faults import FIRST_NUMBER, SECOND_NUMBER

# --------------------------------------------------------------------- sets


def make_set(b: Body, node: ir.MakeSet) -> Value:
    f = b.f
    shape = b.shape(node)
    error = f.errors.fault(faults.not_in_set(FIRST_NUMBER, node.lo, node.hi), node.site)
    found = b.element(node.stream)
    inside = isinstance(found, Int) and node.lo <= found.lo and found.hi <= node.hi
    unchecked = inside and b.module.uses("check_elimination")
    stream = b.opened(node.stream)
    if isinstance(stream, ir.SetSource) and stream.lo == node.lo:
        return _set_again(b, node, stream)
    bits = unordered_set(b, stream) if unchecked and node.lo == 0 else None
    if bits is not None and bits.flip.constant == 0:
        return bits.value(shape)
    plan = planned(b, stream, whole=True) if unchecked else None
    words = temp(f, shape)
    for word in range(shape.words):
        f.store(words, word, 0)

    def add(offset: Operand, bit: Operand) -> None:
        if isinstance(shape, Int):
            f.store(words, 0, f.load(words) | (bit << offset))
        else:
            add_bit(words, offset, bit)

    def take(value: Value) -> None:
        member = number(value)
        if not unchecked:
            f.check((member - node.lo).below(node.hi - node.lo + 1), error, member)
        add(member - node.lo, f.value(1))

    if plan is not None:
        follow(b, plan, lambda keep, value: add(value - node.lo, keep.i64()))
    else:
        b.each(stream, take)
    return read(words, shape)


def _set_again(b: Body, node: ir.MakeSet, stream: ir.SetSource) -> Value:
    """The set of the elements of a set, all of which must lie in its range."""
    f, shape = b.f, b.shape(node)
    given = b.expr(stream.of)
    bits = given if isinstance(given, Wide) else to_bits(f, given, 1)
    error = f.errors.fault(faults.not_in_set(FIRST_NUMBER, node.lo, node.hi), node.site)
    words, size = temp(f, shape), node.hi - node.lo + 1
    for word in range(max(shape.words, bits.shape.words)):
        own = f.load(bits.ptr, word) if word < bits.shape.words else f.value(0)
        allowed = max(0, min(64, size - 64 * word))
        if word < bits.shape.words and allowed < 64:
            outside = own & ~((1 << allowed) - 1)
            f.check(outside.eq(0), error, f.cttz(outside) + (64 * word + node.lo))
        if word < shape.words:
            f.store(words, word, own)
    return read(words, shape)


def set_op(b: Body, node: ir.SetOp) -> Value:
    f = b.f
    left, right = b.expr(node.left), b.expr(node.right)
    if isinstance(left, Operand) and isinstance(right, Operand):
        return _merged(node.op, left.i64(), right.i64())
    shape = b.shape(node)
    assert isinstance(shape, Bits)
    one, two = to_bits(f, left, shape.words), to_bits(f, right, shape.words)
    slot = temp(f, shape)
    for word in range(shape.words):
        f.store(slot, word, _merged(node.op, f.load(one.ptr, word), f.load(two.ptr, word)))
    return Wide(slot, shape)


def _merged(op: str, left: Operand, right: Operand) -> Operand:
    if op == "union":
        return left | right
    if op == "minus":
        return left & (right ^ -1)
    return left & right


def length_of(b: Body, node: ir.Length) -> Operand:
    return length(b.expr(node.of))


# ------------------------------------------------------------ tuples, items


def make_tuple(b: Body, node: ir.MakeTuple) -> Value:
    shape = b.shape(node)
    assert isinstance(shape, Tup)
    slot = temp(b.f, shape)
    for index, part in enumerate(node.items):
        write(b.f.gep(slot, shape.offset(index)), shape.items[index], b.expr(part))
    return Wide(slot, shape)


def tuple_item(b: Body, node: ir.Item) -> Value:
    f = b.f
    value = b.expr(node.of)
    if isinstance(value, Operand):
        return f.value(-1)
    found = item(value, node.index)
    assert isinstance(value.shape, Tup)
    if value.shape.optional:
        return f.select(f.load(value.ptr).ne(0), number(found), -1)
    return found


def list_item(b: Body, node: ir.ListItem) -> Value:
    f = b.f
    value = to_list(b.expr(node.of))
    index, size = b.num(node.index), f.load(value.ptr)
    error = f.errors.fault(faults.item_outside(FIRST_NUMBER, SECOND_NUMBER), node.site)
    f.check(index.below(size), error, index, size)
    assert isinstance(value.shape, Lst)
    return f.value(0) if value.shape.item is None else element(value, index)


# -------------------------------------------------------------------- lists


def make_list(b: Body, node: ir.MakeList) -> Value:
    f = b.f
    shape = b.shape(node)
    assert isinstance(shape, Lst)
    trouble = faults.list_too_long(FIRST_NUMBER, node.cap)
    if isinstance(node.stream, ir.ListSource) and not node.distinct:
        listed = to_list(b.expr(node.stream.of))
        given = as_list(listed.shape)
        if readable_as(given, shape):
            if given.cap > node.cap:
                error = f.errors.fault(trouble, node.site)
                f.check(f.load(listed.ptr) <= node.cap, error, f.load(listed.ptr))
            return listed
    slot = temp(f, shape)
    total = Var(f, init=0)

    def take(value: Value) -> None:
        assert shape.item is not None
        with f.block() as skip:
            if node.distinct:
                _leave_if_listed(slot, total, shape, value, skip)
            now = total.get()
            total.add(1)
            # Elements beyond the room are only counted: the fault says how many there are.
            f.leave_unless(now < node.cap, skip)
            write(element_at(slot, shape, now), shape.item, value)

    if shape.item is not None:
        b.each(node.stream, take)
    if node.distinct:
        trouble = faults.too_many_values(node.cap)
    error = f.errors.fault(trouble, node.site)
    found = total.get()
    f.check(found <= node.cap, error, found)
    f.store(slot, 0, found)
    return Wide(slot, shape)


def _leave_if_listed(slot: Operand, total: Var, shape: Lst, value: Value, skip: Label) -> None:
    f = slot.f
    assert shape.item is not None
    kept = copied(value, shape.item)
    with f.for_range(0, f.smin(total.get(), shape.cap)) as at:
        f.leave_if(equal(kept, element(Wide(slot, shape), at)), skip)


def sorted_list(b: Body, node: ir.Sorted) -> Value:
    listed = to_list(b.expr(node.of))
    if not isinstance(node.of, ir.MakeList) or isinstance(node.of.stream, ir.ListSource):
        listed = own_list(listed)  # it may belong to a register
    return _sort(listed, node.descending)


def _sort(value: Wide, descending: bool) -> Value:
    """By insertion, in place: stable, and lists are short."""
    slot, shape = value.ptr, value.shape
    f = slot.f
    assert isinstance(shape, Lst)
    if shape.item is None:
        return value
    held = temp(f, shape.item)
    with f.for_range(1, f.load(slot)) as start:
        write(held, shape.item, element(value, start))
        at = Var(f, init=start)
        with f.loop() as out:
            here = at.get()
            f.leave_if(here <= 0, out)
            before = element(value, here - 1)
            rank = order(before, read(held, shape.item))
            f.leave_unless(rank < 0 if descending else rank > 0, out)
            write(element_at(slot, shape, here), shape.item, before)
            at.add(-1)
        write(element_at(slot, shape, at.get()), shape.item, read(held, shape.item))
    return value


# ------------------------------------------------------------------- groups


def group(b: Body, node: ir.Group) -> Value:
    """Pairs of an element and how often it occurs, by element."""
    f = b.f
    shape = b.shape(node)
    assert isinstance(shape, Lst)
    slot = temp(f, shape)
    error = f.errors.fault(faults.too_many_groups(node.cap), node.site)
    key = b.element(node.stream)
    if isinstance(key, Int) and key.hi - key.lo < 64 and b.module.uses("group_counters"):
        _group_by_bit(b, node, key, slot, shape, error)
        return Wide(slot, shape)
    count = Var(f, init=0)
    if key is not None:
        b.each(node.stream, lambda value: _add_to_group(node.cap, slot, shape, count, value))
    f.check(count.get() <= node.cap, error)
    f.store(slot, 0, count.get())
    return _sort(Wide(slot, shape), False)


def _add_to_group(cap: int, slot: Operand, shape: Lst, count: Var, value: Value) -> None:
    f, pair = slot.f, shape.item
    assert isinstance(pair, Tup)
    kept = copied(value, pair.items[0])
    with f.block() as done:
        with f.for_range(0, f.smin(count.get(), cap)) as at:
            entry = Wide(element_at(slot, shape, at), pair)
            with f.if_(equal(kept, item(entry, 0))):
                total = f.gep(entry.ptr, pair.offset(1))
                f.store(total, 0, f.load(total) + 1)
                f.br(done)
        now = count.get()
        count.add(1)
        f.leave_unless(now < cap, done)
        fresh = element_at(slot, shape, now)
        write(fresh, pair.items[0], kept)
        f.store(f.gep(fresh, pair.offset(1)), 0, 1)


def _group_by_bit(
    b: Body, node: ir.Group, key: Int, slot: Operand, shape: Lst, error: int
) -> None:  # fmt: skip
    """Groups of a few possible numbers: a counter for each, and a set of those that occur."""
    f, pair = b.f, shape.item
    assert isinstance(pair, Tup)
    counters = f.array(key.hi - key.lo + 1)
    seen = Var(f, init=0)

    def take(value: Value) -> None:
        at = number(value) - key.lo
        known = seen.get()
        before = f.select(((known >> at) & 1).ne(0), f.load(counters, at), 0)
        f.store(counters, at, before + 1)
        seen.set(known | (f.value(1) << at))

    b.each(node.stream, take)
    count = f.ctpop(seen.get())
    f.check(count <= node.cap, error)
    f.store(slot, 0, count)
    entry = Var(f, "ptr", f.gep(slot, 1))

    def write_group(at: Operand) -> None:
        f.store(entry.get(), 0, at + key.lo)
        f.store(f.gep(entry.get(), pair.offset(1)), 0, f.load(counters, at))
        entry.set(f.gep(entry.get(), shape.step))

    members(seen.get(), 0, write_group)
