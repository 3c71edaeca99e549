"""Places where a seat decides: what can be answered, and what an answer does.

A `ChoicePoint` is one `Choose` instruction. `view` gives the raw answers, `offer` publishes them
(searching first where a later rule could refuse), `apply` stores an answer. Picks of a set come in
ascending order of the options, so that every set is reached on exactly one path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ludwright.kernel import program as ir
from ludwright.kernel.context import (
    COMPLETE,
    RUN,
    STOPPED,
    Cells,
    Refused,
    Run,
    SearchRun,
    fault,
)
from ludwright.kernel.expressions import Expressions
from ludwright.kernel.pieces import PieceClasses
from ludwright.kernel.storage import decoder, encoder, set_members

if TYPE_CHECKING:
    from ludwright.kernel.search import Search

STOP: Final = "__stop"  # the answer that ends the picks of a chooseN
DECLINE: Final = None  # the answer that takes nothing of an optional choice


@dataclass(slots=True)
class Stop:
    """Where the program waits, with answers as the kernel holds them."""

    kind: str  # "decision", "chance" or "over"
    pc: int = -1
    point: ChoicePoint | None = None
    seat: int = -1
    answers: Sequence[Any] = ()
    unknown: frozenset[int] = frozenset()  # positions among the answers the budget left open
    can_decline: bool = False
    can_stop: bool = False
    minimum: int = 1
    maximum: int = 1
    picked: tuple[Any, ...] = ()
    pending: tuple[int, ...] = ()  # sealed: the seats that have not answered
    dead_end: bool = False
    weights: tuple[int, ...] = ()

    def alternatives(self) -> list[Any]:
        """Everything that may be answered; the cheap ends of a search come first."""
        first: list[Any] = []
        if self.can_decline:
            first.append(DECLINE)
        if self.can_stop:
            first.append(STOP)
        return [*first, *self.answers]


def nothing_to_choose(choice: ir.Choice) -> str:
    """Why a choice that must be made cannot be made."""
    several = choice.minimum is not None and choice.minimum != ir.Const(1)
    words = "not enough" if choice.kind == "many" and several else "nothing"
    return f"there is {words} to choose for `{choice.name}`"


class ChoicePoint:
    """One `Choose` instruction, compiled."""

    def __init__(
        self,
        expressions: Expressions,
        classes: PieceClasses,
        search: Search,
        choice: ir.Choice,
        pc: int,
    ) -> None:
        program = expressions.program
        self.program = program
        self.choice = choice
        self.pc = pc
        self._expressions = expressions
        self._classes = classes
        self._search = search
        self._by = expressions.expr(choice.by)
        self._result = choice.result
        self._width = choice.result_type.width
        self._in_cells = choice.result < program.cells
        self._read = decoder(choice.result_type)
        self._write = encoder(choice.result_type)
        self._none = choice.type.none
        self._pieces = choice.type.kind == "piece" and classes.any_alike
        self._is_range = isinstance(choice.options, ir.RangeSource) and choice.type.kind == "int"
        source = choice.options
        self._options = expressions.streams.source(source) if source is not None else None
        self._exists = (
            expressions.expr(ir.Aggregate("exists", source)) if source is not None else None
        )
        self._guards = [
            expressions.expr(label.guard) if label.guard is not None else None
            for label in choice.labels
        ]
        finish = choice.finish
        self._can_finish = expressions.expr(finish[1]) if finish is not None else None
        self._minimum = expressions.expr(choice.minimum) if choice.minimum else None
        self._maximum = expressions.expr(choice.maximum) if choice.maximum else None
        self._picks_are_set = choice.result_type.kind == "set"
        self._lo = choice.result_type.items[0].lo if self._picks_are_set else 0
        self._many = choice.kind == "many"

    # ----------------------------------------------------------- arriving

    def arrive(self, S: Cells) -> int:
        """The instruction itself: a fresh decision, nothing picked yet."""
        choice = self.choice
        if self._in_cells:
            count = self._width * (len(self.program.world.seats) if choice.together else 1)
            if count == 1:
                S[self._result] = 0
            else:
                S[self._result : self._result + count] = [0] * count
        if choice.together:
            S[choice.answered] = 0
        return self.offer(S)

    def offer(self, S: Cells) -> int:
        """Publish what can be answered now, or go on where nothing is to be asked."""
        if self.choice.together:
            return self._offer_sealed(S)
        seat = self._by(S)
        if seat < 0:
            raise fault(self.program, "none", self.choice.site, "nobody is there to decide")
        run: Run = S[RUN]
        if type(run) is SearchRun:
            return self._offer_raw(S, run, seat)
        if seat != run.seat:
            # Another seat's decision is a barrier even where it has nothing to choose from:
            # whether it is asked may depend on what only that seat sees.
            run.end("decision")
        stop = self.view(S, seat)
        if not stop.answers:
            return self._nothing(S, stop)
        choice = self.choice
        if choice.silent:
            if choice.safe or run.probing or self._search.can_finish(S, stop, stop.answers[0]):
                return self.apply(S, stop.answers[0], seat, silent=True)
            return self._nothing(S, stop)
        if not choice.safe and not run.probing:
            self._search.keep_finishable(S, stop)
            if not stop.answers:
                if stop.can_decline or stop.can_stop or choice.empty is not None:
                    return self._nothing(S, stop)
                if run.ended or run.seat < 0:
                    raise Refused(choice.site, "no-option", "nothing that is offered can be done")
                stop.dead_end = True
        S[ir.PC] = self.pc
        run.stop = stop
        return STOPPED

    def _offer_raw(self, S: Cells, run: Run, seat: int) -> int:
        """In a search: no search inside, and another seat's decision ends the part."""
        choice = self.choice
        if run.best < 0 and seat != run.seat:
            return COMPLETE
        proven = choice.safe and run.best < 0 and not run.counting
        if proven and not self._many and self._has_answer(S):
            return COMPLETE
        stop = self.view(S, seat)
        if not stop.answers:
            return self._nothing(S, stop)
        if proven:
            return COMPLETE
        S[ir.PC] = self.pc
        run.stop = stop
        return STOPPED

    def _has_answer(self, S: Cells) -> bool:
        """Cheaper than listing all answers where one is enough."""
        if self._exists is not None:
            return bool(self._exists(S))
        return any(guard is None or guard(S) for guard in self._guards)

    def _nothing(self, S: Cells, stop: Stop) -> int:
        """Nothing (more) to choose: done, without, elsewhere, or refused."""
        choice = self.choice
        if stop.can_stop and self._many:
            return self._finish(S, stop.seat, asked=bool(stop.picked))
        if stop.can_decline:
            self._store(S, self._result, DECLINE)
            return self.pc + 1
        if choice.empty is not None:
            return choice.empty
        run: Run = S[RUN]
        if run.probing:
            S[ir.PC] = self.pc
            run.stop = stop
            return STOPPED
        raise Refused(choice.site, "no-option", nothing_to_choose(choice))

    def _offer_sealed(self, S: Cells) -> int:
        run: Run = S[RUN]
        if type(run) is SearchRun:
            return COMPLETE
        run.end("decision")
        choice = self.choice
        pending: list[int] = []
        first: Stop | None = None
        for seat in set_members(self._by(S), 0):
            if S[choice.answered] >> seat & 1:
                continue
            stop = self.view(S, seat)
            if stop.answers:
                pending.append(seat)
                first = first or stop
            elif stop.can_stop or stop.can_decline:
                if not self._many:
                    self._store(S, self._address(seat), DECLINE)
                elif stop.picked:
                    # Others are told that it has answered, whether it stopped or ran out: else
                    # they could tell how many it has picked.
                    self._log(S, seat, stop.picked)
                S[choice.answered] |= 1 << seat
            else:
                raise Refused(choice.site, "no-option", f"nothing to choose for `{choice.name}`")
        if first is None:
            S[choice.answered] = 0
            S[ir.ANSWERED] = 1 if S[ir.HEAD] else 0
            return self.pc + 1
        first.pending = tuple(pending)
        S[ir.PC] = self.pc
        run.stop = first
        return STOPPED

    # ------------------------------------------------------------ viewing

    def view(self, S: Cells, seat: int) -> Stop:
        """The raw answers of a seat, whether or not they can be finished."""
        choice = self.choice
        if choice.chooser >= 0:
            S[choice.chooser] = seat
        if self._many:
            return self._view_many(S, seat)
        answers = self._labels(S) if choice.kind == "labels" else self._domain(S)
        return Stop("decision", self.pc, self, seat, answers, can_decline=choice.optional)

    def failing_test(self, S: Cells, seat: int, label: int) -> int | None:
        """Where the first test stands that keeps a label from being offered; None if none does."""
        if self.choice.chooser >= 0:
            S[self.choice.chooser] = seat
        alternative = self.choice.labels[label]
        sites = alternative.sites or (self.choice.site,)
        for test, site in zip(alternative.tests, sites, strict=False):  # no test, nothing fails
            if not self._expressions.expr(test)(S):
                return site
        return None

    def here(self, S: Cells) -> Stop:
        """The raw answers of whoever decides here."""
        return self.view(S, self._by(S))

    def answered(self, S: Cells, stop: Stop, seat: int) -> Stop:
        """The stop as another seat of a sealed decision meets it."""
        return replace(self.view(S, seat), pending=stop.pending)

    def _labels(self, S: Cells) -> list[int]:
        return [index for index, guard in enumerate(self._guards) if guard is None or guard(S)]

    def _domain(self, S: Cells) -> Sequence[Any]:
        assert self._options is not None
        values = self._options(S)
        if self._is_range and isinstance(values, range):
            return values
        found = list(dict.fromkeys(values))
        if self._none in found:
            found.remove(self._none)
        return self._classes.lowest(S, found) if self._pieces else found

    def whole(self, S: Cells) -> tuple[list[Any], list[bool] | None]:
        """The domain of a chooseN before any pick; where pieces are alike, also which of them
        come only after the one before."""
        assert self._options is not None
        domain = list(dict.fromkeys(self._options(S)))
        if self._none in domain:
            domain.remove(self._none)
        if not self._pieces:
            return domain, None
        groups = self._classes.grouped(S, domain)
        follows = [at > 0 for group in groups for at in range(len(group))]
        return [piece for group in groups for piece in group], follows

    def _view_many(self, S: Cells, seat: int) -> Stop:
        choice = self.choice
        domain, follows = self.whole(S)
        size = len(domain)
        low: int = self._minimum(S) if self._minimum is not None else 0
        ceiling = choice.result_type.cap if choice.repeats else size
        high: int = self._maximum(S) if self._maximum is not None else ceiling
        if not choice.repeats:
            high = min(high, size)
        if choice.as_many:
            low = high if domain else 0
        picked = self.picks(S, seat)
        count = len(picked)
        answers: list[Any] = []
        if count < high and low <= high and domain:
            if choice.sequence:
                answers = self._any_order(domain, follows, picked)
            else:
                answers = self._ascending(domain, follows, picked, low)
        return Stop(
            "decision", self.pc, self, seat, answers,
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
        """What may come next so that picks ascend and enough options are left for `low`."""
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

    def picks(self, S: Cells, seat: int) -> tuple[Any, ...]:
        value = self._read(S, self._address(seat))
        return tuple(set_members(value, self._lo)) if self._picks_are_set else value

    def finishes(self, S: Cells, answer: Any) -> bool | None:
        """Whether an answer can be finished, where the rules say so without trying it out."""
        finish = self.choice.finish
        if self._can_finish is None or finish is None or answer is DECLINE:
            return None
        S[finish[0]] = answer
        return bool(self._can_finish(S))

    # ---------------------------------------------------------- answering

    def apply(self, S: Cells, answer: Any, seat: int, silent: bool = False) -> int:
        """Store an answer. Gives this instruction again where the decision stays open."""
        choice = self.choice
        if not silent and S[ir.HEAD] and not choice.together:
            S[ir.ANSWERED] = 1
        if self._many:
            if answer == STOP:
                return self._finish(S, seat)
            self._pick(S, answer, seat)
            return self.pc
        if choice.kind == "labels" and answer is not DECLINE:
            action = choice.labels[answer].action
            if action >= 0 and S[ir.HEAD] and not S[ir.ACTION]:
                S[ir.ACTION] = action + 1
                if S[ir.GRANT]:
                    S[ir.FREE] = 1
        self._store(S, self._address(seat), answer)
        if not silent:
            self._log(S, seat, answer)
        return self._answered_by(S, seat)

    def withdraw(self, S: Cells, seat: int) -> bool:
        """Make a sealed answer not have happened; whether there was one."""
        answered = self.choice.answered
        if not S[answered] >> seat & 1:
            return False
        S[answered] &= ~(1 << seat)
        at = self._address(seat)
        S[at : at + self._width] = [0] * self._width
        S[ir.LOG] = max(0, S[ir.LOG] - 1)
        return True

    def replace_sealed(self, S: Cells, seat: int, answer: Any) -> None:
        """Put another answer in place of one given under seal."""
        self._store(S, self._address(seat), answer)

    def replace_picks(self, S: Cells, seat: int, picks: Sequence[Any]) -> None:
        """Put other picks in place of those that a seat has made."""
        value: Any = tuple(picks)
        if self._picks_are_set:
            value = sum(1 << pick - self._lo for pick in picks)
        self._write(S, self._address(seat), value)

    def _pick(self, S: Cells, answer: Any, seat: int) -> None:
        at = self._address(seat)
        value = self._read(S, at)
        if self._picks_are_set:
            self._write(S, at, value | 1 << (answer - self._lo))
        elif len(value) < self.choice.result_type.cap:
            self._write(S, at, (*value, answer))
        else:
            raise Refused(self.choice.site, "too-many", "no more can be chosen")

    def _finish(self, S: Cells, seat: int, asked: bool = True) -> int:
        if asked:
            self._log(S, seat, self.picks(S, seat))
        return self._answered_by(S, seat)

    def _answered_by(self, S: Cells, seat: int) -> int:
        if not self.choice.together:
            return self.pc + 1
        S[self.choice.answered] |= 1 << seat
        return self.pc

    def _store(self, S: Cells, at: int, answer: Any) -> None:
        value = self.choice.result_type.none if answer is DECLINE else answer
        if self._in_cells:
            self._write(S, at, value)
        else:
            S[at] = value

    def _log(self, S: Cells, seat: int, answer: Any) -> None:
        S[ir.LOG] += 1
        run: Run = S[RUN]
        if run.events is not None:
            run.events.append(("chose", seat, self, answer))
