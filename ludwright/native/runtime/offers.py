"""What every decision has in common: stopping, drawing at random, what a search leaves of it."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.instructions.retreats import refuse, refused_at
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.random_answer import in_random_play
from ludwright.native.codegen.state.ticks import halt_wanted, note_error
from ludwright.native.runtime.best_memo import BestMemo
from ludwright.native.runtime.open_answers import (
    add_going_back,
    begin_part,
    opens,
    some_are_open,
)
from ludwright.program.limits import LONG_RANGE

_DECISION = layout.STOPS.index("decision")
_OFFER = ("i64 pc", "i64 count", "i64 seat", "i64 extra")
_TESTED = (*_OFFER, "i64 error", "i64 step")


class Publishing:
    """Writes the functions that choices call once they have listed their answers."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def write(self) -> None:
        self._stop_here()
        self._publish()
        if self.module.draws:
            self._publish_drawn()
        if self.module.searches:
            add_going_back(self.module)
            self._filtered()
            self._publish_open()
            self._publish_again()
            self._publish_tested()
            self._publish_finishable()
            self._try_silently()

    def _stop_here(self) -> None:
        """`stop_here`: the state waits for an answer."""
        params = ("i64 pc", "i64 count", "i64 seat")
        with self.module.helper("stop_here", "void", *params) as f:
            f.set_cell(ir.PC, f.param("pc"))
            f.ctx[layout.COUNT] = f.param("count")
            f.ctx[layout.STOP_SEAT] = f.param("seat")
            f.ctx[layout.STOP_KIND] = _DECISION
            f.ret()

    def _stop(self, f: Function, count: Operand) -> None:
        pc, seat = f.params("pc", "seat")
        f.call("void", "stop_here", f.state, f.context, pc, count, seat)
        f.ret(layout.STOP_NOW)

    def _publish(self) -> None:
        """`publish`: the number of the answer drawn in random play, or why the run ends here."""
        with self.module.helper("publish", "i64", *_OFFER) as f:
            f.set_cell(ir.PC, f.param("pc"))
            with f.if_(in_random_play(f), likely=True):
                self._arrive_safely(f)
                total = f.param("count") + self.extra(f)
                self.decided(f)
                f.ret(f.call("i64", "policy", f.context, total))
            self._stop(f, f.param("count"))

    def _publish_drawn(self) -> None:
        """`publish_drawn`: as `publish`, where random play has drawn an answer already."""
        with self.module.helper("publish_drawn", "i64", "i64 pc", "i64 seat") as f:
            f.set_cell(ir.PC, f.param("pc"))
            self._arrive_safely(f)
            self.decided(f)
            f.ret(0)

    # ---------------------------------------------------------- random play

    def _arrive_safely(self, f: Function) -> None:
        """Random play comes to a decision; it may have to end here. Nothing refuses any more what
        came before, so a part that is to be played again begins behind it."""
        if self.module.searches:
            f.ctx[layout.MARKED] = 0
        with f.if_(self._ends_here(f), likely=False):
            f.ctx[layout.STOP_KIND] = _DECISION
            f.ret(layout.STOP_NOW)

    def _ends_here(self, f: Function) -> Operand:
        """Whether random play is to end at the next decision."""
        return halt_wanted(f) | (f.ctx[layout.DECISIONS] >= f.ctx[layout.LIMIT])

    def _end_here(self, f: Function) -> None:
        """End where a later rule may refuse. A game that ends in the middle of a part must be one
        that can go on, so the answers before are tested now. So are those that can be given: if
        none of them can be finished, nobody may be asked, and play goes on."""
        with f.if_(some_are_open(f)):
            f.ret(layout.TEST_PART)
        self._stop_where_asked(f)

    def _stop_where_asked(self, f: Function) -> None:
        offer = f.params("pc", "count", "seat", "error")
        kept = f.call("i64", "filtered", f.state, f.context, *offer)
        with f.if_(kept < 0):
            f.ret(kept)
        self._stop(f, kept)

    def extra(self, f: Function) -> Operand:
        """1 if nothing, or an end of the picks, may be answered."""
        extra = f.param("extra")
        return f.select(
            extra.eq(layout.OPTIONAL), f.ctx[layout.DECLINE],
            f.select(extra.eq(layout.STOPPABLE), f.ctx[layout.CAN_STOP], 0),
        )  # fmt: skip

    def decided(self, f: Function) -> None:
        """A decision of random play begins a new run."""
        ctx = f.ctx
        ctx[layout.DECISIONS] = ctx[layout.DECISIONS] + 1
        opens = f.cell(ir.HEAD).ne(0) & f.cell(ir.ANSWERED).eq(0)
        ctx[layout.MOVES] = ctx[layout.MOVES] + opens.i64()
        ctx[layout.SEAT] = f.param("seat")
        ctx[layout.ENDED] = 0
        ctx[layout.TICKS_LEFT] = ctx[layout.TICKS]
        if self.module.searches:
            ctx[layout.UNSETTLED] = 0

    def _try_silently(self) -> None:
        """`try_silently`: whether to go on with the only thing on offer, which is not asked; or
        BROKEN. Random play goes on with it without a test, if it has not been refused."""
        with self.module.helper("try_silently", "i64", "i64 pc", "i64 seat") as f:
            with f.if_(in_random_play(f), likely=True):
                f.set_cell(ir.PC, f.param("pc"))
                begin_part(self.module, f)
                f.ctx[layout.REPLAYED] = 0
                with f.if_(opens(self.module, f, f.value(1)), likely=True):
                    level = f.ctx[layout.LEVEL]
                    f.ctx[layout.LEVEL] = level + 1
                    with f.if_(refused_at(f, level).ne(0), likely=False):
                        refuse(f, level, layout.EXHAUSTED)
                        f.ret(0)
                    f.ctx[layout.SEAT] = f.param("seat")
                    f.ctx[layout.ENDED] = 0
                    f.ret(1)
            f.ret(f.call("i64", "can_finish", f.state, f.context, *f.params("pc", "seat")))

    # ------------------------------------------------------ what is finishable

    def _filtered(self) -> None:
        """`filtered`: how many answers can be finished; 0 is a dead end."""
        params = ("i64 pc", "i64 count", "i64 seat", "i64 error")
        with self.module.helper("filtered", "i64", *params) as f:
            given = f.params("pc", "seat", "count")
            kept = f.call("i64", "keep_finishable", f.state, f.context, *given)
            f.ctx[layout.DEAD_END] = 0
            with f.if_(kept.ne(0), likely=True):
                f.ret(f.select(kept < 0, layout.FAILED, kept))
            self.leave_if_avoidable(f)
            f.ctx[layout.DEAD_END] = 1
            f.ret(0)

    def leave_if_avoidable(self, f: Function) -> None:
        """No answer can be finished. Go around the choice, or refuse; else it is a dead end.

        An `error` of -1 says that the choice has an `empty` target.
        """
        free = (f.ctx[layout.DECLINE] | f.ctx[layout.CAN_STOP]).ne(0)
        with f.if_(free | (f.param("error") < 0)):
            f.ret(layout.NOTHING_LEFT)
        seat = f.ctx[layout.SEAT]
        # A state found again (seat -2) is published whatever it holds.
        with f.if_((f.ctx[layout.ENDED].ne(0) | (seat < 0)) & seat.ne(-2)):
            note_error(f, f.context, f.param("error"))
            f.ret(layout.FAILED)

    def _publish_open(self) -> None:
        """`publish_open`: the number of an answer that random play gives without a test; LIST if
        it has to choose among the answers that are left, to test them, or to end here."""
        with self.module.helper("publish_open", "i64", "i64 pc", "i64 count", "i64 seat") as f:
            f.set_cell(ir.PC, f.param("pc"))
            begin_part(self.module, f)
            with f.if_(self._ends_here(f), likely=False):
                f.ret(layout.LIST)
            with f.if_(opens(self.module, f, f.param("count")), likely=True):
                level = f.ctx[layout.LEVEL]
                with f.if_(refused_at(f, level).eq(0), likely=True):
                    f.ctx[layout.REPLAYED] = 0
                    f.ctx[layout.LEVEL] = level + 1
                    self.decided(f)
                    f.ret(f.call("i64", "policy", f.context, f.param("count")))
            f.ret(layout.LIST)

    def _publish_again(self) -> None:
        """`publish_again`: the same where answers were refused, which are listed."""
        with self.module.helper("publish_again", "i64", *_TESTED) as f:
            f.attributes = "noinline nounwind"
            level = f.ctx[layout.LEVEL]
            f.ctx[layout.REPLAYED] = 0
            f.ctx[layout.LEVEL] = level + 1
            AnswerLeft(self, f, level).write()

    def _publish_tested(self) -> None:
        """`publish_tested`: random play tests the answer that it gives."""
        with self.module.helper("publish_tested", "i64", *_TESTED) as f:
            f.attributes = "noinline nounwind"
            f.ctx[layout.REPLAYED] = 0
            RandomAnswer(self, f, f.ctx[layout.LEVEL]).write()

    def _publish_finishable(self) -> None:
        """`publish_finishable`: as `publish`, where a later rule may refuse: only what can be
        finished is answered."""
        with self.module.helper("publish_finishable", "i64", *_TESTED) as f:
            count = f.param("count")
            f.set_cell(ir.PC, f.param("pc"))
            with f.if_(in_random_play(f), likely=True):
                given = (f.state, f.context, *f.params(*(name.split()[1] for name in _TESTED)))
                with f.if_(self.extra(f).eq(0), likely=True):
                    found = f.call(
                        "i64", "publish_open", f.state, f.context, *f.params("pc", "count", "seat")
                    )
                    with f.if_(found.ne(layout.LIST), likely=True):
                        f.ret(found)
                with f.else_():
                    begin_part(self.module, f)
                with f.if_(self._ends_here(f), likely=False):
                    self._end_here(f)
                with f.if_(self.extra(f).eq(0) & opens(self.module, f, count)):
                    f.ret(f.call("i64", "publish_again", *given))
                f.ret(f.call("i64", "publish_tested", *given))
            self._stop_where_asked(f)


