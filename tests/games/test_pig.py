"""Pig: luck that never ends breaks nothing."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State


def rolled(game: Game, state: State, die: int, times: int) -> State:
    for _ in range(times):
        state = game.choose(game.choose(state, "roll").state, die).state
    return state


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_turn_may_go_on_for_ever(engine: str) -> None:
    game = lw.load("pig", chance="explicit", engine=engine)
    state = rolled(game, game.initial_state(), 6, 400)
    result = game.result(game.choose(state, "hold").state)
    assert result is not None
    assert list(result.winners) == ["p1"]


@pytest.mark.parametrize("engine", ["python", "native"])
def test_the_largest_goal_can_be_passed_by_far(engine: str) -> None:
    """980 points in the bank, and then another turn of good luck."""
    game = lw.load("pig", chance="explicit", engine=engine, goal=1000, sides=20)
    state = game.choose(rolled(game, game.initial_state(), 20, 49), "hold").state
    state = rolled(game, state, 1, 1)
    state = game.choose(rolled(game, state, 20, 300), "hold").state
    result = game.result(state)
    assert result is not None
    assert list(result.winners) == ["p1"]
    assert game.score(state, "p1") == 980 + 2000
