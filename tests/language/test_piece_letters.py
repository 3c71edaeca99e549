"""`{rank:JQK}` in the notation of a piece: one letter for each value."""

from __future__ import annotations

import pytest

import ludwright as lw

BOOK = """
```yaml
game: {{ id: letters, title: Letters, players: 2 }}
pieces: {{ card: {{ each: {{ rank: 11..13, suit: [C, D] }}, notation: "{notation}" }} }}
zones: {{ deck: {{ of: card, init: all }} }}
actions: [{{ id: take, params: {{ c: x for x in deck }} }}]
```
"""


@pytest.mark.parametrize(
    ("notation", "names"),
    [
        ("{rank:JQK}{suit}", ["JC", "JD", "QC", "QD", "KC", "KD"]),
        ("{suit:ab}-{rank:JQK}", ["a-J", "b-J", "a-Q", "b-Q", "a-K", "b-K"]),
        ("{rank}{suit}", ["11C", "11D", "12C", "12D", "13C", "13D"]),
    ],
)
def test_names(notation: str, names: list[str]) -> None:
    game = lw.load_text(BOOK.format(notation=notation))
    pieces = game.observe(game.initial_state(), None)["places"]["deck"]["pieces"]
    assert {piece["name"] for piece in pieces} == set(names)


@pytest.mark.parametrize(
    "notation", ["{rank:JQ}{suit}", "{rank:JJK}{suit}", "{color:JQK}", "{rank:}"]
)
def test_letters_must_fit(notation: str) -> None:
    found = lw.compile_text(BOOK.format(notation=notation)).diagnostics.items
    assert "bad-notation" in [item.code for item in found]