class _Drawn:
    """An answer that random play draws from a list."""

    def __init__(self, publishing: Publishing, f: Function, level: Operand) -> None:
        self.publishing, self.module, self.f = publishing, publishing.module, f
        self.before = some_are_open(f) & (level > 0)  # whether there is an answer to go back to
        self.count, self.step, self.error = f.params("count", "step", "error")
        self.left = Var(f, init=self.count)  # answers that have not been refused
        self.extra = Var(f, init=publishing.extra(f))  # 1 while the extra answer has not
        self.policy = Var(f, init=f.ctx[layout.POLICY])
        self.memo: BestMemo | None = None

    def _list_range(self) -> None:
        f = self.f
        with f.if_(f.ctx[layout.RANGE].ne(0)), f.for_range(0, self.count) as at:
            f.store(f.ctx[layout.ANSWERS], at, f.ctx[layout.FIRST] + at)
        f.ctx[layout.RANGE] = 0

    def _drop(self, at: Operand) -> None:
        """The last answer takes the place of one that leads nowhere."""
        f, step, answers = self.f, self.step, self.f.ctx[layout.ANSWERS]
        self.left.add(-1)
        last = self.left.get()
        if self.memo is not None:
            self.memo.move(last, at)
        with f.for_range(0, step) as word:
            f.store(answers, at * step + word, f.load(answers, last * step + word))

    def _decide(self, answer: Operand, unsettled: Operand | None = None) -> None:
        """Give an answer; `unsettled` says whether a rule may refuse it at once."""
        self.publishing.decided(self.f)
        if unsettled is not None:
            self.f.ctx[layout.UNSETTLED] = unsettled
        self.f.ret(answer)

    def _nothing_found(self) -> None:
        f, extra, wanted = self.f, self.extra.get(), self.f.param("extra")
        f.ctx[layout.POLICY] = self.policy.get()  # nobody is asked, so nothing has been drawn
        with f.if_(extra.eq(0) & self.before & (self.error >= 0)):
            note_error(f, f.context, self.error)
            f.ret(layout.FAILED)
        # an extra answer that can be finished is given without asking
        f.ctx[layout.DECLINE] = f.select(wanted.eq(layout.OPTIONAL), extra, 0)
        f.ctx[layout.CAN_STOP] = f.select(wanted.eq(layout.STOPPABLE), extra, 0)
        self.publishing.leave_if_avoidable(f)
        f.ret(layout.TO_PART_START)


