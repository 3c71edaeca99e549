"""What a message proposes: the words an author should write, in the case that led there."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostic

HEADER = """
game: { id: help, title: Help, players: 2 }
seats: [red, blue]
"""


def told(rules: str) -> list[Diagnostic]:
    return list(lw.compile_text(f"# Help\n\n```yaml{HEADER}{rules}\n```\n").diagnostics.items)


def only(rules: str, code: str) -> Diagnostic:
    """The one message about a rulebook."""
    found = told(rules)
    assert [item.code for item in found] == [code], found
    return found[0]


AUCTION = """
pieces: { card: { each: { rank: 1..6 } } }
zones: { hand: { of: card, each: seat } }
vars: { Seat.coins: 0..9 }
flow: [{ chooseOne: { bind: $bid, by: seats, together: true, options: OPTIONS, ifNone: skip } }]
"""


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ("0..coins", "unknown-name", "`chooser.coins`"),
        ("hand", "zone-needs-seat", "`hand(chooser)`"),
        ("0..actor.coins", "sealed-actor", "`chooser`"),
    ],
)
def test_in_a_sealed_choice_the_chooser_is_meant(options: str, code: str, words: str) -> None:
    assert words in (only(AUCTION.replace("OPTIONS", options), code).suggestion or "")


def test_who_chooses_may_bid_for_the_actor() -> None:
    options = "'0..min(actor.coins, chooser.coins)'"
    assert told(AUCTION.replace("OPTIONS", options)) == []
