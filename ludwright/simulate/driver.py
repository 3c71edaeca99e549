"""Playing a game to its end with agents in the seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludwright.agents.agent import Agent, View
from ludwright.agents.answers import Answers, unproven
from ludwright.agents.protocol import Decision, Game, Option, Result, State, Step
from ludwright.errors import EndlessChoices, IllegalMove, LudwrightError
from ludwright.kernel.moves import MOVE_LIMIT
from ludwright.simulate.recorder import Recorder, action_of
from ludwright.simulate.trace import Where

RETRIES = 100  # fresh starts of a part that ran into a dead end
GAME_LIMIT = 100_000  # decisions in one game


class DeadEnd(LudwrightError):
    """No completion was found behind options whose legality could not be proven."""


@dataclass(frozen=True, slots=True)
class Playout:
    state: State
    result: Result | None  # None: stopped at the limit
    moves: int
    decisions: int


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a part began: what a dead end returns to."""

    state: State
    decisions: int
    asked: int  # decisions of the move before this part
    recorded: int


def play_out(
    game: Game,
    state: State,
    agents: Mapping[str, Agent],
    *,
    limit: int = GAME_LIMIT,
    recorder: Recorder | None = None,
) -> Playout:
    """Let the agents answer until the game is over or `limit` decisions were made.

    What is offered can be finished, except where the engine said `unknown`: a dead end behind such
    an option returns to the start of the part, and the agent tries again. An error ends the game;
    the recorder then knows where it came from.
    """
    attempt = _Attempt()
    try:
        return _play_out(game, state, agents, limit, recorder, attempt)
    except LudwrightError as error:
        if recorder:
            recorder.stop(attempt.where, error, attempt.decision, attempt.option)
        raise


@dataclass(slots=True)
class _Attempt:
    """What is being done, for the record should it fail."""

    where: Where = "decision"
    decision: Decision | None = None
    option: Option = None

    def begin(self, where: Where, decision: Decision | None = None, option: Option = None) -> None:
        self.where, self.decision, self.option = where, decision, option


def _play_out(
    game: Game,
    state: State,
    agents: Mapping[str, Agent],
    limit: int,
    recorder: Recorder | None,
    attempt: _Attempt,
) -> Playout:
    seats = tuple(agents)
    moves = decisions = asked = retries = 0
    mark: _Mark | None = None
    while decisions < limit:
        attempt.begin("decision")
        decision = game.decision(state)
        if decision is None:
            break
        if mark is None:
            if decision.head:
                moves += 1
                asked = 0
            recorded = len(recorder.answers) if recorder else 0
            mark = _Mark(state, decisions, asked, recorded)
            retries = 0
        step = option = None
        if Answers(decision):
            asked += 1
            if asked > MOVE_LIMIT:
                attempt.begin("driver", decision)
                raise EndlessChoices(action_of(decision), decision.decision_id, MOVE_LIMIT)
            attempt.begin("agent", decision)
            option = agents[decision.seat].choose(View(game, state, decision, seats))
            attempt.begin("answer", decision, option)
            step = _chosen(game, state, decision, option)
        if step is None:
            retries += 1
            if retries > RETRIES:
                attempt.begin("driver", decision)
                raise DeadEnd(
                    f"the action `{action_of(decision)}` was offered, but in {RETRIES} attempts "
                    "no way to finish it was found"
                )
            state, decisions, asked = mark.state, mark.decisions, mark.asked
            if recorder:
                recorder.drop(mark.recorded)
            continue
        state = step.state
        decisions += 1
        if recorder:
            recorder.add(decision, option, step)
        if step.part_ended:
            mark = None
    return Playout(state, game.result(state), moves, decisions)


def _chosen(game: Game, state: State, decision: Decision, option: Option) -> Step | None:
    """The step, or None where an option of unknown legality proved to be refused."""
    try:
        return game.choose(state, option, decision.seat)
    except IllegalMove:
        if unproven(decision):
            return None
        raise
