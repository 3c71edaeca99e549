"""What the rulebook says of its cards, and which of them are in play."""

from __future__ import annotations

from pathlib import Path

from ludwright.table.glossary import glossary
from ludwright.table.rules import rules_of_file, shipped_rules
from ludwright.table.view import view_of
from tests.table.playing import new_match
from tests.table.server_under_test import serving

BOOK = """# Cards

- **1 The storm.** *All* ships sink,
  and nobody sails.
- **2 The calm:** nothing happens.

**Harbour** is no card.

```yaml
# - **3 The fog.** This is code.
game: { id: cards, players: 1 }
seats: [one]
tables:
  Card:
    - { id: c1, title: The storm }
    - { id: c2, title: The calm }
    - { id: c3, title: The fog }
    - { id: c4, title: The wind, text: It blows. }
pieces: { card: { each: Card } }
zones: { deck: { of: card, order: deck, see: count, init: all }, next: { of: card }, now: { of: card } }
vars: { current: Card? }
setup: [draw 1 from deck to next, draw 1 from deck to now, for c in now do current = c.row]
actions: { wait: {} }
end: [{ when: turn > 3, draw: all }]
```
"""


def test_cards_have_the_words_of_their_row_or_of_the_prose(tmp_path: Path) -> None:
    path = tmp_path / "cards.md"
    path.write_text(BOOK)
    found = glossary(rules_of_file(path, {}))
    assert found == {
        "c1": {"title": "The storm", "text": "All ships sink, and nobody sails."},
        "c2": {"title": "The calm", "text": "nothing happens."},
        "c4": {"title": "The wind", "text": "It blows."},
    }


def test_the_texts_of_rows_are_told_to_every_page() -> None:
    words = glossary(shipped_rules("rock-pools", {}))
    assert words["starfish"]["text"] == "5 points for every two"


def test_a_card_that_lies_alone_and_open_is_in_play() -> None:
    match = new_match("delta", 3)
    view = view_of(match, match.seats[0])
    showing = match.game.observe(match.state, match.seats[0])["places"]["showing"]["pieces"]
    assert view["inPlay"] == [showing[0]["row"]]
    rows = {item.get("row") for item in view["scene"]["items"]}
    assert showing[0]["row"] in rows


def test_backs_of_cards_say_nothing() -> None:
    match = new_match("hearts", 1)
    for seat in match.seats:
        items = view_of(match, seat)["scene"]["items"]
        down = [item for item in items if item.get("name") == "a card face down"]
        assert down
        assert not any("row" in item for item in down)


def test_a_page_asks_for_the_words_of_its_match(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        match = served.create("masked-ball", ["me", "link"])
        status, words, _ = served.request(f"/api/words/{match['match']}")
        assert status == 200
        assert words["duellist"] == {"title": "Duellist", "text": "duels for 3 coins"}
        assert served.request("/api/words/nothing")[0] == 404
