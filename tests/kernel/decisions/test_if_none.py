"""`ifNone`: what happens where nothing can be chosen."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import Game, RulebookFault, State
from ludwright.kernel.play.game import core_of
from tests.semantics.books import answered, book, options, variable

BASE = """
spaces: { land: { track: 3 } }
pieces: { man: { owner: seat, count: 3 } }
vars: { got: 0..99, sum: 0..99 }
setup: [place man of red at land1, place man of red at land2]
"""


def after(rules: str, *answers: Any) -> tuple[Game, State]:
    game = book(BASE + rules)
    return game, answered(game, *answers)


def action(*lines: str) -> str:
    """An action whose effects these are; FREE and NOWHERE stand for options."""
    text = "".join(f"      - {line}\n" for line in lines)
    text = text.replace("FREE", FREE).replace("NOWHERE", NOWHERE)
    return f"actions:\n  - id: act\n    effects:\n{text}"


FREE = "c for c in land if c.piece == none"
NOWHERE = "c for c in land if c.index > 9"


def test_one_that_finds_nothing_is_none_and_the_move_goes_on() -> None:
    game, state = after(
        action(
            "chooseOne: { bind: $x, options: NOWHERE, ifNone: skip }",
            "if: { when: $x == none, then: [got = 7], else: [got = 8] }",
        ),
        "act",
    )
    assert variable(game, state, "got") == 7


def test_one_that_finds_something_is_asked() -> None:
    game, state = after(action("chooseOne: { bind: $x, options: FREE, ifNone: [got = 1] }"), "act")
    assert options(game, state) == ["land3"]
    assert variable(game, game.choose(state, "land3").state, "got") == 0


def test_statements_run_in_the_place_of_the_choice() -> None:
    game, state = after(
        action("chooseOne: { bind: $x, options: NOWHERE, ifNone: got += 5 }", "sum = got + 1"),
        "act",
    )
    assert (variable(game, state, "got"), variable(game, state, "sum")) == (5, 6)


def test_an_answer_is_there_where_the_other_way_has_left() -> None:
    """Behind `ifNone: [return]` the name cannot be none, so it needs no test."""
    game, state = after(
        action("chooseOne: { bind: $x, options: FREE, ifNone: [return] }", "got = $x.index"),
        "act", "land3",
    )  # fmt: skip
    assert variable(game, state, "got") == 2


def test_a_fault_names_the_rule() -> None:
    game, state = after(action("chooseOne: { bind: $x, options: NOWHERE, ifNone: fault }"))
    with pytest.raises(RulebookFault) as caught:
        game.choose(state, "act")
    assert caught.value.code == "nothing-to-choose"
    assert "act" in caught.value.rule


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [("n: 2", 9), ("min: 1", 0), ("max: 0", 9), ("n: 2, repeats: true", 0), ("min: 2, max: 1", 9)],
)
def test_several_need_as_many_as_must_be_picked(bounds: str, expected: int) -> None:
    """One space is free; `got` is 9 where nothing was asked."""
    if "min: 2, max: 1" in bounds:
        bounds = "min: 2 + got, max: 1 + got"
    game, state = after(
        action(
            "chooseN: { bind: $x, options: FREE, BOUNDS, ifNone: [got = 9] }".replace(
                "BOUNDS", bounds
            )
        ),
        "act",
    )
    assert variable(game, state, "got") == expected


def test_an_option_that_stands_twice_counts_once() -> None:
    game, state = after(
        action("chooseN: { bind: $x, options: '[land3] + [land3]', n: 2, ifNone: [got = 9] }"),
        "act",
    )
    assert variable(game, state, "got") == 9


def test_each_skips_its_body() -> None:
    rules = "chooseN: { bind: $x, options: HERE, min: 1, each: [got += 1], ifNone: [got = 50] }"
    game, state = after(action(rules.replace("HERE", NOWHERE), "sum = count($x)"), "act")
    assert (variable(game, state, "got"), variable(game, state, "sum")) == (50, 0)
    game, state = after(action(rules.replace("HERE", FREE), "sum = count($x)"), "act", "land3")
    assert (variable(game, state, "got"), variable(game, state, "sum")) == (1, 1)


def test_a_menu_without_entries_binds_none() -> None:
    game, state = after(
        action(
            "menu: { bind: $m, options: { a: { if: got > 0 }, b: { if: got > 1 } }, ifNone: skip }",
            "if $m == none then got = 3",
        ),
        "act",
    )
    assert variable(game, state, "got") == 3


def test_where_no_option_can_be_finished_it_is_as_if_there_were_none() -> None:
    rules = ("chooseOne: { bind: $x, options: 1..3, ifNone: [got = 20] }", "require got > 10")
    game, state = after(action(*rules), "act")
    assert variable(game, state, "got") == 20


def test_nothing_before_it_is_searched() -> None:
    """The first choice needs no search, because the second can never refuse."""

    def first_is_safe(second: str) -> bool:
        first = "chooseOne: { bind: $x, options: land }"
        other = second.replace("OTHER", "c for c in land if c != $x and c.piece == none")
        game = book(BASE + action(first, other))
        program = core_of(game).program
        return next(choice.safe for choice in program.choices if choice.name == "$x")

    assert not first_is_safe("chooseOne: { bind: $y, options: OTHER }")
    assert first_is_safe("chooseOne: { bind: $y, options: OTHER, ifNone: skip }")
    assert first_is_safe("chooseN: { bind: $y, options: OTHER, n: 2, ifNone: skip }")


def test_a_choice_after_a_roll_may_find_nothing() -> None:
    game, state = after(
        action("roll die in 1..6", "chooseOne: { bind: $x, options: NOWHERE, ifNone: [got = die] }"),
        "act",
    )  # fmt: skip
    assert variable(game, state, "got") in range(1, 7)
