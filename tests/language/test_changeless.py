"""Which statements change the game: an action with any of them is no action that changes nothing."""

from __future__ import annotations

import pytest

import ludwright as lw

BOOK = """```yaml
game: {{ id: changes, title: Changes, players: 2 }}
seats: [red, blue]
spaces: {{ land: {{ track: 2 }} }}
pieces: {{ man: {{ owner: seat, count: 3 }} }}
zones: {{ pile: {{ order: stack, init: all }} }}
vars: {{ left: 0..9, right: 0..9 }}
end: [{{ when: turn > 9, draw: all, reason: late }}]
actions:
  - id: act
    effects: ['{effect}']
```
"""


@pytest.mark.parametrize(
    "effect",
    ["reverse pile", "swap left with right", "swap land1 with land2", "shuffle pile", "end turn"],
)
def test_this_changes_something(effect: str) -> None:
    assert not lw.compile_text(BOOK.format(effect=effect)).diagnostics.items


@pytest.mark.parametrize(
    "effect", ["let x = left", 'say "nothing"', "require left < 5", "if left > 5 then return"]
)
def test_this_changes_nothing(effect: str) -> None:
    items = lw.compile_text(BOOK.format(effect=effect)).diagnostics.items
    assert "no-effect" in {item.code for item in items}
