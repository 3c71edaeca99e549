"""Beginning, deciding and choosing as native functions: no line of Python in a plain step.

- `decision(state)` gives what `Game.decision` would, or False where the kernel has to answer.
- `begin(cells)` runs set-up on the bytes of a new game and gives its first state, or None.
- `choose(state, option, seat)` gives what `Game.choose` would, or None where the kernel has to:
  where the answer is not on offer, where the run fails, and wherever something is not plain.

A state that an engine made carries `_waits`: what finds the rest of its decision, its bytes, and
the record of what it waits for (see `byte_calls`). A decision has the same tuple as its source.

Looking an answer up may run Python, and so may making objects that the garbage collector watches.
Another thread may then use the same context: it is written after the former and read before the
latter.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.cases import match
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.python import object_table as objects
from ludwright.native.python.byte_calls import (
    DECISION,
    OVER,
    answers_in,
    argument,
    bytes_in,
    field,
    find_answer,
    integer,
    new_record,
    python_function,
    run_answer,
    run_set_up,
)
from ludwright.native.python.option_names import piece_rows
from ludwright.native.python.references import References, held, none

_EQUAL = 2  # Py_EQ


def add_game_calls(module: Module) -> None:
    _begin(module)
    _decision(module)
    _choose(module)


class Table:
    """The words of `object_table`, as code that reads them."""

    def __init__(self, f: Function, refs: References) -> None:
        self._f, self._refs = f, refs
        self._at = f.ctx[layout.OBJECTS]

    def number(self, index: Operand | int) -> Operand:
        return self._f.load(self._at, index)

    def object(self, index: Operand | int) -> Operand:
        return self._f.load(self._at, index, "ptr")

    def attribute(self, value: Operand, offset: int) -> Operand:
        """Borrowed; null where it is not set."""
        return self._f.load(self._f.gep(value, self.number(offset), "i8"), 0, "ptr")

    def is_a(self, value: Operand, cls: int) -> Operand:
        """Exactly: not of a class derived from it."""
        return self.attribute(value, objects.TYPE).eq(self.object(cls))

    def same_type(self, one: Operand, two: Operand) -> Operand:
        return self.attribute(one, objects.TYPE).eq(self.attribute(two, objects.TYPE))

    def new(self, cls: int) -> Operand:
        """A new object without attributes."""
        f = self._f
        made = f.call("ptr", "PyType_GenericNew", self.object(cls), f.null, f.null)
        return self._refs.own(made)

    def put(self, made: Operand, values: dict[int, Operand]) -> None:
        """Attributes of a new object, which takes over the references."""
        f = self._f
        for offset, value in values.items():
            f.store(f.gep(made, self.number(offset), "i8"), 0, value, "ptr")

    def tuple(self, count: int) -> Operand:
        return self._refs.own(self._f.call("ptr", "PyTuple_New", count))

    def fill(self, made: Operand, values: Sequence[Operand]) -> None:
        """The items of a new tuple, which takes over the references."""
        for at, value in enumerate(values):
            self._f.call("i32", "PyTuple_SetItem", made, at, value)

    def state(self, data: Operand, record: Operand) -> Operand:
        """A state that takes over the references to its bytes and their record."""
        f, refs = self._f, self._refs
        waits = self.tuple(3)
        made = self.new(objects.STATE)
        decided = held(self.object(objects.DECIDED))
        self.fill(waits, (decided, held(data), refs.give(record)))
        self.put(made, {
            objects.STATE_BYTES: refs.give(data), objects.STATE_WAITS: refs.give(waits),
            objects.STATE_GAME: held(self.object(objects.GAME)),
            objects.STATE_SEAL: held(self.object(objects.SEAL)),
            objects.STATE_LIST: held(none(f)), objects.STATE_STOP: held(none(f)),
            objects.STATE_DECISION: held(none(f)),
        })  # fmt: skip
        return made

    def waits_of(self, state: Operand, other: Label) -> Operand:
        """What a state waits for, if it has this game's seal and says so."""
        f = self._f
        f.leave_unless(self.is_a(state, objects.STATE), other)
        seal = self.attribute(state, objects.STATE_SEAL)
        f.leave_unless(seal.eq(self.object(objects.SEAL)), other)
        waits = self.attribute(state, objects.STATE_WAITS)
        f.leave_if(waits.eq(none(f)), other)
        return waits


def truth(value: Operand) -> Operand:
    return value.f.call("ptr", "PyBool_FromLong", value)


def item(values: Operand, at: Operand | int) -> Operand:
    return values.f.call("ptr", "PyTuple_GetItem", values, at)


def naming_at(pc: Operand) -> Operand:
    """Where the words about an instruction's answers begin."""
    return pc * objects.NAMING_WORDS + objects.NAMINGS


def _begin(module: Module) -> None:
    with python_function(module, "begin") as (f, refs):
        given = argument(f, 0)
        with f.if_(f.call("i64", "PyBytes_Size", given).eq(4 * module.program.cells)):
            new, cells = run_set_up(module, refs, bytes_in(given))
            made = Table(f, refs).state(new, new_record(module, refs, cells))
            refs.ret(refs.give(made))
        f.call("void", "PyErr_Clear")
        refs.ret_none()


