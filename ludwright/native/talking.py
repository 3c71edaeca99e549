"""Beginning, deciding and choosing as native functions: no line of Python in a plain step.

- `decision(state)` gives what `Game.decision` would, or False where the kernel has to tell.
- `begin(cells)` runs set-up on the bytes of a new game and gives its first state, or None.
- `choose(state, option, seat)` gives what `Game.choose` would, or None where the kernel has to:
  where the answer is not on offer, where the run fails, and wherever something is not plain.

A state that an engine made carries `_waits`: what finds the rest of its decision, its bytes, and
the record of what it waits for (see `fastcall`). A decision has the same tuple as its source.

Looking an answer up may run Python, and so may making objects that the garbage collector watches.
Another thread may then use the same context: it is written after the former and read before the
latter.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright.kernel import program as ir
from ludwright.native import layout, objects
from ludwright.native.builder import F, V, Var
from ludwright.native.fastcall import (
    DECISION,
    OVER,
    answer_found,
    answers_in,
    field,
    function,
    noted_record,
    run_on,
    run_set_up,
)
from ludwright.native.module import Module
from ludwright.native.naming import piece_rows
from ludwright.native.references import References

_EQUAL = 2  # Py_EQ


def add_talking(module: Module) -> None:
    _begin(module)
    _decision(module)
    _choose(module)


class _Table:
    """The words of `objects`, as code that reads them."""

    def __init__(self, f: F) -> None:
        self._f = f
        self._at = f.ctx_ptr(layout.OBJECTS)

    def number(self, index: V | int) -> V:
        return self._f.load(self._at, index)

    def object(self, index: V | int) -> V:
        return self._f.load(self._at, index, "ptr")

    def attribute(self, value: V, offset: int) -> V:
        """Borrowed; null where it is not set."""
        return self._f.load(self._f.gep(value, self.number(offset), "i8"), 0, "ptr")

    def is_a(self, value: V, cls: int) -> V:
        """Exactly: not of a class derived from it."""
        return self._f.icmp("eq", self.attribute(value, objects.TYPE), self.object(cls))

    def same_type(self, one: V, two: V) -> V:
        first, second = (self.attribute(value, objects.TYPE) for value in (one, two))
        return self._f.icmp("eq", first, second)

    def blank(self, cls: int) -> V:
        """A new object without attributes; null where memory has run out."""
        null = V(self._f, "null", "ptr")
        return self._f.call("ptr", "PyType_GenericNew", self.object(cls), null, null)

    def put(self, made: V, values: dict[int, V]) -> None:
        """Attributes of a new object, which takes over the references."""
        f = self._f
        for offset, value in values.items():
            f.store(f.gep(made, self.number(offset), "i8"), 0, value, "ptr")

    def tuple(self, refs: References, count: int) -> V:
        return refs.own(self._f.call("ptr", "PyTuple_New", self._f.value(count)))

    def fill(self, made: V, values: Sequence[V]) -> None:
        """The items of a new tuple, which takes over the references."""
        f = self._f
        for at, value in enumerate(values):
            f.call("i32", "PyTuple_SetItem", made, f.value(at), value)

    def state(self, refs: References, data: V, record: V) -> V:
        """A state that takes over the references to its bytes and their record."""
        f, none = self._f, _none(self._f)
        waits = self.tuple(refs, 3)
        made = refs.own(self.blank(objects.STATE))
        decided = _held(f, self.object(objects.DECIDED))
        self.fill(waits, (decided, _held(f, data), refs.give(record)))
        self.put(made, {
            objects.STATE_BYTES: refs.give(data), objects.STATE_WAITS: refs.give(waits),
            objects.STATE_GAME: _held(f, self.object(objects.GAME)),
            objects.STATE_SEAL: _held(f, self.object(objects.SEAL)),
            objects.STATE_LIST: _held(f, none), objects.STATE_STOP: _held(f, none),
            objects.STATE_DECISION: _held(f, none),
        })  # fmt: skip
        return made

    def waits_of(self, state: V, other: str) -> V:
        """What a state waits for, if it has this game's seal and says so."""
        f = self._f
        f.leave_unless(self.is_a(state, objects.STATE), other)
        seal = self.attribute(state, objects.STATE_SEAL)
        f.leave_unless(f.icmp("eq", seal, self.object(objects.SEAL)), other)
        waits = self.attribute(state, objects.STATE_WAITS)
        f.leave_if(f.icmp("eq", waits, _none(f)), other)
        return waits


