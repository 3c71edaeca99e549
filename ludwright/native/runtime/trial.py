"""One answer tried out on a copy of the state, on behalf of a search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import PAIR, Function, Operand, Var, Words
from ludwright.native.codegen.llvm.cases import match
from ludwright.native.codegen.options.listing import finish_name
from ludwright.native.codegen.state.epochs import expect_results_of, results_belong_to
from ludwright.native.codegen.state.facts import keep_facts, pass_facts_on
from ludwright.native.codegen.state.ticks import is_refusal
from ludwright.native.runtime.frame import (
    ABOVE,
    NEXT,
    PC,
    SEAT,
    Frames,
    answers_of,
)
from ludwright.native.runtime.memo import hash_into
from ludwright.program.limits import GLANCE_DEPTH, GLANCES

_DECISION = layout.STOPS.index("decision")
_ANSWER = ("ptr ctx", "ptr cells", "i64 pc", "i64 seat", "i64 given", "ptr answer")
_NAMES = ("ctx", "cells", "pc", "seat", "given", "answer")
_OUTCOME = "{i64, ptr}"  # a verdict, and where it is WAITS the frame of the next decision


class _Trial:
    """The copy of a state on which answers are given, in one function."""

    def __init__(self, frames: Frames, f: Function, frame: Operand) -> None:
        self.frames, self.f, self.frame = frames, f, frame
        self.inner = Words(f.ctx[layout.SEARCH])
        self.cells = frames.cells(frame)
        self.pc, self.given = Var(f, init=f.param("pc")), Var(f, init=f.param("given"))
        self.at = Var(f, "ptr", f.param("answer"))
        f.copy(self.cells, f.param("cells"), 4 * frames.program.cells)
        results_belong_to(frames.module, self.inner, f.null)
        pass_facts_on(frames.module, self.inner, self.cells, f.param("cells"))

    def run(self) -> Operand:
        """Give the answer and go on to the next stop."""
        f, inner = self.f, self.inner
        entries = layout.Entries(len(self.frames.program.code))
        inner[layout.GIVEN] = self.given.get()
        inner[layout.GIVEN_AT] = self.at.get()
        inner[layout.STOP_SEAT] = f.param("seat")
        inner[layout.ENDED] = 0
        inner[layout.STOP_KIND] = 0
        elsewhere = (self.given.get() & layout.GIVEN_KIND).eq(layout.GIVEN_ELSEWHERE)
        answered = self.pc.get() + entries.answer(0)
        entry = f.select(elsewhere, self.frames.empty(self.pc.get()), answered)
        where = f.select(self.given.get() < 0, self.pc.get(), entry)
        keep_facts(self.frames.module, inner)
        return f.call("i64", "run", self.cells, inner.base, where)

    def decides(self) -> Operand:
        """Whether the run has stopped at a decision, and not at chance or the end of the game."""
        return self.inner[layout.STOP_KIND].eq(_DECISION)

    def answer_first(self) -> None:
        """Give the first alternative of the stop that the run has come to."""
        f, inner = self.f, self.inner
        self.pc.set(f.load(self.cells, ir.PC, "i32"))
        answers = inner[layout.ANSWERS]
        with f.if_(inner[layout.RANGE].ne(0)):
            f.store(answers, 0, inner[layout.FIRST])
        ends = inner[layout.CAN_STOP].ne(0)
        kind = f.select(ends, layout.GIVEN_STOP, f.value(layout.GIVEN_VALUE))
        declines = inner[layout.DECLINE].ne(0)
        self.given.set(f.select(declines, layout.GIVEN_DECLINE, kind))
        self.at.set(answers)
        results_belong_to(self.frames.module, inner, self.cells)

    def drop(self) -> None:
        self.frames.drop(self.frame)


class Trials:
    """Writes `attempt`, and `glance`, which looks no further than the first ways it finds."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self.module = frames.module
        self.program = frames.program
        self._conditions = {
            pc: instr.choice
            for pc, instr in enumerate(self.program.code)
            if isinstance(instr, ir.Choose)
            and self.program.choices[instr.choice].finish is not None
        }
        # A count wants every answer, and each by itself.
        self.glances = self.module.counting is None

    def write(self) -> None:
        if self._conditions:
            self._finishable()
        self._attempt()
        if self.glances:
            self._descend()
            self._glance()

    # ------------------------------------------------------------- one answer

    def attempt(
        self, f: Function, cells: Operand, pc: Operand, seat: Operand, given: Operand,
        answer: Operand, above: Operand,
    ) -> tuple[Operand, Operand]:  # fmt: skip
        """The verdict on an answer, and where it is WAITS the frame of the next decision."""
        result = f.call(_OUTCOME, "attempt", f.context, cells, pc, seat, given, answer, above)
        return f.extract(result, 0, "i64"), f.extract(result, 1, "ptr")

    def _attempt(self) -> None:
        """`attempt`: with `given` below 0 there is no answer, the run goes on at `pc`."""
        with self.module.function("attempt", _OUTCOME, *_ANSWER, "ptr above") as f:
            inner = Words(f.ctx[layout.SEARCH])

            def ret(verdict: Operand | int) -> None:
                f.ret_both(verdict, f.null)

            def without() -> None:
                self.frames.note_no_memory(f, inner.base)
                _pass_error_on(f, inner)
                ret(layout.BROKEN)

            with self._known(f) as verdict:
                ret(verdict)
            trial = _Trial(self.frames, f, self.frames.new(f, without))
            result = trial.run()
            with f.if_(result.ne(layout.STOPPED)):
                trial.drop()
                with f.if_(result.ne(layout.FAILED)):
                    ret(f.select(result.eq(layout.BEST_END), layout.VALUED, layout.YES))
                with f.if_(is_refusal(inner[layout.ERROR])):
                    ret(layout.NO)
                _pass_error_on(f, inner)
                ret(layout.BROKEN)
            with f.if_(~trial.decides()):
                trial.drop()
                if self.frames.value_words:
                    inner[layout.BEST_MEMO_VOID] = 1
                ret(layout.NO)
            Words(trial.frame)[ABOVE] = f.param("above")
            self.frames.fill(trial.frame, inner)
            hash_into(f, trial.frame, trial.cells)
            f.ret_both(layout.WAITS, trial.frame)

    # ------------------------------------------------------- known conditions

    def _finishable(self) -> None:
        """`finishable`: the verdict where `Choice.finish` says it, without trying the answer."""
        with self.module.function("finishable", "i64", *_ANSWER) as f:
            inner = Words(f.ctx[layout.SEARCH])
            given, cells = f.params("given", "cells")
            plain = (given >= 0) & (given & layout.GIVEN_KIND).eq(layout.GIVEN_VALUE)
            with f.if_(plain & inner[layout.MODE].eq(layout.COMPLETION)):
                answer = f.load(f.param("answer"))
                expect_results_of(self.module, inner, cells)
                results_belong_to(self.module, inner, cells)
                with match(f, f.param("pc")) as cases:
                    for pc, number in self._conditions.items():
                        with cases.case(pc):
                            pair = f.call(PAIR, finish_name(number), cells, inner.base, answer)
                            verdict, failed = f.halves(pair)
                            with f.if_(failed, likely=False):
                                _pass_error_on(f, inner)
                                f.ret(layout.BROKEN)
                            f.ret(verdict)
            f.ret(layout.UNSEEN)

    @contextmanager
    def _known(self, f: Function) -> Iterator[Operand]:
        """Where a condition says whether an answer can be finished; gives the verdict."""
        if not self._conditions:
            with f.if_(f.false):
                yield f.value(layout.UNSEEN)
            return
        verdict = f.call("i64", "finishable", *f.params(*_NAMES))
        with f.if_(verdict.ne(layout.UNSEEN)):
            yield verdict

    # ---------------------------------------------------------------- glances

    def _descend(self) -> None:
        """`descend`: the verdict on an answer if the first way from there ends well, or if there
        is none at all; UNSEEN if other ways have to be tried as well."""
        with self.module.function("descend", "i64", *_ANSWER) as f:
            with self._known(f) as verdict:
                f.ret(verdict)
            trial = _Trial(self.frames, f, self.frames.new(f, lambda: f.ret(layout.UNSEEN)))
            steps, found = Var(f, init=0), Var(f, init=layout.YES)
            with f.loop() as leave:
                result = trial.run()
                with f.if_(result.ne(layout.STOPPED)):
                    with f.if_(result.eq(layout.FAILED)):
                        none = is_refusal(trial.inner[layout.ERROR]) & steps.get().eq(0)
                        found.set(f.select(none, layout.NO, f.value(layout.UNSEEN)))
                    f.br(leave)
                found.set(layout.UNSEEN)
                f.leave_unless(trial.decides(), leave)
                steps.add(1)
                f.leave_if(steps.get() >= GLANCE_DEPTH, leave)
                trial.answer_first()
                found.set(layout.YES)
                if self._conditions:
                    known = f.call(
                        "i64", "finishable", f.context, trial.cells, trial.pc.get(),
                        f.param("seat"), trial.given.get(), trial.at.get(),
                    )  # fmt: skip
                    f.leave_if(known.eq(layout.YES), leave)
                    with f.if_(known.ne(layout.UNSEEN)):
                        found.set(layout.UNSEEN)
                        f.br(leave)
            trial.drop()
            f.ret(found.get())

    def _glance(self) -> None:
        """`glance`: `descend`, then behind other answers to the decision that comes first."""
        with self.module.function("glance", "i64", *_ANSWER) as f:
            found = Var(f, init=f.call("i64", "descend", *f.params(*_NAMES)))
            with f.if_(found.get().ne(layout.UNSEEN)):
                f.ret(found.get())
            trial = _Trial(self.frames, f, self.frames.new(f, lambda: f.ret(layout.UNSEEN)))
            frame, words, room = trial.frame, Words(trial.frame), f.array(1)
            with f.block() as leave:
                f.leave_unless(trial.run().eq(layout.STOPPED), leave)
                f.leave_unless(trial.decides(), leave)
                self.frames.fill(frame, trial.inner)
                words[NEXT] = 1
                end = f.smin(answers_of(frame), GLANCES)
                with f.loop(), f.block() as again:
                    f.leave_if(words[NEXT] >= end, leave)
                    given, at = self.frames.next_answer(frame, room, again, lambda: f.br(leave))
                    verdict = f.call(
                        "i64", "descend", f.context, trial.cells, words[PC], words[SEAT], given, at
                    )
                    f.leave_unless(verdict.eq(layout.YES), again)
                    found.set(layout.YES)
                    f.br(leave)
            trial.drop()
            f.ret(found.get())


def _pass_error_on(f: Function, inner: Words) -> None:
    """An error of a search becomes one of the run that searches."""
    for slot in (layout.ERROR, layout.ERROR_A, layout.ERROR_B):
        f.ctx[slot] = inner[slot]