# ----------------------------------------------------------------- decision


def _decision(module: Module) -> None:
    with python_function(module, "decision") as (f, refs):
        table = Table(f, refs)
        state = argument(f, 0)
        with f.block() as other:
            borrowed = table.waits_of(state, other)
            known = table.attribute(state, objects.STATE_DECISION)
            with f.if_(known.ne(none(f))):
                f.ret(held(known))
            # Making objects may run other code, to which the state's attributes are open.
            waits = refs.hold(borrowed)
            data, record = (bytes_in(item(waits, at)) for at in (1, 2))
            kind = field(record, layout.STOP_KIND)
            with f.if_(kind.eq(OVER)):
                refs.ret_none()
            f.leave_unless(kind.eq(DECISION), other)
            options = refs.later()
            _Options(module, refs, table, data, record).name(options, other)
            made = table.new(objects.DECISION)
            seat = item(table.object(objects.SEATS), field(record, layout.STOP_SEAT))
            table.put(made, {
                objects.DECISION_SEAT: held(seat),
                objects.DECISION_OPTIONAL: truth(field(record, layout.DECLINE)),
                objects.DECISION_CAN_STOP: truth(field(record, layout.CAN_STOP)),
                objects.DECISION_SOURCE: refs.give(waits),
                objects.DECISION_OPTIONS: refs.taken(options),
            })  # fmt: skip
            before = table.attribute(state, objects.STATE_DECISION)  # perhaps another thread's
            table.put(state, {objects.STATE_DECISION: held(made)})
            f.call("void", "Py_DecRef", before)
            refs.ret(refs.give(made))
        refs.ret(truth(f.value(0)))


class _Options:
    """What the answers of a decision are called."""

    def __init__(
        self, module: Module, refs: References, table: Table, data: Operand, record: Operand
    ) -> None:
        self.module, self.refs, self.table = module, refs, table
        self.data, self.record, self.f = data, record, data.f
        self.count = field(record, layout.COUNT)

    def name(self, options: Var, other: Label) -> None:
        """Put the options into a slot; leaves for `other` where the kernel has to name them."""
        f, table = self.f, self.table
        naming = naming_at(f.load(self.data, ir.PC, "i32"))
        how = table.number(naming)
        ranged = field(self.record, layout.RANGE).ne(0)
        with f.block() as named:
            with f.if_(how.eq(objects.NUMBERS) & ranged):
                options.set(self._range())
                f.br(named)
            f.leave_if(how.eq(objects.ELSEWHERE), other)
            names = self.refs.checked(f.call("ptr", "PyTuple_New", self.count))
            options.set(names)
            with f.block() as nameless:
                with match(f, how) as cases:
                    with cases.case(objects.NUMBERS):
                        self._numbers(names)
                        f.br(named)
                    with cases.case(objects.NAMED):
                        self._names(names, table.object(naming + 1), nameless)
                        f.br(named)
                self._pieces(names, nameless)
                different = self.refs.checked(f.call("ptr", "PySet_New", names))
                size = f.call("i64", "PySet_Size", different)
                f.call("void", "Py_DecRef", different)
                f.leave_if(size.eq(self.count), named)
                # Some share kind and place, and only their properties tell them apart.
            f.call("void", "PyErr_Clear")
            f.br(other)

    def _range(self) -> Operand:
        f, refs = self.f, self.refs
        first = field(self.record, layout.FIRST)
        low, high = (
            refs.own(f.call("ptr", "PyLong_FromLongLong", number))
            for number in (first, first + self.count - 1)
        )
        span = self.table.new(objects.RANGE)
        self.table.put(span, {objects.RANGE_LO: refs.give(low), objects.RANGE_HI: refs.give(high)})
        return refs.give(span)

    def _numbers(self, result: Operand) -> None:
        """Put the answers into a new tuple, as the numbers they are."""
        f, answers = self.f, answers_in(self.record)
        with f.for_range(0, self.count) as at:
            number = f.call("ptr", "PyLong_FromLongLong", f.load(answers, at))
            f.call("i32", "PyTuple_SetItem", result, at, self.refs.checked(number))

    def _names(self, result: Operand, names: Operand, nameless: Label) -> None:
        """The same, called by the names in a tuple."""
        f, answers = self.f, answers_in(self.record)
        with f.for_range(0, self.count) as at:
            self._put_name(result, at, names, f.load(answers, at), nameless)

    def _pieces(self, result: Operand, nameless: Label) -> None:
        """The same for pieces, which are called by what and where they are (see `option_names`)."""
        f, program, answers = self.f, self.module.program, answers_in(self.record)
        rows = piece_rows(program)
        if not rows:
            return
        with f.for_range(0, self.count) as at:
            piece = f.load(answers, at)
            f.leave_unless(piece.below(len(rows)), nameless)
            row = f.load(self.module.table(f, rows), piece, "i32")
            place = f.load(self.data, piece + program.piece_place, "i32")
            name = row * (len(program.world.places) + 1) + place + 1
            self._put_name(result, at, self.table.object(objects.PIECES), name, nameless)

    def _put_name(
        self, result: Operand, at: Operand, names: Operand, number: Operand, nameless: Label
    ) -> None:
        name = item(names, number)
        self.f.leave_if(name.is_null(), nameless)
        self.f.call("i32", "PyTuple_SetItem", result, at, held(name))


