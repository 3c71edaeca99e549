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
      - total = sum(x.weight for s in board for x in s if x.kind == crate)
      - light = count(x for s in board for x in s if x.weight == none)
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


def _mistakes(statement: str) -> list[str]:
    told = lw.compile_text(BOOK.replace("effects: [for s in", f"effects: ['{statement}', for s in"))
    return [problem.message for problem in told.diagnostics.errors]


@pytest.mark.parametrize(
    "statement",
    [
        "total = sum(x.weight for s in board for x in s)",
        "total = a1.piece.weight",
        "if a1.piece != none then total = a1.piece.weight",
        "if a1.piece.weight < 3 then total = 1",
        "for x in a1 do x.weight += 1",
        "if a1.piece.kind != crate then total = a1.piece.weight",
        "if a1.piece.kind == tag then total = a1.piece.weight",
    ],
)
def test_a_property_that_a_piece_may_lack_is_no_number(statement: str) -> None:
    assert any("may be none" in message for message in _mistakes(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "total = sum(x.weight for s in board for x in s if x.weight != none)",
        "total = default(a1.piece.weight, 0)",
        "if a1.piece.kind == crate then total = a1.piece.weight",
        "if crate == a1.piece.kind and a1.piece.weight < 3 then total = 1",
        "for x in a1 do if x.kind == crate then x.weight += 1",
        "if a1.piece.kind != crate then total = 1 else total = a1.piece.weight",
        "if a1.piece.open then total = 1",
    ],
)
def test_its_kind_or_a_test_shows_that_a_piece_has_a_property(statement: str) -> None:
    assert _mistakes(statement) == []


RANGES = """# Ranges

```yaml
game: { id: ranges, title: Ranges, players: 2 }
seats: [red, blue]
spaces: { board: { grid: [2, 1] } }
pieces:
  man: { count: 2, level: 0..2 clamp, worth: 0..3 refuse }
  king: { count: 2, level: 0..2 clamp }
vars: { rival: Seat?, Seat.points: 0..9 }
setup: [place man at a1, place king at b1]
actions:
  - { id: rise, effects: [for x in man if x.place != none do x.level += 5, for x in king if x.place != none do x.level -= 1] }
  - { id: gain, effects: [for x in man if x.place != none do x.worth += 2] }
end: [{ when: red.points > 8, win: red }]
```
"""


@pytest.mark.usefixtures("engine")
def test_a_property_stops_at_the_ends_of_its_range_or_refuses() -> None:
    game = lw.load_text(RANGES)
    state = game.choose(game.initial_state(), "rise").state
    places = game.observe(state, None)["places"]
    assert [places[cell]["pieces"][0]["level"] for cell in ("a1", "b1")] == [2, 0]
    state = game.choose(state, "gain").state
    assert [move.action_id for move in game.legal_moves(state)] == ["rise"]


@pytest.mark.parametrize(
    "statement",
    [
        "rival.points += 1",
        "a1.piece.level += 1",
        "with: { set: [rival.points = 3], do: [red.points = 1] }",
        "swap a1 with step(a1, east)",
    ],
)
def test_nothing_is_done_to_what_may_not_be_there(statement: str) -> None:
    quoted = f"{{ {statement} }}" if statement.startswith("with:") else f"'{statement}'"
    told = lw.compile_text(
        RANGES.replace("{ id: gain, effects: [", f"{{ id: gain, effects: [{quoted}, ")
    )
    assert "may-be-none" in {problem.code for problem in told.diagnostics.errors}


def test_what_may_be_none_is_never_the_best() -> None:
    rules = "  - { id: gain, best: 'default(bid, 0)', params: { n: 1..3 }, effects: [bid = n] }"
    gain = next(line for line in RANGES.splitlines() if "id: gain" in line)
    book = RANGES.replace(gain, rules).replace("rival: Seat?", "rival: Seat?, bid: (0..9)?")
    assert not lw.compile_text(book).diagnostics.errors
    told = lw.compile_text(book.replace("'default(bid, 0)'", "bid"))
    assert [problem.code for problem in told.diagnostics.errors] == ["may-be-none"]
