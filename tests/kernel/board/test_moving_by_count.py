"""Pieces by number, kind, owner and properties in one statement; `swap` and `reverse`."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import Game, State
from tests.semantics.books import book, codes, options, place, variable

BASE = """
spaces: { land: { track: 4, max: 3 } }
pieces:
  gem: { count: 6, hue: "[ruby, opal]" }
  man: { owner: seat, count: 3 }
  card: { each: { rank: 1..4 } }
zones:
  purse: { each: seat, of: gem }
  bank: { of: gem }
  pile: { of: card, order: stack, init: all }
  shown: { of: card, order: stack, see: top }
  bag: { of: card }
vars: { left: 0..9 = 2, right: 0..5 = 4, Seat.points: 0..9 = 1, got: 0..99, clear: 0..9 }
setup:
  - place 2 gem at purse(red) with hue=opal
  - place 3 gem at purse(red) with hue=ruby
  - place 2 man of red at land1
  - place 3 man of blue at land2
"""


def after(*statements: str) -> tuple[Game, State]:
    lines = "".join(f"      - {line}\n" for line in statements)
    game = book(BASE + f"actions:\n  - id: act\n    effects:\n{lines}  - id: pass\n")
    return game, game.choose(game.initial_state(), "act").state


def offered(statement: str) -> list[Any]:
    rules = f"actions:\n  - id: act\n    effects: ['{statement}']\n  - id: pass\n"
    game = book(BASE + rules)
    return options(game, game.initial_state())


def hues(game: Game, state: State, name: str) -> list[str]:
    held = game.observe(state, None)["places"].get(name, {"pieces": []})
    return sorted(piece["hue"] for piece in held["pieces"])


def owners(game: Game, state: State, name: str) -> list[str]:
    held = game.observe(state, None)["places"].get(name, {"pieces": []})
    return [piece["owner"] for piece in held["pieces"]]


def test_a_number_with_a_property() -> None:
    game, state = after("move 2 gem with hue=ruby from purse(red) to bank")
    assert hues(game, state, "bank") == ["ruby", "ruby"]
    assert hues(game, state, "purse:red") == ["opal", "opal", "ruby"]


def test_the_property_is_read_once() -> None:
    """The value is that of before the move, whatever the moves change."""
    game, state = after("move 2 gem with hue=purse(red)[0].hue from purse(red) to bank")
    assert hues(game, state, "bank") == ["opal", "opal"]


def test_too_few_refuse_the_move_unless_up_to_stands_there() -> None:
    assert offered("move 3 gem with hue=opal from purse(red) to bank") == ["pass"]
    assert offered("remove 3 man of red from land1") == ["pass"]
    game, state = after("move up to 3 gem with hue=opal from purse(red) to bank")
    assert hues(game, state, "bank") == ["opal", "opal"]


def test_all_of_a_kind() -> None:
    game, state = after("move all gem with hue=ruby from purse(red) to bank")
    assert hues(game, state, "purse:red") == ["opal", "opal"]
    game, state = after("remove all man from land2")
    assert place(game, state, "land2") == 0


def test_removed_pieces_can_be_placed_again() -> None:
    game, state = after("remove 2 man of blue from land2", "place 2 man of blue at land3")
    assert owners(game, state, "land3") == ["blue", "blue"]
    assert owners(game, state, "land2") == ["blue"]


def test_two_pieces_exchange_places_within_the_limits() -> None:
    """The second space is full: only the exchange as a whole fits."""
    game, state = after("swap land1.piece with land2.piece")
    assert sorted(owners(game, state, "land1")) == ["blue", "red"]
    assert sorted(owners(game, state, "land2")) == ["blue", "blue", "red"]


def test_two_places_exchange_what_lies_there() -> None:
    game, state = after("swap land1 with land2")
    assert owners(game, state, "land1") == ["blue"] * 3
    assert owners(game, state, "land2") == ["red"] * 2
    game, state = after("swap purse(red) with purse(blue)")
    assert (place(game, state, "purse:red"), place(game, state, "purse:blue")) == (0, 5)


ORDERED = """
pieces: { card: { each: { rank: 1..6 }, notation: "{rank}" } }
zones:
  pile: { order: stack }
  other: { order: stack }
  row: { order: row }
  show: { order: stack, see: top }
  heap: {}
setup:
  - for c in card if c.rank < 4 do move c to pile
  - for c in card if c.rank == 4 or c.rank == 5 do move c to row
  - move all of [c for c in card if c.rank == 6] to other