class AnswerLeft(_Drawn):
    """One of the answers that have not been refused: those are drawn once more, and dropped."""

    def __init__(self, publishing: Publishing, f: Function, level: Operand) -> None:
        super().__init__(publishing, f, level)
        self.level = level

    def write(self) -> None:
        f = self.f
        self._list_range()
        refused = Var(f, init=refused_at(f, self.level))
        with f.loop() as none:
            f.leave_if(self.left.get().eq(0), none)
            drawn = f.call("i64", "policy", f.context, self.left.get())
            with f.if_(refused.get().eq(0)):
                self._decide(drawn)
            self._drop(drawn)
            refused.add(-1)
        refuse(f, self.level, layout.EXHAUSTED)
        self._nothing_found()


class RandomAnswer(_Drawn):
    """An answer that random play tests before it goes on.

    It need not test all answers: it draws one, and another in its place as long as the one drawn
    leads nowhere. Each that can be finished is as likely as with a full list.
    """

    def __init__(self, publishing: Publishing, f: Function, level: Operand) -> None:
        super().__init__(publishing, f, level)
        self.verdict = Var(f)

    def write(self) -> None:
        f = self.f
        with f.block() as none:
            with f.if_(f.ctx[layout.RANGE].ne(0) & (self.count > LONG_RANGE)):
                with f.if_(some_are_open(f)):  # an answer from a long range tests none of them
                    f.ret(layout.TEST_PART)
                self._decide(f.call("i64", "policy", f.context, self.count), f.value(1))
            if self.module.has_best:
                self.memo = BestMemo(f)
            f.call("void", "begin_search", f.state, f.context, f.param("seat"))
            self._list_range()
            self._draw(none)
        self._nothing_found()

    def _draw(self, none: Label) -> None:
        f = self.f
        stops = f.param("extra").eq(layout.STOPPABLE)
        extra_kind = f.select(stops, layout.GIVEN_STOP, f.value(layout.GIVEN_DECLINE))
        drawn = Var(f)
        if not self.module.uses("draw_first"):
            with f.for_range(0, self.count) as at:
                self._finishes(at, layout.GIVEN_VALUE)
        with f.block() as taken, f.loop(), f.block() as again:
            total = self.left.get() + self.extra.get()
            f.leave_if(total.eq(0), none)
            drawn.set(f.call("i64", "policy", f.context, total))
            with f.if_(drawn.get() < self.left.get()):
                f.leave_if(self._finishes(drawn.get(), layout.GIVEN_VALUE), taken)
                self._drop(drawn.get())
                f.br(again)
            self.extra.set(self._finishes(f.value(0), extra_kind).i64())
            f.leave_if(self.extra.get().eq(0), again)
            # What alone is left is not asked, so there must be an answer as well.
            drawn.set(self.count)
            verdict = Var(f, init=self.verdict.get())
            with f.while_(lambda: self.left.get().ne(0)):
                some = self._finishes(self.left.get() - 1, layout.GIVEN_VALUE)
                self.verdict.set(verdict.get())
                f.leave_if(some, taken)
                self.left.add(-1)
            f.br(none)
        self._decide(drawn.get(), self.verdict.get().eq(layout.OPEN).i64())

    def _finishes(self, at: Operand, kind: Operand | int) -> Operand:
        """Whether an answer can be finished, or the budget leaves it open."""
        f = self.f
        with f.block() as known:
            if self.memo is not None:
                with f.if_(self.memo.known):
                    listed = f.value(kind).eq(layout.GIVEN_VALUE)
                    self.verdict.set(f.select(listed, self.memo.answer(at), self.memo.extra(kind)))
                    f.br(known)
            answer = f.gep(f.ctx[layout.ANSWERS], at * self.step)
            pc, seat = f.params("pc", "seat")
            found = f.call("i64", "judge", f.state, f.context, pc, seat, kind, answer)
            with f.if_(found < 0, likely=False):
                f.ret(layout.FAILED)
            self.verdict.set(found)
        return self.verdict.get().ne(layout.NO)
