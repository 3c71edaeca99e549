"""The search behind "what is offered can be finished", natively.

The same walk as `kernel.interpreter.legality`: depth first over the raw answers of one part, on
copies of the state, with a memo of the states seen and a budget of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.epochs import results_belong_to
from ludwright.native.codegen.state.facts import pass_facts_on
from ludwright.native.codegen.state.ticks import leave_if_halted
from ludwright.native.layout import Slot
from ludwright.native.runtime.best_memo import BestMemo
from ludwright.native.runtime.memo import add_hash, add_memo, remember, remembered
from ludwright.native.runtime.trial import Trials
from ludwright.native.runtime.walk import Walk
from ludwright.program.limits import GLANCE_BUDGET, LONG_RANGE

# Nodes that a search visits before it begins to remember states: most searches need far fewer.
_MEMO_FROM = 256
# Nodes that may be counted inexactly. Up to there a search finds the same, whatever it remembers;
# beyond it begins again and counts exactly. Until then a small memo suffices, which stays in the
# processor's cache.
_INEXACT = 1024
_INEXACT_BITS = (2 * _INEXACT - 1).bit_length()


class Completion(Walk):
    """Looks for any way to the end of the part."""

    def __init__(
        self, trials: Trials, f: Function, top: Var, broken: Label, verdict: Var, leave: Label
    ) -> None:
        super().__init__(trials, f, top, broken)
        self._verdict, self._leave = verdict, leave

    def _leave_with(self, verdict: int) -> None:
        self._verdict.set(verdict)
        self.f.br(self._leave)

    def visit(self) -> None:
        visit_node(self.f, self.broken, self._leave_with)

    def exhausted(self, frame: Operand, again: Label) -> None:
        f = self.f
        remember(frame, layout.NO)
        self.frames.pop(self.top)
        with f.if_(self.top.get().is_null()):
            self._leave_with(layout.NO)
        f.br(again)

    def entered(self, frame: Operand, found: Operand) -> None:
        f = self.f
        known = remembered(found)
        with f.if_(known.eq(layout.UNSEEN)):
            self.top.set(found)
        with f.else_():
            self.frames.drop(found)
            with f.if_(known.eq(layout.YES)):
                self._leave_with(layout.YES)

    def completed(self, frame: Operand, verdict: Operand) -> None:
        self._leave_with(layout.YES)


def visit_node(f: Function, broken: Label, leave_with: Callable[[int], None]) -> None:
    """Count a node; leaves with OPEN where the budget is spent, with RESTART where nodes have to be
    counted exactly from the start."""
    leave_if_halted(f, broken)
    nodes = f.ctx[layout.NODES]
    with f.if_(nodes >= f.ctx[layout.BUDGET]):
        leave_with(layout.OPEN)
    with f.if_(f.ctx[layout.EXACT_NODES].eq(0) & (nodes >= _INEXACT)):
        leave_with(layout.RESTART)
    f.ctx[layout.MEMO_ON] = f.ctx[layout.MEMO_ON] | (nodes >= _MEMO_FROM).i64()
    f.ctx[layout.NODES] = nodes + 1


def begin_walk(module: Module, f: Function) -> None:
    """As long as few nodes are visited, they are not counted exactly."""
    exact = (f.ctx[layout.BUDGET] < _INEXACT).i64()
    f.ctx[layout.EXACT_NODES] = exact if module.uses("inexact_nodes") else 1
    bits = f.ctx[layout.MEMO_BITS]
    f.ctx[layout.MEMO_USED] = f.select(f.ctx[layout.EXACT_NODES].ne(0), bits, _INEXACT_BITS)
    _begin_memo(f)


def begin_again(f: Function) -> None:
    """Begin the search anew, with an exact count of its nodes."""
    f.ctx[layout.MEMO_ON] = 1
    f.ctx[layout.EXACT_NODES] = 1
    f.ctx[layout.MEMO_USED] = f.ctx[layout.MEMO_BITS]
    _begin_memo(f)


def _begin_memo(f: Function) -> None:
    f.ctx[layout.NODES] = 0
    f.ctx[layout.MEMO_AGE] = f.ctx[layout.MEMO_AGE] + 1


class Search:
    """Writes the search for completions of one Program."""

    def __init__(self, trials: Trials) -> None:
        self.trials, self.frames, self.module = trials, trials.frames, trials.module

    def write(self) -> None:
        add_hash(self.module)
        add_memo(self.module)
        self.frames.write_release()
        self.trials.write()
        self._explore()
        self._begin_search()
        self._judge()
        self._can_finish()
        self._keep_finishable()

    def _explore(self) -> None:
        """`explore`: the verdict on one answer to a decision."""
        params = ("i64 pc", "i64 seat", "i64 given", "ptr answer")
        with self.module.helper("explore", "i64", *params) as f:
            top, verdict = Var(f, "ptr", f.null), Var(f)
            pc, seat, given, answer = f.params("pc", "seat", "given", "answer")
            with f.block() as leave:
                with f.block() as broken:
                    walk = Completion(self.trials, f, top, broken, verdict, leave)
                    self._glance(f, walk)
                    first, found = self.trials.attempt(f, f.state, pc, seat, given, answer, f.null)
                    f.leave_if(first.eq(layout.BROKEN), broken)
                    verdict.set(first)
                    f.leave_unless(first.eq(layout.WAITS), leave)
                    verdict.set(layout.NO)
                    walk.entered(f.null, found)
                    f.leave_if(top.get().is_null(), leave)
                    walk.write()
                verdict.set(layout.BROKEN)
            # what is left of the frames is given back
            with f.while_(lambda: ~top.get().is_null()):
                with f.if_(verdict.get().eq(layout.YES)):
                    remember(top.get(), layout.YES)
                self.frames.pop(top)
            f.ret(verdict.get())

    def _glance(self, f: Function, walk: Completion) -> None:
        """Try the first ways first; what is found there costs no nodes.

        This relies on the interpreter glancing in the same way. (A count wants every way.)
        """
        glanced = Var(f, init=layout.UNSEEN)
        if self.trials.glances:
            with f.if_(f.ctx[layout.BUDGET] >= GLANCE_BUDGET):
                given = f.params("pc", "seat", "given", "answer")
                glanced.set(f.call("i64", "glance", f.context, f.state, *given))
                with f.if_(glanced.get().eq(layout.YES)):
                    walk.completed(f.null, glanced.get())
        walk.visit()
        with f.if_(glanced.get().eq(layout.NO)):
            f.ret(layout.NO)

    # ------------------------------------------------------------- questions

    def _begin(self, f: Function) -> None:
        begin_walk(self.module, f)
        f.ctx[layout.MEMO_ON] = f.ctx[layout.EXACT_NODES] if self.module.uses("late_memo") else 1
        inner = Words(f.ctx[layout.SEARCH])
        inner[layout.MODE] = layout.COMPLETION
        inner[layout.SEAT] = f.param("seat")
        inner[layout.TICKS] = f.ctx[layout.TICKS]
        results_belong_to(self.module, inner, f.null)
        pass_facts_on(self.module, inner, f.state, f.state)

    def _begin_search(self) -> None:
        with self.module.helper("begin_search", "void", "i64 seat") as f:
            self._begin(f)
            f.ret()

    def _judge(self) -> None:
        """`judge`: the verdict on one answer, in a search that has begun."""
        params = ("i64 pc", "i64 seat", "i64 given", "ptr answer")
        with self.module.helper("judge", "i64", *params) as f:
            given = f.params("pc", "seat", "given", "answer")
            with f.loop():
                verdict = f.call("i64", "explore", f.state, f.context, *given)
                with f.if_(verdict.ne(layout.RESTART)):
                    f.ret(verdict)
                begin_again(f)

    def _can_finish(self) -> None:
        """`can_finish`: whether the only answer of a silent offer can be finished."""
        with self.module.helper("can_finish", "i64", "i64 pc", "i64 seat") as f:
            self._begin(f)
            silent = layout.GIVEN_VALUE | 1 << layout.GIVEN_SILENT_BIT
            pc, seat, answer = *f.params("pc", "seat"), f.ctx[layout.ANSWERS]
            f.ret(f.call("i64", "judge", f.state, f.context, pc, seat, silent, answer))

    def _keep_finishable(self) -> None:
        """`keep_finishable`: drop the answers that lead nowhere; how many are left, or BROKEN."""
        params = ("i64 pc", "i64 seat", "i64 count")
        with self.module.helper("keep_finishable", "i64", *params) as f:
            pc, count = f.params("pc", "count")
            answers, ranged = f.ctx[layout.ANSWERS], f.ctx[layout.RANGE].ne(0)
            f.ctx[layout.UNKNOWN] = 0
            with f.if_(ranged & (count > LONG_RANGE)):
                f.ctx[layout.UNKNOWN] = 1
                f.ret(count)
            step = self.frames.step(pc)
            with f.if_(ranged), f.for_range(0, count) as at:
                f.store(answers, at, f.ctx[layout.FIRST] + at)
            extras = (
                (layout.DECLINE, layout.GIVEN_DECLINE, Var(f)),
                (layout.CAN_STOP, layout.GIVEN_STOP, Var(f)),
            )
            with f.block() as judged:
                if self.frames.value_words:
                    BestMemo(f).mark(count, extras, judged)
                self._begin(f)
                self._judge_all(f, count, step, extras)
            for slot, _, kept in extras:
                f.ctx[slot] = kept.get()
            left = _compacted(f, count, step)
            whole = ranged & left.eq(count) & f.ctx[layout.UNKNOWN].eq(0)
            f.ctx[layout.RANGE] = whole.i64()
            f.ret(left)

    def _judge_all(
        self, f: Function, count: Operand, step: Operand,
        extras: Sequence[tuple[Slot, int, Var]],
    ) -> None:  # fmt: skip
        """Mark every answer with its verdict. A search that grows long begins again with all."""
        answers, marks = f.ctx[layout.ANSWERS], f.ctx[layout.MARKS]
        with f.loop() as judged:
            with f.block() as anew:

                def verdict_on(kind: int, answer: Operand) -> Operand:
                    pc, seat = f.params("pc", "seat")
                    verdict = f.call("i64", "explore", f.state, f.context, pc, seat, kind, answer)
                    with f.if_(verdict.eq(layout.BROKEN)):
                        f.ret(layout.BROKEN)
                    f.leave_if(verdict.eq(layout.RESTART), anew)
                    return verdict

                with f.for_range(0, count) as at:
                    verdict = verdict_on(layout.GIVEN_VALUE, f.gep(answers, at * step))
                    f.store(marks, at, verdict, "i8")
                for slot, kind, kept in extras:
                    kept.set(0)
                    with f.if_(f.ctx[slot].ne(0)):
                        kept.set(verdict_on(kind, answers).ne(layout.NO).i64())
                f.br(judged)
            begin_again(f)


def _compacted(f: Function, count: Operand, step: Operand) -> Operand:
    """Move the answers that are left together; their marks become 1 where they are open."""
    answers, marks = f.ctx[layout.ANSWERS], f.ctx[layout.MARKS]
    kept, unknown = Var(f, init=0), Var(f, init=0)
    with f.for_range(0, count) as at:
        verdict = f.load(marks, at, "i8")
        with f.if_(verdict.ne(layout.NO)):
            is_open = verdict.eq(layout.OPEN).i64()
            f.store(marks, kept.get(), is_open, "i8")
            unknown.add(is_open)
            with f.if_(kept.get().ne(at)), f.for_range(0, step) as word:
                f.store(answers, kept.get() * step + word, f.load(answers, at * step + word))
            kept.add(1)
    f.ctx[layout.UNKNOWN] = unknown.get()
    return kept.get()
