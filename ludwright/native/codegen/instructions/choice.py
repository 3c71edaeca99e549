"""The `Choose` instruction: offer, wait or draw, store the answer.

It has three labels: `at` (the instruction), `offer` (what can be answered now) and `answered` (an
answer has been given).
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.interpreter.choice_point import no_option
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, of_type
from ludwright.native.codegen.expressions.set_loops import is_whole_set, whole_set
from ludwright.native.codegen.expressions.sources import members
from ludwright.native.codegen.instructions.ranges import inside
from ludwright.native.codegen.instructions.search_modes import BEST, Point
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.options.listing import (
    answer_shape,
    asks_for_any,
    has_name,
    is_range,
    view_name,
)
from ludwright.native.codegen.options.random_answer import (
    DECLINED,
    MISSED,
    draw_name,
    in_random_play,
)
from ludwright.native.codegen.state.cells import decode, encode
from ludwright.native.codegen.state.epochs import next_epoch
from ludwright.native.codegen.state.values import Value, length
from ludwright.program import faults
from ludwright.program.events import EventKind

_FEW = 2  # listing so few options is as quick as looking one up in a set
_END_DECISION = layout.BARRIERS.index("decision")


class ChoiceCode:
    """Writes one choice into its segment."""

    def __init__(self, s: Segment, pc: int, number: int) -> None:
        self.s, self.f, self.body, self.module = s, s.f, s.body, s.module
        self.pc, self.number = pc, number
        self.choice = s.program.choices[number]
        self.shape = answer_shape(s.module, self.choice)
        self._searched = s.module.needs_search(self.choice)

    def write(self) -> None:
        f, s, choice = self.f, self.s, self.choice
        s.near_retreat.arrive(self.pc)
        if choice.result < s.program.cells:
            seats = len(s.program.world.seats) if choice.together else 1
            s.clear(choice.result, choice.result_type.width * seats)
        if choice.together:
            f.set_cell(choice.answered, 0)
        f.place(s.offer(self.pc))
        self._begin_epoch()
        s.write_log()
        if choice.together:
            self._offer_sealed()
        else:
            self._offer()
        f.place(s.answered(self.pc))
        self._apply()

    def _begin_epoch(self) -> None:
        if self.pc + 1 in self.module.memo.changed:
            next_epoch(self.module, self.f)

    # ------------------------------------------------------------- offering

    def _offer(self) -> None:
        f, s, choice = self.f, self.s, self.choice
        seat = self.body.num(choice.by)
        error = f.errors.fault(faults.NOBODY, choice.site)
        f.check(seat >= 0, error)
        self._check_playing(seat < f.cell(ir.PLAYERS))
        s.seat.set(seat)
        with f.block() as nothing:
            if self.module.searches:
                with f.if_(s.searched(*s.modes)):
                    self._offer_to_search(nothing)
            # Another seat's decision is a barrier even where it has nothing to choose from.
            with f.if_(seat.ne(f.ctx[layout.SEAT])):
                s.end_part(_END_DECISION)
            if self._is_set():
                with f.if_(f.ctx[layout.MODE].eq(layout.RANDOM)):
                    self._draw_from_set(nothing)
            count = self._drawn_or_listed(seat)
            f.leave_if(count.eq(0), nothing)
            if choice.silent:
                self._go_on_silently(nothing)
            else:
                self._publish(count, nothing)
        self._nothing()

    def _check_playing(self, playing: Operand) -> None:
        """Where a game may have fewer players than seats, somebody absent could be asked."""
        world = self.module.program.world
        if world.min_players < len(world.seats):
            self.f.check(playing, self.f.errors.fault(faults.ABSENT, self.choice.site))

    def _view(self, seat: Operand) -> Operand:
        """List what can be answered; how much that is."""
        f = self.f
        count = f.call_checked(view_name(self.number), f.state, f.context, seat)
        if self.choice.kind != "many":
            f.ctx[layout.DECLINE] = int(self.choice.optional)
            f.ctx[layout.CAN_STOP] = 0
        return count

    def _drawn_or_listed(self, seat: Operand) -> Operand:
        """Like `_view`, but random play first draws an answer; if it finds one, it goes on."""
        f, s = self.f, self.s
        if self.number not in self.module.draws:
            return self._view(seat)
        before = Var(f, init=f.ctx[layout.POLICY])
        with f.if_(in_random_play(f), likely=True):
            drawn = f.call_checked(draw_name(self.number), f.state, f.context)
            with f.if_(drawn.ne(MISSED), likely=True):
                halted = f.call("i64", "publish_drawn", f.state, f.context, self.pc, seat)
                f.leave_if(halted < 0, s.leave(halted))
                declined = drawn.eq(DECLINED)
                s.given.set(f.select(declined, layout.GIVEN_DECLINE, f.value(layout.GIVEN_VALUE)))
                s.answer.set(drawn)
                f.br(s.answered(self.pc))
        count = self._view(seat)
        with f.if_(count.eq(0)):  # nobody is asked, so nothing has been drawn
            f.ctx[layout.POLICY] = before.get()
        return count

    def _offer_to_search(self, nothing: Label) -> None:
        """A search starts no other search here, and may end here."""
        f, s, choice = self.f, self.s, self.choice
        seat = s.seat.get()
        f.leave_if(s.search_ends(Point.OTHER_SEAT) & seat.ne(f.ctx[layout.SEAT]), s.complete)
        if asks_for_any(self.module, choice):
            with f.if_(s.search_ends(Point.SAFE_CHOICE)):
                some = f.call_checked(has_name(self.number), f.state, f.context, seat)
                f.leave_if(some.ne(0), s.complete)
        count = self._view(seat)
        if self.module.has_best:
            # Another seat's decision ends a part even where it has nothing to choose from, but not
            # a search for the best: what that finds says nothing about parts.
            decider = f.ctx[layout.BLOCK_SEAT]
            other = s.searched(BEST) & (decider >= 0) & decider.ne(seat)
            f.ctx[layout.BEST_MEMO_VOID] = f.ctx[layout.BEST_MEMO_VOID] | other.i64()
        f.leave_if(count.eq(0), nothing)
        if choice.safe:
            s.leave_if_search_ends(Point.SAFE_CHOICE)
        f.call("void", "stop_here", f.state, f.context, self.pc, count, seat)
        f.ret(layout.STOPPED)

    def _is_set(self) -> bool:
        """Whether the options are a set of spaces, of which random play looks up only the one that
        it draws.

        This relies on the elements of a set being listed in the order of its bits. A search wants
        a list; so answers that a later rule may refuse are drawn so only if they are not tested.
        """
        choice = self.choice
        plain = choice.kind == "one" and not (choice.optional or choice.silent)
        if self._searched and (self.module.has_best or not self.module.uses("open_answers")):
            return False
        many = isinstance(self.shape, Int) and self.shape.lo >= 0 and self.shape.hi >= _FEW
        if not plain or not many or choice.options is None or self.number in self.module.draws:
            return False
        return self.module.uses("draw_bits") and is_whole_set(self.body, choice.options)

    def _draw_from_set(self, nothing: Label) -> None:
        f, s, choice = self.f, self.s, self.choice
        assert choice.options is not None
        assert isinstance(self.shape, Int)
        if choice.chooser >= 0:
            self.body.put_register(choice.chooser, s.seat.get())
        bits = whole_set(self.body, self.body.opened(choice.options))
        assert bits is not None
        count = bits.count()
        f.leave_if(count.eq(0), nothing)
        offer = (f.state, f.context, self.pc, count, s.seat.get())
        with f.block() as listed:
            if self._searched:
                s.near_retreat.note(self.pc)
                picked = f.call("i64", "publish_open", *offer)
                f.leave_if(picked.eq(layout.LIST), listed, likely=False)
            else:
                picked = f.call("i64", "publish", *offer, 0)
            f.leave_if(picked < 0, s.leave(picked))
            s.given.set(layout.GIVEN_VALUE)
            s.answer.set(bits.nth(picked, self.shape.hi + 1))
            s.near_retreat.answered(self.pc)
            f.br(s.answered(self.pc))

    def _go_on_silently(self, nothing: Label) -> None:
        """An offer with a single alternative is not asked, only tested."""
        f, s = self.f, self.s
        if self._searched:
            verdict = f.call("i64", "try_silently", f.state, f.context, self.pc, s.seat.get())
            f.leave_if(verdict.eq(layout.BROKEN), f.passed_on(), likely=False)
            f.leave_if(verdict.eq(0), nothing)
        self._store_label(f.load(f.ctx[layout.ANSWERS]))
        s.goto(self.pc + 1)

    def _publish(self, count: Operand, nothing: Label) -> None:
        """Stop here; in random play draw an answer and go on at once."""
        f, s, choice = self.f, self.s, self.choice
        many = choice.kind == "many"
        extra = layout.STOPPABLE if many else layout.OPTIONAL if choice.optional else 0
        given = (f.state, f.context, self.pc, count, s.seat.get(), extra)
        if self._searched:
            error = f.errors.refusal(faults.NO_OPTION_POSSIBLE, choice.site)
            known = error if choice.empty is None else -1
            s.near_retreat.note(self.pc)
            picked = f.call("i64", "publish_finishable", *given, known, self.shape.words)
            f.leave_if(picked.eq(layout.NOTHING_LEFT), nothing)
        else:
            picked = f.call("i64", "publish", *given)
        f.leave_if(picked < 0, s.leave(picked))
        other = layout.GIVEN_STOP if many else layout.GIVEN_DECLINE
        s.given.set(f.select(picked < count, layout.GIVEN_VALUE, other))
        if is_range(choice):
            s.answer.set(self._in_range(picked))
        elif self.shape.words == 1:
            s.answer.set(f.load(f.ctx[layout.ANSWERS], picked))
        else:
            s.answer_at.set(f.gep(f.ctx[layout.ANSWERS], picked * self.shape.words))
        s.near_retreat.answered(self.pc)
        f.br(s.answered(self.pc))

    def _in_range(self, picked: Operand) -> Operand:
        """An answer of a range; a search may have made a list of it."""
        f = self.f
        value = picked + f.ctx[layout.FIRST]
        if not self._searched:
            return value
        ranged = f.ctx[layout.RANGE].ne(0)
        # What is read beside a range is not used, but it must lie where there are answers.
        listed = f.load(f.ctx[layout.ANSWERS], f.select(ranged, 0, picked))
        return f.select(ranged, value, listed)

    def _nothing(self) -> None:
        """There is nothing to choose."""
        f, s, choice = self.f, self.s, self.choice
        s.near_retreat.go_back(self.pc, s.at(self.pc - 1))
        if choice.kind == "many":
            with f.if_(f.ctx[layout.CAN_STOP].ne(0)):
                self._picks_are_complete(s.seat.get())
                s.goto(self.pc + 1)
        elif choice.optional:
            with f.if_(f.ctx[layout.DECLINE].ne(0)):
                self._store(None, f.value(choice.result))
                s.goto(self.pc + 1)
        if choice.empty is not None:
            s.goto(choice.empty)
        else:
            error = f.errors.refusal(no_option(choice), choice.site)
            f.br(f.fail(error))

    # --------------------------------------------------------------- sealed

    def _offer_sealed(self) -> None:
        """To every seat that has not answered yet."""
        f, s, choice = self.f, self.s, self.choice
        s.leave_if_search_ends(Point.BARRIER)
        s.end_part(_END_DECISION)
        pending, first = Var(f, init=0), Var(f, init=-1)

        def each(seat: Operand) -> None:
            bit = f.value(1) << seat
            with f.if_((f.cell(choice.answered) & bit).eq(0)):
                self._begin_epoch()
                with f.if_(self._view(seat).ne(0)):
                    pending.set(pending.get() | bit)
                    first.set(f.select(first.get() < 0, seat, first.get()))
                with f.else_():
                    self._answer_for(seat)
                    f.set_cell(choice.answered, f.cell(choice.answered) | bit)

        seats = self.body.num(choice.by)
        self._check_playing((seats >> f.cell(ir.PLAYERS)).eq(0))
        members(seats, 0, each)
        with f.if_(first.get() < 0):
            self._note_opening(seats)
            f.set_cell(choice.answered, 0)
            f.set_cell(ir.ANSWERED, f.cell(ir.HEAD).ne(0).i64())
            s.goto(self.pc + 1)
        s.write_log()
        s.seat.set(first.get())
        f.ctx[layout.PENDING] = pending.get()
        self._publish(self._view(first.get()), f.label())

    def _note_opening(self, seats: Operand) -> None:
        """All have answered."""
        s, choice = self.s, self.choice
        if not s.events.on or choice.result >= s.program.cells:
            return
        type_ = choice.result_type
        shape, every = of_type(type_), range(len(s.program.world.seats))
        cells = [self.f.value(choice.result + seat * type_.width) for seat in every]
        answers = [(decode(self.f, type_, cell), shape) for cell in cells]
        s.events.note(EventKind.OPENED, self.pc, seats, *answers)

    def _answer_for(self, seat: Operand) -> None:
        """A seat has nothing to choose: its answer is nothing, if that is allowed."""
        f, choice = self.f, self.choice
        free = (f.ctx[layout.CAN_STOP] | f.ctx[layout.DECLINE]).ne(0)
        error = f.errors.fault(faults.NOTHING_TO_CHOOSE, choice.site)
        f.check(free, error)
        if choice.kind == "many":
            self._picks_are_complete(seat)
        else:
            self._store(None, self._address(seat))

    # ------------------------------------------------------------ answering

    def _address(self, seat: Operand) -> Operand:
        """Where the answer of a seat is stored."""
        if self.choice.together:
            return seat * self.choice.result_type.width + self.choice.result
        return self.f.value(self.choice.result)

    def _apply(self) -> None:
        """Store the answer that is being given."""
        f, s, choice = self.f, self.s, self.choice
        asked = s.silent.get() ^ 1 if self.module.searches else f.value(1)
        if not choice.together:
            answered = f.cell(ir.HEAD).ne(0).i64() & asked
            f.set_cell(ir.ANSWERED, f.cell(ir.ANSWERED) | answered)
        if choice.kind == "many":
            self._apply_pick()
            return
        if choice.optional:
            with f.if_(s.given.get().eq(layout.GIVEN_DECLINE)):
                self._store(None, self._address(s.seat.get()))
            with f.else_():
                self._store_answer()
        else:
            self._store_answer()
        s.log(asked)
        if s.events.on:
            with f.if_(asked.ne(0)):
                declined = s.given.get().eq(layout.GIVEN_DECLINE).i64()
                value = (s.answer_value(self.shape), self.shape)
                s.events.note(EventKind.CHOSE, self.pc, s.seat.get(), declined, value)
        if self.module.searches:
            s.silent.set(0)
        self._after_answer()

    def _store_answer(self) -> None:
        s = self.s
        if self.choice.kind == "labels":
            self._store_label(s.answer.get())
        else:
            self._store(s.answer_value(self.shape), self._address(s.seat.get()))

    def _after_answer(self) -> None:
        f, s, choice = self.f, self.s, self.choice
        if not choice.together:
            s.goto(self.pc + 1)
            return
        bit = f.value(1) << s.seat.get()
        f.set_cell(choice.answered, f.cell(choice.answered) | bit)
        f.br(s.offer(self.pc))

    def _store_label(self, answer: Operand) -> None:
        f, choice = self.f, self.choice
        actions = [label.action for label in choice.labels]
        if any(action >= 0 for action in actions):
            if len(set(actions)) == 1:
                action = f.value(actions[0])
            else:
                action = f.load(self.module.table(f, actions), answer, "i32")
            opens = f.cell(ir.HEAD).ne(0) & f.cell(ir.ACTION).eq(0)
            if any(number < 0 for number in actions):
                opens = opens & (action >= 0)
            with f.if_(opens):
                f.set_cell(ir.ACTION, action + 1)
        self._store(answer, self._address(self.s.seat.get()))

    def _store(self, value: Value | None, at: Operand) -> None:
        """Store an answer; without a value, the one that says that nothing was chosen."""
        choice = self.choice
        stored: Value = self.f.value(choice.result_type.none) if value is None else value
        if value is not None:
            inside(self.body, value, self.shape, choice.result_type, choice.site)
        if choice.result < self.s.program.cells:
            encode(self.f, choice.result_type, at, stored)
        else:
            self.body.put_register(choice.result, stored)

    # ---------------------------------------------------------------- picks

    def _apply_pick(self) -> None:
        f, s, type_ = self.f, self.s, self.choice.result_type
        with f.if_(s.given.get().eq(layout.GIVEN_STOP)):
            s.log()
            if s.events.on:
                seat = s.seat.get()
                self._note_picks(seat, decode(f, type_, self._address(seat)))
            self._after_answer()
        at = self._address(s.seat.get())
        if type_.kind == "set":
            offset = s.answer.get() - type_.items[0].lo
            error = f.errors.engine("answer", "an answer outside the set of options")
            f.check(offset.below(31 * type_.width), error)
            cell, bit = f.divide("udiv", offset, 31), f.divide("urem", offset, 31)
            f.set_cell(at + cell, f.cell(at + cell) | (f.value(1) << bit))
        else:
            count = f.cell(at)
            error = f.errors.refusal(faults.TOO_MANY_PICKS, self.choice.site)
            f.check(count < type_.cap, error)
            item = type_.items[0]
            picked = s.answer_value(self.shape)
            inside(self.body, picked, self.shape, item, self.choice.site)
            encode(f, item, at + count * item.width + 1, picked)
            f.set_cell(at, count + 1)
        f.br(s.offer(self.pc))

    def _picks_are_complete(self, seat: Operand) -> None:
        """Nothing is left to pick: that ends the picks, as stopping does."""
        value = decode(self.f, self.choice.result_type, self._address(seat))
        some = length(value).ne(0)
        self.s.log(some.i64())
        with self.f.if_(some):
            self._note_picks(seat, value)

    def _note_picks(self, seat: Operand, value: Value) -> None:
        shape = of_type(self.choice.result_type)
        self.s.events.note(EventKind.PICKED, self.pc, seat, (value, shape))
