"""Pieces that can never lie in a hidden zone are no secret, whatever zones there are.

Placing one on the board tells nobody anything new: the move goes on in one part, and what is
offered behind it is looked at before it is offered.
"""

from __future__ import annotations

import pytest

from ludwright import IllegalMove, Move
from tests.semantics.books import book, place, variable

BOARD = """
spaces: { land: { spaces: { hill: { height: 3 }, lake: { height: 1 }, moor: { height: 0 } } } }
pieces: { troop: { count: 6 }, card: { each: { rank: 1..6 } } }
vars: { gold: 0..50 }
setup: [place 2 troop at hill]
"""
HIDDEN = {
    "a hand": "zones: { hand: { of: card, each: seat, see: owner } }\n",
    "a deck nobody sees": "zones: { deck: { of: card, order: deck, see: none, init: all } }\n",
    "a bag for anything, with cards in it": "zones: { bag: { see: none } }\n",
}
PLACED = {
    "place": "place troop at moor",
    "place several": "place 2 troop at moor",
    "createToken": "{ createToken: { type: troop, zone: moor } }",
    "remove": "remove first(x for x in hill)",
    "move": "move first(x for x in troop if x.place == hill) to moor",
}
PROFILE = """
operations:
  - { id: act, decisions: live, effects: [EFFECT, { chooseOne: { bind: $k, options: 1..2 } }, gold += $k] }
"""
SIMPLE = """
actions:
  - { id: act, effects: [EFFECT, { chooseOne: { bind: $k, options: 1..2 } }, gold += $k] }
"""  # fmt: skip


@pytest.mark.parametrize("zone", HIDDEN)
@pytest.mark.parametrize("effect", PLACED)
@pytest.mark.parametrize("kind", [PROFILE, SIMPLE], ids=["operation", "action"])
def test_placing_open_pieces_reveals_nothing(zone: str, effect: str, kind: str) -> None:
    rules = BOARD + HIDDEN[zone] + kind.replace("EFFECT", PLACED[effect])
    if zone.startswith("a bag"):
        rules = rules.replace("setup: [", "setup: [place 2 card at bag, ")
    game = book(rules)
    state = game.initial_state()
    request = game.legal_choices(state, Move("act"))
    assert (request.complete, request.decision_id) == (False, "$k")
    whole = Move("act", {"$k": 2})
    assert game.legal_choices(state, whole).stops_at == "end"
    assert variable(game, game.apply_move(state, whole).state, "gold") == 2


def test_a_piece_that_may_be_hidden_still_ends_the_part() -> None:
    """Troops may go into the bag here, so where they are is a secret again."""
    rules = BOARD + "zones: { bag: { see: none } }\n" + SIMPLE.replace("EFFECT", PLACED["place"])
    rules = rules.replace(
        "actions:", "actions:\n  - { id: hide, effects: [move first(x for x in hill) to bag] }"
    )
    game = book(rules)
    request = game.legal_choices(game.initial_state(), Move("act"))
    assert (request.complete, request.stops_at) == (True, "reveal")


DRAWN = """
pieces: { card: { each: { rank: 1..3 } } }
zones:
  pile: { of: card, order: ORDER, see: none }
  hand: { of: card, each: seat, see: owner }
setup: [place 1 card at pile]
vars: { gold: 0..9 }
actions:
  - id: act
    effects:
      - draw 1 from pile to hand(actor)
      - chooseOne: { bind: $k, options: 1..2 }
      - gold += $k
"""


@pytest.mark.parametrize("order", ["bag", "deck", "stack"])
def test_the_last_hidden_piece_comes_to_light_when_it_is_drawn(order: str) -> None:
    """Nothing is left to chance then, but who draws it learns what it is."""
    game = book(DRAWN.replace("ORDER", order))
    request = game.legal_choices(game.initial_state(), Move("act"))
    assert (request.complete, request.stops_at) == (True, "reveal")


LOOP = """
spaces: { land: { track: 3 } }
pieces: { troop: { owner: seat, count: 9 }, card: { each: { rank: 1..6 } } }
zones: { deck: { of: card, order: deck, see: SEE, init: all } }
operations:
  - id: train
    decisions: live
    effects:
      - forEach:
          bind: $i
          over: 1..6
          effects:
            - chooseOne: { bind: $where, options: land }
            - createToken: { type: troop, zone: $where, props: { owner: red } }
actions: [{ id: pass }]
"""


@pytest.mark.parametrize("see", ["none", "all"])
def test_six_decisions_of_one_move_beside_a_hidden_deck(see: str) -> None:
    game = book(LOOP.replace("SEE", see))
    state = game.initial_state()
    move = Move("train")
    for number in range(6):
        request = game.legal_choices(state, move)
        assert (request.complete, request.decision_id) == (False, f"$where[{number}]")
        move = move.with_param(f"$where[{number}]", f"land{number % 3 + 1}")
    assert game.legal_choices(state, move).complete
    after = game.apply_move(state, move).state
    assert [place(game, after, f"land{number}") for number in (1, 2, 3)] == [2, 2, 2]


def test_what_cannot_be_finished_is_not_offered_beside_a_hidden_hand() -> None:
    rules = (
        BOARD
        + HIDDEN["a hand"]
        + """
operations:
  - id: climb
    decisions: live
    effects:
      - place troop at lake
      - chooseOne: { bind: $peak, options: s for s in land if s.height > 8 }
      - gold += 1
actions: [{ id: pass }]
"""
    )
    game = book(rules)
    state = game.initial_state()
    assert game.legal_moves(state) == [Move("pass")]
    with pytest.raises(IllegalMove) as caught:
        game.apply_move(state, Move("climb"))
    assert caught.value.code == "no-option"
