"""`chooseN … by: class`: of alike pieces only their number is chosen."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from ludwright import Game, State
from tests.semantics.books import asked, book, codes

BASE = """
spaces: { land: { track: 3 }, camp: { track: 1 } }
pieces:
  man: { owner: seat, count: 5, tired: bool }
  gun: { count: 3 }
vars: { most: 0..9 = 3, asked: 0..9 }
setup:
  - place 3 man of red at land1
  - place 1 man of red at land1 with tired=true
  - place 2 gun at land1
  - place 1 gun at land2
"""
ALL = "x for s in land for x in s"
# What lies there: four classes with so many pieces.
CLASSES = {"man@land1:red": 3, "man@land1:red,tired": 1, "gun@land1": 2, "gun@land2": 1}


def rules(bounds: str) -> str:
    choice = f"chooseN: {{ bind: $x, options: '{ALL}', by: class, {bounds} }}"
    return (
        BASE
        + f"""
actions:
  - id: act
    effects:
      - {choice}
      - move all of $x to camp1
  - id: pass
"""
    )


def ends(game: Game) -> Counter[tuple[int, ...]]:
    """Every way through the choice: how many of each class have moved."""
    found: Counter[tuple[int, ...]] = Counter()
    first = game.choose(game.initial_state(), "act").state
    stack = [first]
    while stack:
        state = stack.pop()
        decision = game.decision(state)
        assert decision is not None
        if decision.action is None:
            found[_moved(game, state)] += 1
            continue
        stack += [game.choose(state, answer).state for answer in decision.answers]
    return found


def _moved(game: Game, state: State) -> tuple[int, ...]:
    pieces = game.observe(state, None)["places"].get("camp1", {"pieces": []})["pieces"]
    return (
        sum(1 for p in pieces if p["kind"] == "man" and not p["tired"]),
        sum(1 for p in pieces if p["kind"] == "man" and p["tired"]),
        sum(1 for p in pieces if p["kind"] == "gun"),
    )


def expected(low: int, high: int) -> Counter[tuple[int, ...]]:
    """All sets by class; the guns of two places are two classes."""
    found: Counter[tuple[int, ...]] = Counter()
    for fresh, tired, here, there in product(range(4), range(2), range(3), range(2)):
        if low <= fresh + tired + here + there <= high:
            found[fresh, tired, here + there] += 1
    return found


@pytest.mark.parametrize(
    ("bounds", "low", "high"),
    [
        ("max: 7", 0, 7),
        ("max: most", 0, 3),
        ("min: 1, max: 2", 1, 2),
        ("min: 3", 3, 7),
        ("n: 4", 4, 4),
        ("min: most, max: 5", 3, 5),
        ("max: 5, asManyAsPossible: true", 5, 5),
        ("max: 9, asManyAsPossible: true", 7, 7),
        ("max: 0", 0, 0),
    ],
)
def test_every_set_is_reached_on_one_way(bounds: str, low: int, high: int) -> None:
    assert ends(book(rules(bounds))) == expected(low, high)


def test_a_condition_on_the_place_holds_for_every_piece_of_a_class() -> None:
    """The options stand inside each other where classes are counted; each has loops of its own."""
    near = f"{ALL} if s in [land1, land2]"
    assert ends(book(rules("max: 7").replace(ALL, near))) == expected(0, 7)


def answers(bounds: str, *given: Any) -> tuple[str, list[Any]]:
    game = book(rules(bounds))
    state = game.choose(game.initial_state(), "act").state
    for answer in given:
        state = game.choose(state, answer).state
    decision = asked(game, state)
    return decision.decision_id, list(decision.answers)


def test_a_class_is_asked_and_then_how_many() -> None:
    names = list(CLASSES)
    assert answers("max: 4") == ("$x[0]", [*names, None])
    assert answers("max: 4", names[0]) == ("$x.count[0]", [1, 2, 3])
    assert answers("max: 4", names[0], 2) == ("$x[1]", ["man@land1", *names[2:], None])
    assert answers("max: 4", names[0], 3, "man@land1") == ("action", ["act", "pass"])


def test_of_a_single_piece_the_number_is_not_asked() -> None:
    assert answers("max: 4", "man@land1:red,tired")[0] == "$x[1]"


def test_the_question_is_asked_for_the_class_and_then_for_the_number() -> None:
    game = book(rules('max: 4, ask: "Who goes?"'))
    state = game.choose(game.initial_state(), "act").state
    assert game.question(state, "red") == "Who goes?"
    state = game.choose(state, "man@land1:red").state
    assert game.question(state, "red") == "How many?"


def test_too_few_pieces_refuse_or_are_told_by_if_none() -> None:
    game = book(rules("n: 8"))
    assert list(asked(game, game.initial_state()).options) == ["pass"]
    game = book(rules("n: 8, ifNone: [asked = 5]"))
    state = game.choose(game.initial_state(), "act").state
    assert game.observe(state, None)["variables"]["asked"] == 5


@pytest.mark.parametrize(
    "bounds", ["each: [asked = 1]", "repeats: true, max: 2", "ordering: sequence", "together: true"]
)
def test_what_does_not_go_with_numbers_is_refused(bounds: str) -> None:
    assert codes(rules(bounds)) == ["by-class"]


def test_only_pieces_are_alike() -> None:
    assert codes(rules("max: 1").replace(f"'{ALL}'", "land")) != []


def test_somebody_else_may_choose() -> None:
    game = book(rules("max: 2, chooser: opponent(actor)"))
    state = game.choose(game.initial_state(), "act").state
    assert asked(game, state).seat == "blue"
