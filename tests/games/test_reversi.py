"""Reversi against OpenSpiel's othello."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")


def written(state: Any, action: int) -> str:
    text: str = state.action_to_string(action)
    return text


def test_lockstep_with_openspiel() -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("reversi")
    for seed in lockstep.games(8):
        other = pyspiel.load_game("othello").new_initial_state()
        lockstep.mirror(game, other, written, seed)


def test_discs_are_turned_over_in_every_direction() -> None:
    game = lw.load("reversi")
    state = game.initial_state()
    for text in ("d3", "c3", "c4"):
        state = game.apply_move(state, game.parse_move(state, text)).state
    assert game.score(state, "black") == 5
    assert game.score(state, "white") == 2
    assert lockstep.owners(game, state) == {
        "c3": "white", "d3": "black", "c4": "black", "d4": "black", "e4": "black",
        "d5": "black", "e5": "white",
    }  # fmt: skip
