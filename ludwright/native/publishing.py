"""What every decision has in common: stopping, drawing at random, what a search leaves of it."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import BODY_PARAMS, Module
from ludwright.native.options import LONG_RANGE
from ludwright.native.recalling import Recalled

OPTIONAL, STOPPABLE = 1, 2  # what may be answered besides the options
STOP_NOW, BACK = -1, -5  # instead of a drawn answer; BACK: to the start of the part
FAILED, NOTHING_LEFT = layout.FAILED, -2  # nothing can be finished, but there is a way around
RETRIES = 100

_DECISION = layout.STOPS.index("decision")


def end_part(f: F, barrier: int) -> None:
    """What happened cannot be taken back."""
    before = f.ctx(layout.ENDED)
    f.set_ctx(layout.ENDED, f.select(before.eq(0), barrier, before))


class Publishing:
    """Writes those helpers."""

    def __init__(self, module: Module, searches: bool) -> None:
        self.module = module
        self.searches = searches

    def write(self) -> None:
        self._stop_here()
        self._publish()
        if self.searches:
            self._filtered()
            self._publish_finishable()
            self._try_silently()

    def _function(self, name: str, result: str, *params: str) -> F:
        told = tuple(("i64", param) for param in params)
        return F(name, result, (*BODY_PARAMS, *told), self.module.errors, on_fail="unreachable")

    def _stop_here(self) -> None:
        f = self._function("stop_here", "void", "pc", "count", "seat")
        f.set_cell(ir.PC, f.param("pc"))
        f.set_ctx(layout.COUNT, f.param("count"))
        f.set_ctx(layout.STOP_SEAT, f.param("seat"))
        f.set_ctx(layout.STOP_KIND, _DECISION)
        f.end("ret void")
        self.module.add(f)

    def _publish(self) -> None:
        """The number of the answer drawn in random play, or why the run ends here."""
        f = self._function("publish", "i64", "pc", "count", "seat", "extra")
        seat, count = f.param("seat"), f.param("count")
        f.set_cell(ir.PC, f.param("pc"))
        wait, play = f.label(), f.label()
        random = f.ctx(layout.MODE).eq(layout.RANDOM)
        f.branch(random, play, wait, likely=True)
        f.place(wait)
        f.call("void", "stop_here", f.state, f.context, f.param("pc"), count, seat)
        f.ret(STOP_NOW)
        f.place(play)
        self._arrive(f)
        total = count + self._besides(f)
        self._decided(f, f.value(layout.SURE))
        f.ret(f.emit(f"call i64 @policy(ptr %ctx, i64 {total.text})"))
        self.module.add(f)

    def _arrive(self, f: F) -> V:
        """Random play comes to a decision; it may have to end here. Whether a part begins."""
        begins = self._mark_part(f) if self.searches else V(f, "false", "i1")
        halted, going = f.label(), f.label()
        stop = f.emit(f"load volatile i64, ptr {f.ctx_ptr(layout.HALT).text}")
        enough = f.ctx(layout.DECISIONS) >= f.ctx(layout.LIMIT)
        f.branch(enough | stop.ne(0), halted, going, likely=False)
        f.place(halted)
        f.set_ctx(layout.STOP_KIND, _DECISION)
        f.ret(STOP_NOW)
        f.place(going)
        return begins

    def _besides(self, f: F) -> V:
        """1 if nothing, or an end of the picks, may be answered."""
        extra = f.param("extra")
        return f.select(
            extra.eq(OPTIONAL), f.ctx(layout.DECLINE),
            f.select(extra.eq(STOPPABLE), f.ctx(layout.CAN_STOP), 0),
        )  # fmt: skip

    def _decided(self, f: F, trust: V) -> None:
        """A decision of random play begins a new run."""
        if self.searches:
            f.set_ctx(layout.TRUST, trust)
        f.set_ctx(layout.DECISIONS, f.ctx(layout.DECISIONS) + 1)
        opens = f.cell(ir.HEAD).ne(0) & f.cell(ir.ANSWERED).eq(0)
        f.set_ctx(layout.MOVES, f.ctx(layout.MOVES) + opens.i64())
        f.set_ctx(layout.SEAT, f.param("seat"))
        f.set_ctx(layout.ENDED, 0)
        f.set_ctx(layout.TICKS_LEFT, f.ctx(layout.TICKS))

    def _mark_part(self, f: F) -> V:
        """Remember where a part began: a dead end returns there. Whether it is here."""
        begins = f.ctx(layout.ENDED).ne(0) | f.ctx(layout.MARKED).eq(0)
        with f.if_(begins):
            f.copy(f.ctx_ptr(layout.PART), f.state, 4 * self.module.program.cells)
            f.set_ctx(layout.PART_DECISIONS, f.ctx(layout.DECISIONS))
            f.set_ctx(layout.PART_MOVES, f.ctx(layout.MOVES))
            f.set_ctx(layout.PART_ENDED, f.ctx(layout.ENDED))
            f.set_ctx(layout.PART_SEAT, f.ctx(layout.SEAT))
            f.set_ctx(layout.PART_TICKS, f.ctx(layout.TICKS_LEFT))
            f.set_ctx(layout.TRIES, 0)
            f.set_ctx(layout.MARKED, 1)
            trust = f.ctx(layout.TRUST)
            known = trust.eq(layout.IN_VAIN)
            f.set_ctx(layout.TRUST, f.select(known, trust, layout.UNSURE))
        return begins

    def _try_silently(self) -> None:
        """Whether to go on with the only thing on offer, which is not asked; or BROKEN.

        Random play goes on with it. If that leads nowhere, it comes back to here. In the middle of
        a part it does so only where there is no way `around` the choice.
        """
        f = self._function("try_silently", "i64", "pc", "seat", "around")
        test, play, fresh, known = (f.label() for _ in range(4))
        f.branch(f.ctx(layout.MODE).eq(layout.RANDOM), play, test, likely=True)
        f.place(play)
        trust = f.ctx(layout.TRUST)
        with f.if_(trust.eq(layout.IN_VAIN), likely=False):
            f.set_ctx(layout.TRUST, layout.UNSURE)
            f.ret(0)
            f.place(f.label())
        begins = f.ctx(layout.ENDED).ne(0) | f.ctx(layout.MARKED).eq(0)
        f.branch(begins, fresh, known)
        f.place(fresh)
        f.set_cell(ir.PC, f.param("pc"))
        self._mark_part(f)
        f.set_ctx(layout.SEAT, f.param("seat"))
        f.set_ctx(layout.ENDED, 0)
        f.set_ctx(layout.TRUST, layout.TRYING)
        f.ret(1)
        f.place(known)
        f.leave_if(trust.eq(layout.UNSURE) | f.param("around").ne(0), test)
        f.ret(1)
        f.place(test)
        told = (f.param("pc"), f.param("seat"))
        f.ret(f.call("i64", "can_finish", f.state, f.context, *told))
        self.module.add(f)

    def _filtered(self) -> None:
        """How many answers can be finished; 0 is a dead end."""
        f = self._function("filtered", "i64", "pc", "count", "seat", "error")
        kept = f.call(
            "i64", "keep_finishable", f.state, f.context, f.param("pc"), f.param("seat"),
            f.param("count"),
        )  # fmt: skip
        f.set_ctx(layout.DEAD_END, 0)
        empty, some = f.label(), f.label()
        f.branch(kept.eq(0), empty, some, likely=False)
        f.place(some)
        f.ret(f.select(kept < 0, FAILED, kept))
        f.place(empty)
        self._empty(f)
        f.set_ctx(layout.DEAD_END, 1)
        f.ret(0)
        self.module.add(f)

    def _empty(self, f: F) -> None:
        """No answer can be finished: around it, a refusal, or (what follows) a dead end.

        An `error` of -1 says that the choice names where to go then.
        """
        free = (f.ctx(layout.DECLINE) | f.ctx(layout.CAN_STOP)).ne(0)
        around, stuck, refuse, dead = f.label(), f.label(), f.label(), f.label()
        f.branch(free | (f.param("error") < 0), around, stuck)
        f.place(around)
        f.ret(NOTHING_LEFT)
        f.place(stuck)
        seat = f.ctx(layout.SEAT)
        # A state found again (seat -2) is published whatever it holds.
        late = (f.ctx(layout.ENDED).ne(0) | (seat < 0)) & seat.ne(-2)
        f.branch(late, refuse, dead)
        f.place(refuse)
        f.call("void", "fail", f.context, f.param("error"), f.value(0), f.value(0))
        f.ret(FAILED)
        f.place(dead)

    def _publish_finishable(self) -> None:
        """As `publish`, where a later rule may refuse: only what can be finished is answered.

        Random play need not test all answers: it draws one, and another in its place as long as
        the one drawn leads nowhere. Each that can be finished is as likely as with a full list.
        An only answer is taken without a test: in the middle of a part it must be right, and at
        its start random play can come back (see `layout.TRUST`).
        """
        f = self._function(
            "publish_finishable", "i64", "pc", "count", "seat", "extra", "error", "step"
        )  # fmt: skip
        seat, count = f.param("seat"), f.param("count")
        f.set_cell(ir.PC, f.param("pc"))
        wait, play = f.label(), f.label()
        f.branch(f.ctx(layout.MODE).eq(layout.RANDOM), play, wait, likely=True)
        f.place(wait)
        told = (f.param(name) for name in ("pc", "count", "seat", "error"))
        self._stop_if_proven(f, count)
        kept = f.call("i64", "filtered", f.state, f.context, *told)
        with f.if_(kept < 0):
            f.ret(kept)
            f.place(f.label())
        f.call("void", "stop_here", f.state, f.context, f.param("pc"), kept, seat)
        f.ret(STOP_NOW)
        f.place(play)
        self._draw_finishable(f, self._arrive(f), count, f.param("step"))
        self.module.add(f)

    def _stop_if_proven(self, f: F, count: V) -> None:
        """In the middle of a part that can be finished, an only answer must be right.

        (Not where the choice names where to go without one: the way there may be meant.)
        """
        only = (count + f.ctx(layout.DECLINE) + f.ctx(layout.CAN_STOP)).eq(1)
        proven = f.ctx(layout.PROVEN).ne(0) & f.ctx(layout.ENDED).eq(0)
        with f.if_(only & proven & (f.param("error") >= 0)):
            f.call("void", "stop_here", f.state, f.context, f.param("pc"), count, f.param("seat"))
            f.ret(STOP_NOW)
            f.place(f.label())

    def _draw_finishable(self, f: F, begins: V, count: V, step: V) -> None:
        answers = f.ctx_ptr(layout.ANSWERS)
        ranged = f.ctx(layout.RANGE).ne(0)
        left, more = Var(f, init=count), Var(f, init=self._besides(f))
        taken, none, draw = f.label(), f.label(), f.label()
        trust = f.ctx(layout.TRUST)
        with f.if_(trust.eq(layout.IN_VAIN), likely=False):
            f.set_ctx(layout.TRUST, layout.UNSURE)
            more.set(0)
            f.br(none)
            f.place(f.label())
        only, several, trusted = f.label(), f.label(), f.label()
        f.branch((count + more.get()).eq(1), only, several)
        f.place(only)
        # in the middle of a part, the way around a choice may be the one that can be finished
        sure = trust.eq(layout.SURE)
        whole = f.param("error") >= 0
        f.branch(begins | (whole & (sure | trust.eq(layout.TRYING))), trusted, draw)
        f.place(trusted)
        self._decided(f, f.select(sure, layout.SURE, layout.TRYING))
        f.ret(0)
        f.place(several)
        long = f.label()
        f.branch(ranged & (count > LONG_RANGE), long, draw)
        f.place(long)
        self._decided(f, f.value(layout.UNSURE))
        f.ret(f.emit(f"call i64 @policy(ptr %ctx, i64 {count.text})"))
        f.place(draw)
        recalled = Recalled(f) if self.module.has_best else None
        f.call("void", "begin_search", f.state, f.context, f.param("seat"))
        with f.if_(ranged), f.count(0, count) as at:
            f.store(answers, at, f.ctx(layout.FIRST) + at)
        f.set_ctx(layout.RANGE, 0)
        other = f.select(f.param("extra").eq(STOPPABLE), layout.GIVEN_STOP, layout.GIVEN_DECLINE)
        verdict = Var(f)

        def finishes(at: V, kind: V | int) -> V:
            """Whether an answer can be finished, or the budget leaves it open."""
            told = f.label()
            if recalled is not None:
                recalled.tell(verdict, at, f.value(kind), told)
            found = f.call(
                "i64", "asked", f.state, f.context, f.param("pc"), f.param("seat"),
                f.value(kind), f.gep(answers, at * step),
            )  # fmt: skip
            with f.if_(found < 0, likely=False):
                f.ret(FAILED)
                f.place(f.label())
            verdict.set(found)
            f.place(told)
            return verdict.get().ne(0)

        def drop(at: V) -> None:
            left.add(-1)
            if recalled is not None:
                recalled.move(left.get(), at)
            with f.count(0, step) as word:
                f.store(answers, at * step + word, f.load(answers, left.get() * step + word))

        with f.loop() as (again, _):
            total = left.get() + more.get()
            f.leave_if(total.eq(0), none)
            drawn = Var(f, init=f.emit(f"call i64 @policy(ptr %ctx, i64 {total.text})"))
            listed, besides = f.label(), f.label()
            f.branch(drawn.get() < left.get(), listed, besides)
            f.place(listed)
            f.leave_if(finishes(drawn.get(), layout.GIVEN_VALUE), taken)
            drop(drawn.get())
            f.br(again)
            f.place(besides)
            more.set(finishes(f.value(0), other).i64())
            f.leave_if(more.get().eq(0), again)
            # What alone is left is not asked, so there must be an answer as well.
            drawn.set(count)
            open_ = Var(f, init=verdict.get())
            with f.loop() as (_, lonely):
                f.leave_if(left.get().eq(0), lonely)
                good = finishes(left.get() - 1, layout.GIVEN_VALUE)
                verdict.set(open_.get())
                f.leave_if(good, taken)
                left.add(-1)
            f.br(none)
            f.place(f.label())
        f.place(taken)
        surely = verdict.get().eq(1)  # and not left open
        self._decided(f, f.select(surely, layout.SURE, layout.UNSURE))
        f.ret(drawn.get())
        f.place(none)
        vain = f.ctx(layout.TRUST).eq(layout.TRYING) & (f.param("error") >= 0)
        with f.if_(vain & more.get().eq(0), likely=False):
            f.set_ctx(layout.TRUST, layout.IN_VAIN)
            f.ret(BACK)
            f.place(f.label())
        # what may be answered besides, and can be finished, is done without asking
        extra = f.param("extra")
        f.set_ctx(layout.DECLINE, f.select(extra.eq(OPTIONAL), more.get(), 0))
        f.set_ctx(layout.CAN_STOP, f.select(extra.eq(STOPPABLE), more.get(), 0))
        self._empty(f)
        f.ret(BACK)