def _none(f: F) -> V:
    return V(f, "@_Py_NoneStruct", "ptr")


def _held(f: F, value: V) -> V:
    """With a reference of its own."""
    f.call("void", "Py_IncRef", value)
    return value


def _truth(f: F, value: V) -> V:
    return f.call("ptr", "PyBool_FromLong", value)


def _item(f: F, values: V, at: V | int) -> V:
    return f.call("ptr", "PyTuple_GetItem", values, f.value(at))


def _bytes(f: F, value: V) -> V:
    return f.call("ptr", "PyBytes_AsString", value)


def _naming(f: F, pc: V) -> V:
    """Where the words about an instruction's answers begin."""
    return pc * objects.NAMING_WORDS + objects.NAMINGS


def _begin(module: Module) -> None:
    f = function(module, "python_begin")
    f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
    refs, other = References(f), f.label()
    given = f.load(f.param("args"), 0, "ptr")
    f.leave_unless(f.call("i64", "PyBytes_Size", given).eq(4 * module.program.cells), other)
    new, cells = run_set_up(module, refs, f, _bytes(f, given))
    made = _Table(f).state(refs, new, noted_record(module, refs, f, cells))
    refs.ret(refs.give(made))
    f.place(other)
    f.call("void", "PyErr_Clear")
    refs.ret_none()
    refs.fail_here()
    module.add(f)


# ------------------------------------------------------------------- decision


def _decision(module: Module) -> None:
    f = function(module, "python_decision")
    f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
    table, refs = _Table(f), References(f)
    none = _none(f)
    other, asked = f.label(), f.label()
    state = f.load(f.param("args"), 0, "ptr")
    borrowed = table.waits_of(state, other)
    known = table.attribute(state, objects.STATE_DECISION)
    with f.if_(f.icmp("ne", known, none)):
        f.ret(_held(f, known))
    # Making objects may run other code, to which the state's attributes are open.
    waits = refs.hold(borrowed)
    data, record = (_bytes(f, _item(f, waits, at)) for at in (1, 2))
    kind = field(f, record, layout.STOP_KIND)
    with f.if_(kind.eq(OVER)):
        refs.ret_none()
    f.leave_unless(kind.eq(DECISION), other)
    naming = _naming(f, f.load(data, ir.PC, "i32"))
    how, ranged = table.number(naming), field(f, record, layout.RANGE).ne(0)
    count, first = field(f, record, layout.COUNT), field(f, record, layout.FIRST)
    options = refs.later()
    as_range, listed, numbers, named, pieces, nameless = (f.label() for _ in range(6))
    f.branch(how.eq(objects.NUMBERS) & ranged, as_range, listed)

    f.place(as_range)
    low, high = (
        refs.own(f.call("ptr", "PyLong_FromLongLong", number))
        for number in (first, first + count - 1)
    )
    span = refs.own(table.blank(objects.RANGE))
    table.put(span, {objects.RANGE_LO: refs.give(low), objects.RANGE_HI: refs.give(high)})
    options.set(refs.give(span))
    f.br(asked)

    f.place(listed)
    f.leave_if(how.eq(objects.ELSEWHERE), other)
    names = refs.checked(f.call("ptr", "PyTuple_New", count))
    options.set(names)
    f.switch(how, [(objects.NUMBERS, numbers), (objects.NAMED, named)], pieces)
    f.place(numbers)
    _fill_numbers(refs, f, names, record, count)
    f.br(asked)
    f.place(named)
    _fill_names(f, names, record, count, table.object(naming + 1), nameless)
    f.br(asked)
    f.place(pieces)
    pieces_names = table.object(objects.PIECES)
    _fill_pieces(module, f, names, record, count, pieces_names, data, nameless)
    different = refs.checked(f.call("ptr", "PySet_New", names))
    size = f.call("i64", "PySet_Size", different)
    f.call("void", "Py_DecRef", different)
    f.leave_if(size.eq(count), asked)
    # Some are of one kind in one place: what tells them apart is in their properties.
    f.place(nameless)
    f.call("void", "PyErr_Clear")
    f.br(other)

    f.place(asked)
    made = refs.own(table.blank(objects.DECISION))
    seat = _item(f, table.object(objects.SEATS), field(f, record, layout.STOP_SEAT))
    table.put(made, {
        objects.DECISION_SEAT: _held(f, seat),
        objects.DECISION_OPTIONAL: _truth(f, field(f, record, layout.DECLINE)),
        objects.DECISION_CAN_STOP: _truth(f, field(f, record, layout.CAN_STOP)),
        objects.DECISION_SOURCE: refs.give(waits),
        objects.DECISION_OPTIONS: refs.taken(options),
    })  # fmt: skip
    before = table.attribute(state, objects.STATE_DECISION)  # by now perhaps another thread's
    f.store(f.gep(state, table.number(objects.STATE_DECISION), "i8"), 0, _held(f, made), "ptr")
    f.call("void", "Py_DecRef", before)
    refs.ret(refs.give(made))

    f.place(other)
    refs.ret(_truth(f, f.value(0)))
    refs.fail_here()
    module.add(f)


