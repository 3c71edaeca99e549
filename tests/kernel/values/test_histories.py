"""A history counts values as they are: compared with a plain counter of what was observed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import ludwright as lw
from tests.native.support import needs_native

BOOK = """
# Memory
```yaml
game: {{ id: memory, title: Memory, players: 2 }}
seats: [red, blue]
spaces: {{ board: {{ grid: [5, 1] }} }}
pieces: {{ stone: {{ owner: seat, count: 2 }}, crown: {{ count: 1, individual: true }} }}
zones: {{ box: {{ order: bag }} }}
vars: {{ mark: "{type}", n: 0..99, before: 0..99 }}
history: {{ seen: {{ of: [{of}], keep: 60 }} }}
setup: ["place stone of red at a1", "place stone of blue at c1", "place crown at b1"]
actions:
  - id: set
    params: {{ k: 0..{last} }}
    effects:
      {assign}
      - before = times(seen)
      - record seen
end: [{{ when: turn > 40, draw: all, reason: over }}]
```
"""

# The type of a variable, and the values it takes.
VALUES: dict[str, list[str]] = {
    "board? = none": ["none", "a1", "d1", "e1"],
    "Seat? = none": ["none", "red", "blue"],
    "(0..9)? = none": ["none", "0", "9"],
    "Piece? = none": ["none", "a1.piece", "b1.piece", "c1.piece"],
    "set[board]": ["[]", "[a1]", "[a1, d1]", "[d1]"],
    "list[board, 3]": ["[]", "[d1, e1]", "[e1, d1]", "[d1, d1]"],
    "list[Piece, 3]": [
        "[]",
        "[x for x in a1]",
        "[x for x in c1]",
        "[x for s in [b1, c1] for x in s]",
    ],
    "(board, Seat)": ["(d1, red)", "(d1, blue)", "(e1, red)", "(a1, red)"],
}


def book(type_: str, of: str = "mark") -> str:
    values = VALUES[type_]
    assign = "\n      ".join(f"- if k == {k} then mark = {value}" for k, value in enumerate(values))
    return BOOK.format(type=type_, of=of, last=len(values) - 1, assign=assign)


@pytest.mark.parametrize("type_", VALUES)
def test_a_variable_counts_with_its_value(type_: str) -> None:
    game = lw.load_text(book(type_))
    dice = random.Random(7)
    state = game.initial_state()
    seen: Counter[int] = Counter()
    for _ in range(20):
        value = dice.randrange(len(VALUES[type_]))
        state = game.choose(state, value).state
        assert game.observe(state, None)["variables"]["before"] == seen[value]
        seen[value] += 1
    assert max(seen.values()) > 1


def test_variables_of_seats_count_with_their_values() -> None:
    text = (
        book("board? = none", "x.home for x in seats")
        .replace("vars: { ", 'vars: { "Seat.home": "board? = none", ')
        .replace("before = times(seen)", "red.home = mark\n      - before = times(seen)")
    )
    game = lw.load_text(text)
    state = game.initial_state()
    for value, expected in ((0, 0), (1, 0), (2, 0), (1, 1), (0, 1)):
        state = game.choose(state, value).state
        assert game.observe(state, None)["variables"]["before"] == expected


ALIKE = """
# Alike
```yaml
game: { id: alike, title: Alike, players: 2 }
spaces: { board: { grid: [4, 1] } }
pieces: { stone: { count: 2 } }
vars: { held: "Piece? = none", both: "set[Piece]", before: 0..9 }
history: { seen: { of: [HOW], keep: 9 } }
setup: [place stone at a1, place stone at b1]
actions:
  - id: step
    params: { k: 0..2 }
    effects:
      - let one = a1.piece
      - let other = b1.piece
      - if k == 1 then move one to b1
      - if k == 1 then move other to a1
      - if k == 2 then move one to c1
      - held = a1.piece
      - both = [x for x in stone if x.place == a1]
      - before = times(seen)
      - record seen
      - if k == 2 then move one to a1
end: [{ when: turn > 40, draw: all, reason: over }]
```
"""


@pytest.mark.parametrize("how", ["board", "held", "both", "stone", "board, held, both, stone"])
def test_pieces_that_are_alike_make_the_same_position(how: str) -> None:
    """Swapping two of them changes nothing; taking one away does."""
    game = lw.load_text(ALIKE.replace("HOW", how))
    state = game.initial_state()
    for k, expected in ((0, 0), (1, 1), (1, 2), (2, 0), (1, 3), (2, 1)):
        state = game.choose(state, k).state
        assert game.observe(state, None)["variables"]["before"] == expected, k


LAYOUTS = """
# Layouts
```yaml
game: { id: layouts, title: Layouts, players: 2 }
seats: [red, blue]
spaces: { board: { grid: [9, 9] } }
pieces: { man: { owner: seat, up: bool, count: 3 }, king: { owner: seat, up: bool, count: 2 } }
vars: { before: 0..200 }
fns: { few: "[a1, b1, h9, i9]" }
history: { seen: { of: [board], keep: 200 } }
setup:
  - place man of red at a1
  - place man of blue at b1
  - place king of red at h9
  - place king of blue at i9
actions:
  - id: move
    params: { origin: c for c in few if c.piece != none, target: few }
    effects:
      - if origin == target then origin.piece.up = not origin.piece.up
      - if origin != target then move origin.piece to target
      - before = times(seen)
      - record seen
end: [{ when: turn > 190, draw: all, reason: over }]
```
"""


@pytest.mark.usefixtures("engine")
def test_a_board_counts_with_all_that_lies_on_it_and_how() -> None:
    """On a board of more than one word: kinds, owners, properties, heaps and their order."""
    game = lw.load_text(LAYOUTS)
    dice = random.Random(3)
    state = game.initial_state()
    seen: Counter[str] = Counter()
    for _ in range(180):
        moves = game.legal_moves(state)
        state = game.apply_move(state, dice.choice(moves)).state
        view = game.observe(state, None)
        layout = str(view["places"])
        assert view["variables"]["before"] == seen[layout]
        seen[layout] += 1
    assert max(seen.values()) > 1


FULL = """
# Full
```yaml
game: { id: full, title: Full, players: 2 }
vars: { n: 0..99 }
history: { seen: { of: [n], keep: 3 } }
actions:
  - { id: note, effects: [n += 1, record seen] }
  - { id: pass }
end: [{ when: turn > 40, draw: all, reason: over }]
```
"""


def test_a_history_holds_exactly_as_many_positions_as_it_keeps() -> None:
    """As many positions as were asked for fit, and not one more."""
    game = lw.load_text(FULL)
    state = game.initial_state()
    for _ in range(3):
        state = game.choose(state, "note").state
    with pytest.raises(lw.RulebookFault) as caught:
        game.choose(state, "note")
    assert caught.value.code == "history-full"
    assert game.observe(state, None)["variables"]["n"] == 3


FAR = """
# Far
```yaml
game: { id: far, title: Far, players: 2 }
spaces: { board: { grid: [10, 20] } }
pieces: { stone: { count: 1 } }
history: { seen: { of: [board], keep: 200 } }
vars: { before: 0..200 }
setup: [place stone at a1, record seen]
actions:
  - id: go
    params: { s: x for x in board if x.piece == none }
    effects: ["move first(stone) to s", before = times(seen), record seen]
end: [{ when: turn > 199, draw: all, reason: over }]
```
"""


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_a_lone_piece_without_an_owner_is_a_position_of_its_own_on_every_space(
    engine: str,
) -> None:
    """Of such a board the key holds a single set, and its first words may have no members."""
    game = lw.load_text(FAR, engine=engine)
    state = game.initial_state()
    spaces = game.decision(state)
    assert spaces is not None
    for space in list(spaces.options):
        state = game.choose(state, space).state
        assert game.observe(state, None)["variables"]["before"] == 0, space
