"""Scores that are tuples: what decides between equal ones."""

from __future__ import annotations

import pytest

from ludwright import Game
from ludwright.kernel.protocol.result import Result
from tests.semantics.books import book, codes

HEADER = "game: { id: f, title: F, players: 2..4 }\nseats: [red, blue, green, grey]\n"
BASE = """
vars: { Seat.points: 0..9, Seat.debts: 0..9 }
setup:
  - red.points = 5
  - blue.points = 7
  - green.points = 7
  - grey.points = 5
  - blue.debts = 2
  - green.debts = 1
  - red.debts = 3
  - grey.debts = 3
actions: [{ id: stop_here, effects: [EFFECT] }]
"""
BY_SCORE = BASE.replace("EFFECT", "end game") + "score: (it.points, -it.debts)"
BY_ENTRY = BASE.replace("EFFECT", "red.debts = 3") + (
    "end: [{ when: turn > 0, score: '(p.points, -p.debts) for p in seats', reason: over }]"
)


def ended(game: Game, players: int) -> Result:
    state = game.initial_state(players=players)
    if game.result(state) is None:
        state = game.choose(state, "stop_here").state
    found = game.result(state)
    assert found is not None
    return found


@pytest.mark.parametrize("rules", [BY_SCORE, BY_ENTRY])
@pytest.mark.parametrize("players", [2, 4])
def test_equal_scores_are_decided_by_the_rest(rules: str, players: int) -> None:
    found = ended(book(rules, header=HEADER), players)
    expected = [("green",), ("blue",), ("red", "grey")] if players == 4 else [("blue",), ("red",)]
    assert found.ranking == expected
    assert found.winners == expected[0]
    assert found.scores["blue"] == 7


def test_other_things_are_no_scores() -> None:
    rules = BY_SCORE.replace("-it.debts", "it")
    assert codes(rules, HEADER) != []
    assert codes(BY_ENTRY.replace("-p.debts", "p"), HEADER) == ["not-a-number"]
