"""What can be answered at a choice: one native function per choice writes the list.

The answers go to the buffer of the context; three parts of equal size follow each other there:
the answers, the domain of a choice of many, and which of its pieces follow one they are alike.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.expressions import Body
from ludwright.native.indexing import conjuncts
from ludwright.native.interface import is_range
from ludwright.native.module import Module
from ludwright.native.pieces import PieceCode
from ludwright.native.sameness import same
from ludwright.native.shapes import Int, Lst, Shape, of_type
from ludwright.native.values import Value, Wide

LONG_RANGE = 1_000  # a longer range is offered untested
DEFAULT_ROOM = 4096  # answers, where the Program does not say how many there can be
_BITMAP = 1 << 14


def view_name(number: int) -> str:
    return f"view{number}"


def has_name(number: int) -> str:
    return f"has{number}"


def finish_name(number: int) -> str:
    return f"finish{number}"


def answer_shape(module: Module, choice: ir.Choice) -> Shape:
    """The shape of one answer."""
    if choice.kind == "labels" or choice.options is None:
        return Int(0, len(choice.labels))
    return module.shapes.element(choice.options) or Int(0, 0)


def answer_widths(module: Module) -> list[int]:
    """Words of one answer, by instruction."""
    choices = module.program.choices
    return [
        answer_shape(module, choices[instr.choice]).words if isinstance(instr, ir.Choose) else 0
        for instr in module.program.code
    ]


class Options:
    """Writes the functions that list answers."""

    def __init__(self, module: Module, pieces: PieceCode) -> None:
        self.module = module
        self.program = module.program
        self.pieces = pieces

    def room(self) -> int:
        """Words that the longest list of answers takes."""
        most = 16
        for choice in self.program.choices:
            step = answer_shape(self.module, choice).words
            if is_range(choice) and not choice.safe:
                most = max(most, LONG_RANGE)
            if choice.kind == "labels":
                most = max(most, len(choice.labels))
            elif choice.options is not None and not is_range(choice):
                size = self.most(choice.options)
                most = max(most, step * (DEFAULT_ROOM if size is None else size))
        for instr in self.program.code:
            if isinstance(instr, ir.Chance):
                step = (self.module.shapes.element(instr.outcomes) or Int()).words
                size = self.most(instr.outcomes)
                most = max(most, step * (DEFAULT_ROOM if size is None else size))
        return most + 8

    # ------------------------------------------------------- how many, alike

    def most(self, node: ir.Source) -> int | None:
        """The most elements a stream can have, where that is plain to see and not absurd."""
        size = self._most(node)
        return size if size is not None and size <= 1 << 16 else None

    def _most(self, node: ir.Source) -> int | None:
        match node:
            case ir.RangeSource():
                shape = self.module.shapes.element(node)
                assert isinstance(shape, Int)
                return max(0, shape.hi - shape.lo + 1)
            case ir.ConstSource(values=values):
                return len(values)
            case ir.RowSource(table=table):
                return max((len(row) for row in self.program.rows[table]), default=0)
            case ir.PiecesSource():
                return self.program.world.piece_count
            case ir.SetSource(of=of):
                shape = self.module.shapes.of(of)
                return 64 * shape.words
            case ir.ListSource(of=of):
                shape = self.module.shapes.of(of)
                return shape.cap if isinstance(shape, Lst) else 64
            case ir.ItemsSource(items=items):
                return len(items)
            case ir.ConcatSource(parts=parts):
                sizes = [self.most(part) for part in parts]
                known = [size for size in sizes if size is not None]
                return sum(known) if len(known) == len(sizes) else None
            case ir.SelectSource(then=then, other=other):
                one, two = self.most(then), self.most(other)
                return None if one is None or two is None else max(one, two)
            case ir.BindSource(body=body):
                return self.most(body)
            case ir.SeatsSource():
                return len(self.program.world.seats)
            case ir.Stream(clauses=clauses):
                total = 1
                for clause in clauses:
                    if isinstance(clause, ir.Loop):
                        size = self.most(clause.source)
                        if size is None:
                            return None
                        total *= size
                return total
            case _:
                return None

    def distinct(self, node: ir.Source) -> bool:
        """Certainly without repeats."""
        match node:
            case ir.RangeSource() | ir.PiecesSource() | ir.SetSource() | ir.SeatsSource():
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

    # -------------------------------------------------------------- domains

    def listed(self, body: Body, source: ir.Source, to: V, none: int | None) -> V:
        """Write the elements of a source to a buffer, without repeats and `none`; their number."""
        source = body.opened(source)
        shape = self.module.shapes.element(source)
        if shape is None:
            return body.f.value(0)
        if isinstance(source, ir.SelectSource) and self.distinct(source):
            return self._listed_either(body, source, to, none)
        with body.remembering(*_first_loop(source)):
            return self._listed(body, source, shape, to, none)

    def _listed_either(self, body: Body, source: ir.SelectSource, to: V, none: int | None) -> V:
        """One of two sources. `a if any(a) else b`: the list of `a`, or if it is empty, of `b`."""
        f = body.f
        number = Var(f, init=0)
        second, done = f.label(), f.label()
        *before, last = conjuncts(source.when)
        shape = self.module.shapes.element(source.then)
        whole = none is None or (isinstance(shape, Int) and not shape.lo <= none <= shape.hi)
        match last:
            case ir.Aggregate(op="exists", stream=stream) if whole:
                again = same(self.program, stream, source.then)
                again = again and not self.module.spending.within(stream)
            case _:
                again = False
        for test in before if again else [source.when]:
            go = f.label()
            body.goto(test, go, second)
            f.place(go)
        number.set(self.listed(body, source.then, to, none))
        if again:
            f.branch(number.get().eq(0), second, done)
        else:
            f.br(done)
        f.place(second)
        number.set(self.listed(body, source.other, to, none))
        f.place(done)
        return number.get()

    def _listed(self, body: Body, source: ir.Source, shape: Shape, to: V, none: int | None) -> V:
        f = body.f
        single = shape.words == 1
        number = Var(f, init=0)
        unchecked = self.most(source) is not None
        distinct = self.distinct(source)
        test, rest = _last_filter(source)
        quick = (
            test is not None
            and distinct
            and single
            and unchecked
            and body.simple(test)
            and isinstance(rest, ir.Stream)
            and body.simple(rest.head)
        )
        may_be_none = none is not None and isinstance(shape, Int) and shape.lo <= none <= shape.hi
        error = f.errors.engine("too-many-options", "there are too many options to list")
        words = shape.words
        seen = self._bitmap(f, shape) if not distinct else None

        def take(value: Value) -> None:
            skip = f.label()
            if quick:
                assert test is not None
                keep = body.condition(test)
                amount = body.number(value).i64()
                if may_be_none:
                    keep = keep & amount.ne(none or 0)
                f.store(to, number.get(), amount)
                number.set(number.get() + keep.i64())
                f.place(skip)
                return
            kept = body.kept(value, shape)
            if may_be_none:
                f.leave_if(body.number(kept).i64().eq(none or 0), skip)
            elif none is not None and not isinstance(shape, Int):
                f.leave_if(body.equal(kept, f.value(none)), skip)
            if not distinct:
                self._leave_if_known(body, kept, shape, to, number, seen, skip)
            now = number.get()
            if not unchecked:
                f.check(now * words < f.ctx(layout.ANSWER_ROOM) - words, error)
            body.write(f.gep(to, now * words), shape, kept, shape)
            number.add(1)
            f.place(skip)

        body.each(rest if quick else source, take)
        return number.get()

    def _bitmap(self, f: F, shape: Shape) -> V | None:
        if not isinstance(shape, Int) or shape.hi - shape.lo >= _BITMAP:
            return None
        words = (shape.hi - shape.lo) // 64 + 1
        seen = V(f, f.alloca(f"[{words} x i64]"), "ptr")
        f.zero(seen, 8 * words)
        return seen

    def _leave_if_known(
        self, body: Body, value: Value, shape: Shape, to: V, number: Var, seen: V | None, skip: str
    ) -> None:
        f = body.f
        if seen is not None:
            assert isinstance(shape, Int)
            offset = body.number(value).i64() - shape.lo
            at, bit = offset >> 6, f.value(1) << (offset & 63)
            old = f.load(seen, at)
            f.leave_if((old & bit).ne(0), skip)
            f.store(seen, at, old | bit)
            return
        with f.count(0, number.get()) as at:
            other = body.read(f.gep(to, at * shape.words), shape)
            f.leave_if(body.equal(value, other), skip)

    # ---------------------------------------------------------------- views

    def write_all(self) -> None:
        for number, choice in enumerate(self.program.choices):
            self._view(number, choice)
            if choice.safe and choice.kind != "many":
                self._has(number, choice)

            if choice.finish is not None:
                self._finish(number, *choice.finish)

    def _finish(self, number: int, register: int, condition: ir.Expr) -> None:
        """Whether an answer can be finished."""
        f = self.module.pure(finish_name(number), (("i64", "answer"),))
        body = Body(self.module, f)
        body.put_register(register, f.param("answer"), Int())
        f.end_with(body.condition(condition).i64())
        self.module.add(f)

    def _view(self, number: int, choice: ir.Choice) -> None:
        f = self.module.pure(view_name(number), (("i64", "seat"),))
        body = Body(self.module, f)
        if choice.chooser >= 0:
            body.put_register(choice.chooser, f.param("seat"), Int())
        if choice.kind == "many":
            count = self._many(body, choice)
        elif choice.kind == "labels":
            count = self._labels(body, choice)
        else:
            count = self._one(body, choice)
        f.end_with(count)
        self.module.add(f)

    def _labels(self, body: Body, choice: ir.Choice) -> V:
        f = body.f
        f.set_ctx(layout.RANGE, 0)
        buffer = f.ctx_ptr(layout.ANSWERS)
        number = Var(f, init=0)
        for index, label in enumerate(choice.labels):
            f.store(buffer, number.get(), index)
            if label.guard is None:
                number.add(1)
            else:
                number.set(number.get() + body.condition(label.guard).i64())
        return number.get()

    def _one(self, body: Body, choice: ir.Choice) -> V:
        f = body.f
        source = choice.options
        assert source is not None
        if is_range(choice):
            assert isinstance(source, ir.RangeSource)
            low, high = body.num(source.lo), body.num(source.hi)
            f.set_ctx(layout.RANGE, 1)
            f.set_ctx(layout.FIRST, low)
            return f.smax(high - low + 1, 0)
        f.set_ctx(layout.RANGE, 0)
        count = self.listed(body, source, f.ctx_ptr(layout.ANSWERS), choice.type.none)
        if choice.type.kind == "piece" and self.pieces.classes.any_alike:
            return self.pieces.lowest(f, count)
        return count

    def _has(self, number: int, choice: ir.Choice) -> None:
        """Whether there is any answer at all; cheaper than listing them."""
        f = self.module.pure(has_name(number), (("i64", "seat"),))
        body = Body(self.module, f)
        if choice.options is not None:
            found = body.condition(ir.Aggregate("exists", choice.options))
        else:
            result = Var(f, "i1", 0)
            out = f.label()
            for label in choice.labels:
                if label.guard is None:
                    result.set(1)
                    f.br(out)
                    f.place(f.label())
                    break
                yes, no = f.label(), f.label()
                body.goto(label.guard, yes, no)
                f.place(yes)
                result.set(1)
                f.br(out)
                f.place(no)
            f.place(out)
            found = result.get()
        f.end_with(found.i64())
        self.module.add(f)

    # ----------------------------------------------------------------- many

    def _many(self, body: Body, choice: ir.Choice) -> V:
        f = body.f
        source = choice.options
        assert source is not None
        shape = answer_shape(self.module, choice)
        if choice.result >= self.program.cells:
            raise NativeUnsupported(f"picks outside the state (`{choice.name}`)")
        f.set_ctx(layout.RANGE, 0)
        answers = f.ctx_ptr(layout.ANSWERS)
        room = f.ctx(layout.ANSWER_ROOM)
        domain = f.gep(answers, room)
        follows = f.gep(domain, room)
        size = self.listed(body, source, domain, choice.type.none)
        grouped = choice.type.kind == "piece" and self.pieces.classes.any_alike
        if grouped:
            self._group(f, domain, follows, size)
        low = Var(f, init=body.num(choice.minimum) if choice.minimum is not None else 0)
        ceiling = f.value(choice.result_type.cap) if choice.repeats else size
        high = body.num(choice.maximum) if choice.maximum is not None else ceiling
        if not choice.repeats:
            high = f.smin(high, size)
        if choice.as_many:
            low.set(f.select(size > 0, high, 0))
        value = self._picked(body, choice)
        count = body._length(value, choice.result_type.kind == "set")
        f.set_ctx(layout.MINIMUM, low.get())
        f.set_ctx(layout.MAXIMUM, f.smax(high, 0))
        f.set_ctx(layout.CAN_STOP, count >= low.get())
        f.set_ctx(layout.DECLINE, 0)
        number = Var(f, init=0)
        out = f.label()
        f.leave_unless((count < high) & (low.get() <= high) & (size > 0), out)
        pick = _Picks(body, choice, value, shape, domain, follows if grouped else None)
        first, end = f.value(0), size
        if not choice.sequence:
            last = pick.last(size)
            if choice.repeats:
                first = f.smax(last, 0)
            else:
                first = last + 1
                end = f.smin(size, size + count - low.get() + 1)
        with f.count(first, end) as at:
            skip = f.label()
            if not choice.repeats:
                pick.leave_unless_open(at, choice.sequence, skip)
            body.write(f.gep(answers, number.get() * shape.words), shape, pick.option(at), shape)
            number.add(1)
            f.place(skip)
        f.place(out)
        return number.get()

    def _picked(self, body: Body, choice: ir.Choice) -> Value:
        f = body.f
        at: V | int = choice.result
        if choice.together:
            at = f.param("seat") * choice.result_type.width + choice.result
        return body.decode(choice.result_type, at)

    def _group(self, f: F, domain: V, follows: V, size: V) -> None:
        """Bring pieces that are alike together, ascending, where the first of them stands."""
        with f.count(0, size) as at:
            f.store(follows, at, 0)
        start = Var(f, init=0)
        with f.loop() as (_, out):
            f.leave_unless(start.get() < size, out)
            base = start.get()
            end = Var(f, init=base + 1)
            with f.count(base + 1, size) as at:
                piece = f.load(domain, at)
                differ = f.label()
                f.leave_unless(self.pieces.alike(f, piece, f.load(domain, base)), differ)
                # shift those in between up by one, and put it in order behind its like
                place = Var(f, init=at)
                with f.loop() as (_, behind):
                    f.leave_if(place.get() <= end.get(), behind)
                    f.store(domain, place.get(), f.load(domain, place.get() - 1))
                    place.add(-1)
                with f.loop() as (_, found):
                    f.leave_if(place.get() <= base, found)
                    other = f.load(domain, place.get() - 1)
                    f.leave_unless(other > piece, found)
                    f.store(domain, place.get(), other)
                    place.add(-1)
                f.store(domain, place.get(), piece)
                f.store(follows, end.get(), 1)
                end.add(1)
                f.place(differ)
            start.set(end.get())


class _Picks:
    """What has been picked so far, and what may come next."""

    def __init__(
        self, body: Body, choice: ir.Choice, value: Value, shape: Shape, domain: V,
        follows: V | None,
    ) -> None:  # fmt: skip
        self.body, self.f = body, body.f
        self.value, self.shape, self.domain, self.follows = value, shape, domain, follows
        self.choice = choice
        self.is_set = choice.result_type.kind == "set"
        self.lo = choice.result_type.items[0].lo

    def option(self, at: V) -> Value:
        """An element of the domain by its position."""
        return self.body.read(self.f.gep(self.domain, at * self.shape.words), self.shape)

    def taken(self, item: Value) -> V:
        f, value = self.f, self.value
        if self.is_set:
            offset = self.body.number(item) - self.lo
            if isinstance(value, V):
                return ((value >> offset) & 1).ne(0)
            return ((f.load(value.ptr, offset >> 6) >> (offset & 63)) & 1).ne(0)
        assert isinstance(value, Wide)
        shape = value.shape
        assert isinstance(shape, Lst)
        assert shape.item is not None
        assert shape.item == of_type(self.choice.result_type.items[0])
        found = Var(f, "i1", 0)
        out = f.label()
        with f.count(0, f.load(value.ptr)) as at:
            same, go = f.label(), f.label()
            picked = self.body.read(f.gep(f.gep(value.ptr, 1), at * shape.step), shape.item)
            f.branch(self.body.equal(picked, item), same, go)
            f.place(same)
            found.set(1)
            f.br(out)
            f.place(go)
        f.place(out)
        return found.get()

    def last(self, size: V) -> V:
        """The position of the last element of the domain that has been picked, or -1."""
        f = self.f
        last = Var(f, init=-1)
        with f.count(0, size) as at:
            last.set(f.select(self.taken(self.option(at)), at, last.get()))
        return last.get()

    def leave_unless_open(self, at: V, any_order: bool, skip: str) -> None:
        f = self.f
        if any_order:
            f.leave_if(self.taken(self.option(at)), skip)
        if self.follows is None:
            return
        first, check = f.label(), f.label()
        f.branch(f.load(self.follows, at).eq(0), first, check)
        f.place(check)
        f.leave_unless(self.taken(self.option(at - 1)), skip)
        f.place(first)


def _first_loop(source: ir.Source) -> tuple[tuple[object, ...], tuple[int, ...]]:
    """What the first loop of a comprehension repeats, and its registers."""
    match source:
        case ir.Stream(clauses=(ir.Loop(regs=regs), *rest), head=head):
            return (*rest, head), regs
        case _:
            return (), ()


def _last_filter(source: ir.Source) -> tuple[ir.Expr | None, ir.Source]:
    """A comprehension's last condition, and the comprehension without it."""
    if not isinstance(source, ir.Stream) or not source.clauses:
        return None, source
    last = source.clauses[-1]
    if not isinstance(last, ir.Filter) or not isinstance(source.clauses[0], ir.Loop):
        return None, source
    if any(isinstance(clause, ir.Until) for clause in source.clauses):
        return None, source
    return last.when, ir.Stream(source.clauses[:-1], source.head)