"""
# At first [3, 2, 1] lie in the pile, [4, 5] in the row, and [6] in the other pile.
EXCHANGES: dict[str, tuple[str, dict[str, list[int]]]] = {
    "ends of a stack": ("swap pile[0] with pile[2]", {"pile": [1, 2, 3]}),
    "the other way round": ("swap pile[2] with pile[0]", {"pile": [1, 2, 3]}),
    "neighbours": ("swap pile[1] with pile[2]", {"pile": [3, 1, 2]}),
    "a whole row": ("swap row[0] with row[1]", {"row": [5, 4]}),
    "a piece with itself": ("swap pile[1] with pile[1]", {"pile": [3, 2, 1]}),
    "a stack and a row": ("swap pile[1] with row[0]", {"pile": [3, 4, 1], "row": [2, 5]}),
    "stacks": ("swap pile with other", {"pile": [6], "other": [3, 2, 1]}),
    "a stack with a row": ("swap pile with row", {"pile": [4, 5], "row": [3, 2, 1]}),
    "a stack with nothing": ("swap show with pile", {"pile": [], "show": [3, 2, 1]}),
    "a place with itself": ("swap pile with pile", {"pile": [3, 2, 1]}),
    "a row with a heap": ("swap row with heap", {"row": [], "heap": [4, 5]}),
}


@pytest.mark.parametrize("name", EXCHANGES)
@pytest.mark.parametrize("watched", ["", "triggers: [{ on: { entered: pile }, effects: [] }]"])
def test_what_changes_places_keeps_its_order(name: str, watched: str) -> None:
    """A piece comes to the position of the other one; all pieces of a place lie as before."""
    statement, expected = EXCHANGES[name]
    game = book(f"{ORDERED}{watched}\nactions: [{{ id: act, effects: ['{statement}'] }}]")
    state = game.choose(game.initial_state(), "act").state
    lying = game.observe(state, None)["places"]
    ranks = {zone: [c["rank"] for c in lying.get(zone, {}).get("pieces", [])] for zone in expected}
    assert ranks == expected


def test_two_variables_exchange_their_values() -> None:
    game, state = after(
        "swap left with right", "red.points = 7", "swap red.points with blue.points"
    )
    assert (variable(game, state, "left"), variable(game, state, "right")) == (4, 2)
    assert variable(game, state, "points") == {"red": 1, "blue": 7}


def test_a_value_that_does_not_fit_is_a_fault() -> None:
    assert codes(BASE + "actions: [{ id: act, effects: [swap left with red] }]") != []


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_a_stack_is_turned_around(count: int) -> None:
    game, state = after(
        f"draw {4 - count} from pile to bag", "reverse pile", "for c in pile do got = 5 * got % 97 + c.rank"
    )  # fmt: skip
    expected = 0
    for rank in sorted(range(5 - count, 5), reverse=True):
        expected = 5 * expected % 97 + rank
    assert variable(game, state, "got") == expected


@pytest.mark.parametrize("zone", ["bag", "shown", "land1"])
def test_what_has_no_order_or_shows_its_top_is_not_reversed(zone: str) -> None:
    rules = f"actions: [{{ id: act, effects: [reverse {zone}] }}]"
    assert codes(BASE + rules) == ["wrong-zone"]


def test_words_of_statements_are_names() -> None:
    game, state = after("clear = 3", "clear += 1", "got = clear * 2")
    assert variable(game, state, "got") == 8


def test_a_stack_among_other_spaces_is_turned_around() -> None:
    """What is chosen can only be a stack, though another group of spaces has no order."""
    rules = """
spaces: { land: { track: 2 }, tower: { track: 2, order: stack } }
pieces: { disc: { each: { size: 1..3 }, notation: "{size}" } }
procs: { turn_over(t): [reverse t] }
setup: [for d in disc do move d to tower1]
actions:
  - { id: turn, params: { t: s for s in tower if s.count > 1 }, effects: [turn_over(t)] }
"""
    game = book(rules)
    state = game.initial_state()
    turned = game.choose(state, "tower1").state
    lying, now = (
        game.observe(each, None)["places"]["tower1"]["pieces"] for each in (state, turned)
    )
    assert [piece["size"] for piece in now] == [piece["size"] for piece in lying[::-1]]
    assert codes(rules.replace("s for s in tower", "s for s in spaces")) == ["wrong-zone"]
