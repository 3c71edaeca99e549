"""Columns of rows: by a second key, and of pieces of several kinds."""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.semantics.books import book, codes

RULES = """
spaces: { board: { grid: [2, 1] } }
enums: { Sky: [sun, rain] }
tables:
  Gem: [{ id: ruby, n: 1 }, { id: jade, n: 2 }]
  Dev: [{ id: mine, cost: 3, tier: 1 }, { id: shop, cost: 5, tier: 2 }]
  road: { a1: { a1: 0, b1: 4 }, b1: { a1: 7 } }
  yield_: { cols: [sun, rain], rows: [[1, 2], [3, 4]] }
pieces: { gem: { each: Gem, count: 2 }, dev: { each: Dev } }
zones: { pool: { init: all } }
vars: { n: 0..999, sky: Sky }
actions:
  - id: roads
    params: { a: board, b: board }
    effects: ["n = default(road[a][b], 99)"]
  - { id: known, effects: ["n = road[b1][a1]"] }
  - { id: skies, params: { i: 0..1, s: Sky }, effects: ["sky = s", "n = yield_[i][sky] * 10 + yield_[i][0]"] }
  - { id: beyond, params: { i: 0..5 }, effects: ["n = yield_[1][i]"] }
  - { id: costs, effects: [n = sum(x.cost for x in pool if x.cost != none) + count(x for x in pool if x.tier == 2)] }
end: [{ when: turn > 99, draw: all }]
"""


def value(action: str, **answers: object) -> int:
    game = book(RULES)
    state = game.apply_move(game.initial_state(), lw.Move(action, answers)).state
    found = game.observe(state, None)["variables"]["n"]
    assert isinstance(found, int)
    return found


def test_a_table_is_read_by_two_keys() -> None:
    assert [value("roads", a=a, b=b) for a in ("a1", "b1") for b in ("a1", "b1")] == [0, 4, 7, 99]
    assert value("known") == 7
    assert [value("skies", i=i, s=s) for i in (0, 1) for s in ("sun", "rain")] == [11, 21, 33, 43]


def test_a_column_that_is_not_there_is_a_fault() -> None:
    assert value("beyond", i=1) == 4
    with pytest.raises(lw.RulebookFault, match="item 5 of a list of 2"):
        value("beyond", i=5)


def test_a_column_of_some_pieces_is_none_for_the_others() -> None:
    assert value("costs") == 3 + 5 + 1


def test_columns_of_different_kinds_are_taken_by_name() -> None:
    mixed = RULES.replace("rows: [[1, 2], [3, 4]]", "rows: [[1, sun], [3, rain]]")
    assert set(codes(mixed)) == {"wrong-type"}
    assert codes(RULES.replace("yield_[i][sky]", "yield_[i][a1]")) == ["wrong-type"]
