"""Playing a game to its end with agents in the seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludwright.agents.agent import Agent, View
from ludwright.agents.protocol import Decision, Game, Option, Result, State, Step
from ludwright.errors import LudwrightError
from ludwright.kernel.play.driver import Doing, Driver, Played
from ludwright.program.limits import GAME_LIMIT
from ludwright.simulate.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Playout:
    """A game that was played: `result` is None where the limit ended it."""

    state: State
    result: Result | None
    moves: int
    decisions: int


def play_out(
    game: Game,
    state: State,
    agents: Mapping[str, Agent],
    *,
    limit: int = GAME_LIMIT,
    recorder: Recorder | None = None,
) -> Playout:
    """Let the agents answer until the game is over or `limit` decisions were made.

    An error ends the game; the recorder then knows where it came from.
    """
    seats = tuple(agents)
    driver: _Remembering

    def answer(state: State, decision: Decision) -> Option:
        driver.asked = state
        view = View(game, state, decision, seats, driver.past)
        answer = agents[decision.seat].choose(view)
        if view.faults:  # a series looks for mistakes of the rulebook, and this is one
            raise view.faults[0]
        return answer

    driver = _Remembering(game, answer, limit)
    if recorder is not None:
        driver = _Recorded(recorder, game, answer, limit)
    played = driver.play(state)
    return Playout(played.state, game.result(played.state), played.moves, played.decisions)


class _Remembering(Driver):
    """Keeps what was answered, for agents that think about what they have seen."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.past: list[tuple[State, Option]] = []
        self.asked: State = None

    def took(self, decision: Decision, option: Option, step: Step) -> None:
        self.past.append((self.asked, option))

    def went_back(self, answers: int) -> None:
        del self.past[len(self.past) - answers :]


class _Recorded(_Remembering):
    """Writes down what is answered, and what was being done when an error came."""

    def __init__(self, recorder: Recorder, *given: Any) -> None:
        super().__init__(*given)
        self._recorder = recorder
        self._attempt: tuple[Doing, Decision | None, Option] = ("decision", None, None)

    def play(self, state: State) -> Played:
        try:
            return super().play(state)
        except LudwrightError as error:
            doing, decision, option = self._attempt
            self._recorder.stop(doing, error, decision, option)
            raise

    def doing(self, what: Doing, decision: Decision | None = None, option: Option = None) -> None:
        self._attempt = (what, decision, option)

    def took(self, decision: Decision, option: Option, step: Step) -> None:
        super().took(decision, option, step)
        self._recorder.add(decision, option, step)

    def went_back(self, answers: int) -> None:
        super().went_back(answers)
        self._recorder.drop(len(self._recorder.answers) - answers)
