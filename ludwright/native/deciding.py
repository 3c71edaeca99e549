"""The `Choose` instruction inside the native program: offer, wait or draw, store the answer.

Four labels per choice: `arrive` (the instruction), `offer` (what can be answered now), `apply`
(an answer has been given) and, where a search passes through, `raw`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright.kernel import program as ir
from ludwright.kernel.choosing import nothing_to_choose
from ludwright.native import layout
from ludwright.native.builder import V, Var
from ludwright.native.eventing import CHOSE, PICKED
from ludwright.native.expressions import Body
from ludwright.native.frames import BROKEN
from ludwright.native.interface import is_range
from ludwright.native.module import RESULT, Module
from ludwright.native.options import answer_shape, has_name, view_name
from ludwright.native.publishing import NOTHING_LEFT, OPTIONAL, STOPPABLE
from ludwright.native.shapes import Int, of_type
from ludwright.native.values import Value, Wide

if TYPE_CHECKING:
    from ludwright.native.running import Running

_END_DECISION = layout.BARRIERS.index("decision")


class Deciding:
    """Writes the choices of one Program into its run function."""

    def __init__(self, module: Module, run: Running) -> None:
        self.module = module
        self.program = module.program
        self.run = run
        self.body: Body = run.body
        self.f = run.f
        self.searches = (
            run.has_best
            or module.settling is not None  # a count follows every way, as a search does
            or any(self.needs_search(choice) for choice in self.program.choices)
        )

    def needs_search(self, choice: ir.Choice) -> bool:
        return not choice.safe and not choice.together

    def label(self, kind: str, pc: int) -> str:
        return f"{kind}.{pc}"

    def call(self, name: str, seat: V) -> V:
        """A function that lists answers, or fails."""
        f = self.f
        pair = f.emit(f"call {RESULT} @{name}(ptr %state, ptr %ctx, i64 {seat.text})", RESULT)
        good = f.label()
        failed = f.emit(f"extractvalue {RESULT} {pair.text}, 1", "i1")
        f.branch(failed, f.passed_on(), good, likely=False)
        f.place(good)
        return f.emit(f"extractvalue {RESULT} {pair.text}, 0")

    # ------------------------------------------------------------ arriving

    def choose(self, pc: int, number: int) -> None:
        f, choice = self.f, self.program.choices[number]
        width = choice.result_type.width
        if choice.result < self.program.cells:
            count = width * (len(self.program.world.seats) if choice.together else 1)
            self.run.clear(choice.result, count)
        if choice.together:
            f.set_cell(choice.answered, 0)
        f.place(self.label("offer", pc))
        if pc + 1 in self.module.kept.changed:
            self.module.kept.next_epoch(f)
        self.run.settle_log()
        if choice.together:
            self._offer_sealed(pc, number, choice)
        else:
            self._offer(pc, number, choice)
        f.place(self.label("apply", pc))
        self._apply(pc, choice)

    def _offer(self, pc: int, number: int, choice: ir.Choice) -> None:
        f, run = self.f, self.run
        seat = self.body.num(choice.by)
        error = f.errors.fault("none", choice.site, "nobody is there to decide")
        f.check(seat >= 0, error)
        run.seat.set(seat)
        nothing = f.label()
        if self.searches:
            raw, real = f.label(), f.label()
            f.branch(f.ctx(layout.MODE).eq(layout.SEARCHING), raw, real)
            f.place(raw)
            self._offer_raw(pc, number, choice, nothing)
            f.place(real)
        # Another seat's decision is a barrier even where it has nothing to choose from.
        with f.if_(seat.ne(f.ctx(layout.SEAT))):
            run.end_part(_END_DECISION)
        count = Var(f, init=self.call(view_name(number), seat))
        if choice.kind != "many":
            f.set_ctx(layout.DECLINE, int(choice.optional))
            f.set_ctx(layout.CAN_STOP, 0)
        f.leave_if(count.get().eq(0), nothing)
        if choice.silent:
            self._silent(pc, choice, nothing)
        else:
            self._publish(pc, choice, count.get(), nothing)
        f.place(nothing)
        self._nothing(pc, choice)

    def _offer_raw(self, pc: int, number: int, choice: ir.Choice, nothing: str) -> None:
        """In a search: no search inside, and another seat's decision ends the part."""
        f, run = self.f, self.run
        seat = run.seat.get()
        best = f.ctx(layout.BEST).ne(0) if run.has_best else V(f, "false", "i1")
        every = best | run.counting()
        here, look = f.label(), f.label()
        f.branch(best | seat.eq(f.ctx(layout.SEAT)), here, run.complete)
        f.place(here)
        if choice.safe and choice.kind != "many":
            ask = f.label()
            f.branch(every, look, ask)
            f.place(ask)
            f.branch(self.call(has_name(number), seat).ne(0), run.complete, look)
        f.place(look)
        count = self.call(view_name(number), seat)
        if choice.kind != "many":
            f.set_ctx(layout.DECLINE, int(choice.optional))
            f.set_ctx(layout.CAN_STOP, 0)
        if run.has_best:
            # Another seat's decision ends a part even where it has nothing to choose from, but not
            # a search for the best: what that finds says nothing about parts.
            decider = f.ctx(layout.BLOCK_SEAT)
            other = best & (decider >= 0) & decider.ne(seat)
            f.set_ctx(layout.SPOILED, f.ctx(layout.SPOILED) | other.i64())
        f.leave_if(count.eq(0), nothing)
        if choice.safe:
            wait = f.label()
            f.branch(every, wait, run.complete)
            f.place(wait)
        f.call("void", "stop_here", f.state, f.context, f.value(pc), count, seat)
        f.ret(layout.STOPPED)

    def _silent(self, pc: int, choice: ir.Choice, nothing: str) -> None:
        """An offer with one thing in it: only tested, not asked."""
        f, run = self.f, self.run
        if self.needs_search(choice):
            around = f.value(int(choice.empty is not None))
            told = (f.value(pc), run.seat.get(), around)
            verdict = f.call("i64", "try_silently", f.state, f.context, *told)
            self._leave_if_failed(verdict)
            f.leave_if(verdict.eq(0), nothing)
        self._store_label(choice, f.load(f.ctx_ptr(layout.ANSWERS)))
        run.goto(pc + 1)

    def _leave_if_failed(self, verdict: V) -> None:
        """A search that met a fault has noted it."""
        f = self.f
        fine = f.label()
        f.branch(verdict.eq(BROKEN), f.passed_on(), fine, likely=False)
        f.place(fine)

    # ---------------------------------------------------- waiting, drawing

    def _publish(self, pc: int, choice: ir.Choice, count: V, nothing: str) -> None:
        """Stop here; in random play draw an answer and go on at once."""
        f, run = self.f, self.run
        step = answer_shape(self.module, choice).words
        extra = 0
        if choice.kind == "many":
            extra = STOPPABLE
        elif choice.optional:
            extra = OPTIONAL
        told = (f.value(pc), count, run.seat.get(), f.value(extra))
        if self.needs_search(choice):
            error = f.errors.refusal(
                choice.site, "no-option", "nothing that is offered can be done"
            )
            known = f.value(error if choice.empty is None else -1)
            name = "publish_finishable"
            picked = f.call("i64", name, f.state, f.context, *told, known, f.value(step))
            f.leave_if(picked.eq(NOTHING_LEFT), nothing)
        else:
            picked = f.call("i64", "publish", f.state, f.context, *told)
        going = f.label()
        f.branch(picked < 0, run.leave(picked), going)
        f.place(going)
        given = layout.GIVEN_STOP if choice.kind == "many" else layout.GIVEN_DECLINE
        run.given.set(f.select(picked < count, layout.GIVEN_VALUE, given))
        if is_range(choice):
            run.answer.set(self._ranged(picked, choice))
        elif step == 1:
            run.answer.set(f.load(f.ctx_ptr(layout.ANSWERS), picked))
        else:
            run.answer_at.set(f.gep(f.ctx_ptr(layout.ANSWERS), picked * step))
        f.br(self.label("apply", pc))

    def _ranged(self, picked: V, choice: ir.Choice) -> V:
        """An answer of a range; a search may have made a list of it."""
        f = self.f
        value = picked + f.ctx(layout.FIRST)
        if not self.needs_search(choice):
            return value
        listed = f.load(f.ctx_ptr(layout.ANSWERS), picked)
        return f.select(f.ctx(layout.RANGE).ne(0), value, listed)

    # ------------------------------------------------- nothing to choose

    def _nothing(self, pc: int, choice: ir.Choice) -> None:
        f, run = self.f, self.run
        if choice.kind == "many":
            done, more = f.label(), f.label()
            f.branch(f.ctx(layout.CAN_STOP).ne(0), done, more)
            f.place(done)
            self._picks_are_complete(pc, choice, run.seat.get())
            run.goto(pc + 1)
            f.place(more)
        elif choice.optional:
            decline, more = f.label(), f.label()
            f.branch(f.ctx(layout.DECLINE).ne(0), decline, more)
            f.place(decline)
            self._store_value(choice, None, f.value(choice.result))
            run.goto(pc + 1)
            f.place(more)
        if choice.empty is not None:
            run.goto(choice.empty)
            return
        reason = nothing_to_choose(choice)
        error = f.errors.refusal(choice.site, "no-option", reason)
        f.br(f.fail(error))

    # ------------------------------------------------------------- sealed

    def _offer_sealed(self, pc: int, number: int, choice: ir.Choice) -> None:
        f, run, body = self.f, self.run, self.body
        if self.searches:
            real = f.label()
            f.branch(f.ctx(layout.MODE).eq(layout.SEARCHING), run.complete, real)
            f.place(real)
        run.end_part(_END_DECISION)
        pending, first = Var(f, init=0), Var(f, init=-1)

        def each(value: Value) -> None:
            seat = body.number(value).i64()
            skip, some, none = f.label(), f.label(), f.label()
            bit = f.value(1) << seat
            f.leave_if((f.cell(choice.answered) & bit).ne(0), skip)
            if pc + 1 in self.module.kept.changed:
                self.module.kept.next_epoch(f)
            if choice.kind != "many":
                f.set_ctx(layout.DECLINE, int(choice.optional))
                f.set_ctx(layout.CAN_STOP, 0)
            count = self.call(view_name(number), seat)
            f.branch(count.ne(0), some, none)
            f.place(some)
            pending.set(pending.get() | bit)
            first.set(f.select(first.get() < 0, seat, first.get()))
            f.br(skip)
            f.place(none)
            free = (f.ctx(layout.CAN_STOP) | f.ctx(layout.DECLINE)).ne(0)
            reason = f"nothing to choose for `{choice.name}`"
            f.check(free, f.errors.refusal(choice.site, "no-option", reason))
            if choice.kind == "many":
                self._picks_are_complete(pc, choice, seat)
            else:
                self._store_value(choice, None, self._address(choice, seat))
            f.set_cell(choice.answered, f.cell(choice.answered) | bit)
            f.place(skip)

        body._members(body.num(choice.by), f.value(0), each)
        some, none = f.label(), f.label()
        f.branch(first.get() >= 0, some, none)
        f.place(none)
        f.set_cell(choice.answered, 0)
        f.set_cell(ir.ANSWERED, f.cell(ir.HEAD).ne(0).i64())
        run.goto(pc + 1)
        f.place(some)
        run.settle_log()
        run.seat.set(first.get())
        f.set_ctx(layout.PENDING, pending.get())
        count = self.call(view_name(number), first.get())
        if choice.kind != "many":
            f.set_ctx(layout.DECLINE, int(choice.optional))
            f.set_ctx(layout.CAN_STOP, 0)
        self._publish(pc, choice, count, f.label())

    def _address(self, choice: ir.Choice, seat: V) -> V:
        if choice.together:
            return seat * choice.result_type.width + choice.result
        return self.f.value(choice.result)

    # ---------------------------------------------------------- answering

    def _apply(self, pc: int, choice: ir.Choice) -> None:
        """Store the answer in `run.answer` (or at `run.answer_at`); `run.given` says which kind."""
        f, run = self.f, self.run
        if not choice.together:
            answered = f.cell(ir.HEAD).ne(0).i64()
            answered = answered & (run.silently.get() ^ 1) if self.searches else answered
            f.set_cell(ir.ANSWERED, f.cell(ir.ANSWERED) | answered)
        if choice.kind == "many":
            self._apply_pick(pc, choice)
            return
        given = f.label()
        decline, done = f.label(), f.label()
        if choice.optional:
            f.branch(run.given.get().eq(layout.GIVEN_DECLINE), decline, given)
            f.place(decline)
            self._store_value(choice, None, self._address(choice, run.seat.get()))
            f.br(done)
        f.place(given)
        if choice.kind == "labels":
            self._store_label(choice, run.answer.get())
        else:
            shape = answer_shape(self.module, choice)
            value: Value = run.answer.get()
            if not isinstance(shape, Int):
                value = Wide(run.answer_at.get(), shape)
            self._store_value(choice, value, self._address(choice, run.seat.get()))
        f.place(done)
        told = run.silently.get() ^ 1 if self.searches else f.value(1)
        run.log(told)
        if run.events.on:
            self._tell(pc, choice)
        if self.searches:
            run.silently.set(0)
        self._answered_by(pc, choice)

    def _picks_are_complete(self, pc: int, choice: ir.Choice, seat: V) -> None:
        """Nothing is left to pick: that ends the picks, as stopping does."""
        body = self.body
        value = body.decode(choice.result_type, self._address(choice, seat))
        asked = body._length(value, choice.result_type.kind == "set").ne(0)
        self.run.log(asked.i64())
        with self.f.if_(asked):
            self._tell_picks(pc, choice, seat, value)

    def _tell_picks(self, pc: int, choice: ir.Choice, seat: V, value: Value) -> None:
        told = ((seat, Int()), (value, of_type(choice.result_type)))
        self.run.events.note(PICKED, pc, *told)

    def _tell(self, pc: int, choice: ir.Choice) -> None:
        """An answer that was given, not only tested."""
        f, run = self.f, self.run
        shape = answer_shape(self.module, choice)
        value: Value = run.answer.get()
        if not isinstance(shape, Int):
            value = Wide(run.answer_at.get(), shape)
        done = f.label()
        if self.searches:
            f.leave_if(run.silently.get().ne(0), done)
        declined = run.given.get().eq(layout.GIVEN_DECLINE).i64()
        told = ((run.seat.get(), Int()), (declined, Int()), (value, shape))
        run.events.note(CHOSE, pc, *told)
        f.place(done)

    def _answered_by(self, pc: int, choice: ir.Choice) -> None:
        f, run = self.f, self.run
        if not choice.together:
            run.goto(pc + 1)
            return
        bit = f.value(1) << run.seat.get()
        f.set_cell(choice.answered, f.cell(choice.answered) | bit)
        f.br(self.label("offer", pc))

    def _apply_pick(self, pc: int, choice: ir.Choice) -> None:
        f, run, body = self.f, self.run, self.body
        pick, stop = f.label(), f.label()
        f.branch(run.given.get().eq(layout.GIVEN_STOP), stop, pick)
        f.place(stop)
        run.log()
        if run.events.on:
            seat = run.seat.get()
            value = body.decode(choice.result_type, self._address(choice, seat))
            self._tell_picks(pc, choice, seat, value)
        self._answered_by(pc, choice)
        f.place(pick)
        type_ = choice.result_type
        at = self._address(choice, run.seat.get())
        answer = run.answer.get()
        shape = answer_shape(self.module, choice)
        if type_.kind == "set":
            offset = answer - type_.items[0].lo
            error = f.errors.engine("answer", "an answer outside the set of options")
            f.check(offset.below(31 * type_.width), error)
            cell = f.emit(f"udiv i64 {offset.text}, 31")
            bit = f.value(1) << f.emit(f"urem i64 {offset.text}, 31")
            f.set_cell(at + cell, f.cell(at + cell) | bit)
        else:
            length = f.cell(at)
            error = f.errors.refusal(choice.site, "too-many", "no more can be chosen")
            f.check(length < type_.cap, error)
            item: Value = answer if isinstance(shape, Int) else Wide(run.answer_at.get(), shape)
            body.encode(type_.items[0], at + length * type_.items[0].width + 1, item)
            f.set_cell(at, length + 1)
        f.br(self.label("offer", pc))

    def _store_label(self, choice: ir.Choice, answer: V) -> None:
        f = self.f
        actions = [label.action for label in choice.labels]
        if any(action >= 0 for action in actions):
            if len(set(actions)) == 1:
                action = f.value(actions[0])
            else:
                table = V(f, self.module.table(actions), "ptr")
                action = f.load(table, answer, "i32")
            opens = f.cell(ir.HEAD).ne(0) & f.cell(ir.ACTION).eq(0)
            if any(number < 0 for number in actions):
                opens = opens & (action >= 0)
            with f.if_(opens):
                f.set_cell(ir.ACTION, action + 1)
                with f.if_(f.cell(ir.GRANT).ne(0)):
                    f.set_cell(ir.FREE, 1)
        self._store_value(choice, answer, self._address(choice, self.run.seat.get()))

    def _store_value(self, choice: ir.Choice, value: Value | None, at: V) -> None:
        f, body = self.f, self.body
        stored: Value = f.value(choice.result_type.none) if value is None else value
        if choice.result < self.program.cells:
            body.encode(choice.result_type, at, stored)
        else:
            given = stored.shape if isinstance(stored, Wide) else Int()
            body.put_register(choice.result, stored, given)
