"""Leduc poker has the same game tree as OpenSpiel's."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games.lockstep import peer
from tests.games.openspiel import compare_tree

pytestmark = pytest.mark.usefixtures("engine")

HISTORIES = 9457


def spell(other: Any, action: int) -> str:
    if other.is_chance_node():
        return "JQK"[action // 2] + "ab"[action % 2]
    return ("fold", "call", "raise")[action]


def test_whole_tree_against_openspiel() -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("leduc-poker", chance="explicit")
    other = pyspiel.load_game("leduc_poker").new_initial_state()
    assert compare_tree(game, game.initial_state(), other, spell) == HISTORIES


def play(cards: list[str], answers: list[str]) -> dict[str, int]:
    """The scores after a deal, some answers, the open card and the rest of the answers."""
    game = lw.load("leduc-poker", chance="explicit")
    state = game.initial_state()
    hidden = iter(cards)
    said = iter(answers)
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, next(hidden if decision.seat == "chance" else said)).state
    result = game.result(state)
    assert result is not None
    return dict(result.scores)


def test_a_pair_beats_a_king() -> None:
    assert play(["Ja", "Ka", "Jb"], ["call", "call", "raise", "call"]) == {"p1": 5, "p2": -5}


def test_equal_cards_share() -> None:
    assert play(["Ja", "Jb", "Ka"], ["raise", "call", "call", "call"]) == {"p1": 0, "p2": 0}


def test_most_that_can_be_lost() -> None:
    answers = ["raise", "raise", "call"] * 2
    assert play(["Ja", "Ka", "Qa"], answers) == {"p1": -13, "p2": 13}
