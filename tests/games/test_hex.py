"""Hex against OpenSpiel."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")


def written(state: Any, action: int) -> str:
    text: str = state.action_to_string(action)
    return text


@pytest.mark.parametrize(("size", "few"), [(11, 6), (5, 30), (2, 10)])
def test_lockstep_with_openspiel(size: int, few: int) -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("hex", board_size=size)
    for seed in lockstep.games(few):
        other = pyspiel.load_game("hex", {"board_size": size}).new_initial_state()
        lockstep.mirror(game, other, written, seed)


def test_the_size_is_checked() -> None:
    with pytest.raises(lw.RulebookError, match="board_size"):
        lw.load("hex", board_size=1)


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        (["a1", "b1", "a2", "b2"], "red"),  # a column joins bottom and top
        (["a1", "a2", "b1", "b2"], "blue"),  # a row joins left and right, once red has moved on
    ],
)
def test_each_side_joins_its_own_edges(line: list[str], winner: str) -> None:
    game = lw.load("hex", board_size=2)
    state = game.initial_state()
    for text in line:
        if game.result(state) is None:
            state = game.apply_move(state, game.parse_move(state, text)).state
    result = game.result(state)
    assert result is not None
    assert result.winners == (winner,)
