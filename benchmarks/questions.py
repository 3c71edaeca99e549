"""What questions about moves cost beside `decision` and `choose`: processor time, in one run.

A question with n answers has to give n answers, so each is compared with giving them by `choose`.
`alone`: no question before it helps. `next`: the same move, one answer longer than the last one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from measuring import pin, seconds_of, short, table

import ludwright as lw
from ludwright import Move
from ludwright.kernel.game import Game
from ludwright.kernel.moves import ChoiceRequest
from ludwright.kernel.state import State

GAMES = ("chess", "delta", "backgammon", "hearts", "nine-mens-morris")
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


def answer(request: ChoiceRequest) -> object:
    if request.type == "chooseN":
        return list(request.options[: max(1, request.min or 0)])
    return request.options[0] if request.options else None


def prefixes(game: Game, state: State) -> list[Move]:
    """A move from nothing answered to all answered."""
    listed = game.legal_moves(state)
    found = [Move(listed[-1].action_id, {}, listed[-1].free_operation)]
    while not (request := game.legal_choices(state, found[-1])).complete:
        assert request.decision_id is not None
        found.append(found[-1].with_param(request.decision_id, answer(request)))
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


def walked(game: Game, state: State) -> int:
    """All parts from a state, by `choose`."""
    stack, count = [state], 0
    while stack:
        here = stack.pop()
        decision = game.decision(here)
        assert decision is not None
        for option in decision.answers:
            step = game.choose(here, option)
            count += 1
            if not step.part_ended:
                stack.append(step.state)
    return count


def row(name: str) -> list[str]:
    game = lw.load(name)
    states = positions(game)
    moves = [(state, prefixes(game, state)) for state in states]
    answers = [(state, answers_of(game, state, ways[-1])) for state, ways in moves]
    number = sum(len(values) for _, values in answers)
    questions = sum(len(ways) for _, ways in moves)

    def by_choose() -> None:
        for state, values in answers:
            given(game, state, values)

    def asked(forget: bool) -> Callable[[], None]:
        def ask() -> None:
            for state, ways in moves:
                for move in ways:
                    if forget:
                        game._walker._left = None
                    game.legal_choices(state, move)

        return ask

    def applied() -> None:
        for state, ways in moves:
            game.apply_move(state, ways[-1])

    micro = 1e6
    choose = seconds_of(by_choose, LEAST) * micro / number
    alone, following = (
        seconds_of(asked(forget), LEAST) * micro / questions for forget in (True, False)
    )
    apply = seconds_of(applied, LEAST) * micro / number
    return [
        name, short(choose), short(alone), f"{short(alone / choose)}", short(following),
        f"{short(following / choose)}", short(apply), f"{short(apply / choose)}",
    ]  # fmt: skip


def listing(name: str) -> list[str]:
    game = lw.load(name)
    states = positions(game)
    listed = seconds_of(lambda: [game.legal_moves(state) for state in states], LEAST)
    by_hand = seconds_of(lambda: [walked(game, state) for state in states], LEAST)
    scale = 1e6 / len(states)
    return [name, short(listed * scale), short(by_hand * scale), short(listed / by_hand)]


def main() -> None:
    pin()
    head = ("game", "choose µs", "alone µs", "ratio", "next µs", "ratio", "apply µs", "ratio")
    print(table(head, [row(name) for name in GAMES]))
    print()
    head = ("game", "legal_moves µs", "walk by choose µs", "ratio")
    print(table(head, [listing(name) for name in ("chess", "nine-mens-morris", "tic-tac-toe")]))


if __name__ == "__main__":
    main()
