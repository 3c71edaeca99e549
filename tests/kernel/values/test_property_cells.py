"""Properties that only some kinds of pieces have: cells for those, and what others answer."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.errors import RulebookFault

BOOK = """# Crates

```yaml
game: { id: crates, title: Crates, players: 1 }
seats: [me]
spaces: { board: { grid: [3, 1] } }
pieces:
  cart: { count: 2 }
  crate: { count: 3, weight: 0..9, open: bool }
  tag: { count: 4 }
vars: { total: 0..99, opened: 0..9, light: 0..9 }
setup:
  - place 2 cart at a1
  - place 1 crate at a1 with weight=4
  - place 1 crate at b1 with weight=3
  - place 1 tag at a1
actions:
  - id: look
    effects:
      - total = sum(x.weight for s in board for x in s)
      - light = count(x for s in board for x in s if x.weight == 0)
      - for x in crate if x.place == b1 do x.open = true
      - opened = count(x for s in board for x in s if x.open)
  - id: load
    effects: [for s in board for x in s do x.weight = 1]
end: [{ when: total > 98, win: me, reason: done }]
```
"""


@pytest.mark.usefixtures("engine")
def test_cells_are_kept_for_the_kinds_that_have_a_property() -> None:
    game = lw.load_text(BOOK)
    found = {v.name: v for v in game.program.variables}
    assert [(found[name].first, found[name].count) for name in ("weight", "open")] == [(2, 3)] * 2
    state = game.choose(game.initial_state(), "look").state
    seen = game.observe(state, "me")
    assert seen["variables"] == {"total": 7, "opened": 1, "light": 3}
    pieces = seen["places"]["a1"]["pieces"]
    assert sorted(view["kind"] for view in pieces) == ["cart", "cart", "crate", "tag"]
    assert [view.get("weight") for view in pieces if view["kind"] == "crate"] == [4]
    assert all("weight" not in view for view in pieces if view["kind"] != "crate")


@pytest.mark.usefixtures("engine")
def test_a_piece_without_a_property_cannot_be_given_one() -> None:
    game = lw.load_text(BOOK)
    with pytest.raises(RulebookFault, match="nothing"):
        game.choose(game.initial_state(), "load")


@pytest.mark.usefixtures("engine")
def test_a_property_is_not_that_of_a_kind_declared_between() -> None:
    """Cells lie there for the pieces between; they are nobody's."""
    game = lw.load_text(
        BOOK.replace("tag: { count: 4 }", "tag: { count: 4 }\n  box: { weight: 0..9 }")
    )
    state = game.choose(game.initial_state(), "look").state
    assert game.observe(state, "me")["variables"] == {"total": 7, "opened": 1, "light": 3}
    with pytest.raises(RulebookFault, match="nothing"):
        game.choose(game.initial_state(), "load")
