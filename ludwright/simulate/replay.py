"""Playing a trace again and naming the first step that differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludwright.agents.answers import Answers
from ludwright.agents.protocol import Decision, Game, Option, State, Step
from ludwright.errors import LudwrightError
from ludwright.kernel.play.driver import action_of
from ludwright.simulate.recorder import code_of, outcomes
from ludwright.simulate.trace import Entry, Stopped, Trace, TraceError


@dataclass(frozen=True, slots=True)
class Difference:
    step: int  # 0: the set-up; else the number of the entry, from 1
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


class _Differs(Exception):
    """This entry does not follow from the rules."""


def replay(game: Game, gamedef_hash: str, trace: Trace) -> Replay:
    """Verify a trace; refuses (TraceError) one that belongs to another version of the rules.

    Every entry must be one part: the seat that is asked answers what it is asked with something on
    offer, the part ends with the last answer (only that of the last entry may be open), the action,
    the chance outcomes and the hash of the state are the saved ones. A saved fault must come again.
    Nothing but a TraceError is raised, whatever the trace says.
    """
    if trace.gamedef_hash != gamedef_hash:
        raise TraceError(
            f"this game was saved with another version of the rules of `{trace.game}` "
            f"(saved {trace.gamedef_hash[:12]}, now {gamedef_hash[:12]}); "
            "replay it with the rulebook it was played with"
        )
    if trace.chance != getattr(game, "chance", trace.chance):
        raise TraceError(f'this game was saved with chance="{trace.chance}"; load it like that')
    states: list[State] = []
    number = 0
    try:
        state = _start(game, trace)
        if state is None:
            return Replay((), None)
        states.append(state)
        for number, entry in enumerate(trace.entries, 1):
            state = _part(game, state, entry, open_end=number == len(trace.entries))
            states.append(state)
        number += 1
        if trace.stopped is not None:
            _stops(game, state, trace.stopped)
    except _Differs as difference:
        seat = trace.entries[number - 1].seat if 0 < number <= len(trace.entries) else ""
        return Replay(tuple(states), Difference(number, seat, str(difference)))
    return Replay(tuple(states), None)


def _start(game: Game, trace: Trace) -> State | None:
    """The first state; None if set-up fails now as it did in the saved game."""
    stopped = trace.stopped
    expected = stopped if stopped is not None and stopped.where == "set-up" else None
    try:
        state = game.initial_state(trace.seed, trace.players, trace.scenario)
    except ValueError as problem:
        raise TraceError(f"this game cannot be set up as it was saved: {problem}") from None
    except LudwrightError as error:
        if expected is None or code_of(error) != expected.code or trace.entries:
            raise _Differs(str(error)) from None
        return None
    if expected is not None:
        raise _Differs(f"the saved fault did not come again: {expected.message}")
    if game.state_hash(state) != trace.start_hash:
        raise _Differs("its hash is not the saved one")
    return state


def _part(game: Game, state: State, entry: Entry, open_end: bool) -> State:
    """The state after an entry, if it is one part as it was saved."""
    if not entry.params:
        raise _Differs("it answers nothing")
    fallen: list[Option] = []
    action, ended = "", False
    for decision_id, option in entry.params:
        if ended:
            raise _Differs(f"the part ends before `{decision_id}` is answered")
        decision = _asked(game, state, entry.seat, decision_id)
        step = _answered(game, state, decision, option)
        fallen.extend(outcomes(step.events()))
        state, action, ended = step.state, action_of(decision), step.part_ended
    if not ended and not open_end:
        raise _Differs("the part goes on after its last answer")
    if action != entry.action:
        raise _Differs(f"the action is `{action}`, saved is `{entry.action}`")
    if tuple(fallen) != entry.chance:
        raise _Differs(f"chance gave {_listed(fallen)}, saved is {_listed(entry.chance)}")
    if game.state_hash(state) != entry.state_hash:
        raise _Differs("the hash of the state after it is not the saved one")
    return state


def _asked(game: Any, state: State, seat: str, decision_id: str) -> Decision:
    """The decision that is asked, which must be the saved one."""
    try:
        decision: Any = game.decision(state)
        if decision is not None and seat in getattr(decision, "together", ()):
            decision = game.decision(state, seat)  # several decide, in any order
    except LudwrightError as error:
        raise _Differs(str(error)) from None
    if decision is None:
        raise _Differs(f"the game is over, but `{decision_id}` was answered")
    if (decision.seat, decision.decision_id) != (seat, decision_id):
        raise _Differs(
            f"{decision.seat} is asked `{decision.decision_id}`, "
            f"but saved is an answer of {seat} to `{decision_id}`"
        )
    asked: Decision = decision
    return asked


def _answered(game: Game, state: State, decision: Decision, option: Option) -> Step:
    if option not in Answers(decision):
        raise _Differs(f"`{option}` is not an option of `{decision.decision_id}`")
    try:
        return game.choose(state, option, decision.seat)
    except LudwrightError as error:
        raise _Differs(str(error)) from None


def _stops(game: Game, state: State, stopped: Stopped) -> None:
    """The saved fault must occur again, unless it came from outside the game."""
    if stopped.where in ("agent", "driver"):
        return
    try:
        if stopped.where == "decision":
            game.decision(state)
        else:
            _asked(game, state, stopped.seat, stopped.decision_id)
            game.choose(state, stopped.option, stopped.seat)
    except LudwrightError as error:
        if code_of(error) == stopped.code:
            return
        raise _Differs(f"the saved fault is `{stopped.code}`, now it is: {error}") from None
    raise _Differs(f"the saved fault did not come again: {stopped.message}")


def _listed(values: Sequence[object]) -> str:
    return ", ".join(str(item) for item in values) or "nothing"
