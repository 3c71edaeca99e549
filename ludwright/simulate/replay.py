"""Playing a trace again and naming the first step that differs."""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.agents.answers import Answers
from ludwright.agents.protocol import Game, State, Step
from ludwright.simulate.recorder import outcomes
from ludwright.simulate.trace import Trace, TraceError


@dataclass(frozen=True, slots=True)
class Difference:
    step: int  # 0: the initial state; else the number of the entry, from 1
    seat: str
    what: str

    def __str__(self) -> str:
        where = "the initial state" if self.step == 0 else f"step {self.step} ({self.seat})"
        return f"{where} differs: {self.what}"


@dataclass(frozen=True, slots=True)
class Replay:
    states: tuple[State, ...]  # the initial state, then one after each verified entry
    difference: Difference | None

    @property
    def ok(self) -> bool:
        return self.difference is None


def replay(game: Game, gamedef_hash: str, trace: Trace) -> Replay:
    """Verify a trace; refuses (TraceError) one that belongs to another version of the rules."""
    if trace.gamedef_hash != gamedef_hash:
        raise TraceError(
            f"this game was saved with another version of the rules of `{trace.game}` "
            f"(saved {trace.gamedef_hash[:12]}, now {gamedef_hash[:12]}); "
            "replay it with the rulebook it was played with"
        )
    try:
        state = game.initial_state(trace.seed, trace.players, trace.scenario)
    except ValueError as problem:
        raise TraceError(f"this game cannot be set up as it was saved: {problem}") from None
    states = [state]
    if game.state_hash(state) != trace.start_hash:
        return Replay(tuple(states), Difference(0, "", "its hash is not the saved one"))
    for number, entry in enumerate(trace.entries, 1):
        fallen: list[object] = []
        for decision_id, option in entry.params:
            step = _answer(game, state, entry.seat, decision_id, option)
            if isinstance(step, str):
                return Replay(tuple(states), Difference(number, entry.seat, step))
            state = step.state
            fallen.extend(outcomes(step.events))
        if tuple(fallen) != entry.chance:
            what = f"chance gave {_listed(fallen)}, saved is {_listed(entry.chance)}"
            return Replay(tuple(states), Difference(number, entry.seat, what))
        if game.state_hash(state) != entry.state_hash:
            what = "the hash of the state after it is not the saved one"
            return Replay(tuple(states), Difference(number, entry.seat, what))
        states.append(state)
    return Replay(tuple(states), None)


def _answer(game: Game, state: State, seat: str, decision_id: str, option: object) -> Step | str:
    """The step, or in words why the saved answer does not fit here."""
    decision = game.decision(state)
    if decision is None:
        return f"the game is over, but `{decision_id}` was answered"
    if (decision.seat, decision.decision_id) != (seat, decision_id):
        return (
            f"{decision.seat} is asked `{decision.decision_id}`, "
            f"but saved is an answer of {seat} to `{decision_id}`"
        )
    if option not in Answers(decision):
        return f"`{option}` is not an option of `{decision_id}`"
    return game.choose(state, option, seat)


def _listed(values: object) -> str:
    items = list(values) if isinstance(values, list | tuple) else [values]
    return ", ".join(str(item) for item in items) or "nothing"
