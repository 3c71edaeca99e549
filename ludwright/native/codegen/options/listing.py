"""What can be answered at a choice: one native function per choice lists it.

The answers go to the buffer of the context. It has three parts of equal size: the answers, the
domain of a choice of many, and a mark for each piece of that domain that follows one it is alike.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.analysis.stream_sizes import StreamSizes
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.cheap import cheap
from ludwright.native.codegen.expressions.comparison import equal
from ludwright.native.codegen.expressions.comprehensions import hoisting, stream_of_sets
from ludwright.native.codegen.expressions.conditions import condition, leave_unless_all, when
from ludwright.native.codegen.expressions.dispatch import new_body
from ludwright.native.codegen.expressions.set_loops import SPARE, write_all
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.picks import Picks, group_alike
from ludwright.native.codegen.state.pieces import PieceCode
from ludwright.native.codegen.state.values import Value, copied, number, read, write
from ludwright.native.errors import NativeUnsupported
from ludwright.native.passes.index_lookup import conjuncts
from ludwright.native.passes.list_once import same
from ludwright.program.faults import TOO_MANY
from ludwright.program.limits import LONG_RANGE, OPTION_LIMIT

_BITMAP = 1 << 14  # possible numbers among which repeats are found with a bitmap


def view_name(number: int) -> str:
    return f"view{number}"


def has_name(number: int) -> str:
    return f"has{number}"


def finish_name(number: int) -> str:
    return f"finish{number}"


def is_range(choice: ir.Choice) -> bool:
    """Offered as a range, not as a list."""
    return (
        choice.kind != "many"
        and isinstance(choice.options, ir.RangeSource)
        and choice.type.kind == "int"
    )


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


def asks_for_any(module: Module, choice: ir.Choice) -> bool:
    """Whether a search only asks if a choice has an answer.

    After a safe choice nothing can refuse, so one answer is enough to complete the part.
    """
    return module.searches and choice.safe and choice.kind != "many"


class Options:
    """Writes the functions that list answers."""

    def __init__(self, module: Module, pieces: PieceCode) -> None:
        self.module = module
        self.program = module.program
        self.pieces = pieces
        self.sizes = StreamSizes(module.program, module.shapes)

    def room(self) -> int:
        """Words that the longest list of answers takes."""
        most = 16
        for choice in self.program.choices:
            if is_range(choice) and not choice.safe:
                most = max(most, LONG_RANGE)
            if choice.kind == "labels":
                most = max(most, len(choice.labels))
            elif choice.options is not None and not is_range(choice):
                most = max(most, self._room_for(choice.options, answer_shape(self.module, choice)))
        for instr in self.program.code:
            if isinstance(instr, ir.Chance):
                shape = self.module.shapes.element(instr.outcomes) or Int()
                most = max(most, self._room_for(instr.outcomes, shape))
        return most + 8 + SPARE

    def _room_for(self, source: ir.Source, shape: Shape) -> int:
        size = self.sizes.most(source)
        return shape.words * (OPTION_LIMIT if size is None else size)

    # -------------------------------------------------------------- domains

    def listed(
        self, b: Body, source: ir.Source, to: Operand, none: int | None, site: int
    ) -> Operand:
        """Write the elements of a source to a buffer, without repeats and `none`; their number."""
        source = b.opened(source)
        shape = self.module.shapes.element(source)
        if shape is None:
            return b.f.value(0)
        if isinstance(source, ir.SelectSource) and self.sizes.distinct(source):
            return self._listed_either(b, source, to, none, site)
        with hoisting(b, *_first_loop(source)):
            return self._listed(b, source, shape, to, none, site)

    def _listed_either(
        self, b: Body, source: ir.SelectSource, to: Operand, none: int | None, site: int
    ) -> Operand:
        """One of two sources. `a if any(a) else b`: the list of `a`, or if it is empty, of `b`."""
        f = b.f
        found = Var(f, init=0)
        *tests, last = conjuncts(source.when)
        once = self._lists_once(last, source.then, none)
        with f.block() as done:
            with f.block() as second:
                leave_unless_all(b, tests if once else [source.when], second)
                found.set(self.listed(b, source.then, to, none, site))
                if once:
                    f.leave_if(found.get().eq(0), second)
                f.br(done)
            found.set(self.listed(b, source.other, to, none, site))
        return found.get()

    def _lists_once(self, test: ir.Expr, then: ir.Source, none: int | None) -> bool:
        """Whether a test asks for any element of a source that is listed if there is one."""
        shape = self.module.shapes.element(then)
        whole = none is None or (isinstance(shape, Int) and not shape.lo <= none <= shape.hi)
        match test:
            case ir.Aggregate(op="exists", stream=stream) if whole:
                return (
                    self.module.uses("list_once")
                    and same(self.program, stream, then)
                    and not self.module.counted_work.within(stream)
                )
            case _:
                return False

    def _listed(
        self, b: Body, source: ir.Source, shape: Shape, to: Operand, none: int | None, site: int
    ) -> Operand:
        f = b.f
        found = Var(f, init=0)
        unchecked = self.sizes.most(source) is not None
        distinct = self.sizes.distinct(source)
        if distinct and unchecked and shape.words == 1:
            if _hole(shape, none) is None and self._list_sets(b, source, to, found):
                return found.get()
            test, rest = _last_filter(source)
            if test is not None and self._without_branch(b, test, rest):
                self._list_without_branch(b, rest, test, to, found, _hole(shape, none))
                return found.get()
        seen = self._bitmap(f, shape) if not distinct else None

        def take(value: Value) -> None:
            with f.block() as skip:
                kept = copied(value, shape)
                if _hole(shape, none) is not None:
                    f.leave_if(equal(kept, f.value(none or 0)), skip)
                if not distinct:
                    _leave_if_known(kept, shape, to, found, seen, skip)
                at = found.get() * shape.words
                if not unchecked:
                    f.check(found.get() < OPTION_LIMIT, f.errors.fault(TOO_MANY, site))
                write(f.gep(to, at), shape, kept)
                found.add(1)

        b.each(source, take)
        return found.get()

    def _list_sets(self, b: Body, source: ir.Source, to: Operand, found: Var) -> bool:
        """List what is a set, or are sets of the starts of rows. Short rows are left to others."""
        plain = isinstance(source, ir.Stream) and (
            len([clause for clause in source.clauses if isinstance(clause, ir.Loop)]) == 1
            or any(isinstance(clause, ir.Until) for clause in source.clauses)
        )
        return plain and stream_of_sets(b, source, lambda plan: write_all(b, plan, to, found))

    def _without_branch(self, b: Body, test: ir.Expr, rest: ir.Stream) -> bool:
        return self.module.uses("branchless_lists") and cheap(b, test) and cheap(b, rest.head)

    def _list_without_branch(
        self, b: Body, source: ir.Stream, test: ir.Expr, to: Operand, found: Var, none: int | None
    ) -> None:
        """Every element is written; the next one overwrites it unless it passes the test.

        This relies on the test being cheap and unable to fail, and on room for one element more.
        """
        f = b.f

        def take(value: Value) -> None:
            keep = condition(b, test)
            if none is not None:
                keep = keep & number(value).ne(none)
            f.store(to, found.get(), number(value))
            found.set(found.get() + keep.i64())

        b.each(source, take)

    def _bitmap(self, f: Function, shape: Shape) -> Operand | None:
        """A set of the elements listed so far, where they are few possible numbers."""
        if not isinstance(shape, Int) or shape.hi - shape.lo >= _BITMAP:
            return None
        words = (shape.hi - shape.lo) // 64 + 1
        seen = f.array(words)
        f.zero(seen, 8 * words)
        return seen

    # ---------------------------------------------------------------- views

    def write_all(self) -> None:
        for number_, choice in enumerate(self.program.choices):
            self._view(number_, choice)
            if asks_for_any(self.module, choice):
                self._has(number_, choice)
            if choice.finish is not None:
                self._finish(number_, *choice.finish)

    def _finish(self, number_: int, register: int, test: ir.Expr) -> None:
        """Whether an answer can be finished."""
        with self.module.fallible(finish_name(number_), "i64 answer") as f:
            b = new_body(self.module, f)
            b.put_register(register, f.param("answer"))
            f.ret_checked(condition(b, test).i64())

    def _view(self, number_: int, choice: ir.Choice) -> None:
        """How many answers there are, and the answers in the buffer."""
        with self.module.fallible(view_name(number_), "i64 seat") as f:
            b = new_body(self.module, f)
            if choice.chooser >= 0:
                b.put_register(choice.chooser, f.param("seat"))
            if choice.kind == "many":
                count = self._many(b, choice)
            elif choice.kind == "labels":
                count = self._labels(b, choice)
            else:
                count = self._one(b, choice)
            f.ret_checked(count)

    def _labels(self, b: Body, choice: ir.Choice) -> Operand:
        f = b.f
        f.ctx[layout.RANGE] = 0
        buffer = f.ctx[layout.ANSWERS]
        found = Var(f, init=0)
        for index, label in enumerate(choice.labels):
            f.store(buffer, found.get(), index)
            guard = f.true if label.guard is None else condition(b, label.guard)
            found.set(found.get() + guard.i64())
        return found.get()

    def _one(self, b: Body, choice: ir.Choice) -> Operand:
        f, source = b.f, choice.options
        assert source is not None
        if is_range(choice):
            assert isinstance(source, ir.RangeSource)
            low, high = b.num(source.lo), b.num(source.hi)
            f.ctx[layout.RANGE] = 1
            f.ctx[layout.FIRST] = low
            return f.smax(high - low + 1, 0)
        f.ctx[layout.RANGE] = 0
        count = self.listed(b, source, f.ctx[layout.ANSWERS], choice.type.none, choice.site)
        return self.pieces.lowest(f, count) if self.groups_alike(choice.type.kind) else count

    def _many(self, b: Body, choice: ir.Choice) -> Operand:
        f = b.f
        assert choice.options is not None
        if choice.result >= self.program.cells:
            raise NativeUnsupported(f"picks outside the state (`{choice.name}`)")
        f.ctx[layout.RANGE] = 0
        room = f.ctx[layout.ANSWER_ROOM]
        domain = f.gep(f.ctx[layout.ANSWERS], room)
        size = self.listed(b, choice.options, domain, choice.type.none, choice.site)
        follows = None
        if self.groups_alike(choice.type.kind):
            follows = f.gep(domain, room)
            group_alike(self.pieces, domain, follows, size)
        picks = Picks(b, choice, answer_shape(self.module, choice), domain, follows, size)
        return picks.list_options()

    def groups_alike(self, kind: str) -> bool:
        """Whether one piece is offered for all that are alike."""
        return kind == "piece" and self.pieces.classes.any_alike

    def _has(self, number_: int, choice: ir.Choice) -> None:
        """Whether there is any answer at all; cheaper than listing them."""
        with self.module.fallible(has_name(number_), "i64 seat") as f:
            b = new_body(self.module, f)
            if choice.options is not None:
                found = condition(b, ir.Aggregate("exists", choice.options))
                f.ret_checked(found.i64())
                return
            for label in choice.labels:
                if label.guard is None:
                    f.ret_checked(f.value(1))
                    return
                with when(b, label.guard):
                    f.ret_checked(f.value(1))
            f.ret_checked(f.value(0))


def _hole(shape: Shape, none: int | None) -> int | None:
    """The `none` that is left out of a list, if it can occur in it."""
    if none is None or (isinstance(shape, Int) and not shape.lo <= none <= shape.hi):
        return None
    return none


def _leave_if_known(
    value: Value, shape: Shape, to: Operand, found: Var, seen: Operand | None, skip: Label
) -> None:
    """Leave for a label if an element has been listed before."""
    f = to.f
    if seen is not None:
        assert isinstance(shape, Int)
        offset = number(value) - shape.lo
        at, bit = offset >> 6, f.value(1) << (offset & 63)
        old = f.load(seen, at)
        f.leave_if((old & bit).ne(0), skip)
        f.store(seen, at, old | bit)
        return
    with f.for_range(0, found.get()) as at:
        f.leave_if(equal(value, read(f.gep(to, at * shape.words), shape)), skip)


def _first_loop(source: ir.Source) -> tuple[tuple[object, ...], tuple[int, ...]]:
    """What the first loop of a comprehension repeats, and its registers."""
    match source:
        case ir.Stream(clauses=(ir.Loop(regs=regs), *rest), head=head):
            return (*rest, head), regs
        case _:
            return (), ()


def _last_filter(source: ir.Source) -> tuple[ir.Expr | None, ir.Stream]:
    """A comprehension's last condition, and the comprehension without it."""
    match source:
        case ir.Stream(clauses=(ir.Loop(), *_, ir.Filter(when=test)) as clauses, head=head):
            if not any(isinstance(clause, ir.Until) for clause in clauses):
                return test, ir.Stream(clauses[:-1], head)
        case _:
            pass
    return None, ir.Stream((), ir.Const(0))