# ------------------------------------------------------------------- choose


def _choose(module: Module) -> None:
    with python_function(module, "choose") as (f, refs):
        table = Table(f, refs)
        state, option, seat = (argument(f, at) for at in range(3))
        with f.block() as other:
            with f.block() as unclear:
                # Comparing and making objects may run other code, to which the state is open.
                waits = refs.hold(table.waits_of(state, other))
                data, record = (bytes_in(item(waits, at)) for at in (1, 2))
                f.leave_unless(field(record, layout.STOP_KIND).eq(DECISION), other)
                with f.if_(seat.ne(none(f))):
                    decider = field(record, layout.STOP_SEAT)
                    name = item(table.object(objects.SEATS), decider)
                    f.leave_unless(equal(seat, name), unclear)
                pc = f.load(data, ir.PC, "i32")
                answer, kind = _answer(refs, table, state, option, pc, unclear)
                find_answer(module, record, pc, answer, kind, other)
                new, cells = run_answer(module, refs, data, record, pc)
                noted = new_record(module, refs, cells)
                _ret_step(refs, table, waits, new, noted, (answer, kind))
            # Comparing with something strange may have failed: the kernel says what is wrong.
            f.call("void", "PyErr_Clear")
        refs.ret_none()


def _ret_step(
    refs: References, table: Table, waits: Operand, new: Operand, record: Operand,
    answered: Sequence[Operand],
) -> None:  # fmt: skip
    """Leave with the step that led to a new state."""
    f = new.f
    numbers = [refs.own(f.call("ptr", "PyLong_FromLongLong", number)) for number in answered]
    source = table.tuple(5)
    stepped = held(table.object(objects.STEPPED))
    table.fill(source, (stepped, refs.give(waits), held(record), *map(refs.give, numbers)))
    after = table.state(new, record)
    made = table.new(objects.STEP)
    values = {objects.STEP_SOURCE: refs.give(source), objects.STEP_STATE: refs.give(after)}
    table.put(made, values)
    refs.ret(refs.give(made))


def equal(left: Operand, right: Operand) -> Operand:
    f = left.f
    equal = Operand(f, str(_EQUAL), "i32")
    return f.call("i32", "PyObject_RichCompareBool", left, right, equal).eq(1)


def _answer(
    refs: References, table: Table, state: Operand, option: Operand, pc: Operand, unclear: Label
) -> tuple[Operand, Operand]:
    """The number an option stands for, and what kind of number that is."""
    f = option.f
    naming = naming_at(pc)
    answer, kind = Var(f, init=0), Var(f, init=layout.GIVEN_VALUE)
    with f.block() as clear:
        with f.block() as special:
            with match(f, table.number(naming)) as cases:
                with cases.case(objects.NAMED):
                    found = f.call(
                        "ptr", "PyDict_GetItemWithError", table.object(naming + 2), option
                    )
                    f.leave_if(found.is_null(), special)
                    answer.set(f.call("i64", "PyLong_AsLongLong", found))
                    # what is only equal to a name, as 1 is to True, is for the kernel to judge
                    name = item(table.object(naming + 1), answer.get())
                    f.leave_unless(table.same_type(option, name), unclear)
                    f.br(clear)
                with cases.case(objects.NUMBERS):
                    f.leave_unless(table.is_a(option, objects.INT), special)
                    answer.set(integer(option))
                    f.br(clear)
            # Names that depend on the position, and lists of several: where among the options of
            # the decision one stands.
            called = table.is_a(option, objects.STR) | table.is_a(option, objects.LIST)
            f.leave_unless(called, special)
            f.leave_if(equal(option, table.object(objects.STOP_WORD)), special)
            decision = refs.hold(table.attribute(state, objects.STATE_DECISION))
            f.leave_if(decision.eq(none(f)), unclear)
            options = table.attribute(decision, objects.DECISION_OPTIONS)
            f.leave_if(options.is_null(), unclear)
            position = f.call("i64", "PySequence_Index", options, option)
            f.leave_if(position < 0, unclear)
            # what is only equal to a list, as [1] is to [True], is for the kernel to judge
            with f.if_(table.is_a(option, objects.LIST)):
                offered = f.call("ptr", "PyTuple_GetItem", options, position)
                f.leave_unless(offered.eq(option), unclear)
            answer.set(position)
            kind.set(layout.GIVEN_POSITION)
            f.br(clear)
        kind.set(layout.GIVEN_DECLINE)
        f.leave_if(option.eq(none(f)), clear)
        kind.set(layout.GIVEN_STOP)
        f.leave_unless(table.is_a(option, objects.STR), unclear)
        f.leave_unless(equal(option, table.object(objects.STOP_WORD)), unclear)
    return answer.get(), kind.get()
