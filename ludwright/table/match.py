"""A match: its entries, and the positions that follow from them.

Entries are only ever added. Positions are what the entries lead to: an answer adds one, an undo
takes some away. Nothing here talks to a store or a page; `answered` checks an answer without
taking it, so that it can be stored before anything changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludwright.errors import IllegalMove, LudwrightError
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.numbered_options import Draft, Offer, choose, draft, offer_to
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Event, Step
from ludwright.table.records import Entry, MatchRecord
from ludwright.table.rules import Rules

NEWS = ("rolled", "shuffled", "revealed", "concealed")  # events that nobody could foresee


class Stale(LudwrightError):
    """The decision that an answer is meant for is no longer open."""


@dataclass(frozen=True)
class Position:
    """A state, and how it was reached: the answer of a seat and the step it gave."""

    state: State
    step: Step
    seat: str = ""
    decision: Decision | None = None  # the one that was answered
    answer: Any = None
    _told: dict[str | None, list[Event]] = field(default_factory=dict, compare=False, repr=False)

    def events(self, viewer: str | None = None) -> list[Event]:
        """What happened on the way here, as a viewer sees it; asked for often, made once."""
        if viewer not in self._told:
            self._told[viewer] = self.step.events(viewer)
        return self._told[viewer]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of all that happened."""
        return frozenset(event.kind for event in self.step.events())


@dataclass
class _Now:
    """What was asked of the last position; another position makes it void."""

    position: Position
    decision: Decision | None = None
    over: bool | None = None
    offers: dict[str, Offer | None] = field(default_factory=dict)
    tried: tuple[Entry, Position] | None = None  # an answer that was validated, for its commit
    shown: dict[str, Any] = field(default_factory=dict)  # what views have in common


@dataclass(frozen=True)
class Reach:
    """How far back a seat may go alone, and why no further."""

    position: int
    reason: str


