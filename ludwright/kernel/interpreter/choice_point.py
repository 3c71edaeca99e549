"""Places where a seat decides: what can be answered, and what an answer does.

A `ChoicePoint` is one `Choose` instruction. `view` gives the raw answers, `apply` stores an answer,
and `meet` is what a search does when it comes here. How a choice is offered in the game itself is
in `offers`. Picks of a set come in ascending order of the options, so that every set is reached on
exactly one path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.kernel.interpreter.ranges import out_of_range
from ludwright.kernel.interpreter.run import (
    COMPLETE,
    RUN,
    STOPPED,
    Fn,
    Memory,
    Refused,
    Run,
    fault,
)
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.interpreter.streams import SourceFn
from ludwright.program import faults
from ludwright.program.cells import decoder, encoder, set_members
from ludwright.program.events import EventKind
from ludwright.program.faults import Trouble
from ludwright.program.limits import OPTION_LIMIT
from ludwright.program.ranges import misfit


def no_option(choice: ir.Choice) -> Trouble:
    """Why a choice that must be made cannot be made."""
    several = choice.minimum is not None and choice.minimum != ir.Const(1)
    return faults.no_option(choice.name, choice.kind == "many" and several)


class ChoicePoint:
    """One `Choose` instruction, compiled."""

    def __init__(
        self,
        expressions: Expressions,
        classes: PieceClasses,
        choice: ir.Choice,
        pc: int,
    ) -> None:
        program = expressions.program
        self.program = program
        self.choice = choice
        self.pc = pc
        self._expressions = expressions
        self._classes = classes
        self._result = choice.result
        self._width = choice.result_type.width
        self._in_cells = choice.result < program.cells
        self._read = decoder(choice.result_type)
        self._write = encoder(choice.result_type)
        kept = choice.result_type if choice.kind != "many" else choice.result_type.items[0]
        self._misfit = misfit(program.world, kept)
        self._none = choice.type.none
        self._pieces = choice.type.kind == "piece" and classes.any_alike
        self._is_range = isinstance(choice.options, ir.RangeSource) and choice.type.kind == "int"
        self._picks_are_set = choice.result_type.kind == "set"
        self._lo = choice.result_type.items[0].lo if self._picks_are_set else 0
        self._many = choice.kind == "many"

    # What is evaluated here, made when it is first needed: most games ask few of their questions.

    @cached_property
    def _by(self) -> Fn:
        return self._expressions.expr(self.choice.by)

    @cached_property
    def _options(self) -> SourceFn | None:
        source = self.choice.options
        return None if source is None else self._expressions.streams.source(source)

    @cached_property
    def _exists(self) -> Fn | None:
        source = self.choice.options
        return self._optional(None if source is None else ir.Aggregate("exists", source))

    @cached_property
    def _guards(self) -> list[Fn | None]:
        return [self._optional(label.guard) for label in self.choice.labels]

    @cached_property
    def _can_finish(self) -> Fn | None:
        return self._optional(None if self.choice.finish is None else self.choice.finish[1])

    @cached_property
    def _minimum(self) -> Fn | None:
        return self._optional(self.choice.minimum)

    @cached_property
    def _maximum(self) -> Fn | None:
        return self._optional(self.choice.maximum)

    def _optional(self, node: ir.Expr | None) -> Fn | None:
        return None if node is None else self._expressions.expr(node)

    # ----------------------------------------------------------- arriving

    def clear(self, memory: Memory) -> None:
        """A fresh decision: nothing is picked yet."""
        choice = self.choice
        if self._in_cells:
            count = self._width * (len(self.program.world.seats) if choice.together else 1)
            memory[self._result : self._result + count] = [0] * count
        if choice.together:
            memory[choice.answered] = 0

    def chooser(self, memory: Memory) -> int:
        """The seat that decides."""
        seat: int = self._by(memory)
        if seat < 0:
            raise fault(self.program, faults.NOBODY, self.choice.site)
        if seat >= memory[ir.PLAYERS]:
            raise fault(self.program, faults.ABSENT, self.choice.site)
        return seat

    def choosers(self, memory: Memory) -> list[int]:
        """The seats that decide, sealed, at the same time."""
        seats: int = self._by(memory)
        if seats >> memory[ir.PLAYERS]:
            raise fault(self.program, faults.ABSENT, self.choice.site)
        return list(set_members(seats, 0))

    def meet(self, memory: Memory) -> int:
        """A search stops here with the raw answers. Another seat's decision ends the part."""
        if self.choice.together:
            return COMPLETE
        run: Run = memory[RUN]
        seat = self.chooser(memory)
        if seat != run.seat and not run.leaves_part:
            return COMPLETE
        proven = self.choice.safe and run.trusts_proofs
        if proven and not self._many and self._has_answer(memory):
            return COMPLETE
        stop = self.view(memory, seat)
        if not stop.answers:
            return self.without_answers(memory, stop)
        return COMPLETE if proven else self.wait(memory, stop)

    def wait(self, memory: Memory, stop: Stop) -> int:
        """Stop the program here."""
        memory[ir.PC] = self.pc
        run: Run = memory[RUN]
        run.stop = stop
        return STOPPED

    def _has_answer(self, memory: Memory) -> bool:
        """Whether there is any answer; cheaper than listing all of them."""
        if self._exists is not None:
            return bool(self._exists(memory))
        return any(guard is None or guard(memory) for guard in self._guards)

    def without_answers(self, memory: Memory, stop: Stop) -> int:
        """Nothing (more) to choose: the picks are done, none is stored, the program goes on at
        the `empty` target, or the choice is refused."""
        choice = self.choice
        if stop.can_stop and self._many:
            return self._end_picks(memory, stop.seat, asked=bool(stop.picked))
        if stop.can_decline:
            self._store(memory, self._result, DECLINE)
            return self.pc + 1
        if choice.empty is not None:
            return choice.empty
        run: Run = memory[RUN]
        if not run.filters:
            return self.wait(memory, stop)
        raise Refused(no_option(choice), choice.site)

    def without_sealed_answers(self, memory: Memory, stop: Stop) -> None:
        """A seat of a sealed choice has nothing (more) to choose: it counts as having answered."""
        choice = self.choice
        if not (stop.can_stop or stop.can_decline):
            raise fault(self.program, faults.NOTHING_TO_CHOOSE, choice.site)
        if not self._many:
            self._store(memory, self._address(stop.seat), DECLINE)
        elif stop.picked:
            # The others see that it has answered, whether it stopped or ran out. Otherwise they
            # could tell how many it has picked.
            self._log(memory, stop.seat, stop.picked)
        memory[choice.answered] |= 1 << stop.seat

    # ------------------------------------------------------------ viewing

    def view(self, memory: Memory, seat: int) -> Stop:
        """The raw answers of a seat, including those that cannot be finished."""
        choice = self.choice
        if choice.chooser >= 0:
            memory[choice.chooser] = seat
        if self._many:
            return self._view_many(memory, seat)
        answers = self._labels(memory) if choice.kind == "labels" else self._domain(memory)
        return Stop("decision", self.pc, choice, seat, answers, can_decline=choice.optional)

    def failing_test(self, memory: Memory, seat: int, label: int) -> int | None:
        """The site of the first failing test of a label; None if all tests hold."""
        if self.choice.chooser >= 0:
            memory[self.choice.chooser] = seat
        alternative = self.choice.labels[label]
        sites = alternative.sites or (self.choice.site,)  # a guard without sites is one test
        for test, site in zip(alternative.tests, sites, strict=False):
            if not self._expressions.expr(test)(memory):
                return site
        return None

    def here(self, memory: Memory) -> Stop:
        """The raw answers of whoever decides here."""
        return self.view(memory, self._by(memory))

    def answered(self, memory: Memory, stop: Stop, seat: int) -> Stop:
        """The stop of a sealed decision as another of its seats meets it."""
        return replace(self.view(memory, seat), pending=stop.pending)

    def _labels(self, memory: Memory) -> list[int]:
        return [index for index, guard in enumerate(self._guards) if guard is None or guard(memory)]

    def _domain(self, memory: Memory) -> Sequence[Any]:
        assert self._options is not None
        values = self._options(memory)
        if self._is_range and isinstance(values, range):
            return values
        found = self._distinct(values)
        return self._classes.lowest(memory, found) if self._pieces else found

    def _distinct(self, values: Iterable[Any]) -> list[Any]:
        """What there is to choose from, without repeats and none."""
        found: dict[Any, None] = {}
        for value in values:
            if value != self._none:
                found[value] = None
                if len(found) > OPTION_LIMIT:
                    raise fault(self.program, faults.TOO_MANY, self.choice.site)
        return list(found)

    def whole(self, memory: Memory) -> tuple[list[Any], list[bool] | None]:
        """The domain of a chooseN before any pick; where pieces are alike, also which of them
        come only after the one before."""
        assert self._options is not None
        domain = self._distinct(self._options(memory))
        if not self._pieces:
            return domain, None
        groups = self._classes.grouped(memory, domain)
        follows = [at > 0 for group in groups for at in range(len(group))]
        return [piece for group in groups for piece in group], follows

    def _view_many(self, memory: Memory, seat: int) -> Stop:
        choice = self.choice
        domain, follows = self.whole(memory)
        size = len(domain)
        low: int = self._minimum(memory) if self._minimum is not None else 0
        ceiling = choice.result_type.cap if choice.repeats else size
        high: int = self._maximum(memory) if self._maximum is not None else ceiling
        if not choice.repeats:
            high = min(high, size)
        if choice.as_many:
            low = high if domain else 0
        picked = self.picks(memory, seat)
        count = len(picked)
        answers: list[Any] = []
        if count < high and low <= high and domain:
            if choice.sequence:
                answers = self._any_order(domain, follows, picked)
            else:
                answers = self._ascending(domain, follows, picked, low)
        return Stop(
            "decision", self.pc, choice, seat, answers,
            can_stop=count >= low, minimum=low, maximum=max(high, 0), picked=picked,
        )  # fmt: skip

    def _any_order(
        self, domain: list[Any], follows: list[bool] | None, picked: tuple[Any, ...]
    ) -> list[Any]:
        if self.choice.repeats:
            return domain
        taken = set(picked)
        return [
            value
            for at, value in enumerate(domain)
            if value not in taken
            and (follows is None or not follows[at] or domain[at - 1] in taken)
        ]

    def _ascending(
        self, domain: list[Any], follows: list[bool] | None, picked: tuple[Any, ...], low: int
    ) -> list[Any]:
        """The next picks: they ascend, and leave enough options to reach `low`."""
        taken = set(picked)
        last = max((at for at, value in enumerate(domain) if value in taken), default=-1)
        if self.choice.repeats:
            return domain[max(last, 0) :]
        end = min(len(domain), len(domain) + len(picked) - low + 1)
        return [
            domain[at]
            for at in range(last + 1, end)
            if follows is None or not follows[at] or domain[at - 1] in taken
        ]

    def _address(self, seat: int) -> int:
        return self._result + seat * self._width if self.choice.together else self._result

    def picks(self, memory: Memory, seat: int) -> tuple[Any, ...]:
        value = self._read(memory, self._address(seat))
        return tuple(set_members(value, self._lo)) if self._picks_are_set else value

    def known_to_finish(self, memory: Memory, answer: Any) -> bool | None:
        """Whether an answer can be finished; None where only a search can tell."""
        finish = self.choice.finish
        if self._can_finish is None or finish is None or answer is DECLINE:
            return None
        memory[finish[0]] = answer
        return bool(self._can_finish(memory))

    # ---------------------------------------------------------- answering

    def apply(self, memory: Memory, answer: Any, seat: int, silent: bool = False) -> int:
        """Store an answer; return the next instruction, or this one if the decision stays open."""
        choice = self.choice
        if not silent and memory[ir.HEAD] and not choice.together:
            memory[ir.ANSWERED] = 1
        if self._many:
            if answer == STOP:
                return self._end_picks(memory, seat)
            self._pick(memory, answer, seat)
            return self.pc
        if choice.kind == "labels" and answer is not DECLINE:
            action = choice.labels[answer].action
            if action >= 0 and memory[ir.HEAD] and not memory[ir.ACTION]:
                memory[ir.ACTION] = action + 1
        self._store(memory, self._address(seat), answer)
        if not silent:
            self._log(memory, seat, answer)
        return self._answered_by(memory, seat)

    def withdraw(self, memory: Memory, seat: int) -> bool:
        """Remove a sealed answer, and say whether there was one.

        A seat that had nothing to choose from counts as answered too, but it was never asked and
        no event tells of it. All are asked on the same state, so a second look shows who was.
        """
        answered = self.choice.answered
        if not memory[answered] >> seat & 1:
            return False
        memory[answered] &= ~(1 << seat)
        at = self._address(seat)
        memory[at : at + self._width] = [0] * self._width
        memory[ir.LOG] = max(0, memory[ir.LOG] - 1)
        return bool(self.view(memory, seat).answers)

    def open(self, memory: Memory) -> None:
        """All have answered under seal: note what. Sentences and openings have no number in the
        log, so that equal positions stay equal."""
        run: Run = memory[RUN]
        if run.events is None or not self._in_cells:
            return
        read = (
            self.picks if self._many else lambda cells, seat: self._read(cells, self._address(seat))
        )
        answers = tuple(read(memory, seat) for seat in range(len(self.program.world.seats)))
        run.events.append((EventKind.OPENED, self.pc, self._by(memory), answers))

    def replace_sealed(self, memory: Memory, seat: int, answer: Any) -> None:
        """Put another answer in place of one given under seal."""
        self._store(memory, self._address(seat), answer)

    def replace_picks(self, memory: Memory, seat: int, picks: Sequence[Any]) -> None:
        """Put other picks in place of those that a seat has made."""
        value: Any = tuple(picks)
        if self._picks_are_set:
            value = sum(1 << pick - self._lo for pick in picks)
        self._write(memory, self._address(seat), value)

    def _fitting(self, answer: Any) -> Any:
        """An option is any number; what is kept of it must fit the cells of the result."""
        if self._misfit is not None and (wrong := self._misfit(answer)) is not None:
            raise out_of_range(self.program, self.choice.site, wrong)
        return answer

    def _pick(self, memory: Memory, answer: Any, seat: int) -> None:
        at = self._address(seat)
        value = self._read(memory, at)
        if self._picks_are_set:
            self._write(memory, at, value | 1 << (answer - self._lo))
        elif len(value) < self.choice.result_type.cap:
            self._write(memory, at, (*value, self._fitting(answer)))
        else:
            raise Refused(faults.TOO_MANY_PICKS, self.choice.site)

    def _end_picks(self, memory: Memory, seat: int, asked: bool = True) -> int:
        if asked:
            self._log(memory, seat, self.picks(memory, seat))
        return self._answered_by(memory, seat)

    def _answered_by(self, memory: Memory, seat: int) -> int:
        if not self.choice.together:
            return self.pc + 1
        memory[self.choice.answered] |= 1 << seat
        return self.pc

    def _store(self, memory: Memory, at: int, answer: Any) -> None:
        value = self.choice.result_type.none if answer is DECLINE else self._fitting(answer)
        if self._in_cells:
            self._write(memory, at, value)
        else:
            memory[at] = value

    def _log(self, memory: Memory, seat: int, answer: Any) -> None:
        memory[ir.LOG] += 1
        run: Run = memory[RUN]
        if run.events is not None:
            run.events.append((EventKind.CHOSE, seat, self.pc, answer))
