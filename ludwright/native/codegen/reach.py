"""`reach`: the spaces that can be reached along a table of neighbours, breadth first."""

from __future__ import annotations

from collections.abc import Callable

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.body import Body
from ludwright.native.codegen.builder import Label, Operand, Var
from ludwright.native.codegen.conditions import condition
from ludwright.native.codegen.loads import Rows
from ludwright.native.codegen.set_loops import is_whole_set
from ludwright.native.codegen.speculation import cheap
from ludwright.native.codegen.values import (
    Value,
    Wide,
    add_bit,
    bit_of,
    copied,
    number,
    temp,
    to_bits,
)
from ludwright.native.passes.branchless import constants_of
from ludwright.native.passes.flood_shifts import Shifts, shifts_of

LeaveUnless = Callable[[Operand, Label], None]  # leaves for a label unless a space is allowed


def reach(b: Body, node: ir.Reach) -> Value:
    f, rows, shape = b.f, b.program.rows[node.table], b.shape(node)
    shifts = shifts_of(rows) if b.module.uses("flood_shifts") else None
    if shifts is not None and node.steps is None and _is_at_hand(b, node.over):
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
    test = _membership(b, node.over, seen)
    if test is None and isinstance(shape, Int):
        return _flooded(b, node, seen)
    test = test or _in_set(b, node.over, shape.words)
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
    return f.load(seen) if isinstance(shape, Int) else Wide(seen, shape)


def _is_at_hand(b: Body, over: ir.Expr | None) -> bool:
    """Whether a set need not be made space by space."""
    if not isinstance(over, ir.MakeSet):
        return True
    return isinstance(over.stream, ir.SetSource) or is_whole_set(b, over.stream)


def _shifted(b: Body, node: ir.Reach, shifts: Shifts) -> Value:
    """All spaces take a step at once: see `passes.flood_shifts`."""
    f, shape, words = b.f, b.shape(node), max(shifts.words, b.shape(node).words)
    kind, seen = f"i{64 * words}", f.array(words)
    spaces = len(b.program.rows[node.table])
    for word in range(words):
        f.store(seen, word, 0)

    def start(value: Value) -> None:
        space = number(value)
        with f.if_(space.below(spaces)):
            add_bit(seen, space)

    b.each(node.starts, start)

    def loaded(ptr: Operand) -> Operand:
        return f.emit(f"load {kind}, ptr {ptr.text}, align 8", kind)

    found = Var(f, kind, loaded(seen))
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


def _membership(b: Body, over: ir.Expr | None, seen: Operand) -> LeaveUnless | None:
    """A test that asks what a set would ask of one space, without making the set.

    For `c for c in board if …` with conditions that cannot fail.
    """
    if not isinstance(over, ir.MakeSet) or not b.module.uses("reach_membership"):
        return None
    stream = over.stream
    while isinstance(stream, ir.BindSource):
        stream = stream.body
    match stream:
        case ir.Stream(
            clauses=(ir.Loop(regs=(register,), source=source), *clauses), head=ir.Load(addr=head)
        ) if head == register:
            values = constants_of(source)
        case _:
            return None
    filters = [clause.when for clause in clauses if isinstance(clause, ir.Filter)]
    if values is None or len(filters) != len(clauses):
        return None
    if not all(cheap(b, when) for when in filters):
        return None
    b.opened(over.stream)
    members = [int(value in values) for value in range(max(values, default=0) + 1)]

    def leave_unless_member(space: Operand, out: Label) -> None:
        f = b.f
        f.leave_if(bit_of(seen, space), out)
        f.leave_unless(space.below(len(members)), out)
        if not all(members):
            f.leave_unless(f.load(b.module.table(f, members), space, "i32").ne(0), out)
        b.put_register(register, space)
        for when in filters:
            f.leave_unless(condition(b, when), out)

    return leave_unless_member
