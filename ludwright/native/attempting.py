"""One answer tried out on a copy of the state, on behalf of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright.kernel import program as ir
from ludwright.kernel.search import DEPTH, GLANCES
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.frames import (
    ABOVE,
    BROKEN,
    COUNT,
    DECLINE,
    KEY,
    KEY2,
    NEXT,
    NO,
    PC,
    SEAT,
    STOP,
    UNSEEN,
    VALUED,
    YES,
)
from ludwright.native.module import RESULT
from ludwright.native.options import finish_name

if TYPE_CHECKING:
    from ludwright.native.searching import Searching

_DECISION = layout.STOPS.index("decision")
_ANSWERED = (
    ("ptr", "ctx"), ("ptr", "cells"), ("i64", "pc"), ("i64", "seat"), ("i64", "given"),
    ("ptr", "answer"),
)  # fmt: skip


class Attempting:
    """Writes `attempt`, and `descend`, which looks no further than the first way it finds."""

    def __init__(self, search: Searching) -> None:
        self.search = search
        self.module = search.module
        self.program = search.program
        self._conditions = [
            (pc, instr.choice)
            for pc, instr in enumerate(self.program.code)
            if isinstance(instr, ir.Choose)
            and self.program.choices[instr.choice].finish is not None
        ]
        # A count wants every answer, and each by itself.
        self.hurries = self.module.settling is None

    def write(self) -> None:
        if self._conditions:
            self._told()
        self._attempt()
        if self.hurries:
            self._descend()
            self._glance()

    # ------------------------------------------------------------- one answer

    def _attempt(self) -> None:
        """One answer on a copy: a verdict, or the frame of the decision it leads to.

        Gives a pointer as a number: a verdict where it is small, else a new frame. With `given`
        below 0 there is no answer: the run goes on at instruction `pc`.
        """
        f = F(
            "attempt", "i64", (*_ANSWERED, ("ptr", "above")), self.module.errors,
            on_fail="unreachable",
        )  # fmt: skip
        search, inner = self.search, f.ctx_ptr(layout.SEARCH)
        self._leave_if_told(f)

        def without() -> None:
            search.note_no_memory(f, inner)
            self._broken(f, inner)

        frame = search.frame(f, without)
        cells = self._copied(f, frame)
        pc, given = Var(f, init=f.param("pc")), Var(f, init=f.param("given"))
        at = Var(f, "ptr", f.param("answer"))
        again = f.label()
        f.place(again)
        result = self._run(f, inner, cells, pc, given, at)
        waits, ends = f.label(), f.label()
        f.branch(result.eq(layout.STOPPED), waits, ends)
        f.place(ends)
        search.drop(f, frame)
        failed, complete = f.label(), f.label()
        f.branch(result.eq(layout.FAILED), failed, complete)
        f.place(complete)
        f.ret(f.select(result.eq(layout.BEST_END), VALUED, YES))
        f.place(failed)
        refused, fault = f.label(), f.label()
        f.branch(self._is_refusal(f, inner), refused, fault)
        f.place(refused)
        f.ret(NO)
        f.place(fault)
        self._broken(f, inner)
        f.place(waits)
        decides, over = f.label(), f.label()
        f.branch(f.load(inner, layout.STOP_KIND).eq(_DECISION), decides, over)
        f.place(over)
        search.drop(f, frame)
        if search.value_words:
            f.store(inner, layout.SPOILED, 1)
        f.ret(NO)
        f.place(decides)
        if self.hurries:
            self._go_on(f, inner, cells, (pc, given, at), again)
        f.store(frame, ABOVE, f.param("above"), "ptr")
        search.fill(f, frame, inner)
        f.store(frame, KEY, 0)
        f.store(frame, KEY2, 0)
        with f.if_(f.ctx(layout.MEMO_ON).ne(0)):
            f.call("void", "hash_cells", cells, f.gep(frame, KEY))
        f.end(f"ret i64 {f.emit(f'ptrtoint ptr {frame.text} to i64').text}")
        self.module.add(f)

    def _go_on(
        self, f: F, inner: V, cells: V, answered: tuple[Var, Var, Var], again: str
    ) -> None:  # fmt: skip
        """Where there is only one answer it is given at once, on the same copy.

        The memo does not hold such a decision, so this may visit more nodes than the interpreter.
        """
        pc, given, at = answered
        asks = [int(pc in dict(self._conditions)) for pc in range(len(self.program.code))]
        here = f.load(cells, ir.PC, "i32")
        offered = [f.load(inner, s) for s in (layout.COUNT, layout.DECLINE, layout.CAN_STOP)]
        only = (offered[0] + offered[1] + offered[2]).eq(1) & f.ctx(layout.EXACT).eq(0)
        ours = f.load(inner, layout.STOP_SEAT).eq(f.param("seat"))
        plain = f.load(V(f, self.search.empties, "ptr"), here, "i32") < 0
        if any(asks):
            plain = plain & f.load(V(f, self.module.table(asks), "ptr"), here, "i32").eq(0)
        on, stay = f.label(), f.label()
        f.branch(only & ours & plain, on, stay)
        f.place(on)
        f.set_ctx(layout.NODES, f.ctx(layout.NODES) + 1)
        pc.set(here)
        self._take_first(f, inner, given, at)
        self.module.kept.belongs_to(f, inner, cells)
        f.br(again)
        f.place(stay)

    def _take_first(self, f: F, inner: V, given: Var, at: Var) -> None:
        """The first alternative of the stop that a run has come to."""
        answers = f.load(inner, layout.ANSWERS, "ptr")
        with f.if_(f.load(inner, layout.RANGE).ne(0)):
            f.store(answers, 0, f.load(inner, layout.FIRST))
        ends = f.load(inner, layout.CAN_STOP).ne(0)
        kind = f.select(ends, layout.GIVEN_STOP, f.value(layout.GIVEN_VALUE))
        given.set(f.select(f.load(inner, layout.DECLINE).ne(0), layout.GIVEN_DECLINE, kind))
        at.set(answers)

    def _copied(self, f: F, frame: V) -> V:
        cells = self.search.cells(f, frame)
        f.copy(cells, f.param("cells"), 4 * self.program.cells)
        self.module.kept.belongs_to(f, f.ctx_ptr(layout.SEARCH), V(f, "null", "ptr"))
        return cells

    def _run(self, f: F, inner: V, cells: V, pc: Var, given: Var, at: Var) -> V:
        """Give an answer and go on to the next stop."""
        search = self.search
        f.store(inner, layout.GIVEN, given.get())
        f.store(inner, layout.GIVEN_AT, at.get(), "ptr")
        f.store(inner, layout.STOP_SEAT, f.param("seat"))
        f.store(inner, layout.ENDED, 0)
        f.store(inner, layout.STOP_KIND, 0)
        elsewhere = f.load(V(f, search.empties, "ptr"), pc.get(), "i32")
        named = (given.get() & 3).eq(layout.GIVEN_ELSEWHERE)
        answered = f.select(named, elsewhere, pc.get() + search.size)
        entry = f.select(given.get() < 0, pc.get(), answered)
        entry32 = f.emit(f"trunc i64 {entry.text} to i32", "i32")
        result = f.emit(
            f"call i32 @run(ptr {cells.text}, ptr {inner.text}, i32 {entry32.text})", "i32"
        )
        return f.emit(f"sext i32 {result.text} to i64")

    def _is_refusal(self, f: F, inner: V) -> V:
        # refusals have even numbers, and the slot holds the number plus one
        return (f.load(inner, layout.ERROR) & 1).ne(0)

    def _broken(self, f: F, inner: V) -> None:
        """A fault is told on."""
        for slot in (layout.ERROR, layout.ERROR_A, layout.ERROR_B):
            f.set_ctx(slot, f.load(inner, slot))
        f.ret(BROKEN)

    # ------------------------------------------------------------ what is told

    def _told(self) -> None:
        """`told`: the verdict where the rules tell it without trying the answer out, or UNSEEN."""
        f = F("told", "i64", _ANSWERED, self.module.errors, on_fail="unreachable")
        inner = f.ctx_ptr(layout.SEARCH)
        ask, other = f.label(), f.label()
        given = f.param("given")
        plain = (given >= 0) & (given & 3).eq(layout.GIVEN_VALUE)
        every = f.load(inner, layout.BEST).eq(0) & f.load(inner, layout.COUNTING).eq(0)
        f.branch(plain & every, ask, other)
        f.place(ask)
        answer, cells = f.load(f.param("answer")), f.param("cells")
        self.module.kept.look_at(f, inner, cells)
        self.module.kept.belongs_to(f, inner, cells)
        ways = [(pc, f.label()) for pc, _ in self._conditions]
        f.switch(f.param("pc"), ways, other)
        for (_, number), (_, label) in zip(self._conditions, ways, strict=True):
            f.place(label)
            pair = f.emit(
                f"call {RESULT} @{finish_name(number)}(ptr {cells.text}, ptr {inner.text}, "
                f"i64 {answer.text})", RESULT,
            )  # fmt: skip
            good, failed = f.label(), f.label()
            f.branch(f.emit(f"extractvalue {RESULT} {pair.text}, 1", "i1"), failed, good, False)
            f.place(failed)
            self._broken(f, inner)
            f.place(good)
            f.ret(f.emit(f"extractvalue {RESULT} {pair.text}, 0"))
        f.place(other)
        f.ret(UNSEEN)
        self.module.add(f)

    def _leave_if_told(self, f: F) -> None:
        if self._conditions:
            verdict = f.call("i64", "told", *(f.param(name) for _, name in _ANSWERED))
            with f.if_(verdict.ne(UNSEEN)):
                f.ret(verdict)
                f.place(f.label())

    # --------------------------------------------------------------- in a hurry

    def _descend(self) -> None:
        """`descend`: the verdict on an answer if the first way from there ends well, or if there
        is none at all; UNSEEN if other ways have to be tried as well.
        """
        f = F("descend", "i64", _ANSWERED, self.module.errors, on_fail="unreachable")
        search, inner = self.search, f.ctx_ptr(layout.SEARCH)
        self._leave_if_told(f)
        frame = search.frame(f, lambda: f.ret(UNSEEN))
        cells = self._copied(f, frame)
        pc, given = Var(f, init=f.param("pc")), Var(f, init=f.param("given"))
        at, steps = Var(f, "ptr", f.param("answer")), Var(f, init=0)
        verdict, leave = Var(f, init=YES), f.label()
        with f.loop():
            result = self._run(f, inner, cells, pc, given, at)
            stopped, ended, failed, decides = (f.label() for _ in range(4))
            f.branch(result.eq(layout.STOPPED), stopped, ended)
            f.place(ended)
            f.branch(result.eq(layout.FAILED), failed, leave)
            f.place(failed)
            none = self._is_refusal(f, inner) & steps.get().eq(0)
            verdict.set(f.select(none, NO, f.value(UNSEEN)))
            f.br(leave)
            f.place(stopped)
            verdict.set(UNSEEN)
            f.branch(f.load(inner, layout.STOP_KIND).eq(_DECISION), decides, leave)
            f.place(decides)
            steps.add(1)
            f.leave_if(steps.get() >= DEPTH, leave)
            pc.set(f.load(cells, ir.PC, "i32"))
            self._take_first(f, inner, given, at)
            self.module.kept.belongs_to(f, inner, cells)
            verdict.set(YES)
            if self._conditions:
                told = f.call(
                    "i64", "told", f.context, cells, pc.get(), f.param("seat"), given.get(),
                    at.get(),
                )  # fmt: skip
                f.leave_if(told.eq(YES), leave)
                verdict.set(f.select(told.eq(UNSEEN), YES, f.value(UNSEEN)))
                f.leave_if(told.ne(UNSEEN), leave)
        f.place(leave)
        search.drop(f, frame)
        f.ret(verdict.get())
        self.module.add(f)

    def _glance(self) -> None:
        """`glance`: `descend`, then behind other answers to the decision that comes first."""
        f = F("glance", "i64", _ANSWERED, self.module.errors, on_fail="unreachable")
        search, inner = self.search, f.ctx_ptr(layout.SEARCH)
        verdict = Var(f, init=f.call("i64", "descend", *(f.param(name) for _, name in _ANSWERED)))
        with f.if_(verdict.get().ne(UNSEEN)):
            f.ret(verdict.get())
            f.place(f.label())
        frame = search.frame(f, lambda: f.ret(UNSEEN))
        cells = self._copied(f, frame)
        pc, given = Var(f, init=f.param("pc")), Var(f, init=f.param("given"))
        at = Var(f, "ptr", f.param("answer"))
        result = self._run(f, inner, cells, pc, given, at)
        leave, again = f.label(), f.label()
        f.leave_unless(result.eq(layout.STOPPED), leave)
        f.leave_unless(f.load(inner, layout.STOP_KIND).eq(_DECISION), leave)
        search.fill(f, frame, inner)
        f.store(frame, NEXT, 1)
        offered = f.load(frame, COUNT) + f.load(frame, DECLINE) + f.load(frame, STOP)
        end = f.smin(offered, GLANCES)
        value = V(f, f.alloca("i64"), "ptr")
        f.place(again)
        f.leave_if(f.load(frame, NEXT) >= end, leave)
        kind, place = search.answer(f, frame, value, again, lambda: f.br(leave))
        told = (f.load(frame, PC), f.load(frame, SEAT), kind.get(), place.get())
        found = f.call("i64", "descend", f.context, cells, *told)
        f.leave_unless(found.eq(YES), again)
        verdict.set(YES)
        f.br(leave)
        f.place(leave)
        search.drop(f, frame)
        f.ret(verdict.get())
        self.module.add(f)
