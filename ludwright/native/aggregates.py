"""What is made of a stream in one pass: counts, extremes, lists, sets, reach."""

from __future__ import annotations

from collections.abc import Callable

from ludwright.kernel import program as ir
from ludwright.native.builder import V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.flat import Plan, constants_of
from ludwright.native.keys import Keys
from ludwright.native.module import RESULT
from ludwright.native.shapes import I64_MAX, Bits, Int, Lst, Tup, as_list, readable_as
from ludwright.native.values import Value, Wide


class Aggregates(Keys):
    """Consumers of streams in one function."""

    def collected(self, node: ir.Expr) -> Value:
        match node:
            case ir.Aggregate():
                return self._aggregate(node)
            case ir.MakeSet():
                return self._make_set(node)
            case ir.MakeList():
                return self._make_list(node)
            case ir.Sorted(of=of, descending=descending):
                listed = self.listed(self.expr(of))
                if not isinstance(of, ir.MakeList) or isinstance(of.stream, ir.ListSource):
                    listed = self.kept_list(listed)  # it may belong to a register
                return self._sorted(listed, descending)
            case ir.Group():
                return self._group(node)
            case ir.Reach():
                return self._reach(node)
            case ir.Times(history=history):
                return self.times(history)
            case _:
                raise NativeUnsupported(f"the expression {type(node).__name__}")

    def in_stream(self, item: ir.Expr, stream: ir.Source) -> V:
        f = self.f
        shape = self.shape(item)
        wanted = self.kept(self.expr(item), shape)
        if isinstance(stream, ir.RangeSource) and isinstance(wanted, V):
            number = Var(f, init=wanted.i64())
            low, high = Var(f, init=self.num(stream.lo)), self.num(stream.hi)
            return (number.get() >= low.get()) & (number.get() <= high)
        slot = Var(f) if isinstance(wanted, V) else None
        if slot is not None:
            assert isinstance(wanted, V)
            slot.set(wanted.i64())
        found = Var(f, "i1", 0)
        out = f.label()

        def take(value: Value) -> None:
            go = f.label()
            same = f.label()
            f.branch(self.equal(slot.get() if slot is not None else wanted, value), same, go)
            f.place(same)
            found.set(1)
            f.br(out)
            f.place(go)

        self.each(stream, take)
        f.place(out)
        return found.get()

    # --------------------------------------------------------- aggregates

    def _aggregate(self, node: ir.Aggregate) -> Value:
        match node.op:
            case "count":
                return self._count(node.stream)
            case "sum":
                return self._sum(node)
            case "exists" | "any" | "all":
                return self._test(node)
            case "first":
                return self._first(node)
            case _:
                return self._extreme(node)

    def _count(self, stream: ir.Source) -> V:
        total = Var(self.f, init=0)
        stream = self.opened(stream)
        plan, row = self.plan(stream, whole=True), self.row_plan(stream)
        if plan is not None:
            self.follow(plan, lambda keep, value: total.set(total.get() + keep.i64()))
        elif row is not None:
            self.follow_row(row, lambda keep, value: total.set(total.get() + keep.i64()))
        else:
            self.each(stream, lambda value: total.add(1))
        return total.get()

    def _sum(self, node: ir.Aggregate) -> V:
        f = self.f
        total = Var(f, init=0)
        shape = self.element(node.stream)
        narrow = isinstance(shape, Int) and abs(shape.lo) < 1 << 33 and abs(shape.hi) < 1 << 33
        error = f.errors.fault("overflow", node.site, "a sum left the 64-bit range")

        def take(value: Value) -> None:
            number = self.number(value).i64()
            if narrow:
                total.add(number)
                return
            pair = f.emit(
                f"call {RESULT} @llvm.sadd.with.overflow.i64(i64 {total.get().text}, "
                f"i64 {number.text})", RESULT,
            )  # fmt: skip
            over = f.emit(f"extractvalue {RESULT} {pair.text}, 1", "i1")
            f.check(over.not_(), error)
            total.set(f.emit(f"extractvalue {RESULT} {pair.text}, 0"))

        self.each(node.stream, take)
        return total.get()

    def _test(self, node: ir.Aggregate) -> V:
        """exists, any, all: leave at the first element that decides."""
        f = self.f
        result = Var(f, "i1", node.op == "all")

        def without_branches(keep: V, value: V) -> None:
            if node.op == "exists":
                result.set(result.get() | keep)
            elif node.op == "any":
                result.set(result.get() | (keep & value.ne(0)))
            else:
                result.set(result.get() & (keep.not_() | value.ne(0)))

        stream = self.opened(node.stream)
        plan, row = self.plan(stream), self.row_plan(stream)
        if plan is not None:
            self.follow(plan, without_branches)
            return result.get()
        if row is not None:
            self.follow_row(row, without_branches)
            return result.get()
        out = f.label()

        def take(value: Value) -> None:
            if node.op != "exists":
                go, decided = f.label(), f.label()
                truth = self.truth(value)
                if node.op == "any":
                    f.branch(truth, decided, go)
                else:
                    f.branch(truth, go, decided)
                f.place(decided)
                result.set(node.op == "any")
                f.br(out)
                f.place(go)
                return
            result.set(1)
            f.br(out)
            f.place(f.label())

        self.each(stream, take)
        f.place(out)
        return result.get()

    def _first(self, node: ir.Aggregate) -> Value:
        f = self.f
        shape = self.shape(node)
        slot = self.temp(shape)
        out = f.label()
        plan = self.least(node.stream) if isinstance(shape, Int) else None
        if plan is not None and (node.default is None or self.simple(node.default)):
            found = self._lowest(plan)
            default = f.value(-1) if node.default is None else self.num(node.default)
            return f.select(found.eq(I64_MAX), default, found)

        def take(value: Value) -> None:
            self.write(slot, shape, value, self.element(node.stream) or Int())
            f.br(out)
            f.place(f.label())

        self.each(node.stream, take)
        if node.default is not None:
            self.write(slot, shape, self.expr(node.default), self.shape(node.default))
        else:
            self.write(slot, shape, f.value(-1), Int())
        f.place(out)
        return self.read(slot, shape)

    def _lowest(self, plan: Plan) -> V:
        f = self.f
        least = Var(f, init=I64_MAX)

        def lower(keep: V, value: V) -> None:
            if plan.backwards:
                least.set(f.select(keep, value, least.get()))
            else:
                least.set(f.smin(least.get(), f.select(keep, value, I64_MAX)))

        self.follow(plan, lower)
        return least.get()

    def _extreme(self, node: ir.Aggregate) -> Value:
        f = self.f
        shape = self.shape(node)
        slot = self.temp(shape)
        some = Var(f, "i1", 0)

        def take(value: Value) -> None:
            store, compare, done = f.label(), f.label(), f.label()
            f.branch(some.get(), compare, store)
            f.place(compare)
            best = self.read(slot, shape)
            if isinstance(value, V) and isinstance(best, V):
                number = value.i64()
                better = number < best if node.op == "min" else number > best
            else:
                order = self.order(value, best)
                better = order < 0 if node.op == "min" else order > 0
            f.branch(better, store, done)
            f.place(store)
            some.set(1)
            self.write(slot, shape, value, self.element(node.stream) or Int())
            f.place(done)

        self.each(node.stream, take)
        out, empty = f.label(), f.label()
        f.branch(some.get(), out, empty)
        f.place(empty)
        if node.default is not None:
            self.write(slot, shape, self.expr(node.default), self.shape(node.default))
            f.br(out)
        else:
            reason = f"there is no {node.op} of nothing"
            f.br(f.fail(f.errors.refusal(node.site, reason=reason)))
        f.place(out)
        return self.read(slot, shape)

    # ------------------------------------------------------ sets and lists

    def _make_set(self, node: ir.MakeSet) -> Value:
        f = self.f
        shape = self.shape(node)
        reason = f"{{a}} is outside the set's {node.lo}..{node.hi}"
        error = f.errors.fault("range", node.site, reason)
        element = self.element(node.stream)
        sure = isinstance(element, Int) and node.lo <= element.lo and element.hi <= node.hi
        stream = self.opened(node.stream)
        plan = self.plan(stream, whole=True) if sure else None
        if isinstance(shape, Int):
            bits = Var(f, init=0)

            def take(value: Value) -> None:
                number = self.number(value).i64()
                if not sure:
                    good = (number - node.lo).below(node.hi - node.lo + 1)
                    f.check(good, error, number)
                bits.set(bits.get() | (f.value(1) << (number - node.lo)))

            if plan is not None:
                self.follow(
                    plan,
                    lambda keep, value: bits.set(bits.get() | (keep.i64() << (value - node.lo))),
                )
            else:
                self.each(stream, take)
            return bits.get()
        slot = self.temp(shape)
        for word in range(shape.words):
            f.store(slot, word, 0)

        def add(value: Value) -> None:
            number = self.number(value).i64()
            offset = number - node.lo
            if not sure:
                f.check(offset.below(node.hi - node.lo + 1), error, number)
            self.set_bit(slot, offset, f.value(1))

        if plan is not None:
            self.follow(plan, lambda keep, value: self.set_bit(slot, value - node.lo, keep.i64()))
        else:
            self.each(stream, add)
        return Wide(slot, shape)

    def set_bit(self, words: V, offset: V, bit: V) -> None:
        """Add an element to a set; a `bit` of 0 adds nothing."""
        f = self.f
        at = offset >> 6
        f.store(words, at, f.load(words, at) | (bit << (offset & 63)))

    def _make_list(self, node: ir.MakeList) -> Value:
        f = self.f
        shape = self.shape(node)
        assert isinstance(shape, Lst)
        reason = f"a list of {{a}} where {node.cap} fit"
        if isinstance(node.stream, ir.ListSource) and not node.distinct:
            listed = self.listed(self.expr(node.stream.of))
            given = as_list(listed.shape)
            if readable_as(given, shape):
                if given.cap > node.cap:
                    error = f.errors.fault("range", node.site, reason)
                    f.check(f.load(listed.ptr) <= node.cap, error, f.load(listed.ptr))
                return Wide(listed.ptr, given)
        item = shape.item
        slot = self.temp(shape)
        length = Var(f, init=0)
        if item is not None:
            element = item

            def take(value: Value) -> None:
                skip = f.label()
                if node.distinct:
                    self._leave_if_listed(slot, length, shape, value, skip)
                now = length.get()
                length.add(1)
                # Elements beyond the room are only counted, for the reason.
                f.leave_unless(now < node.cap, skip)
                self.write(f.gep(f.gep(slot, 1), now * shape.step), element, value, element)
                f.place(skip)

            self.each(node.stream, take)
        total = length.get()
        if node.distinct:
            reason = f"more than {node.cap} different values"
        error = f.errors.fault("range", node.site, reason)
        f.check(total <= node.cap, error, total)
        f.store(slot, 0, total)
        return Wide(slot, shape)

    def _leave_if_listed(self, slot: V, length: Var, shape: Lst, value: Value, skip: str) -> None:
        f = self.f
        assert shape.item is not None
        kept = self.kept(value, shape.item)
        item = shape.item
        with f.count(0, f.smin(length.get(), shape.cap)) as at:
            other = self.read(f.gep(f.gep(slot, 1), at * shape.step), item)
            f.leave_if(self.equal(kept, other), skip)

    def _sorted(self, value: Wide, descending: bool) -> Value:
        """Insertion, in place: stable, and lists are short."""
        f = self.f
        slot, shape = value.ptr, value.shape
        assert isinstance(shape, Lst)
        if shape.item is None:
            return value
        item = shape.item
        held = self.temp(item)
        base = f.gep(slot, 1)
        with f.count(1, f.load(slot)) as start:
            self.write(held, item, self.read(f.gep(base, start * shape.step), item), item)
            at = Var(f, init=start)
            with f.loop() as (_, out):
                here = at.get()
                f.leave_if(here <= 0, out)
                before = self.read(f.gep(base, (here - 1) * shape.step), item)
                order = self.order(before, self.read(held, item))
                f.leave_unless(order < 0 if descending else order > 0, out)
                self.write(f.gep(base, here * shape.step), item, before, item)
                at.add(-1)
            self.write(f.gep(base, at.get() * shape.step), item, self.read(held, item), item)
        return Wide(slot, shape)

    def _group(self, node: ir.Group) -> Value:
        f = self.f
        shape = self.shape(node)
        assert isinstance(shape, Lst)
        pair = shape.item
        assert isinstance(pair, Tup)
        key = pair.items[0]
        slot = self.temp(shape)
        error = f.errors.fault("range", node.site, f"more than {node.cap} groups")
        element = self.element(node.stream)
        if isinstance(element, Int) and element.hi - element.lo < 64:
            self._group_by_bit(node, element, slot, shape, error)
            return Wide(slot, shape)
        count = Var(f, init=0)
        if element is not None:

            def take(value: Value) -> None:
                kept = self.kept(value, key)
                done = f.label()
                with f.count(0, f.smin(count.get(), node.cap)) as at:
                    entry = f.gep(f.gep(slot, 1), at * shape.step)
                    same, other = f.label(), f.label()
                    f.branch(self.equal(kept, self.read(entry, key)), same, other)
                    f.place(same)
                    number = f.gep(entry, pair.offset(1))
                    f.store(number, 0, f.load(number) + 1)
                    f.br(done)
                    f.place(other)
                now = count.get()
                count.add(1)
                f.leave_unless(now < node.cap, done)
                entry = f.gep(f.gep(slot, 1), now * shape.step)
                self.write(entry, key, kept, key)
                f.store(f.gep(entry, pair.offset(1)), 0, 1)
                f.place(done)

            self.each(node.stream, take)
        f.check(count.get() <= node.cap, error)
        f.store(slot, 0, count.get())
        return self._sorted(Wide(slot, shape), False)

    def _group_by_bit(self, node: ir.Group, key: Int, slot: V, shape: Lst, error: int) -> None:
        """Groups of a few possible numbers: a counter for each, and a set of those that occur."""
        f = self.f
        assert isinstance(shape.item, Tup)
        counters = V(f, f.alloca(f"[{key.hi - key.lo + 1} x i64]"), "ptr")
        seen = Var(f, init=0)

        def take(value: Value) -> None:
            at = self.number(value).i64() - key.lo
            known = seen.get()
            before = f.select(((known >> at) & 1).ne(0), f.load(counters, at), 0)
            f.store(counters, at, before + 1)
            seen.set(known | (f.value(1) << at))

        self.each(node.stream, take)
        count = f.ctpop(seen.get())
        f.check(count <= node.cap, error)
        f.store(slot, 0, count)
        entry = Var(f, "ptr", f.gep(slot, 1))
        number = shape.item.offset(1)

        def write(value: Value) -> None:
            at = self.number(value)
            f.store(entry.get(), 0, at + key.lo)
            f.store(f.gep(entry.get(), number), 0, f.load(counters, at))
            entry.set(f.gep(entry.get(), shape.step))

        self._members(seen.get(), f.value(0), write)

    # ------------------------------------------------------- reach, times

    def _reach(self, node: ir.Reach) -> Value:
        f = self.f
        rows = self.program.rows[node.table]
        shape = self.shape(node)
        words = shape.words
        spaces = max(1, len(rows))
        seen = self.temp(Bits(words)) if words > 1 else V(f, f.alloca("i64"), "ptr")
        queue = V(f, f.alloca(f"[{spaces} x i64]"), "ptr")
        for word in range(words):
            f.store(seen, word, 0)
        filled, first = Var(f, init=0), Var(f, init=0)

        def visit(space: V) -> None:
            """A space not seen so far joins the queue."""
            skip = f.label()
            at = space >> 6
            old = f.load(seen, at)
            bit = f.value(1) << (space & 63)
            f.leave_if((old & bit).ne(0), skip)
            f.store(seen, at, old | bit)
            f.store(queue, filled.get(), space)
            filled.add(1)
            f.place(skip)

        def start(value: Value) -> None:
            skip = f.label()
            space = self.number(value).i64()
            f.leave_unless(space.below(spaces), skip)
            visit(space)
            f.place(skip)

        self.each(node.starts, start)
        test = self._membership(node.over) if node.over is not None else None
        allowed: Wide | None = None
        if node.over is not None and test is None:
            given = self.bits(self.expr(node.over), words)
            kept = self.kept(given, Bits(given.shape.words))
            assert isinstance(kept, Wide)
            allowed = kept
        left = Var(f, init=self.num(node.steps) if node.steps is not None else -1)
        with f.loop() as (_, out):
            end = Var(f, init=filled.get())
            f.leave_unless((first.get() < end.get()) & left.get().ne(0), out)
            left.add(-1)
            with f.loop() as (_, level_done):
                f.leave_unless(first.get() < end.get(), level_done)
                space = f.load(queue, first.get())
                first.add(1)

                def near(value: Value) -> None:
                    skip = f.label()
                    other = self.number(value).i64()
                    if allowed is not None:
                        bit = (f.load(allowed.ptr, other >> 6) >> (other & 63)) & 1
                        f.leave_unless(bit.ne(0), skip)
                    if test is not None:
                        seen_before = (f.load(seen, other >> 6) >> (other & 63)) & 1
                        f.leave_if(seen_before.ne(0), skip)
                        test(other, skip)
                    visit(other)
                    f.place(skip)

                self._neighbours(node.table, space, near)
        if words == 1:
            return f.load(seen)
        return Wide(seen, shape)

    def _membership(self, over: ir.Expr) -> Callable[[V, str], None] | None:
        """A test that leaves for a label unless an element belongs to a set, without making the
        set: for `c for c in board if …` with a condition that cannot fail."""
        if not isinstance(over, ir.MakeSet):
            return None
        stream = over.stream
        while isinstance(stream, ir.BindSource):
            stream = stream.body
        match stream:
            case ir.Stream(
                clauses=(ir.Loop(regs=(register,), source=source), *clauses),
                head=ir.Load(addr=head),
            ) if head == register:
                values = constants_of(source)
            case _:
                return None
        filters = [clause.when for clause in clauses if isinstance(clause, ir.Filter)]
        if values is None or len(filters) != len(clauses):
            return None
        if not all(self.simple(when) for when in filters):
            return None
        self.opened(over.stream)
        members = [int(value in values) for value in range(max(values, default=0) + 1)]

        def test(element: V, out: str) -> None:
            f = self.f
            f.leave_unless(element.below(len(members)), out)
            if not all(members):
                table = V(f, self.module.table(members), "ptr")
                f.leave_unless(f.load(table, element, "i32").ne(0), out)
            self.put_register(register, element, Int())
            for when in filters:
                f.leave_unless(self.condition(when), out)

        return test

    def _neighbours(self, table: int, space: V, take: object) -> None:
        f = self.f
        rows = self.program.rows[table]
        starts, values = [0], []
        for row in rows:
            values += [int(value) for value in row if isinstance(value, int)]
            starts.append(len(values))
        if not values:
            return
        items = V(f, self.module.table(values), "ptr")
        offsets = V(f, self.module.table(starts), "ptr")
        assert callable(take)
        with f.count(f.load(offsets, space, "i32"), f.load(offsets, space + 1, "i32")) as at:
            take(f.load(items, at, "i32"))
