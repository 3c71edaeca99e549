"""Which moves are listed, on both engines."""

from __future__ import annotations

import pytest

import ludwright as lw

RULES = """# Passed over

```yaml
game: { id: passed, title: Passed over, players: 2 }
vars: { n: 0..9, open: bool }
tables: { Card: [{ id: storm }] }
events:
  storm:
    unshaded:
      effects: [{ chooseN: { bind: $c, options: 1..3, max: 1, each: [require open] } }, n += 1]
      branches: { north: [n += 1], south: [n += 2] }
    shaded: [n += 3]
actions: [{ id: event, effects: [resolve storm] }]
end: [{ when: n > 8, draw: all, reason: enough }]
```
"""


@pytest.mark.usefixtures("engine")
def test_a_choice_that_is_passed_over_does_not_hide_what_a_move_names_behind_it() -> None:
    """No option of it can be finished, so nobody is asked."""
    game = lw.load_text(RULES)
    assert game.legal_moves(game.initial_state()) == [
        lw.Move("event", {"side": "unshaded", "branch": "north"}),
        lw.Move("event", {"side": "unshaded", "branch": "south"}),
        lw.Move("event", {"side": "shaded"}),
    ]
