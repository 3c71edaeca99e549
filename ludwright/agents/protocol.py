"""What agents, drivers and the command line need from a game: the decision protocol.

The kernel's `Game` fulfils these protocols; naming them here keeps agents and simulation free of
the engine behind the game, and lets their tests use small games written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.play.driver import Asks
from ludwright.kernel.protocol.decision import CHANCE

__all__ = [
    "CHANCE", "NONE", "STOP", "Decision", "Event", "Game", "Option", "Result", "State", "Step",
]  # fmt: skip

# A value that a decision offers or is answered with: the name of a space, seat or piece, a number,
# a truth value, or a tuple of those.
Option = Any
# A state is a value that only its game looks into.
State = Any

NONE = None  # declines an optional choice


class Decision(Asks, Protocol):
    """What is asked: as much of it as agents look at."""


class Event(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def fields(self) -> Mapping[str, Any]: ...


class Step(Protocol):
    @property
    def state(self) -> State: ...
    @property
    def part_ended(self) -> bool: ...
    def events(self, seat: str | None = None) -> Sequence[Event]: ...


class Result(Protocol):
    @property
    def winners(self) -> Sequence[str]: ...
    @property
    def scores(self) -> Mapping[str, int]: ...
    @property
    def reason(self) -> str: ...


class Game(Protocol):
    @property
    def seats(self) -> tuple[str, ...]: ...
    def seats_in_play(self, state: State) -> tuple[str, ...]: ...
    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> State: ...
    def decision(self, state: State) -> Decision | None: ...
    def choose(self, state: State, option: Option, seat: str | None = None) -> Step: ...
    def result(self, state: State) -> Result | None: ...
    def score(self, state: State, seat: str) -> int | None: ...
    def determinize(self, state: State, seat: str, seed: int) -> State: ...
    def observe(self, state: State, seat: str) -> Any: ...
    def state_hash(self, state: State) -> str: ...
