"""Locals are wide enough for all that is assigned to them, and know what is known of their value."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw

BOOK = """
# Locals
```yaml
game: {{ id: locals, title: Locals, players: 2 }}
seats: [red, blue]
spaces: {{ board: {{ grid: [3, 3] }} }}
vars: {{ n: 0..99, m: board?, path: "list[0..99, 15]", pairs: "list[(1..9, 1..15), 20]" }}
actions:
  - id: act
    effects:
{effects}
```
"""


def book(*effects: str) -> str:
    return BOOK.format(effects="\n".join(f"      - {line}" for line in effects))


def played(*effects: str) -> dict[str, Any]:
    game = lw.load_text(book(*effects))
    state = game.choose(game.initial_state(), "act").state
    found: dict[str, Any] = game.observe(state, None)["variables"]
    return found


LISTS = {
    "longer than at first": (["let a = [1]", "a = [x for x in 1..3]", "n = sum(a)"], 6),
    "longer in a branch": (
        ["let a = [1]", "if turn == 1 then a = [x for x in 1..4]", "n = sum(a)"], 10
    ),
    "longer by another local": (
        ["let a = [1]", "let b = [2]", "b = [x for x in 1..4]", "a = b", "n = count(a)"], 4
    ),
    "empty at first": (["let a = []", "a = [4, 5]", "n = sum(a)"], 9),
    "grown from itself": (["let a = []", "a = a + [b1]", "a = a + [c1]", "n = sum(x.index for x in a)"], 3),
    "a wave over the board": (
        [
            "let wave = [a1]",
            "let seen = set([a1])",
            "repeat: { while: any(wave), max: 20, do: ['wave = distinct(y for x in wave for y in x.adjacent if y not in seen)', 'seen = seen + wave', n += count(wave)] }",
        ],
        8,
    ),
    "of tuples": (
        ["let a = [(1, red)]", "a = [(x, blue) for x in 1..3]", "n = sum(x for x, p in a)"], 6
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_a_local_list_is_long_enough(name: str) -> None:
    effects, expected = LISTS[name]
    assert played(*effects)["n"] == expected


NONES = {
    "none later": (["let k = 3", "k = none", "n = default(k, 7)"], 7),
    "none at first": (["let k = none", "k = a2", "n = 50 if k == none else k.index"], 3),
    "a step that may lead off the board": (
        ["let k = a3", "k = step(k, north)", "n = 5 if k == none else k.index"], 5
    ),
    "known again after an assignment": (["let k = none", "k = 4", "n = k + 1"], 5),
}  # fmt: skip


@pytest.mark.parametrize("name", NONES)
def test_a_local_may_become_none(name: str) -> None:
    effects, expected = NONES[name]
    assert played(*effects)["n"] == expected


@pytest.mark.parametrize(
    "effects",
    [
        ("pairs = [(1, 2), (3, 1)]", "let f, d = pairs[0]", "path = [path[i] for i in 0..d - 3] + [f]"),
        ("n = 3", "let d = n", "path = [i for i in 0..d] + [1]"),
        ("for d in 1..3 do path = [i for i in 0..d]",),
    ],
)  # fmt: skip
def test_a_local_that_never_changes_keeps_its_range(effects: tuple[str, ...]) -> None:
    assert len(played(*effects)["path"]) >= 1


@pytest.mark.parametrize(
    "effects",
    [
        ("let a = [1]", "a = a + [2]"),
        ("let a = [1]", "let b = [2]", "a = b + [1]", "b = a + [2]"),
    ],
)
def test_a_list_that_grows_without_a_bound_is_told(effects: tuple[str, ...]) -> None:
    codes = [item.code for item in lw.compile_text(book(*effects)).diagnostics.errors]
    assert set(codes) == {"list-grows"}


def test_a_list_that_outgrows_its_members_is_a_fault() -> None:
    with pytest.raises(lw.RulebookFault) as told:
        played(
            "let a = [a1]",
            "repeat: { while: n < 20, max: 20, do: ['a = a + [a1]', n += 1] }",
        )
    assert told.value.code == "range"


WALK = """
# Walk
```yaml
game: { id: walk, title: Walk, players: 2 }
spaces: { land: { track: 40 } }
pieces: { unit: { owner: seat, count: 100 } }
setup: ["for p in seats do place 100 unit of p at land1"]
actions:
  - id: go
    effects:
      - forEach:
          bind: x
          over: x for s in land for x in s if x.owner == actor
          do:
            - chooseOne: { bind: $where, options: land }
            - move x to $where
```
"""


def test_a_loop_over_pieces_keeps_no_more_of_them_than_there_are() -> None:
    program = lw.compile_text(WALK).program
    assert program is not None
    placed = 200 * 3 + 40 * 2  # where each is and what follows, whose it is; what lies where
    assert program.cells < placed + 200 + 60


TWO_TABLES = """
# Two tables
```yaml
game: { id: two, title: Two, players: 2 }
tables:
  Force: [{ id: man, copies: 3 }, { id: fort, copies: 2 }]
  Card: [{ id: rain, number: 1 }, { id: sun, number: 2 }]
pieces:
  unit: { each: Force, count: copies }
  card: { each: Card }
zones: { deck: { of: card, order: stack, init: all }, camp: { of: unit, init: all }, box: {} }
vars: { current: Card?, force: Force?, n: 0..9 }
actions:
  - id: go
    effects:
      - current = deck.piece.row
      - force = camp.piece.row
      - n = sum(x.number for x in deck)
```
"""


def test_the_row_of_a_piece_belongs_to_the_table_of_its_kind() -> None:
    game = lw.load_text(TWO_TABLES)
    state = game.choose(game.initial_state(), "go").state
    seen = game.observe(state, None)["variables"]
    assert seen == {"current": "rain", "force": "man", "n": 3}
    unclear = TWO_TABLES.replace("current = deck.piece.row", "current = box.piece.row")
    codes = [item.code for item in lw.compile_text(unclear).diagnostics.errors]
    assert codes == ["wrong-type"]


NAMES = """
# Names
```yaml
game: { id: names, title: Names, players: 2 }
spaces: { land: { spaces: { da-nang: { adjacent: [hue] }, hue: {} } } }
pieces: { unit: { owner: seat, count: 9 } }
tables: { Setup: [{ where: da-nang, n: 2 }, { where: hue, n: 1 }] }
vars: { n: 0..9, ok.shift: 0..3 = 2, Seat.from: 0..3 = 1 }
values: { strike.shift(k): k + 1 }
setup: ["for r in Setup do place unit of p1 at r.where"]
actions: [{ id: go, effects: ["n = strike.shift(2) + ok.shift + actor.from"] }]
```
"""


def test_words_after_a_dot_and_names_with_hyphens() -> None:
    game = lw.load_text(NAMES)
    state = game.choose(game.initial_state(), "go").state
    seen = game.observe(state, None)
    assert seen["variables"]["n"] == 6
    assert seen["places"]["da_nang"]["count"] == seen["places"]["hue"]["count"] == 1
