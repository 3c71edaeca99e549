"""`where`, `piece.kind`, empty sets, an `else` in one line, and parameters that may be none."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import Game, Move, State
from tests.semantics.books import answered, book, codes, options, variable

BASE = """
spaces: { land: { track: 3 } }
pieces: { man: { owner: seat, count: 3 }, gun: { count: 2 } }
vars: { got: 0..99, out: "set[Seat] = all" }
setup: [place man of red at land1, place gun at land2]
"""


def after(rules: str, *answers: Any) -> tuple[Game, State]:
    game = book(BASE + rules)
    return game, answered(game, *answers)


def computed(expression: str, more: str = "") -> Any:
    rules = f"actions: [{{ id: act, effects: ['got = {expression}'] }}]\n{more}"
    game, state = after(rules, "act")
    return variable(game, state, "got")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n * n where n = 3", 9),
        ("n + m where n = 4, m = n * 2", 12),
        ("count(s) where s = [x for x in land if any(x)]", 2),
        ("sum(x.index for x in s where s = [land2, land3])", 3),
        ("p[1] where p = (5, 7)", 7),
        ("count(s) + count(s) where s = set(x for x in land)", 6),
    ],
)
def test_parts_of_an_expression_have_names(expression: str, expected: int) -> None:
    assert computed(expression) == expected


def test_a_function_names_its_parts() -> None:
    more = (
        "fns: { f(a): 'b * c where b = a + 1, c = b - 2', g(x): 'y for y in s where s = [x, 9]' }"
    )
    assert computed("f(4) + sum(g(1))", more) == 25


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("n where n = m, m = 1", "unknown-name"),
        ("land where land = 1", "shadowing"),
        ("x where x > 1", "syntax-where"),
    ],
)
def test_mistakes_in_where(expression: str, code: str) -> None:
    assert code in codes(BASE + f"actions: [{{ id: act, effects: ['got = {expression}'] }}]")


def test_a_piece_knows_its_kind() -> None:
    assert computed("count(x for s in land for x in s if x.kind == gun)") == 1
    assert computed("count(x for s in land for x in s if x.kind in [gun, man])") == 2
    game, state = after(
        """
actions:
  - id: act
    effects:
      - chooseOne: { bind: $k, options: "x.kind for s in land for x in s" }
      - if $k == man then got = 1 else got = 2
""",
        "act",
    )
    assert options(game, state) == ["man", "gun"]
    assert variable(game, game.choose(state, "gun").state, "got") == 2


@pytest.mark.parametrize("empty", ["[]", "set()", "set([])", "out - out"])
def test_empty_sets(empty: str) -> None:
    rules = f"actions: [{{ id: act, effects: ['out = {empty}', got = count(out) + 5] }}]"
    game, state = after(rules, "act")
    assert variable(game, state, "got") == 5


@pytest.mark.parametrize(("first", "expected"), [(1, 10), (2, 20), (3, 30)])
def test_else_in_one_line(first: int, expected: int) -> None:
    line = f"if {first} == 1 then got = 10 else if {first} == 2 then got = 20 else got = 30"
    game, state = after(f"actions: [{{ id: act, effects: ['{line}'] }}]", "act")
    assert variable(game, state, "got") == expected


OPTIONAL = """
actions:
  - id: act
    params: { s: { options: "x for x in land if x.index > got", optional: true } }
    effects: ["got = default(s.index, 9) * 10 + 1"]
  - id: pass
"""


def test_a_parameter_may_be_none() -> None:
    game, state = after(OPTIONAL, "act")
    assert list(game.decision(state).answers) == ["land2", "land3", None]  # type: ignore[union-attr]
    assert variable(game, game.choose(state, None).state, "got") == 91
    assert variable(game, game.choose(state, "land3").state, "got") == 21


def test_an_action_is_possible_without_an_option_of_an_optional_parameter() -> None:
    game, state = after(OPTIONAL, "act", None, "act")
    assert variable(game, state, "got") == 91
    assert options(game, state) == ["act", "pass"]


def test_whole_moves_with_an_optional_parameter() -> None:
    game = book(BASE + OPTIONAL)
    state = game.initial_state()
    moves = game.legal_moves(state)
    assert Move("act", {"s": None}) in moves
    assert Move("act", {"s": "land2"}) in moves
    ends = {game.apply_move(state, move).state.state_hash for move in moves}
    assert len(ends) == len(moves) == 4
