"""Steps that Python calls without ctypes: the functions themselves speak CPython's C interface.

They work on the bytes of states and on *records*. A record says what a state waits for: the slots
`ENDED` .. `UNKNOWN` of the context, then the words of the answers (none where they are a range),
then, if any answer is unproven, a byte for each that says which.

- `step(state, record, answer, kind)` answers a state. It gives `Waits`, False where the answer is
  not among those of the record, or None where the run failed.
- `offer(state)` gives the `Waits` of a state whose record is not known, or None.

Both are private to the engine, which hands them nothing from outside but `answer`. `Game.advance`
and states from elsewhere need them; what a plain decision and answer need is in `talking`.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import Module
from ludwright.native.options import answer_widths
from ludwright.native.references import References
from ludwright.native.ticking import QUESTIONS

_NULL = "null"
DECISION, OVER = (layout.STOPS.index(kind) for kind in ("decision", "over"))


def add_fastcalls(module: Module) -> None:
    _step(module)
    _offer(module)


def function(module: Module, name: str) -> F:
    return F(
        name, "ptr", (("ptr", "self"), ("ptr", "args"), ("i64", "nargs")),
        module.errors, on_fail="unreachable", linkage="dso_local",
    )  # fmt: skip


def field(f: F, record: V, slot: int) -> V:
    return f.load(record, slot - layout.ENDED)


def answers_in(f: F, record: V) -> V:
    return f.gep(record, layout.RECORD_WORDS)


def _copied(refs: References, f: F, old: V, cells: int) -> tuple[V, V]:
    """A new bytes object with the cells of a state, and where they lie in it."""
    null = V(f, _NULL, "ptr")
    new = refs.own(f.call("ptr", "PyBytes_FromStringAndSize", null, f.value(4 * cells)))
    state = f.call("ptr", "PyBytes_AsString", new)
    f.copy(state, old, 4 * cells)
    return new, state


def _step(module: Module) -> None:
    program = module.program
    f = function(module, "python_step")
    f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
    refs, refused = References(f), f.label()
    given, known = (f.load(f.param("args"), at, "ptr") for at in (0, 1))
    sizes = [f.call("i64", "PyBytes_Size", item) for item in (given, known)]
    f.leave_if((sizes[0] < 0) | (sizes[1] < 0), refs.failed)
    fits = sizes[0].eq(4 * program.cells) & (sizes[1] >= 8 * layout.RECORD_WORDS)
    f.leave_unless(fits, refused)
    answer = f.call("i64", "PyLong_AsLongLong", f.load(f.param("args"), 2, "ptr"))
    with f.if_(answer.eq(-1)):
        # -1, or no number of 64 bits: then it is no answer either
        f.call("void", "PyErr_Clear")
    kind = f.call("i64", "PyLong_AsLongLong", f.load(f.param("args"), 3, "ptr"))
    old, record = (f.call("ptr", "PyBytes_AsString", item) for item in (given, known))
    pc = f.load(old, ir.PC, "i32")
    waits = field(f, record, layout.STOP_KIND).eq(DECISION)
    f.leave_unless(waits & pc.below(len(program.code)), refused)
    answer_found(module, f, record, pc, answer, kind, refused)
    new, state = run_on(module, refs, f, old, record, pc)
    _give(module, refs, f, new, state)
    f.place(refused)
    refs.ret(f.call("ptr", "PyBool_FromLong", f.value(0)))
    refs.fail_here()
    module.add(f)


def answer_found(
    module: Module, f: F, record: V, pc: V, answer: V, kind: V, refused: str
) -> None:  # fmt: skip
    """Put what was answered where the run finds it, if the record offers it."""
    widths = answer_widths(module)
    width = f.load(V(f, module.table(widths), "ptr"), pc, "i32")
    taken, listed, other, placed = f.label(), f.label(), f.label(), f.label()
    to, answers = f.ctx_ptr(layout.GIVEN_AT), answers_in(f, record)
    count, first = field(f, record, layout.COUNT), field(f, record, layout.FIRST)
    ranged = field(f, record, layout.RANGE).ne(0)
    is_value = kind.eq(layout.GIVEN_VALUE)
    f.set_ctx(layout.GIVEN, f.select(kind.eq(layout.GIVEN_POSITION), layout.GIVEN_VALUE, kind))
    f.branch(is_value | kind.eq(layout.GIVEN_POSITION), listed, other)
    f.place(other)
    allowed = f.select(
        kind.eq(layout.GIVEN_DECLINE), field(f, record, layout.DECLINE),
        f.select(kind.eq(layout.GIVEN_STOP), field(f, record, layout.CAN_STOP), 0),
    )  # fmt: skip
    f.branch(allowed.ne(0), taken, refused)
    f.place(listed)
    in_range, plain, search = f.label(), f.label(), f.label()
    f.branch(ranged, in_range, plain)
    f.place(in_range)
    offset = f.select(is_value, answer - first, answer)
    f.leave_unless(offset.below(count), refused)
    f.store(to, 0, first + offset)
    f.br(taken)
    f.place(plain)
    position = Var(f, init=answer)
    f.branch(is_value, search, placed)
    f.place(search)
    f.leave_unless(width.eq(1), refused)
    with f.count(0, count) as at:
        go, hit = f.label(), f.label()
        f.branch(f.load(answers, at).eq(answer), hit, go)
        f.place(hit)
        position.set(at)
        f.br(placed)
        f.place(go)
    f.br(refused)
    f.place(placed)
    f.leave_unless(position.get().below(count), refused)
    start = f.gep(answers, position.get() * width)
    if max(widths, default=1) == 1:
        f.store(to, 0, f.load(start))
    else:
        f.copy(to, start, width * 8)
    f.place(taken)


def run_set_up(module: Module, refs: References, f: F, cells: V) -> tuple[V, V]:
    """Begin a game: the bytes of its first state, and where its cells lie in them."""
    program = module.program
    new, state = _copied(refs, f, cells, program.cells)
    f.set_ctx(layout.SEAT, -1)
    _run(refs, f, state, f.value(program.entry))
    return new, state


def run_on(
    module: Module, refs: References, f: F, old: V, record: V, pc: V
) -> tuple[V, V]:  # fmt: skip
    """Answer a state: the bytes of the next one, and where its cells lie in them."""
    program = module.program
    new, state = _copied(refs, f, old, program.cells)
    seat = field(f, record, layout.STOP_SEAT)
    f.set_ctx(layout.SEAT, seat)
    f.set_ctx(layout.STOP_SEAT, seat)
    doubts = [field(f, record, s) for s in (layout.UNKNOWN, layout.DEAD_END, layout.PENDING)]
    f.set_ctx(layout.PROVEN, (doubts[0] | doubts[1] | doubts[2]).eq(0).i64())
    _run(refs, f, state, pc + len(program.code))
    return new, state


def _run(refs: References, f: F, state: V, where: V) -> None:
    """Run to the next stop; leaves with None where that fails or takes long."""
    for slot in (layout.ENDED, layout.PENDING, layout.DEAD_END, layout.UNKNOWN):
        f.set_ctx(slot, 0)
    f.store(f.ctx_ptr(layout.HALT), layout.HALT_LEFT, QUESTIONS)
    f.store(f.ctx_ptr(layout.HALT), layout.HALT_SINCE, 0)
    entry = f.emit(f"trunc i64 {where.text} to i32", "i32")
    ran = f.emit(f"call i32 @run(ptr {state.text}, ptr %ctx, i32 {entry.text})", "i32")
    failed, fine = f.label(), f.label()
    f.branch(f.icmp("eq", ran, f.value(layout.STOPPED, "i32")), fine, failed, likely=True)
    f.place(failed)
    refs.ret_none()
    f.place(fine)


def noted_record(module: Module, refs: References, f: F, state: V) -> V:
    """The record of a state whose run has just stopped."""
    pc = f.load(state, ir.PC, "i32")
    decides = f.ctx(layout.STOP_KIND).eq(DECISION)
    width = f.load(V(f, module.table(answer_widths(module)), "ptr"), pc, "i32")
    count = f.select(decides, f.ctx(layout.COUNT), 0)
    listed = f.ctx(layout.RANGE).eq(0)
    words = f.select(listed, count * width * 8, 0)
    # a range that is unproven has one mark for all of it
    marks = f.select(decides & f.ctx(layout.UNKNOWN).ne(0) & listed, count, 0)
    base = 8 * layout.RECORD_WORDS
    size = words + marks + base
    record = refs.own(f.call("ptr", "PyBytes_FromStringAndSize", V(f, _NULL, "ptr"), size))
    text = f.call("ptr", "PyBytes_AsString", record)
    f.copy(text, f.gep(f.context, layout.ENDED), base)
    rest = f.gep(text, base, "i8")
    f.copy(rest, f.ctx_ptr(layout.ANSWERS), words)
    with f.if_(marks.ne(0)):
        f.copy(f.gep(rest, words, "i8"), f.ctx_ptr(layout.MARKS), marks)
    return record


def _give(module: Module, refs: References, f: F, new: V, state: V) -> None:
    """The `Waits` of a state whose run has just stopped."""
    record = noted_record(module, refs, f, state)
    result = refs.own(f.call("ptr", "PyTuple_New", f.value(2)))
    for at, item in enumerate((new, record)):
        f.call("i32", "PyTuple_SetItem", result, f.value(at), refs.give(item))
    refs.ret(refs.give(result))


def _offer(module: Module) -> None:
    program = module.program
    size = len(program.code)
    f = function(module, "python_offer")
    f.at_entry("%ctx = call ptr @PyLong_AsVoidPtr(ptr %self)")
    refs = References(f)
    stray, over, fine = (f.label() for _ in range(3))
    given = f.load(f.param("args"), 0, "ptr")
    size_given = f.call("i64", "PyBytes_Size", given)
    f.leave_if(size_given < 0, refs.failed)
    f.leave_unless(size_given.eq(4 * program.cells), stray)
    old = f.call("ptr", "PyBytes_AsString", given)
    pc = f.load(old, ir.PC, "i32")
    f.leave_unless(pc.below(size), stray)
    f.set_ctx(layout.STOP_KIND, OVER)
    f.leave_unless(f.load(old, ir.OVER, "i32").eq(0), over)
    scratch, state = _copied(refs, f, old, program.cells)
    # as if another seat's part had just ended: the stop is published whatever it holds
    f.set_ctx(layout.SEAT, -2)
    _run(refs, f, state, pc + 2 * size)
    same = f.load(state, ir.PC, "i32").eq(pc) & f.ctx(layout.STOP_KIND).eq(DECISION)
    refs.drop(scratch)
    f.branch(same, fine, stray)
    f.place(over)
    f.set_ctx(layout.ENDED, 0)
    f.br(fine)
    f.place(fine)
    _give(module, refs, f, refs.hold(given), old)
    f.place(stray)
    refs.ret_none()
    refs.fail_here()
    module.add(f)
