"""Rule 30: the fault of a number that leaves its range names the variable, whose it is, and the remedy."""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.semantics.books import book

RULES = """
spaces: { land: { spaces: { hill: {}, dale: {} } } }
vars: { pot: 0..9, Seat.silver: 0..20 = 19, land.yield: 0..3, "tally[1..3]": 0..4 }
actions:
  - { id: act, effects: [EFFECT] }
"""


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ("pot += 12", "12 is outside 0..9, the range of `pot`;"),
        ("blue.silver += 3", "22 is outside 0..20, the range of `silver` of blue;"),
        ("actor.silver += 3", "22 is outside 0..20, the range of `silver` of red;"),
        ("opponent(actor).silver -= 30", "-11 is outside 0..20, the range of `silver` of blue;"),
        ("for s in land do s.yield += 1 + 3 * s.index", "is outside 0..3, the range of `yield` of dale;"),
        ('"tally[pot + 2] += 7"', "7 is outside 0..4, the range of `tally[2]`;"),
    ],
)  # fmt: skip
def test_semantics_30_a_range_fault_names_the_variable(effect: str, words: str) -> None:
    game = book(RULES.replace("EFFECT", effect))
    with pytest.raises(lw.RulebookFault) as caught:
        game.choose(game.initial_state(), "act")
    assert caught.value.code == "range"
    assert words in str(caught.value)
    assert "`clamp`" in str(caught.value)
