"""The conformance kit passes games that are right, also where pieces are alike."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.testing import conformance

HEADER = """```yaml
game: { id: fixture, title: Fixture, players: 2 }
seats: [red, blue]
enums: { Dish: [egg, maki, tofu] }
pieces: { card: { each: { dish: Dish }, count: 4 } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  plate: { of: card, each: seat }
score: count(c for c in plate(it) if c.dish == maki)
"""
SEALED = """
flow:
  - for p in seats do draw 3 from deck to hand(p)
  - repeat:
      while: any(hand(red))
      max: 3
      do:
        - chooseOne: { bind: $pick, by: seats, together: true, options: hand(chooser) }
        - for p in seats do move $pick[p] to plate(p)
```
"""
HELD = """
flow:
  - for p in seats do draw 3 from deck to hand(p)
  - repeat:
      while: any(hand(red))
      max: 3
      do:
        - chooseOne: { bind: $mine, by: red, options: hand(chooser) }
        - chooseOne: { bind: $theirs, by: blue, options: hand(chooser) }
        - move $mine to plate(blue)
        - move $theirs to plate(red)
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("flow", [SEALED, HELD])
def test_a_choice_that_holds_one_of_alike_pieces_is_no_difference(flow: str, engine: str) -> None:
    conformance(lw.load_text(HEADER + flow, engine=engine), games=3)
