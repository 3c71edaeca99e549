"""What people read of things: titles, symbols, computed values; and nothing of what is inside."""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.semantics.books import book

BOOK = """
```yaml
game: { id: named, title: Named, players: 2 }
seats: { red: { title: Red Army, home: 1 }, blue: { home: 2 } }
spaces: { land: { spaces: { hue: { title: Hue City }, da-nang: {} }, edges: [[hue, da-nang]] } }
tables:
  Rank:
    - { id: guard, worth: 1, copies: 2, title: Royal Guard }
    - { id: priest, worth: 2, copies: 1, symbol: ✝, text: looks at a hand }
pieces:
  card: { each: Rank, count: copies, title: court card }
  stone: { owner: seat, count: 2, tired: bool }
zones:
  offer: { of: card, init: all, title: the offer }
  taken: { of: card, each: seat }
  secret: { of: card, each: seat, see: owner }
vars: { Seat.honour: { type: 0..9, title: honour points }, clock: { type: 0..9 = 4, hidden: true } }
show: { cards: count(taken(it)), left: count(offer) }
actions:
  - id: takeCard
    title: take a card
    params: { what: c for c in offer }
    effects: [move what to taken(actor)]
    notation: "take {what.worth} {what}"
  - id: settle
    params: { where: s for s in land if s.piece == none }
    effects:
      - place stone of actor at where
      - menu: { options: { stay: { title: stay put, do: [actor.honour += 1] }, go_on: [] } }
  - id: tire
    params: { s: x for x in stone if x.place != none }
    effects: [s.tired = true]
    notation: "tire {s}"
```
"""


@pytest.fixture(scope="module")
def game() -> lw.Game:
    return lw.load_text(BOOK)


def test_notation_tells_properties_of_pieces_and_titles(game: lw.Game) -> None:
    state = game.initial_state()
    written = [game.notation(state, move) for move in game.legal_moves(state)]
    assert "take 1 Royal Guard" in written
    assert "take 2 priest" in written
    move = game.parse_move(state, "take 1 Royal Guard")
    taken = game.apply_move(state, move).state
    assert game.observe(taken, None)["places"]["taken:red"]["count"] == 1


def test_pieces_that_are_called_alike_are_read_by_all_their_answers(game: lw.Game) -> None:
    state = game.initial_state()
    for where in ("hue", "da_nang"):
        for answer in ("settle", where, "stay"):
            state = game.choose(state, answer).state
    with pytest.raises(lw.IllegalMove) as ambiguous:
        game.parse_move(state, "tire stone")
    assert ambiguous.value.code == "ambiguous"
    assert game.parse_move(state, "tire(s=stone@hue)").params == {"s": "stone@hue"}


def test_options_are_told_in_different_words(game: lw.Game) -> None:
    state = game.initial_state()
    assert game.option_texts(state) == ["take a card", "settle"]
    state = game.choose(state, "settle").state
    assert game.option_texts(state) == ["Hue City", "da-nang"]
    state = game.choose(state, "hue").state
    assert game.option_texts(state) == ["stay put", "go on"]
    for answer in ("stay", "settle", "da_nang", "stay", "tire"):
        state = game.choose(state, answer).state
    assert game.option_texts(state) == ["stone of Red Army", "stone of blue"]


def test_the_table_shows_titles_and_computed_values_and_no_bookkeeping(game: lw.Game) -> None:
    drawn = game.draw(game.initial_state(), "red")
    for words in ("the offer", "Red Army", "honour points", "cards", "left 3", "Royal Guard"):
        assert words in drawn, drawn
    for inside in ("clock", "guard#", "$", "__", "@"):
        assert inside not in drawn
    assert game.observe(game.initial_state(), "blue")["shown"] == {
        "cards": {"red": 0, "blue": 0},
        "left": 3,
    }


def test_words_are_no_rules(game: lw.Game) -> None:
    plain = BOOK
    for words in (
        "title: Red Army, ",
        ", title: honour points",
        ", symbol: ✝, text: looks at a hand",
    ):
        plain = plain.replace(words, "")
    other = lw.load_text(plain.replace("title: take a card", "title: grab"))
    assert other.gamedef_hash == game.gamedef_hash
    assert other.program.fingerprint == game.program.fingerprint
    assert other.gamedef_json != game.gamedef_json


def test_a_value_to_show_tells_no_secret() -> None:
    with pytest.raises(lw.RulebookError) as refused:
        lw.load_text(BOOK.replace("left: count(offer)", "left: sum(c.worth for c in secret(red))"))
    assert [item.code for item in refused.value.diagnostics] == ["hidden-read"]


def test_nothing_is_asked_once_the_game_is_over() -> None:
    game = lw.load("nim")
    state = game.initial_state()
    while (decision := game.decision(state)) is not None:
        assert len(game.option_texts(state)) == len(decision.options)
        state = game.choose(state, decision.answers[0]).state
    assert (game.question(state), game.option_texts(state)) == ("", [])


def test_variables_of_members_are_told_apart() -> None:
    game = book("""
enums: { Gem: [ruby, jade] }
vars:
  Seat.gems[Gem]: { type: 0..9, title: stones }
  heat[1..2]: 0..9
  Seat.Gem.book: { type: 0..9, hidden: true }
zones: { pile: { each: 1..3 } }
setup: ["red.book[ruby] = 7", "red.gems[ruby] = 2", "red.gems[jade] = 3", "heat[2] = 4"]
actions: [{ id: pass }]
end: [{ when: turn > 9, draw: all }]
""")
    text = game.draw(game.initial_state())
    assert "stones ruby  stones jade" in text
    assert "heat 2 4" in text
    assert "book" not in text
    assert "empty: pile 1, pile 2, pile 3" in text
