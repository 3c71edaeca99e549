"""Kalah against OpenSpiel's mancala."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")


def written(state: Any, action: int) -> str:
    return f"pit{state.action_to_string(action)}"


def test_lockstep_with_openspiel() -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("kalah")
    for seed in lockstep.games(200):
        other = pyspiel.load_game("mancala").new_initial_state()
        lockstep.mirror(game, other, written, seed)


def played(game: lw.Game, line: list[str]) -> lw.State:
    state = game.initial_state()
    for text in line:
        state = game.apply_move(state, game.parse_move(state, text)).state
    return state


def test_the_last_seed_in_the_own_store_gives_another_move() -> None:
    game = lw.load("kalah")
    assert game.current_seat(played(game, ["pit3"])) == "south"
    assert game.current_seat(played(game, ["pit1"])) == "north"


def test_the_last_seed_in_an_empty_house_captures_what_faces_it() -> None:
    game = lw.load("kalah", houses=3, seeds=1)
    state = played(game, ["pit3", "pit2"])
    assert game.current_seat(state) == "north"
    held = game.observe(state, None)["variables"]["seeds"]
    assert {pit: count for pit, count in held.items() if count} == {
        "pit1": 1, "pit4": 3, "pit6": 1, "pit7": 1,
    }  # fmt: skip
