"""What questions about moves cost beside `choose`: processor time, in one run, over all games.

The unit is one `decision` with one `choose`. Beside it stand one question of `legal_choices`, at
all stages of a move from nothing answered to all answered; `apply_move` and `validate_move`, for
each answer of the move; and `legal_moves`, for each move that it lists.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

from measuring import pin, rate, short, table

import ludwright as lw
from ludwright import IllegalMove, Move
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.move import ChoiceRequest
from ludwright.kernel.protocol.state import State

POSITIONS = 12
LEAST = 0.05


def positions(game: Game) -> list[State]:
    """Heads of moves, some way into a random game."""
    found: list[State] = []
    dice = random.Random(1)
    state = game.initial_state(1)
    while len(found) < POSITIONS:
        decision = game.decision(state)
        if decision is None:
            state = game.initial_state(dice.randrange(1000))
            continue
        if decision.head and dice.random() < 0.3:
            found.append(state)
        state = game.choose(state, dice.choice(decision.answers)).state
    return found


def answer(request: ChoiceRequest, dice: random.Random) -> object:
    if request.kind == "chooseN":
        return list(request.options[: max(1, request.min or 0)])
    return dice.choice(request.options) if request.options else None


def prefixes(game: Game, state: State, dice: random.Random) -> list[Move]:
    """A move from nothing answered to all answered. Where a rule forbids a set, another one."""
    while True:
        chosen = dice.choice(game.legal_moves(state))
        found = [Move(chosen.action_id, {})]
        try:
            while not (request := game.legal_choices(state, found[-1])).complete:
                assert request.decision_id is not None
                value = answer(request, dice)
                found.append(found[-1].with_param(request.decision_id, value))
        except IllegalMove:
            continue
        return found


def answers_of(game: Game, state: State, move: Move) -> list[Any]:
    """The answers of a move in the order in which they are asked for."""
    decision = game.decision(state)
    assert decision is not None
    found: list[Any] = []
    step = None
    while step is None or not step.part_ended:
        if step is None and decision.role in ("action", "menu"):
            value: Any = move.action_id
        else:
            value = move.params[decision.decision_id]
        found.append(list(value) if decision.kind == "chooseN" else value)
        step = game.choose(state, found[-1])
        state = step.state
        decision = game.decision(state) or decision
    return found


def given(game: Game, state: State, answers: list[Any]) -> None:
    """One by one, each to a decision that was asked for."""
    for answer in answers:
        game.decision(state)
        state = game.choose(state, answer).state


def row(name: str) -> list[str]:
    game = lw.load(name)
    dice = random.Random(3)
    moves = [(state, prefixes(game, state, dice)) for state in positions(game)]
    answers = [(state, answers_of(game, state, ways[-1])) for state, ways in moves]
    number = sum(len(values) for _, values in answers)
    questions = [(state, move) for state, ways in moves for move in ways]

    def by_choose() -> None:
        for state, values in answers:
            given(game, state, values)

    def asked() -> None:
        for state, move in questions:
            game.legal_choices(state, move)

    def applied() -> None:
        for state, ways in moves:
            game.apply_move(state, ways[-1])

    def validated() -> None:
        for state, ways in moves:
            game.validate_move(state, ways[-1])

    def listed() -> None:
        for state, _ in moves:
            game.legal_moves(state)

    length = sum(len(game.legal_moves(state)) for state, _ in moves)
    unit, *costs = (
        seconds_each(work, pieces)
        for work, pieces in (
            (by_choose, number), (asked, len(questions)), (applied, number), (validated, number),
            (listed, length),
        )
    )  # fmt: skip
    cells = (cell for cost in costs for cell in (short(1e6 * cost), short(cost / unit)))
    return [name, short(1e6 * unit), *cells]


def seconds_each(work: Callable[[], None], pieces: int) -> float:
    """Processor time of one of the pieces of work that a call does."""

    def times(n: int) -> int:
        for _ in range(n):
            work()
        return n * pieces

    return 1 / rate(times, LEAST)


def main() -> None:
    pin()
    calls = ("legal_choices", "apply_move", "validate_move", "legal_moves")
    head = ("game", "choose µs", *(word for call in calls for word in (f"{call} µs", "ratio")))
    names = sys.argv[1:] or lw.shipped_games()
    print(table(head, [row(name) for name in names]))


if __name__ == "__main__":
    main()
