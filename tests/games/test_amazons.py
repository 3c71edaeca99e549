"""Amazons against OpenSpiel: the three decisions of a move are three of its actions."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")


def square(state: Any, action: int) -> str:
    """`X To (7, 1)` names a square by its row from the top and its column."""
    found = re.search(r"\((\d+), (\d+)\)", state.action_to_string(action))
    assert found is not None
    return f"{'abcdefghij'[int(found[2]) - 1]}{11 - int(found[1])}"


def test_lockstep_with_openspiel() -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("amazons")
    for seed in lockstep.games(12):
        dice = random.Random(seed)
        other = pyspiel.load_game("amazons").new_initial_state()
        state = game.initial_state()
        while not other.is_terminal():
            decision = game.decision(state)
            assert decision is not None
            actions = {square(other, action): action for action in other.legal_actions()}
            assert sorted(decision.options) == sorted(actions), f"seed {seed}:\n{other}"
            assert decision.seat == game.seats[other.current_player()]
            chosen = dice.choice(sorted(actions))
            state = game.choose(state, chosen).state
            other.apply_action(actions[chosen])
        assert lockstep.returns(game, game.result(state)) == other.returns()


def test_the_arrow_may_fly_back_over_the_square_she_left() -> None:
    game = lw.load("amazons")
    state = game.replay(game.initial_state(), ["a4", "a6"])
    decision = game.decision(state)
    assert decision is not None
    assert decision.name == "$arrow"
    assert {"a4", "a1"} <= set(decision.options)
    assert "a7" not in decision.options
    state = game.choose(state, "a4").state
    assert lockstep.owners(game, state)["a6"] == "white"
    assert game.current_seat(state) == "black"


def test_a_whole_move_can_be_written() -> None:
    game = lw.load("amazons")
    state = game.initial_state()
    move = game.parse_move(state, "d1-d7/g7")
    assert game.notation(state, move) == "d1-d7/g7"
