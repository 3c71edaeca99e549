"""Hedgerow against OpenSpiel's quoridor: the same runs, jumps and hedges, under other names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WAYS = {"h": " flat", "v": " upright"}


def spelling(size: int) -> Callable[[Any, int], str]:
    """`e8` and `a1v` count squares from the upper left; here the earth between them counts too."""

    def written(state: Any, action: int) -> str:
        text: str = state.action_to_string(action)
        wall = WAYS.get(text[-1], "")
        column = LETTERS.index(text[0]) + 1
        row = size + 1 - int(text[1:-1] if wall else text[1:])
        if wall:
            return f"{LETTERS[2 * column - 1]}{2 * row - 2}{wall}"
        return f"{LETTERS[2 * column - 2]}{2 * row - 1}"

    return written


# The interpreter needs ten seconds for a game on the whole garden: the native engine plays that.
@pytest.mark.parametrize(
    ("size", "hedges", "few"), [(9, 10, 0), (6, 6, 1), (5, 4, 2), (4, 3, 4), (3, 2, 8)]
)
def test_lockstep_with_openspiel(engine: str, size: int, hedges: int, few: int) -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("hedgerow", size=size, hedges=hedges)
    parameters = {"board_size": size, "wall_count": hedges}
    for seed in lockstep.games(few) if few else range(2 if engine == "native" else 0):
        other = pyspiel.load_game("quoridor", parameters).new_initial_state()
        lockstep.mirror(game, other, spelling(size), seed)


def test_a_long_race_is_a_draw() -> None:
    game = lw.load("hedgerow", size=3, hedges=0)
    state = game.initial_state()
    for text in ["a1", "a5", "c1", "c5"] * 9:
        assert game.result(state) is None
        state = game.apply_move(state, game.parse_move(state, text)).state
    result = game.result(state)
    assert result is not None
    assert result.reason == "it is dark"
