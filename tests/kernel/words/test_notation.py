"""Moves of actions without a pattern: every kind of answer is written out."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.errors import IllegalMove
from ludwright.kernel.play.move_builder import MoveBuilder
from ludwright.kernel.protocol.move import ChoiceRequest, Move
from ludwright.kernel.protocol.state import State
from tests.engines import under_test
from tests.semantics.books import book

RULES = """
enums: { Colour: [green, grey] }
actions:
  - id: bid
    effects:
      - chooseOne: { bind: $sure, options: [true, false] }
      - chooseN: { bind: $colours, options: Colour, min: 1, max: 2 }
  - { id: pass }
end: [{ when: turn > 50, draw: all }]
"""


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"$sure": True, "$colours": ["grey"]}, "bid($sure=true, $colours=[grey])"),
        ({"$sure": False, "$colours": None}, "bid($sure=false, $colours=none)"),
        ({}, "bid"),
    ],
)
def test_every_kind_of_answer_is_written(params: dict[str, object], text: str) -> None:
    game = book(RULES)
    assert game.notation(game.initial_state(), Move("bid", params)) == text


def test_only_the_text_of_a_legal_move_is_read() -> None:
    game = book(RULES)
    state = game.initial_state()
    assert game.parse_move(state, "pass") == Move("pass")
    with pytest.raises(IllegalMove) as caught:
        game.parse_move(state, "bid($sure=perhaps)")
    assert caught.value.code == "unreadable"


LONG = """
actions:
  - id: sow
    params: { a: 0..9, b: 0..9 }
    notation: "{a}-{b}{'/' $c}{'+' $d*}"
    effects:
      - chooseOne: { bind: $c, options: 0..9 }
      - forEach: { bind: n, over: "1..2", do: [chooseOne: { bind: $d, options: 0..9 }] }
  - id: count
    effects:
      - chooseOne: { bind: $e, options: 0..9 }
      - chooseOne: { bind: $f, options: 0..9 }
      - chooseOne: { bind: $g, options: 0..9 }
      - chooseOne: { bind: $h, options: 0..9 }
  - { id: hum, notation: hum, params: { tone: 0..9 } }
end: [{ when: turn > 50, draw: all }]
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Move]:
    """The questions that reading a text asks."""
    questions: list[Move] = []
    ask = MoveBuilder.legal_choices

    def counted(self: MoveBuilder, state: State, move: Move) -> ChoiceRequest:
        questions.append(move)
        return ask(self, state, move)

    monkeypatch.setattr(MoveBuilder, "legal_choices", counted)
    return questions


@pytest.mark.parametrize("text", ["3-4/5+6+7", "count($e=1, $f=2, $g=3, $h=4)"])
def test_reading_asks_one_question_for_each_answer(text: str, asked: list[Move]) -> None:
    game = book(LONG)
    move = game.parse_move(game.initial_state(), text)
    assert game.notation(game.initial_state(), move) == text
    assert len(asked) <= 5


@pytest.mark.parametrize(
    ("text", "most"),
    [("nothing of the kind", 0), ("3-4/5+6+77", 5), ("count($e=1, $f=2, $g=3, $h=40)", 5)],
)
def test_a_text_of_no_move_is_refused_where_it_goes_wrong(
    text: str, most: int, asked: list[Move]
) -> None:
    game = book(LONG)
    with pytest.raises(IllegalMove) as caught:
        game.parse_move(game.initial_state(), text)
    assert caught.value.code == "unreadable"
    assert len(asked) <= most


def test_a_text_of_several_moves_is_not_read() -> None:
    game = book(LONG)
    with pytest.raises(IllegalMove) as caught:
        game.parse_move(game.initial_state(), "hum")
    assert caught.value.code == "ambiguous"


MARKET = """
```yaml
game: { id: market, title: Market, players: 2 }
tables: { Ware: [{ id: loaf, cost: 3, copies: 2 }, { id: jug, cost: 1, copies: 2, title: clay jug }] }
pieces: { ware: { each: Ware, count: copies } }
zones: { stall: { of: ware, order: row, init: all }, bag: { of: ware, each: seat } }
vars: { Seat.coins: 0..9 = 2 }
actions:
  - id: buy
    params: { what: w for w in stall if w.cost <= actor.coins }
    effects: [actor.coins -= what.cost, move what to bag(actor)]
    notation: "buy {what} for {what.cost}"
  - { id: pass }
```
"""


def test_the_only_kind_on_offer_is_written_by_its_own_name() -> None:
    """Loaves lie on the stall as well, but nobody can pay for them."""
    game = lw.load_text(MARKET, engine=under_test())
    state = game.initial_state()
    move = game.legal_moves(state)[0]
    assert game.notation(state, move) == "buy clay jug for 1"
    assert game.parse_move(state, "buy clay jug for 1") == move
    after = game.apply_move(state, move).state
    assert game.observe(after, None)["places"]["bag:p1"]["pieces"][0]["row"] == "jug"
