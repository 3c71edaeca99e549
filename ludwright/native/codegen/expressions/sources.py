"""Sources of streams as loops around a body, which is given as a function that writes it.

Everything a loop needs after its body lies in stack slots, never in operands, so that several
sources can share one body: each says where it goes on, and the body jumps back there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludwright import program as ir
from ludwright.native.analysis.shapes import I64_MAX, I64_MIN, Lst, Shape, join_all, of_constant
from ludwright.native.codegen.expressions.body import Body, Take
from ludwright.native.codegen.expressions.conditions import when
from ludwright.native.codegen.expressions.loads import ConstantList, Rows
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.values import (
    Value,
    Wide,
    element,
    element_at,
    own_list,
    read,
    temp,
    to_list,
    write,
)

Loops = Callable[[Take], None]  # writes one source around a body


def range_source(b: Body, node: ir.RangeSource, take: Take) -> None:
    first, last = b.num(node.lo), b.num(node.hi)
    with b.f.for_range(first, last + 1) as at:
        take(at)


def const_source(b: Body, node: ir.ConstSource, take: Take) -> None:
    f, values = b.f, node.values
    if not values:
        return
    run = _run(values)
    if run is not None:
        with f.for_range(run.start, run.stop) as at:
            take(at)
        return
    shape = join_all(tuple(of_constant(value) for value in values))
    assert shape is not None
    constants = ConstantList(b, values, shape)
    with f.for_range(0, len(values)) as at:
        take(constants[at])


def _run(values: Sequence[object]) -> range | None:
    """The range that constants make, if they follow one another."""
    numbers = [int(value) for value in values if isinstance(value, int)]
    if len(numbers) != len(values):
        return None
    run = range(numbers[0], numbers[0] + len(numbers))
    return run if numbers == list(run) and run[0] >= I64_MIN and run[-1] <= I64_MAX else None


def row_source(b: Body, node: ir.RowSource, take: Take) -> None:
    f, rows, shape = b.f, b.program.rows[node.table], b.element(node)
    index = b.num(node.index)
    if shape is None:
        return
    bounds = b.bounds(node.index)
    with f.block() as out:
        if bounds.lo < 0:
            f.leave_if(index < 0, out)
        b.check_index(index, bounds, len(rows), node.site)
        table = Rows(b, rows, shape)
        with f.for_range(*table.span(index)) as at:
            take(table.elements[at])


def pieces_source(b: Body, node: ir.PiecesSource, take: Take) -> None:
    f, program = b.f, b.program
    place, bounds = b.num(node.place), b.bounds(node.place)
    with f.block() as out:
        if bounds.lo < 0:
            f.leave_if(place < 0, out)
        b.check_index(place, bounds, len(program.world.places), node.site)
        piece = Var(f, init=f.cell(place + program.place_head))
        with f.loop() as end:
            now = piece.get()
            f.leave_unless(now >= 0, end)
            take(now)
            piece.set(f.cell(piece.get() + program.piece_next))


def set_source(b: Body, node: ir.SetSource, take: Take) -> None:
    f, value = b.f, b.expr(node.of)
    if isinstance(value, Operand):
        members(value.i64(), node.lo, take)
        return
    with f.for_range(0, value.shape.words) as word:
        members(f.load(value.ptr, word), word * 64 + node.lo, take)


def members(bits: Operand, lowest: Operand | int, take: Callable[[Operand], None]) -> None:
    """The elements of a set in one word, whose lowest possible element is given."""
    f = bits.f
    left, base = Var(f, init=bits), Var(f, init=lowest)
    with f.loop() as out:
        now = left.get()
        f.leave_unless(now.ne(0), out)
        take(f.cttz(now) + base.get())
        now = left.get()
        left.set(now & (now - 1))


def list_source(b: Body, node: ir.ListSource, take: Take) -> None:
    value = to_list(b.expr(node.of))
    assert isinstance(value.shape, Lst)
    if value.shape.item is None:
        return
    with b.f.for_range(0, b.f.load(value.ptr)) as at:
        take(element(value, at))


def bind_source(b: Body, node: ir.BindSource, take: Take) -> None:
    b.each(b.opened(node), take)


def seats_source(b: Body, node: ir.SeatsSource, take: Take) -> None:
    f = b.f
    count = f.cell(ir.PLAYERS)
    if node.start is None:
        with f.for_range(0, count) as at:
            take(at)
        return
    start = b.num(node.start)
    # `none` starts with the first seat, like 0; `after` shifts only a real start
    first = f.select(start >= 0, start + int(node.after), 0)
    f.check(count > 0, f.errors.engine("players", "a game without players"))
    origin = Var(f, init=f.divide("srem", first, count))
    limit = Var(f, init=count)
    with f.for_range(0, count) as at:
        seat = at + origin.get()
        size = limit.get()
        take(f.select(seat >= size, seat - size, seat))


# ------------------------------------------------------------- shared bodies


def items_source(b: Body, node: ir.ItemsSource, take: Take) -> None:
    def part(item: ir.Expr) -> Loops:
        return lambda body: body(b.expr(item))

    _shared(b, [part(item) for item in node.items], b.element(node), take)


def concat_source(b: Body, node: ir.ConcatSource, take: Take) -> None:
    def part(source: ir.Source) -> Loops:
        return lambda body: b.each(source, body)

    _shared(b, [part(source) for source in node.parts], b.element(node), take)


def select_source(b: Body, node: ir.SelectSource, take: Take) -> None:
    f = b.f
    chosen = Var(f)
    with when(b, node.when):
        chosen.set(1)
    with f.else_():
        chosen.set(0)

    def part(wanted: int, source: ir.Source) -> Loops:
        def loops(body: Take) -> None:
            with f.if_(chosen.get().eq(wanted)):
                b.each(source, body)

        return loops

    _shared(b, [part(1, node.then), part(0, node.other)], b.element(node), take)


def _shared(b: Body, parts: Sequence[Loops], shape: Shape | None, take: Take) -> None:
    """Several sources one after another around one body."""
    f = b.f
    if shape is None:
        return
    if len(parts) == 1:
        parts[0](take)
        return
    slot = temp(f, shape)
    back = Var(f, "i32")
    body, done = f.label(), f.label()
    returns: list[tuple[int, Label]] = []

    def enter(value: Value) -> None:
        if not f.reached:  # a source without elements: its loop is not written either
            return
        again = f.label()
        write(slot, shape, value)
        back.set(len(returns))
        f.br(body)
        returns.append((len(returns), again))
        f.place(again, loops=True)

    for part in parts:
        part(enter)
    f.br(done)
    f.place(body)
    take(read(slot, shape))
    if returns:
        f.switch(back.get(), returns[1:], returns[0][1])
    f.place(done)


# -------------------------------------------------------------- combinations


def combos_source(b: Body, node: ir.CombosSource, take: Take) -> None:
    """All ways to take `size` elements of a list, by their positions in ascending order."""
    f = b.f
    values = own_list(b.expr(node.of))
    shape = values.shape
    assert isinstance(shape, Lst)
    if shape.item is None or shape.cap == 0:
        with f.if_(b.num(node.size).eq(0)):
            take(values)
        return
    length, size = Var(f, init=f.load(values.ptr)), Var(f, init=b.num(node.size))
    positions = f.array(shape.cap)
    combo = temp(f, shape)
    with f.block() as out:
        f.leave_unless((size.get() >= 0) & (size.get() <= length.get()), out)
        with f.for_range(0, size.get()) as at:
            f.store(positions, at, at)
        with f.loop():
            f.store(combo, 0, size.get())
            with f.for_range(0, size.get()) as at:
                value = element(values, f.load(positions, at))
                write(element_at(combo, shape, at), shape.item, value)
            take(Wide(combo, shape))
            _next_combo(positions, length, size, out)


def _next_combo(positions: Operand, length: Var, size: Var, out: Label) -> None:
    """Move up the last position that can move, and put the others right behind it."""
    f = positions.f
    last = Var(f, init=size.get() - 1)
    with f.loop() as found:
        at = last.get()
        f.leave_if(at < 0, out)
        room = at + length.get() - size.get()
        f.leave_if(f.load(positions, at) < room, found)
        last.add(-1)
    at = last.get()
    moved = f.load(positions, at) + 1
    with f.for_range(at, size.get()) as index:
        f.store(positions, index, moved + index - at)
