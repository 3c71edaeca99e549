"""Breakthrough against OpenSpiel, on boards of several sizes."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")


def mirrored(size: int) -> lockstep.Written:
    """OpenSpiel's first side starts at the top: its rows count the other way."""

    def written(state: Any, action: int) -> str:
        text = state.action_to_string(action).rstrip("*")
        return f"{text[0]}{size + 1 - int(text[1])}{text[2]}{size + 1 - int(text[3])}"

    return written


@pytest.mark.parametrize(("size", "few"), [(8, 12), (6, 10), (5, 10), (3, 5)])
def test_lockstep_with_openspiel(size: int, few: int) -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("breakthrough", board_size=size)
    for seed in lockstep.games(few):
        other = pyspiel.load_game("breakthrough", {"rows": size, "columns": size})
        lockstep.mirror(game, other.new_initial_state(), mirrored(size), seed)


def test_a_man_ahead_blocks_the_way_and_a_man_beside_it_can_be_taken() -> None:
    game = lw.load("breakthrough", board_size=4)
    state = game.initial_state()
    for text in ("b1b2", "b4b3"):
        state = game.apply_move(state, game.parse_move(state, text)).state
    found = lockstep.texts(game, state)
    assert "b2b3" not in found
    assert {"b2a3", "b2c3"} <= found.keys()
    state = game.apply_move(state, found["b2c3"]).state
    found = lockstep.texts(game, state)
    assert "d4c3" in found
    assert "c4c3" not in found


def test_reaching_the_last_row_wins() -> None:
    game = lw.load("breakthrough", board_size=3)
    state = game.initial_state()
    for text in ("a1a2", "c3c2", "a2b3"):
        state = game.apply_move(state, game.parse_move(state, text)).state
    result = game.result(state)
    assert result is not None
    assert (result.winners, result.reason) == (("white",), "broke through")
