"""Playing a game to its end, whoever gives the answers.

What is offered can be finished, except where the search said `unknown`. A dead end behind such an
option returns to the start of the part, and another answer is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ludwright.errors import DeadEnd, EndlessChoices, IllegalMove
from ludwright.program.limits import GAME_LIMIT, MOVE_LIMIT, RETRIES

# What a driver is doing: asking for the decision, waiting for an answer, giving it, giving up.
Doing = Literal["decision", "agent", "answer", "driver"]


class Asks(Protocol):
    """As much of a decision as a driver looks at."""

    @property
    def seat(self) -> str: ...
    @property
    def decision_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def action(self) -> str | None: ...
    @property
    def options(self) -> Sequence[Any]: ...
    @property
    def optional(self) -> bool: ...
    @property
    def can_stop(self) -> bool: ...
    @property
    def legality(self) -> Sequence[str]: ...
    @property
    def head(self) -> bool: ...


class Steps(Protocol):
    @property
    def state(self) -> Any: ...
    @property
    def part_ended(self) -> bool: ...


class Playable(Protocol):
    """What can be played: a game, or anything that asks and takes answers like one."""

    def decision(self, state: Any, /) -> Asks | None: ...
    def choose(self, state: Any, option: Any, seat: str | None = None, /) -> Steps: ...


@dataclass(frozen=True, slots=True)
class Played:
    """How far a game was played."""

    state: Any
    moves: int
    decisions: int


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a part began: what a dead end returns to."""

    state: Any
    decisions: int
    asked: int  # decisions of the move before this part


class Driver:
    """Plays one game; `answer` is asked for an answer to each decision.

    Subclasses hear of what is about to be done (`doing`) and of what was done (`took`,
    `went_back`).
    """

    def __init__(
        self,
        game: Playable,
        answer: Callable[[Any, Any], Any],
        limit: int = GAME_LIMIT,
        move_limit: int | None = MOVE_LIMIT,
    ) -> None:
        self._game = game
        self._answer = answer
        self._limit = limit
        self._move_limit = limit if move_limit is None else move_limit

    def doing(self, what: Doing, decision: Any = None, option: Any = None) -> None:
        """Called before anything that may fail."""

    def took(self, decision: Any, option: Any, step: Any) -> None:
        """Called after every answer."""

    def went_back(self, answers: int) -> None:
        """Called after the last answers of a part were given up."""

    def play(self, state: Any) -> Played:
        """Play until the game is over, or until the limit of decisions."""
        moves = decisions = asked = retries = 0
        start: _Start | None = None
        while decisions < self._limit:
            self.doing("decision")
            decision = self._game.decision(state)
            if decision is None:
                break
            if start is None:
                if decision.head:
                    moves += 1
                    asked = 0
                start = _Start(state, decisions, asked)
                retries = 0
            step = option = None
            if decision.options or decision.optional or decision.can_stop:
                asked += 1
                if asked > self._move_limit:
                    self.doing("driver", decision)
                    raise EndlessChoices(action_of(decision), decision.decision_id, MOVE_LIMIT)
                self.doing("agent", decision)
                option = self._answer(state, decision)
                self.doing("answer", decision, option)
                step = self._chosen(state, decision, option)
            if step is None:
                retries += 1
                if retries > RETRIES:
                    self.doing("driver", decision)
                    raise DeadEnd(action_of(decision), RETRIES)
                self.went_back(decisions - start.decisions)
                state, decisions, asked = start.state, start.decisions, start.asked
                continue
            state = step.state
            decisions += 1
            self.took(decision, option, step)
            if step.part_ended:
                start = None
        return Played(state, moves, decisions)

    def _chosen(self, state: Any, decision: Asks, option: Any) -> Steps | None:
        """The step, or None where an option of unknown legality proved to be refused."""
        try:
            return self._game.choose(state, option, decision.seat)
        except IllegalMove:
            if "unknown" in decision.legality:
                return None
            raise


def action_of(decision: Asks) -> str:
    """What a decision belongs to: its action, or else itself."""
    return decision.action or decision.name
