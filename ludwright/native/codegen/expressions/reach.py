"""`reach`: the spaces that can be reached along a table of neighbours, breadth first."""

from __future__ import annotations

from collections.abc import Callable

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.loads import Rows
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.values import (
    Value,
    Wide,
    add_bit,
    bit_of,
    copied,
    number,
    temp,
    to_bits,
)
from ludwright.native.passes.flood_shifts import Shifts, shifts_of

LeaveUnless = Callable[[Operand, Label], None]  # leaves for a label unless a space is allowed


def reach(b: Body, node: ir.Reach) -> Value:
    f, rows, shape = b.f, b.program.rows[node.table], b.shape(node)
    shifts = shifts_of(rows) if b.module.uses("flood_shifts") else None
    if shifts is not None and node.steps is None:
        return _shifted(b, node, shifts)
    spaces = max(1, len(rows))
    seen, queue = temp(f, shape), f.array(spaces)
    for word in range(shape.words):
        f.store(seen, word, 0)
    filled, first = Var(f, init=0), Var(f, init=0)

    def visit(space: Operand) -> None:
        """A space not seen so far joins the queue."""
        at, bit = space >> 6, f.value(1) << (space & 63)
        before = f.load(seen, at)
        with f.if_((before & bit).eq(0)):
            f.store(seen, at, before | bit)
            f.store(queue, filled.get(), space)
            filled.add(1)

    def start(value: Value) -> None:
        space = number(value)
        with f.if_(space.below(spaces)):
            visit(space)

    b.each(node.starts, start)
    if isinstance(shape, Int):
        return _flooded(b, node, seen)
    test = _in_set(b, node.over, shape.words)
    left = Var(f, init=b.num(node.steps) if node.steps is not None else -1)
    with f.loop() as out:
        end = Var(f, init=filled.get())
        f.leave_unless((first.get() < end.get()) & left.get().ne(0), out)
        left.add(-1)
        with f.while_(lambda: first.get() < end.get()):
            space = f.load(queue, first.get())
            first.add(1)
            if any(rows):
                neighbours = Rows(b, rows, Int())
                with f.for_range(*neighbours.span(space)) as at, f.block() as skip:
                    near = number(neighbours.elements[at])
                    test(near, skip)
                    visit(near)
    return Wide(seen, shape)


def _shifted(b: Body, node: ir.Reach, shifts: Shifts) -> Value:
    """All spaces take a step at once: see `passes.flood_shifts`."""
    f, shape, words = b.f, b.shape(node), max(shifts.words, b.shape(node).words)
    kind, seen = f"i{64 * words}", f.array(words)
    spaces = len(b.program.rows[node.table])
    starts = beginning(b, node, words, spaces)

    def loaded(ptr: Operand) -> Operand:
        return f.emit(f"load {kind}, ptr {ptr.text}, align 8", kind)

    found = Var(f, kind, starts)
    every = f.value((1 << spaces) - 1, kind)
    over = every if node.over is None else loaded(to_bits(f, b.expr(node.over), words).ptr)
    allowed = Var(f, kind, over)
    with f.loop() as out:
        before = found.get()
        for distance, spaces_there in shifts.steps.items():
            here = found.get() & f.value(spaces_there, kind)
            near = here << distance if distance > 0 else here >> -distance
            found.set(found.get() | (near & allowed.get()))
        f.leave_if(found.get().eq(before), out)
    f.do(f"store {kind} {found.get().text}, ptr {seen.text}, align 8")
    return f.load(seen) if isinstance(shape, Int) else Wide(seen, shape)


def beginning(b: Body, node: ir.Reach, words: int, spaces: int) -> Operand:
    """The set of the spaces that `reach` begins in, as one number."""
    f, kind = b.f, f"i{64 * words}"
    seen = f.array(words)
    for word in range(words):
        f.store(seen, word, 0)

    def start(value: Value) -> None:
        space = number(value)
        with f.if_(space.below(spaces)):
            add_bit(seen, space)

    b.each(node.starts, start)
    return f.emit(f"load {kind}, ptr {seen.text}, align 8", kind)


def _flooded(b: Body, node: ir.Reach, seen: Operand) -> Value:
    """The same where all spaces are the bits of one word: many neighbours at a time."""
    f, rows = b.f, b.program.rows[node.table]
    allowed = f.value(-1) if node.over is None else f.load(to_bits(f, b.expr(node.over), 1).ptr)
    left = Var(f, init=b.num(node.steps) if node.steps is not None else -1)
    masks = [sum(1 << near for near in set(row) if isinstance(near, int)) for row in rows] or [0]
    found, edge = Var(f, init=f.load(seen)), Var(f, init=f.load(seen))
    with f.loop() as out:
        f.leave_unless(edge.get().ne(0) & left.get().ne(0), out)
        left.add(-1)
        near = Var(f, init=0)
        with f.while_(lambda: edge.get().ne(0)):
            space = f.cttz(edge.get())
            edge.set(edge.get() & (edge.get() - 1))
            near.set(near.get() | f.load(b.module.table(f, masks, "i64"), space))
        edge.set(near.get() & allowed & (found.get() ^ -1))
        found.set(found.get() | edge.get())
    return found.get()


def _in_set(b: Body, over: ir.Expr | None, words: int) -> LeaveUnless:
    """A test that looks into the set, which is made first."""
    if over is None:
        return lambda space, out: None
    given = to_bits(b.f, b.expr(over), words)
    allowed = copied(given, given.shape)
    assert isinstance(allowed, Wide)
    ptr = allowed.ptr
    return lambda space, out: b.f.leave_unless(bit_of(ptr, space), out)
