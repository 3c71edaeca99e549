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
  open: { of: card, each: seat }
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
        - chooseOne: { bind: $pick, by: seats, together: true, options: hand(chooser), ifNone: fault }
        - for p in seats do move $pick[p] to plate(p)
```
"""
HELD = """
flow:
  - draw 4 from deck to open(red)
  - repeat:
      while: any(open(red))
      max: 4
      do:
        - chooseOne: { bind: $mine, by: red, options: open(red) }
        - chooseOne: { bind: $n, by: blue, options: 1..2 }
        - move $mine to plate(red)
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("flow", [SEALED, HELD])
def test_a_choice_that_holds_one_of_alike_pieces_is_no_difference(flow: str, engine: str) -> None:
    conformance(lw.load_text(HEADER + flow, engine=engine), games=3)