def _fill_numbers(refs: References, f: F, result: V, record: V, count: V) -> None:
    """Put the answers of a record into a new tuple, as the numbers they are."""
    answers = answers_in(f, record)
    with f.count(0, count) as at:
        number = refs.checked(f.call("ptr", "PyLong_FromLongLong", f.load(answers, at)))
        f.call("i32", "PyTuple_SetItem", result, at, number)


def _fill_names(f: F, result: V, record: V, count: V, names: V, nameless: str) -> None:
    """The same, called by the names in a tuple."""
    answers = answers_in(f, record)
    with f.count(0, count) as at:
        _put_name(f, result, at, names, f.load(answers, at), nameless)


def _fill_pieces(
    module: Module, f: F, result: V, record: V, count: V, names: V, state: V, nameless: str
) -> None:  # fmt: skip
    """The same for pieces, which are called by what and where they are (see `naming`)."""
    program, answers = module.program, answers_in(f, record)
    rows = piece_rows(program)
    if not rows:
        return
    with f.count(0, count) as at:
        piece = f.load(answers, at)
        f.leave_unless(piece.below(len(rows)), nameless)
        row = f.load(V(f, module.table(rows), "ptr"), piece, "i32")
        place = f.load(state, piece + program.piece_place, "i32")
        name = row * (len(program.world.places) + 1) + place + 1
        _put_name(f, result, at, names, name, nameless)


def _put_name(f: F, result: V, at: V, names: V, number: V, nameless: str) -> None:
    name = _item(f, names, number)
    f.leave_if(f.icmp("eq", name, V(f, "null", "ptr")), nameless)
    f.call("i32", "PyTuple_SetItem", result, at, _held(f, name))


# --------------------------------------------------------------------- choose