class Match:
    def __init__(self, record: MatchRecord, rules: Rules, entries: Iterable[Entry] = ()) -> None:
        self.record = record
        self.rules = rules
        self.game = rules.game
        first = core_of(self.game).start(record.seed, record.players, record.scenario)
        self.positions: list[Position] = [Position(first.state, first)]
        self.entries: list[Entry] = []
        self._numbers = dict.fromkeys(self.seats, 0)
        self._now: _Now | None = None
        self.open = _hides_nothing(rules)  # whether everybody sees everything
        for entry in entries:
            self.take(entry, self.stepped(entry))

    @property
    def state(self) -> State:
        return self.positions[-1].state

    @property
    def seats(self) -> tuple[str, ...]:
        return self.game.seats[: self.record.players]

    @cached_property
    def looks_alike(self) -> bool:
        """Whether the table looks the same from every seat."""
        world = self.game.program.world
        own = any(place.owner >= 0 for place in world.places[world.space_count :])
        return self.open and world.space_count > 0 and not own

    @cached_property
    def places(self) -> dict[str, int]:
        """All places by name."""
        return {place.name: at for at, place in enumerate(self.game.program.world.places)}

    @property
    def version(self) -> int:
        return len(self.entries)

    @property
    def now(self) -> _Now:
        """What is known of the last position."""
        last = self.positions[-1]
        if self._now is None or self._now.position is not last:
            self._now = _Now(last, self.game.decision(last.state))
        return self._now

    @property
    def over(self) -> bool:
        now = self.now
        if now.over is None:
            now.over = self.game.result(self.state) is not None
        return now.over

    def asked_seats(self) -> tuple[str, ...]:
        """Who has to decide now."""
        decision = self.now.decision
        if decision is None:
            return ()
        return decision.together or (decision.seat,)

    def number(self, seat: str) -> int:
        """The number of the decision that a seat has to make."""
        return self._numbers[seat]

    def offer(self, seat: str) -> Offer | None:
        offers = self.now.offers
        if seat not in offers:
            offers[seat] = offer_to(self.game, self.state, seat)
        return offers[seat]

    # --------------------------------------------------------------- answers

    def answered(self, seat: str, decision: int, numbers: int | Sequence[int]) -> Entry:
        """The entry of an answer, which has been tried; nothing has changed yet."""
        offer = self.current(seat, decision)
        if offer.many != isinstance(numbers, list | tuple):
            wanted = "a list of options" if offer.many else "one option"
            raise IllegalMove("wrong-type", "", f"this decision takes {wanted}")
        if isinstance(numbers, int):
            value = offer.value(numbers)
        else:
            if len(set(numbers)) != len(numbers):
                raise IllegalMove("not-an-option", "", "an option can be picked only once")
            value = [offer.value(number) for number in numbers]
        return self.entry(seat, value)

    def entry(self, seat: str, value: Any) -> Entry:
        """The entry of an answer given as a value, as bots do; it has been tried."""
        entry = Entry("answer", seat, self.number(seat), _plain(value))
        position = self.stepped(entry)
        if position is not None:
            self.now.tried = (entry, position)
        return entry

    def current(self, seat: str, decision: int) -> Offer:
        """What a seat is asked, if it is still the decision with this number."""
        if seat not in self._numbers:
            raise IllegalMove("not-your-turn", "", f"there is no seat `{seat}`")
        if self.over:
            raise IllegalMove("game-over", "", "the game is over")
        if decision != self.number(seat):
            raise Stale("that decision is no longer open")
        offer = self.offer(seat)
        if offer is None:
            who = " and ".join(self.asked_seats())
            raise IllegalMove("not-your-turn", "", f"{who} decides now, not {seat}")
        return offer

    def draft(self, seat: str, decision: int, numbers: Sequence[int]) -> Draft:
        return draft(self.game, self.state, self.current(seat, decision), numbers)

    def is_repeated(self, seat: str, decision: int, numbers: int | Sequence[int]) -> bool:
        """Whether just this answer has been taken before: it was sent twice."""
        found = next(
            (at for at, e in enumerate(self.entries)
             if e.kind == "answer" and e.seat == seat and e.decision == decision),
            None,
        )  # fmt: skip
        if found is None:
            return False
        before = Match(self.record, self.rules, self.entries[:found])
        try:
            return before.answered(seat, decision, numbers) == self.entries[found]
        except LudwrightError:
            return False

    def tried(self, seat: str, decision: int, number: int) -> Position | None:
        """Where an option would lead; None where whoever knows that could not go back any more."""
        offer = self.current(seat, decision)
        if offer.many:
            raise IllegalMove("wrong-type", "", "this decision takes a list of options")
        value = _plain(offer.value(number))
        position = self.stepped(Entry("answer", seat, decision, value))
        if position is None or _stopping(position, seat, set(), self) is not None:
            return None
        return position

    # ----------------------------------------------------------------- undo

    def reach(self, seat: str) -> Reach:
        """How far back this seat may go without asking anybody."""
        bots = {s.name for s in self.record.seats if s.holder == "bot"}
        at, back = len(self.positions) - 1, len(self.positions) - 1
        reason = "the match begins here"
        while at > 0:
            position = self.positions[at]
            told = _stopping(position, seat, bots, self)
            if told is not None:
                reason = told
                break
            at -= 1
            if position.seat == seat:
                back = at
        return Reach(back, reason)

    def undone(self, seat: str, decision: int, position: int, agreed: bool = False) -> Entry:
        """The entry that takes back everything after a position."""
        if seat not in self._numbers:
            raise IllegalMove("no-undo", "", f"there is no seat `{seat}`")
        if decision != self.version:
            raise Stale("something has happened since")
        if not 0 <= position < len(self.positions) - 1:
            raise IllegalMove("no-undo", "", "there is nothing to take back")
        if not agreed and position < self.reach(seat).position:
            raise IllegalMove("no-undo", "", self.reach(seat).reason)
        return Entry("undo", seat, decision, position)

    def withdrawn(self, seat: str, decision: int) -> Entry:
        """The entry that takes back a sealed answer while others are still thinking."""
        if decision != self.version:
            raise Stale("something has happened since")
        entry = Entry("withdraw", seat, decision)
        self.stepped(entry)
        return entry

    def can_withdraw(self, seat: str) -> bool:
        try:
            self.game.withdraw(self.state, seat)
        except IllegalMove:
            return False
        return True

    # -------------------------------------------------------------- changing

    def stepped(self, entry: Entry) -> Position | None:
        """The position that an entry leads to; raises where the rules do not allow it."""
        tried = self.now.tried
        if tried is not None and tried[0] is entry:
            return tried[1]
        if entry.kind == "undo":
            if not 0 <= entry.value < len(self.positions):
                raise IllegalMove("no-undo", "", "an entry goes back to a position there never was")
            return None
        if entry.kind == "withdraw":
            state = self.game.withdraw(self.state, entry.seat)
            step = Step(state, True, "decision", False, (), core_of(self.game).describe_events)
            return Position(state, step, entry.seat)
        offer = self.offer(entry.seat)
        if offer is None:
            raise IllegalMove("not-your-turn", "", f"`{entry.seat}` is not asked")
        step = choose(self.game, self.state, offer, entry.value)
        return Position(step.state, step, entry.seat, offer.decision, entry.value)

    def take(self, entry: Entry, position: Position | None) -> None:
        """Add an entry that was stored."""
        before = self.now.decision
        self.entries.append(entry)
        if position is None:
            del self.positions[entry.value + 1 :]
        else:
            self.positions.append(position)
        after = self.now.decision
        kept = entry.kind == "answer" and _same_question(before, after, entry.seat)
        for seat in self.seats:
            if not (kept and after is not None and seat in after.together):
                self._numbers[seat] = self.version


def _same_question(before: Decision | None, after: Decision | None, answered: str) -> bool:
    """Whether seats under seal are still asked the same after one of them has answered."""
    if before is None or after is None or not before.together:
        return False
    left = tuple(seat for seat in before.together if seat != answered)
    return after.together == left and after.decision_id == before.decision_id


def _stopping(position: Position, seat: str, bots: set[str], match: Match) -> str | None:
    """Why a seat cannot go back over a step, in words."""
    kinds = position.kinds
    if "rolled" in kinds or "shuffled" in kinds:
        return "chance has decided since"
    if position.step.learned or kinds & {*NEWS}:
        return "something hidden has come to light"
    if position.decision is None or position.decision.together:
        return "others have decided since"
    if position.seat != seat and (position.seat not in bots or not match.open):
        return f"{core_of(match.game).wording.seat(position.seat)} has decided since"
    if position.step.part_ended and not match.open:
        return "others have seen the move"
    return None


def _hides_nothing(rules: Rules) -> bool:
    """Whether everybody sees everything: then what others do tells nothing but what they do."""
    core = core_of(rules.game)
    variables = rules.game.program.variables
    return not core.machine.pieces.can_hide and all(
        variable.see == "all" or variable.name.startswith("__") for variable in variables
    )


def _plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
