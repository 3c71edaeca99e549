"""Rule 8: what has been revealed to a seat, that seat may choose from."""

from __future__ import annotations

import pytest

from tests.semantics.books import book, codes, options

SPY = """
pieces: { card: { each: { rank: 1..6 } } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
vars: { gold: 0..9 }
setup: [for p in seats do draw 2 from deck to hand(p)]
actions:
  - id: spy
    effects:
      - let p = opponent(actor)
      - REVEAL
      - chooseOne: { bind: $take, options: OPTIONS, ifNone: skip }
      - if $take != none then move $take to hand(actor)
"""


def spy(reveal: str, options: str = "hand(p)") -> str:
    return SPY.replace("REVEAL", reveal).replace("OPTIONS", options)


@pytest.mark.parametrize("reveal", ["reveal hand(p) to actor", "reveal hand(p)", "reveal hand(p) to [actor, p]"])  # fmt: skip
@pytest.mark.parametrize("what", ["hand(p)", "c for c in hand(p) if c.rank > 1"])
def test_semantics_08_a_hand_that_was_shown_may_be_chosen_from(reveal: str, what: str) -> None:
    game = book(spy(reveal, what))
    state = game.choose(game.initial_state(seed=3), "spy").state
    assert len(options(game, state)) == 2 or what != "hand(p)"


@pytest.mark.parametrize(
    "reveal",
    [
        "gold += 1",
        "reveal hand(p) to p",
        "reveal hand(actor) to actor",
        "if gold > 1 then reveal hand(p) to actor",
        "reveal hand(p) to actor\n      - conceal hand(p) from actor",
        "reveal hand(p) to actor\n      - draw 1 from deck to hand(p)",
        "reveal [c for c in hand(p) if c.rank > 3] to actor",
    ],
)
def test_semantics_08_what_was_not_shown_to_this_seat_stays_hidden(reveal: str) -> None:
    assert codes(spy(reveal)) == ["hidden-read"]


@pytest.mark.parametrize("what", ["declassify(hand(p))", "declassify(c for c in hand(p))"])
def test_semantics_08_a_whole_zone_may_be_given_away(what: str) -> None:
    assert codes(spy("gold += 1", what)) == []