def _choose(module: Module) -> None:
    f = function(module, "python_choose")
    f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
    table, refs = _Table(f), References(f)
    none = _none(f)
    unclear, other = f.label(), f.label()
    state, option, seat = (f.load(f.param("args"), at, "ptr") for at in range(3))
    # Comparing and making objects may run other code, to which the state's attributes are open.
    waits = refs.hold(table.waits_of(state, other))
    data, record = (_bytes(f, _item(f, waits, at)) for at in (1, 2))
    f.leave_unless(field(f, record, layout.STOP_KIND).eq(DECISION), other)
    decider = field(f, record, layout.STOP_SEAT)
    with f.if_(f.icmp("ne", seat, none)):
        name = _item(f, table.object(objects.SEATS), decider)
        f.leave_unless(_equal(f, seat, name), unclear)
    pc = f.load(data, ir.PC, "i32")
    answer, kind = _answer(refs, f, table, state, option, pc, unclear)
    answer_found(module, f, record, pc, answer, kind, other)
    new, cells = run_on(module, refs, f, data, record, pc)
    noted = noted_record(module, refs, f, cells)
    numbers = [refs.own(f.call("ptr", "PyLong_FromLongLong", number)) for number in (answer, kind)]
    told = table.tuple(refs, 5)
    f.call("void", "Py_IncRef", noted)
    stepped = _held(f, table.object(objects.STEPPED))
    table.fill(told, (stepped, refs.give(waits), noted, *map(refs.give, numbers)))
    after = table.state(refs, new, noted)
    made = refs.own(table.blank(objects.STEP))
    values = {objects.STEP_SOURCE: refs.give(told), objects.STEP_STATE: refs.give(after)}
    table.put(made, values)
    refs.ret(refs.give(made))

    f.place(unclear)
    # Comparing with something strange may have failed: the kernel will say what is wrong with it.
    f.call("void", "PyErr_Clear")
    f.br(other)
    f.place(other)
    refs.ret_none()
    refs.fail_here()
    module.add(f)


def _equal(f: F, left: V, right: V) -> V:
    same = f.emit(
        f"call i32 @PyObject_RichCompareBool(ptr {left.text}, ptr {right.text}, i32 {_EQUAL})",
        "i32",
    )
    return f.icmp("eq", same, f.value(1, "i32"))


def _answer(
    refs: References, f: F, table: _Table, state: V, option: V, pc: V, unclear: str
) -> tuple[V, V]:
    """The number an option stands for, and what kind of number that is."""
    null, none = V(f, "null", "ptr"), _none(f)
    naming = _naming(f, pc)
    how = table.number(naming)
    answer, kind = Var(f, init=0), Var(f, init=layout.GIVEN_VALUE)
    named, numbers, listed, special, clear = (f.label() for _ in range(5))
    f.switch(how, [(objects.NAMED, named), (objects.NUMBERS, numbers)], listed)

    f.place(named)
    found = f.call("ptr", "PyDict_GetItemWithError", table.object(naming + 2), option)
    f.leave_if(f.icmp("eq", found, null), special)
    answer.set(f.call("i64", "PyLong_AsLongLong", found))
    # what is only equal to a name, as 1 is to True, is for the kernel to judge
    name = _item(f, table.object(naming + 1), answer.get())
    f.leave_unless(table.same_type(option, name), unclear)
    f.br(clear)

    f.place(numbers)
    f.leave_unless(table.is_a(option, objects.INT), special)
    answer.set(f.call("i64", "PyLong_AsLongLong", option))
    with f.if_(answer.get().eq(-1)):
        # -1, or no number of 64 bits: then it is no answer either
        f.call("void", "PyErr_Clear")
    f.br(clear)

    # Names that depend on the position, and lists of several: where among the options of the
    # decision one stands.
    f.place(listed)
    called = table.is_a(option, objects.STR) | table.is_a(option, objects.LIST)
    f.leave_unless(called, special)
    f.leave_if(_equal(f, option, table.object(objects.STOP_WORD)), special)
    decision = refs.hold(table.attribute(state, objects.STATE_DECISION))
    f.leave_if(f.icmp("eq", decision, none), unclear)
    options = table.attribute(decision, objects.DECISION_OPTIONS)
    f.leave_if(f.icmp("eq", options, null), unclear)
    position = f.call("i64", "PySequence_Index", options, option)
    f.leave_if(position < 0, unclear)
    answer.set(position)
    kind.set(layout.GIVEN_POSITION)
    f.br(clear)

    f.place(special)
    kind.set(layout.GIVEN_DECLINE)
    f.leave_if(f.icmp("eq", option, none), clear)
    kind.set(layout.GIVEN_STOP)
    f.leave_unless(table.is_a(option, objects.STR), unclear)
    f.leave_unless(_equal(f, option, table.object(objects.STOP_WORD)), unclear)
    f.br(clear)

    f.place(clear)
    return answer.get(), kind.get()
