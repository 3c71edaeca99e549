"""Random games, with everything that is needed to look at them again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ludwright import program as ir
from ludwright.agents.answers import Answers, unproven
from ludwright.errors import IllegalMove, LudwrightError, RulebookFault
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State, cells_to_bytes
from ludwright.kernel.protocol.step import Step
from ludwright.kernel.views.determinize import Determinizer
from ludwright.program.rng import Generator, mix


class ConformanceError(LudwrightError, AssertionError):
    """A promise that a game does not keep, with the answers that lead there."""


@dataclass(frozen=True)
class Walk:
    """A random game: `steps[i]` is what `answers[i]` did to `states[i]`."""

    game: Game
    seed: int
    players: int | None
    states: tuple[State, ...]
    answers: tuple[Any, ...]
    steps: tuple[Step, ...]
    # Noted when the states were new, to notice if any of them ever changes.
    recorded: tuple[bytes, ...]

    @property
    def finished(self) -> bool:
        return self.game.decision(self.states[-1]) is None

    def seats(self) -> tuple[str, ...]:
        return self.game.seats[: self.states[0].cells[ir.PLAYERS]]

    def stops(self, sample: int | None = None) -> Iterator[tuple[int, State, Decision]]:
        """The states that wait for a seat; a `sample` of them, spread evenly over the game."""
        waiting = [
            (at, state, decision)
            for at, state in enumerate(self.states)
            if (decision := self.game.decision(state)) is not None and decision.seat != "chance"
        ]
        if sample is not None and len(waiting) > sample:
            waiting = [waiting[i * len(waiting) // sample] for i in range(sample)]
        yield from waiting

    def fail(self, at: int, what: str) -> NoReturn:
        path = ", ".join(repr(answer) for answer in self.answers[:at])
        players = "" if self.players is None else f", players={self.players}"
        raise ConformanceError(f"{what} (seed={self.seed}{players}, after [{path}])")


def random_walk(game: Game, seed: int, limit: int = 200, players: int | None = None) -> Walk:
    """One game with random answers, up to a number of decisions.

    If an option of unknown legality is a dead end, another one is tried.
    """
    dice = Dice(seed)
    state = game.initial_state(seed=seed, players=players)
    states, answers, steps = [state], list[Any](), list[Step]()
    recorded = [state.to_bytes()]
    while len(steps) < limit and (decision := game.decision(state)) is not None:
        step = _any_step(game, state, decision, dice, answers)
        if step is None:
            break
        state = step.state
        steps.append(step)
        states.append(state)
        recorded.append(state.to_bytes())
    return Walk(game, seed, players, tuple(states), tuple(answers), tuple(steps), tuple(recorded))


def _any_step(
    game: Game, state: State, decision: Decision, dice: Dice, answers: list[Any]
) -> Step | None:
    open_answers = Answers(decision)
    if decision.seat == "chance":
        at = _weighted(decision.weights, dice)
        answers.append(open_answers[at])
        return game.choose(state, answers[-1])
    for _ in range(20):
        if not open_answers:
            return None
        answer = open_answers[dice.pick(len(open_answers))]
        try:
            step = game.choose(state, answer, decision.seat)
        except IllegalMove:
            if unproven(decision):
                continue
            raise
        answers.append(answer)
        return step
    return None


def _weighted(weights: tuple[int, ...], dice: Dice) -> int:
    left = dice.below(sum(weights))
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    raise AssertionError("the weights add up")


def dealt_anew(game: Game, state: State, seat: str, seed: int) -> State | None:
    """A state that differs only in what a seat does not see, whatever the seat observes there.

    `Game.determinize` tries until the seat observes the same, so a leak would not show. None where
    another seat would be asked, or nobody could be.
    """
    core = core_of(game)
    cells = Determinizer(core.machine, core.projection).another(
        list(state.cells), game.seats.index(seat), Generator(mix(seed))
    )
    if cells is None:
        return None
    try:
        other = game.state_from_bytes(cells_to_bytes(cells))
        one, two = game.decision(state), game.decision(other)
    except (ValueError, RulebookFault):
        return None
    if one is None or two is None or (one.seat, one.together) != (two.seat, two.together):
        return None
    return None if two.dead_end else other


def readable(game: Game, state: State, seat: str) -> str:
    """Everything that a seat can read of a state, as one text."""
    decision = game.decision(state, seat)
    parts: list[Any] = [game.observe(state, seat)]
    if decision is not None:
        parts.append(str(decision))
    if game.current_seat(state) == seat:
        moves = game.legal_moves(state)
        parts.append([str(move) for move in moves])
        for move in moves[:8]:
            parts.append(str(game.legal_choices(state, move)))
            parts.append(str(game.why(state, move)))
    return json.dumps(parts, ensure_ascii=False)


def fingerprint(game: Game, seed: int, limit: int = 60, players: int | None = None) -> str:
    """One hash over all states of a random game and all that can be read of them.

    Equal in every process and on every machine.
    """
    walk = random_walk(game, seed, limit, players)
    digest = hashlib.blake2b(game.gamedef_json, digest_size=16)
    for data in walk.recorded:
        digest.update(data)
    for _, state, decision in walk.stops(6):
        digest.update(game.position_hash(state).encode())
        digest.update(readable(game, state, decision.seat).encode())
    return digest.hexdigest()
