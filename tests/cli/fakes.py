"""Small games written by hand that speak the decision protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludwright.kernel.play.agent_dice import Dice


@dataclass(frozen=True)
class FakeDecision:
    seat: str
    decision_id: str
    options: Sequence[Any]
    head: bool = True
    action: str | None = "take"
    name: str = "take"
    optional: bool = False
    can_stop: bool = False
    legality: Sequence[str] = ()


@dataclass(frozen=True)
class FakeEvent:
    kind: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class FakeStep:
    state: Any
    happened: Sequence[FakeEvent] = ()
    part_ended: bool = True

    def events(self, seat: str | None = None) -> Sequence[FakeEvent]:
        return self.happened


@dataclass(frozen=True)
class FakeResult:
    winners: Sequence[str]
    reason: str
    scores: Mapping[str, int] = field(default_factory=dict)


class Nim:
    """Take one to three stones; who takes the last wins. A state is (stones, seat to move, seed).

    With `dice`, one more stone may be rolled away after every move.
    """

    seats = ("first", "second")

    def __init__(self, stones: int = 7, dice: bool = False) -> None:
        self.stones = stones
        self.dice = dice

    def seats_in_play(self, state: Any) -> tuple[str, ...]:
        return self.seats

    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> Any:
        return (self.stones, 0, seed)

    def decision(self, state: Any) -> FakeDecision | None:
        stones, mover, _ = state
        if stones == 0:
            return None
        return FakeDecision(self.seats[mover], "$n", tuple(range(1, min(3, stones) + 1)))

    def choose(self, state: Any, option: Any, seat: str | None = None) -> FakeStep:
        stones, mover, seed = state
        left = stones - option
        if not self.dice or left < 2:
            return FakeStep((left, 1 - mover, seed))
        dice = Dice(seed)
        fallen = dice.below(2)
        return FakeStep(
            (left - fallen, 1 - mover, dice.next()), (FakeEvent("rolled", {"value": fallen}),)
        )

    def result(self, state: Any) -> FakeResult | None:
        stones, mover, _ = state
        return None if stones else FakeResult((self.seats[1 - mover],), "last stone")

    def score(self, state: Any, seat: str) -> int | None:
        return None

    def determinize(self, state: Any, seat: str, seed: int) -> Any:
        return (state[0], state[1], seed)

    def observe(self, state: Any, seat: str) -> Any:
        return {"stones": state[0]}

    def search(self, state: Any, seat: str | None = None, **settings: Any) -> Any:
        raise NotImplementedError

    def state_hash(self, state: Any) -> str:
        return f"{hash(state) & 0xFFFFFFFFFFFF:012x}"


class Endless(Nim):
    """A move that keeps asking."""

    def decision(self, state: Any) -> FakeDecision | None:
        return FakeDecision("first", "$again", (0,), head=False, action="dither")

    def choose(self, state: Any, option: Any, seat: str | None = None) -> FakeStep:
        return FakeStep(state, part_ended=False)


class Blind(Nim):
    """Two picks of 0..9 whose sum must be 18: nearly every first pick is a dead end."""

    def seats_in_play(self, state: Any) -> tuple[str, ...]:
        return self.seats

    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> Any:
        return ()

    def decision(self, state: Any) -> FakeDecision | None:
        if len(state) == 2:
            return None
        if not state:
            return FakeDecision("first", "$a", tuple(range(10)), action="sum")
        options = (9,) if state[0] == 9 else ()
        return FakeDecision("first", "$b", options, head=False, action="sum")

    def choose(self, state: Any, option: Any, seat: str | None = None) -> FakeStep:
        return FakeStep((*state, option), part_ended=len(state) == 1)

    def result(self, state: Any) -> FakeResult | None:
        return FakeResult(("first",), "sum") if len(state) == 2 else None


class Hopeless(Blind):
    def decision(self, state: Any) -> FakeDecision | None:
        if not state:
            return FakeDecision("first", "$a", (1,), action="sum")
        return FakeDecision("first", "$b", (), head=False, action="sum")
