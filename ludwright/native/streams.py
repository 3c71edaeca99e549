"""Streams as loops: each source writes its loops around a body that is given as a function.

Everything a loop needs after its body lies in stack slots, never in SSA values, so that several
sources can share one body: each says where it wants to go on, and the body jumps back there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ludwright.kernel import program as ir
from ludwright.native.builder import F, V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.indexing import Indexed, indexed
from ludwright.native.module import Module
from ludwright.native.shapes import Int, Lst, Shape, Tup, join_all, of_constant
from ludwright.native.steady import steady_parts
from ludwright.native.values import Value, Values, Wide
from ludwright.native.words import flatten

Take = Callable[[Value], None]  # writes what is done with one element


class Streams(Values):
    """Loops of one function."""

    def __init__(self, module: Module, f: F, shared: Mapping[int, int] | None = None) -> None:
        super().__init__(module, f, shared)
        # by node: its value, and whether it has been worked out (None: it has)
        self._remembered: dict[int, tuple[Var, Var | None]] = {}

    def expr(self, node: ir.Expr) -> Value:
        raise NotImplementedError

    def num(self, node: ir.Expr) -> V:
        return self.number(self.expr(node)).i64()

    def goto(self, node: ir.Expr, then: str, other: str) -> None:
        """Branch on a condition."""
        raise NotImplementedError

    def shape(self, node: ir.Expr) -> Shape:
        return self.module.shapes.of(node)

    def element(self, node: ir.Source) -> Shape | None:
        return self.module.shapes.element(node)

    def bounds(self, node: ir.Expr) -> Int:
        shape = self.shape(node)
        return shape if isinstance(shape, Int) else Int()

    # ------------------------------------------------------------ sources

    def each(self, node: ir.Source, take: Take) -> None:
        """Loop over a source; `take` writes the body."""
        match node:
            case ir.RangeSource(lo=lo, hi=hi):
                self._range(self.num(lo), self.num(hi) + 1, take)
            case ir.ConstSource(values=values):
                self._constants(values, take)
            case ir.RowSource():
                self._row(node, take)
            case ir.PiecesSource():
                self._pieces(node, take)
            case ir.SetSource(of=of, lo=lo):
                self._set(self.expr(of), lo, take)
            case ir.ListSource(of=of):
                self._list(self.listed(self.expr(of)), take)
            case ir.ItemsSource(items=items):
                shape = self.element(node)
                parts = [self._item_part(item) for item in items]
                self._shared(parts, shape, take)
            case ir.ConcatSource(parts=sources):
                parts = [self._source_part(source) for source in sources]
                self._shared(parts, self.element(node), take)
            case ir.SelectSource():
                self._select(node, take)
            case ir.BindSource(reg=reg, value=value, body=body):
                self.put_register(reg, self.expr(value), self.shape(value))
                self.each(body, take)
            case ir.SeatsSource():
                self._seats(node, take)
            case ir.CombosSource():
                self._combos(node, take)
            case ir.Stream():
                self._stream(node, take)
            case _:
                raise NativeUnsupported(f"the source {type(node).__name__}")

    def opened(self, node: ir.Source) -> ir.Source:
        """A source without the names bound around it, which have their values from here on."""
        while isinstance(node, ir.BindSource):
            self.put_register(node.reg, self.expr(node.value), self.shape(node.value))
            node = node.body
        return node

    def _range(self, first: V, end: V, take: Take) -> None:
        with self.f.count(first, end) as at:
            take(at)

    def _constants(self, values: Sequence[object], take: Take) -> None:
        f = self.f
        if not values:
            return
        numbers = [value for value in values if isinstance(value, int)]
        if len(numbers) == len(values) and all(-(1 << 63) <= n < 1 << 63 for n in numbers):
            first = int(numbers[0])
            if [int(n) for n in numbers] == list(range(first, first + len(numbers))):
                self._range(f.value(first), f.value(first + len(numbers)), take)
                return
        shape = join_all(tuple(of_constant(value) for value in values))
        assert shape is not None
        words, narrow = self._flat(values, shape)
        table = V(f, self.module.table(words, narrow), "ptr")
        with f.count(0, len(values)) as at:
            take(self._from_table(table, narrow, at, shape))

    def _flat(self, values: Sequence[object], shape: Shape) -> tuple[list[int], str]:
        """The words of constants one after another, and how wide their table is."""
        words: list[int] = []
        for value in values:
            flatten(value, shape, words)
        narrow = isinstance(shape, Int) and all(-(1 << 31) <= word < 1 << 31 for word in words)
        return words, "i32" if narrow else "i64"

    def _from_table(self, table: V, type_: str, at: V, shape: Shape) -> Value:
        if isinstance(shape, Int):
            return self.f.load(table, at, type_)
        return Wide(self.f.gep(table, at * shape.words), shape)

    def _row(self, node: ir.RowSource, take: Take) -> None:
        f = self.f
        rows = self.program.rows[node.table]
        shape = self.element(node)
        index = self.num(node.index)
        if shape is None:
            return
        bounds = self.bounds(node.index)
        out = f.label()
        if bounds.lo < 0:
            f.leave_if(index < 0, out)
        if bounds.hi >= len(rows):
            error = f.errors.fault("range", node.site, f"index {{a}} is outside 0..{len(rows) - 1}")
            f.check(index < len(rows), error, index)
        starts = [0]
        values: list[object] = []
        for row in rows:
            values += row
            starts.append(len(values))
        words, narrow = self._flat(values, shape)
        table = V(f, self.module.table(words, narrow), "ptr")
        offsets = V(f, self.module.table(starts), "ptr")
        with f.count(f.load(offsets, index, "i32"), f.load(offsets, index + 1, "i32")) as at:
            take(self._from_table(table, narrow, at, shape))
        f.place(out)

    def _pieces(self, node: ir.PiecesSource, take: Take) -> None:
        f, program = self.f, self.program
        place = self.num(node.place)
        bounds = self.bounds(node.place)
        out, head, body = f.label(), f.label(), f.label()
        if bounds.lo < 0:
            f.leave_if(place < 0, out)
        self.check_index(place, bounds, len(program.world.places), node.site)
        piece = Var(f, init=f.cell(place + program.place_head))
        f.place(head)
        now = piece.get()
        f.branch(now >= 0, body, out)
        f.place(body)
        take(now)
        piece.set(f.cell(piece.get() + program.piece_next))
        f.br(head)
        f.place(out)

    def check_index(self, index: V, bounds: Int, size: int, site: int) -> None:
        """A fault for an index past the end, unless its bounds rule that out."""
        if bounds.hi >= size:
            error = self.f.errors.fault("range", site, f"index {{a}} is outside 0..{size - 1}")
            self.f.check(index < size, error, index)

    def _set(self, value: Value, lo: int, take: Take) -> None:
        f = self.f
        if isinstance(value, V):
            self._members(value.i64(), f.value(lo), take)
            return
        with f.count(0, value.shape.words) as word:
            self._members(f.load(value.ptr, word), word * 64 + lo, take)

    def _members(self, value: V, lo: V, take: Take) -> None:
        f = self.f
        bits, base = Var(f, init=value), Var(f, init=lo)
        head, body, out = f.label(), f.label(), f.label()
        f.place(head)
        now = bits.get()
        f.branch(now.ne(0), body, out)
        f.place(body)
        take(f.cttz(now) + base.get())
        last = bits.get()
        bits.set(last & (last - 1))
        f.br(head)
        f.place(out)

    def _list(self, value: Wide, take: Take) -> None:
        f = self.f
        shape = value.shape
        assert isinstance(shape, Lst)
        item = shape.item
        if item is None:
            return
        with f.count(0, f.load(value.ptr)) as at:
            take(self.read(f.gep(f.gep(value.ptr, 1), at * shape.step), item))

    # ------------------------------------------------------ shared bodies

    def _item_part(self, item: ir.Expr) -> Callable[[Take], None]:
        return lambda take: take(self.expr(item))

    def _source_part(self, source: ir.Source) -> Callable[[Take], None]:
        return lambda take: self.each(source, take)

    def _shared(
        self, parts: Sequence[Callable[[Take], None]], shape: Shape | None, take: Take
    ) -> None:
        """Several sources one after another around one body."""
        f = self.f
        if shape is None:
            return
        if len(parts) == 1:
            parts[0](take)
            return
        slot = self.temp(shape)
        back = Var(f, "i32")
        body, done = f.label(), f.label()
        ways: list[tuple[int, str]] = []

        def leave(value: Value) -> None:
            again = f.label()
            given = value.shape if isinstance(value, Wide) else Int()
            self.write(slot, shape, value, given)
            back.set(len(ways))
            f.br(body)
            ways.append((len(ways), again))
            f.place(again)

        for part in parts:
            part(leave)
        f.br(done)
        f.place(body)
        take(self.read(slot, shape))
        if len(ways) == 1:
            f.br(ways[0][1])
        elif ways:
            f.switch(back.get(), ways[1:], ways[0][1])
        else:
            f.br(done)
        f.place(done)

    def _select(self, node: ir.SelectSource, take: Take) -> None:
        f = self.f

        def part(want: bool, source: ir.Source) -> Callable[[Take], None]:
            def loops(body: Take) -> None:
                go, out = f.label(), f.label()
                f.branch(chosen.get().eq(1 if want else 0), go, out)
                f.place(go)
                self.each(source, body)
                f.place(out)

            return loops

        yes, no, after = f.label(), f.label(), f.label()
        chosen = Var(f)
        self.goto(node.when, yes, no)
        f.place(yes)
        chosen.set(1)
        f.br(after)
        f.place(no)
        chosen.set(0)
        f.place(after)
        self._shared([part(True, node.then), part(False, node.other)], self.element(node), take)

    # ----------------------------------------------------- seats, subsets

    def _seats(self, node: ir.SeatsSource, take: Take) -> None:
        f = self.f
        count = f.cell(ir.PLAYERS)
        if node.start is None:
            self._range(f.value(0), count, take)
            return
        start = self.num(node.start)
        # `none` starts with the first seat, like 0; `after` shifts only a real start
        there = start >= 0
        first = f.select(there, start + int(node.after), 0)
        error = f.errors.engine("players", "a game without players")
        f.check(count > 0, error)
        origin = Var(f, init=f.emit(f"srem i64 {first.text}, {count.text}"))
        limit = Var(f, init=count)
        with f.count(0, count) as at:
            seat = at + origin.get()
            size = limit.get()
            take(f.select(seat >= size, seat - size, seat))

    def _combos(self, node: ir.CombosSource, take: Take) -> None:
        f = self.f
        values = self.listed(self.kept_list(self.expr(node.of)))
        shape = values.shape
        assert isinstance(shape, Lst)
        if shape.item is None or shape.cap == 0:
            self._empty_combo(node, values, take)
            return
        length, size = Var(f, init=f.load(values.ptr)), Var(f, init=self.num(node.size))
        positions = V(f, f.alloca(f"[{shape.cap} x i64]"), "ptr")
        element = self.temp(shape)
        out, again = f.label(), f.label()
        f.leave_unless((size.get() >= 0) & (size.get() <= length.get()), out)
        with f.count(0, size.get()) as at:
            f.store(positions, at, at)
        f.place(again)
        f.store(element, 0, size.get())
        with f.count(0, size.get()) as at:
            source = f.gep(f.gep(values.ptr, 1), f.load(positions, at) * shape.step)
            self.write(
                f.gep(f.gep(element, 1), at * shape.step), shape.item,
                self.read(source, shape.item), shape.item,
            )  # fmt: skip
        take(Wide(element, shape))
        # the last position that can still move up
        at_ = Var(f, init=size.get() - 1)
        with f.loop() as (_, stop):
            here = at_.get()
            f.leave_if(here < 0, out)
            room = here + length.get() - size.get()
            f.leave_if(f.load(positions, here) < room, stop)
            at_.add(-1)
        here = at_.get()
        moved = f.load(positions, here) + 1
        with f.count(here, size.get()) as index:
            f.store(positions, index, moved + index - here)
        f.br(again)
        f.place(out)

    def kept_list(self, value: Value) -> Wide:
        listed = self.listed(value)
        kept = self.kept(listed, listed.shape)
        assert isinstance(kept, Wide)
        return kept

    def _empty_combo(self, node: ir.CombosSource, values: Wide, take: Take) -> None:
        f = self.f
        out = f.label()
        f.leave_unless(self.num(node.size).eq(0), out)
        take(values)
        f.place(out)

    # ----------------------------------------------------- comprehensions

    def _stream(self, node: ir.Stream, take: Take) -> None:
        levels: list[tuple[ir.Loop | None, list[ir.Filter | ir.Until]]] = []
        for clause in node.clauses:
            if isinstance(clause, ir.Loop):
                levels.append((clause, []))
                continue
            if not levels:
                levels.append((None, []))
            levels[-1][1].append(clause)
        self._level(levels, 0, node.head, take)

    def _level(
        self,
        levels: list[tuple[ir.Loop | None, list[ir.Filter | ir.Until]]],
        number: int,
        head: ir.Expr,
        take: Take,
    ) -> None:
        f = self.f
        if number == len(levels):
            take(self.expr(head))
            return
        loop, clauses = levels[number]
        before, until, after = sorted_clauses(clauses)

        def inside() -> None:
            self._level(levels, number + 1, head, take)

        if loop is None:
            out = f.label()
            self._filters([*before, *after], out)
            inside()
            f.place(out)
            return
        deeper = tuple((inner, *conditions) for inner, conditions in levels[number + 1 :])
        with self.remembering((*clauses, deeper, head), loop.regs):
            self._loop(loop, before, until, after, inside)

    def _loop(
        self, loop: ir.Loop, before: list[ir.Expr], until: ir.Expr | None, after: list[ir.Expr],
        inside: Callable[[], None],
    ) -> None:  # fmt: skip
        f = self.f
        over = f.label()
        known = loop
        index = indexed(self.program, loop, before)
        if index is not None and self.simple(index.wanted):
            before = index.rest
        else:
            index = None

        def one(value: Value) -> None:
            self.assign(known, value)
            following = f.label()
            self._filters(before, following)
            if until is None:
                self._filters(after, following)
                inside()
                f.place(following)
                return
            if after == [ir.Not(until)]:  # everything up to the hit, without it
                go = f.label()
                self.goto(until, over, go)
                f.place(go)
                inside()
                f.place(following)
                return
            last = Var(f, "i1", self.condition(until))
            skipped = f.label()
            self._filters(after, skipped)
            inside()
            f.place(skipped)
            f.branch(last.get(), over, following)
            f.place(following)

        if index is None:
            self.each(loop.source, one)
        else:
            self._matching(index, one)
        f.place(over)

    @contextmanager
    def remembering(self, parts: tuple[object, ...], own: tuple[int, ...]) -> Iterator[None]:
        """Around a loop: what is the same for all elements is worked out at most once.

        What is cheap and cannot fail is worked out here, the rest when it is first needed.
        """
        f = self.f
        added: list[int] = []
        for node in steady_parts(parts, own):
            if id(node) in self._remembered or not isinstance(self.shape(node), Int):
                continue
            if self.module.spending.within(node):
                continue
            value = Var(f)
            if self.sure(node):
                value.set(self.num(node))
                self._remembered[id(node)] = (value, None)
            else:
                self._remembered[id(node)] = (value, Var(f, "i1", 0))
            added.append(id(node))
        yield
        for number in added:
            del self._remembered[number]

    def remembered(self, node: ir.Expr) -> V | None:
        """The value of a node that a loop remembers."""
        f = self.f
        found = self._remembered.pop(id(node), None)
        if found is None:
            return None
        value, known = found
        if known is not None:
            work, done = f.label(), f.label()
            f.branch(known.get(), done, work)
            f.place(work)
            value.set(self.num(node))
            known.set(1)
            f.place(done)
        self._remembered[id(node)] = found
        return value.get()

    def simple(self, node: ir.Expr, depth: int = 4) -> bool:
        raise NotImplementedError

    def sure(self, node: ir.Expr) -> bool:
        """Simple, or a call of a function that is."""
        raise NotImplementedError

    def _matching(self, index: Indexed, take: Take) -> None:
        """The constants of an index that match."""
        f = self.f
        out = f.label()
        at = self.num(index.wanted) - index.low
        f.leave_unless(at.below(len(index.groups)), out)
        starts: list[int] = [0]
        values: list[int] = []
        for group in index.groups:
            values += group
            starts.append(len(values))
        table = V(f, self.module.table(values), "ptr")
        offsets = V(f, self.module.table(starts), "ptr")
        with f.count(f.load(offsets, at, "i32"), f.load(offsets, at + 1, "i32")) as where:
            take(f.load(table, where, "i32"))
        f.place(out)

    def _filters(self, filters: Sequence[ir.Expr], out: str) -> None:
        for when in filters:
            go = self.f.label()
            self.goto(when, go, out)
            self.f.place(go)

    def condition(self, node: ir.Expr) -> V:
        raise NotImplementedError

    def assign(self, loop: ir.Loop, value: Value) -> None:
        """Put an element into the registers of a loop."""
        f = self.f
        if len(loop.regs) == 1:
            given = value.shape if isinstance(value, Wide) else Int()
            self.put_register(loop.regs[0], value, given)
            return
        assert isinstance(value, Wide)
        shape = value.shape
        for index, register in enumerate(loop.regs):
            if isinstance(shape, Tup):
                item, offset = shape.items[index], shape.offset(index)
            else:
                assert isinstance(shape, Lst)
                assert shape.item is not None
                item, offset = shape.item, 1 + index * shape.step
            self.put_register(register, self.read(f.gep(value.ptr, offset), item), item)


def sorted_clauses(
    clauses: Sequence[ir.Filter | ir.Until],
) -> tuple[list[ir.Expr], ir.Expr | None, list[ir.Expr]]:
    """Filters in front of `until`, the `until`s as one, and the filters behind."""
    before: list[ir.Expr] = []
    after: list[ir.Expr] = []
    until: ir.Expr | None = None
    for clause in clauses:
        if isinstance(clause, ir.Until):
            until = clause.when if until is None else ir.Or(until, clause.when)
        elif until is None:
            before.append(clause.when)
        else:
            after.append(clause.when)
    return before, until, after
