"""Kuhn poker has the same game tree as OpenSpiel's."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games.lockstep import peer
from tests.games.openspiel import compare_tree

pytestmark = pytest.mark.usefixtures("engine")

HISTORIES = 1 + 3 + 6 + 12 + 24 + 12


def spell(other: Any, action: int) -> str:
    return "JQK"[action] if other.is_chance_node() else ("pass", "bet")[action]


def test_whole_tree_against_openspiel() -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("kuhn-poker", chance="explicit")
    other = pyspiel.load_game("kuhn_poker").new_initial_state()
    assert compare_tree(game, game.initial_state(), other, spell) == HISTORIES


def test_nobody_sees_the_other_card() -> None:
    game = lw.load("kuhn-poker", chance="explicit")
    state = game.initial_state()
    views = set()
    for other in ("Q", "K"):
        dealt = game.choose(game.choose(state, "J").state, other).state
        views.add(str(game.observe(dealt, "p1")))
    assert len(views) == 1
