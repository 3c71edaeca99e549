"""Steps that Python calls without ctypes: the functions themselves speak CPython's C interface.

They work on the bytes of states and on *records*. A record says what a state waits for: the slots
`ENDED` .. `UNKNOWN` of the context, then the words of the answers (none where they are a range),
then, if any answer is unproven, a byte for each that says which.

- `step(state, record, answer, kind)` answers a state. It gives `Waits`, False where the answer is
  not among those of the record, or None where the run failed.
- `offer(state)` gives the `Waits` of a state whose record is not known, or None.

Both are private to the engine, which hands them nothing from outside but `answer`. `Game.advance`
and states from elsewhere need them; what a plain decision and answer need is in `game_calls`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import answer_widths
from ludwright.native.codegen.state.ticks import QUESTIONS
from ludwright.native.layout import Entries, Slot
from ludwright.native.python.references import References

DECISION, OVER = (layout.STOPS.index(kind) for kind in ("decision", "over"))


def add_byte_calls(module: Module) -> None:
    _step(module)
    _offer(module)


@contextmanager
def python_function(module: Module, name: str) -> Iterator[tuple[Function, References]]:
    """A function that Python calls; its `self` is the address of the context."""
    params = ("ptr self", "ptr args", "i64 nargs")
    with module.function(f"python_{name}", "ptr", *params, exported=True) as f:
        f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
        refs = References(f)
        yield f, refs
        refs.fail_here()


def argument(f: Function, index: int) -> Operand:
    return f.load(f.param("args"), index, "ptr")


def field(record: Operand, slot: Slot) -> Operand:
    return record.f.load(record, slot - layout.ENDED)


def answers_in(record: Operand) -> Operand:
    return record.f.gep(record, layout.RECORD_WORDS)


def bytes_in(value: Operand) -> Operand:
    return value.f.call("ptr", "PyBytes_AsString", value)


def integer(value: Operand) -> Operand:
    """The number that an object is; what is none, or too large, gives -1."""
    f = value.f
    found = f.call("i64", "PyLong_AsLongLong", value)
    with f.if_(found.eq(-1)):
        f.call("void", "PyErr_Clear")
    return found


def _step(module: Module) -> None:
    program = module.program
    with python_function(module, "step") as (f, refs):
        given, known = argument(f, 0), argument(f, 1)
        sizes = [f.call("i64", "PyBytes_Size", value) for value in (given, known)]
        f.leave_if((sizes[0] < 0) | (sizes[1] < 0), refs.failed)
        with f.block() as refused:
            fits = sizes[0].eq(4 * program.cells) & (sizes[1] >= 8 * layout.RECORD_WORDS)
            f.leave_unless(fits, refused)
            answer = integer(argument(f, 2))
            kind = f.call("i64", "PyLong_AsLongLong", argument(f, 3))
            old, record = bytes_in(given), bytes_in(known)
            pc = f.load(old, ir.PC, "i32")
            waits = field(record, layout.STOP_KIND).eq(DECISION)
            f.leave_unless(waits & pc.below(len(program.code)), refused)
            find_answer(module, record, pc, answer, kind, refused)
            new, state = run_answer(module, refs, old, record, pc)
            _give_waits(module, refs, new, state)
        refs.ret(f.call("ptr", "PyBool_FromLong", 0))


def find_answer(
    module: Module, record: Operand, pc: Operand, answer: Operand, kind: Operand, refused: Label
) -> None:
    """Put what was answered where the run finds it, if the record offers it."""
    f, widths = record.f, answer_widths(module)
    to, count = f.ctx[layout.GIVEN_AT], field(record, layout.COUNT)
    is_value, is_position = kind.eq(layout.GIVEN_VALUE), kind.eq(layout.GIVEN_POSITION)
    f.ctx[layout.GIVEN] = f.select(is_position, layout.GIVEN_VALUE, kind)
    with f.if_(is_value | is_position):
        with f.if_(field(record, layout.RANGE).ne(0)):
            first = field(record, layout.FIRST)
            offset = f.select(is_value, answer - first, answer)
            f.leave_unless(offset.below(count), refused)
            f.store(to, 0, first + offset)
        with f.else_():
            width = f.load(module.table(f, widths), pc, "i32")
            position = Var(f, init=answer)
            with f.if_(is_value):
                f.leave_unless(width.eq(1), refused)
                position.set(_position(record, answer))
            f.leave_unless(position.get().below(count), refused)
            start = f.gep(answers_in(record), position.get() * width)
            if max(widths, default=1) == 1:
                f.store(to, 0, f.load(start))
            else:
                f.copy(to, start, width * 8)
    with f.else_():
        allowed = f.select(
            kind.eq(layout.GIVEN_DECLINE), field(record, layout.DECLINE),
            f.select(kind.eq(layout.GIVEN_STOP), field(record, layout.CAN_STOP), 0),
        )  # fmt: skip
        f.leave_if(allowed.eq(0), refused)


def _position(record: Operand, answer: Operand) -> Operand:
    """Where among the answers of a record one stands; -1 if it does not."""
    f = record.f
    found = Var(f, init=-1)
    with (
        f.block() as out,
        f.for_range(0, field(record, layout.COUNT)) as at,
        f.if_(f.load(answers_in(record), at).eq(answer)),
    ):
        found.set(at)
        f.br(out)
    return found.get()


# --------------------------------------------------------------------- runs


def run_set_up(module: Module, refs: References, cells: Operand) -> tuple[Operand, Operand]:
    """Begin a game: the bytes of its first state, and where its cells lie in them."""
    f = cells.f
    new, state = _copied(module, refs, cells)
    f.ctx[layout.SEAT] = -1
    _run(refs, state, f.value(module.program.entry))
    return new, state


def run_answer(
    module: Module, refs: References, old: Operand, record: Operand, pc: Operand
) -> tuple[Operand, Operand]:
    """Answer a state: the bytes of the next one, and where its cells lie in them."""
    f = old.f
    new, state = _copied(module, refs, old)
    seat = field(record, layout.STOP_SEAT)
    f.ctx[layout.SEAT] = seat
    f.ctx[layout.STOP_SEAT] = seat
    _run(refs, state, pc + Entries(len(module.program.code)).answer(0))
    return new, state


def _copied(module: Module, refs: References, old: Operand) -> tuple[Operand, Operand]:
    """A new bytes object with the cells of a state, and where they lie in it."""
    f, size = old.f, 4 * module.program.cells
    new = refs.own(f.call("ptr", "PyBytes_FromStringAndSize", f.null, size))
    state = bytes_in(new)
    f.copy(state, old, size)
    return new, state


def _run(refs: References, state: Operand, where: Operand) -> None:
    """Run to the next stop; leaves with None where that fails or takes long."""
    f = state.f
    for slot in (layout.ENDED, layout.PENDING, layout.DEAD_END, layout.UNKNOWN):
        f.ctx[slot] = 0
    halt = Words(f.ctx[layout.HALT])
    halt[layout.HALT_LEFT] = QUESTIONS
    halt[layout.HALT_SINCE] = 0
    result = f.call("i64", "run", state, f.context, where)
    with f.if_(result.ne(layout.STOPPED), likely=False):
        refs.ret_none()


def new_record(module: Module, refs: References, state: Operand) -> Operand:
    """The record of a state whose run has just stopped."""
    f = state.f
    pc = f.load(state, ir.PC, "i32")
    decides, listed = f.ctx[layout.STOP_KIND].eq(DECISION), f.ctx[layout.RANGE].eq(0)
    width = f.load(module.table(f, answer_widths(module)), pc, "i32")
    count = f.select(decides, f.ctx[layout.COUNT], 0)
    words = f.select(listed, count * width * 8, 0)
    # a range that is unproven has one mark for all of it
    marks = f.select(decides & f.ctx[layout.UNKNOWN].ne(0) & listed, count, 0)
    base = 8 * layout.RECORD_WORDS
    size = words + marks + base
    record = refs.own(f.call("ptr", "PyBytes_FromStringAndSize", f.null, size))
    text = bytes_in(record)
    f.copy(text, f.gep(f.context, layout.ENDED), base)
    rest = f.gep(text, base, "i8")
    f.copy(rest, f.ctx[layout.ANSWERS], words)
    with f.if_(marks.ne(0)):
        f.copy(f.gep(rest, words, "i8"), f.ctx[layout.MARKS], marks)
    return record


def _give_waits(module: Module, refs: References, new: Operand, state: Operand) -> None:
    """Leave with the `Waits` of a state whose run has just stopped."""
    f = state.f
    record = new_record(module, refs, state)
    result = refs.own(f.call("ptr", "PyTuple_New", 2))
    for at, item in enumerate((new, record)):
        f.call("i32", "PyTuple_SetItem", result, at, refs.give(item))
    refs.ret(refs.give(result))


def _offer(module: Module) -> None:
    program = module.program
    with python_function(module, "offer") as (f, refs):
        with f.block() as stray:
            given = argument(f, 0)
            size = f.call("i64", "PyBytes_Size", given)
            f.leave_if(size < 0, refs.failed)
            f.leave_unless(size.eq(4 * program.cells), stray)
            old = bytes_in(given)
            pc = f.load(old, ir.PC, "i32")
            f.leave_unless(pc.below(len(program.code)), stray)
            f.ctx[layout.STOP_KIND] = OVER
            with f.if_(f.load(old, ir.OVER, "i32").eq(0)):
                scratch, state = _copied(module, refs, old)
                # as if another seat's part had just ended: the stop is published as it is
                f.ctx[layout.SEAT] = -2
                _run(refs, state, pc + Entries(len(program.code)).offer(0))
                same = f.load(state, ir.PC, "i32").eq(pc) & f.ctx[layout.STOP_KIND].eq(DECISION)
                refs.drop(scratch)
                f.leave_unless(same, stray)
            with f.else_():
                f.ctx[layout.ENDED] = 0
            _give_waits(module, refs, refs.hold(given), old)
        refs.ret_none()
