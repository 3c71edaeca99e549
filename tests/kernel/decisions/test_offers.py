"""Offers for another seat, within some spaces, with a pass; and reactions of other seats."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import Game, State
from tests.semantics.books import answered, asked, book, codes, options, place, variable

BASE = """
spaces: { land: { track: 4 }, sea: { track: 2 } }
pieces: { man: { owner: seat, count: 9 } }
zones: { box: {} }
vars: { Seat.gold: 0..9 = 3, log: 0..999, on: bool = true }
turn: { offer: [start] }
"""
SETTLE = """
  - id: settle
    params: { s: spaces }
    effects:
      - place man of actor at s
      - chooseOne: { bind: $t, options: "x for x in zones if x.count == 0", by: actor }
      - chooseN: { bind: $u, options: land, max: 1 }
      - log += 1
"""


def played(rules: str, *answers: Any) -> tuple[Game, State]:
    game = book(BASE + rules)
    return game, answered(game, *answers)


def starting(effect: str, more: str = "") -> str:
    return f"actions:\n  - {{ id: start, effects: [{effect}] }}\n{SETTLE}{more}"


def test_within_confines_every_space_that_is_chosen() -> None:
    rules = starting('{ offer: { actions: [settle], within: "[land2, land3, sea1]" } }')
    game, state = played(rules, "start")
    assert options(game, state) == ["land2", "land3", "sea1"]
    state = game.choose(state, "land3").state
    assert options(game, state) == ["land2", "sea1", "box"]
    state = game.choose(state, "box").state
    assert options(game, state) == ["land2", "land3"]


@pytest.mark.parametrize("where", ["sea", "sea2", "x for x in sea if x != sea1"])
def test_within_is_a_group_a_space_or_some_spaces(where: str) -> None:
    rules = starting(f'{{ offer: {{ actions: [settle], within: "{where}" }} }}')
    game, state = played(rules, "start")
    assert options(game, state) == (["sea1", "sea2"] if where == "sea" else ["sea2"])


def test_within_ends_with_its_offer() -> None:
    rules = """
actions:
  - id: start
    effects:
      - offer: { actions: [one], within: sea2 }
      - chooseOne: { bind: $s, options: sea }
  - { id: one, params: { s: spaces }, effects: [log += 1] }
"""
    game, state = played(rules, "start", "sea2")
    assert options(game, state) == ["sea1", "sea2"]


def test_an_action_without_a_space_in_there_is_not_possible() -> None:
    rules = """
actions:
  - id: start
    effects: [{ offer: { actions: [one], within: sea1, none: [log = 7] } }]
  - { id: one, params: { s: land }, effects: [log += 1] }
"""
    game, state = played(rules, "start")
    assert variable(game, state, "log") == 7


def test_one_decides_for_another_that_acts() -> None:
    rules = starting("{ offer: { by: actor, as: opponent(actor), actions: [settle] } }")
    game, state = played(rules, "start")
    assert asked(game, state).seat == "red"
    state = game.choose(state, "land1").state
    assert asked(game, state).seat == "blue"  # the rule says `by: actor`
    state = game.choose(state, "box").state
    assert asked(game, state).seat == "red"
    state = game.choose(state, ()).state
    held = game.observe(state, None)["places"]["land1"]["pieces"]
    assert [piece["owner"] for piece in held] == ["blue"]
    assert asked(game, state).seat == "blue"


PASSING = """
actions:
  - id: start
    effects:
      - offer: { by: blue, actions: [spend], pass: keep, none: [log = 5], then: [log += 100] }
  - { id: spend, pre: actor.gold > 0, effects: [actor.gold -= 3, log += 1] }
  - { id: keep, effects: [log += 10] }
"""


def test_a_pass_is_offered_beside_others_only() -> None:
    game, state = played(PASSING, "start")
    assert options(game, state) == ["spend", "keep"]
    assert variable(game, game.choose(state, "keep").state, "log") == 10
    state = game.choose(state, "spend").state
    assert variable(game, state, "log") == 101
    state = game.choose(game.choose(state, "start").state, "start").state
    assert variable(game, state, "log") == 5


REACT = """
actions:
  - id: start
    effects:
      - react: { actions: [stop_it], pass: allow, first: FIRST, then: [log += 100] }
      - log += 1000 // 250
  - { id: stop_it, pre: actor.gold > 0, effects: [actor.gold -= 3, log += 10] }
  - { id: allow }
"""
FOUR = "game: { id: fixture, title: Fixture, players: 4 }\nseats: [red, blue, green, grey]\n"


def reacted(first: str, *answers: str) -> tuple[list[str], int]:
    """Who was asked, and the log, when the answers are used up."""
    game = book(BASE + REACT.replace("FIRST", first), header=FOUR)
    state = game.choose(game.initial_state(), "start").state
    seats: list[str] = []
    for answer in answers:
        seats.append(asked(game, state).seat)
        state = game.choose(state, answer).state
    return [*seats, asked(game, state).seat], variable(game, state, "log")


def test_the_others_are_asked_in_turn() -> None:
    assert reacted("false", "allow", "stop_it", "allow") == (["blue", "green", "grey", "blue"], 114)


def test_the_first_reaction_may_be_the_last() -> None:
    assert reacted("true", "allow", "stop_it") == (["blue", "green", "blue"], 114)


def test_who_cannot_react_is_not_asked() -> None:
    game = book(BASE + REACT.replace("FIRST", "false"), header=FOUR)
    state = game.choose(game.initial_state(), "start").state
    for answer in ("stop_it", "allow", "allow", "start"):
        state = game.choose(state, answer).state
    assert asked(game, state).seat == "green"  # red and grey follow; blue acts and has no gold
    for answer in ("allow", "allow", "allow", "start"):
        state = game.choose(state, answer).state
    assert asked(game, state).seat == "grey"  # not blue
    assert place(game, state, "box") == 0


HUSH = """
actions:
  - id: start
    effects:
      - react: { actions: [stop_it], pass: [allow, hush], unless: it.gold > 8, then: [log += 100] }
  - { id: stop_it, pre: actor.gold > 0, effects: [actor.gold -= 3, log += 10] }
  - { id: allow }
  - { id: hush, effects: [actor.gold = 9, log += 1] }
"""


def test_who_has_declined_in_advance_is_not_asked() -> None:
    game = book(BASE + HUSH, header=FOUR)
    state = game.choose(game.initial_state(), "start").state
    assert options(game, state) == ["stop_it", "allow", "hush"]
    for answer in ("hush", "stop_it", "hush", "start"):  # blue, green, grey; then blue acts
        state = game.choose(state, answer).state
    assert variable(game, state, "log") == 112  # `then` does not follow a pass
    assert asked(game, state).seat == "red"  # green has no gold, grey has declined
    state = game.choose(state, "allow").state
    assert asked(game, state).seat == "green"


@pytest.mark.parametrize(
    ("effect", "code"),
    [
        ("{ react: { actions: [settle], pass: start, unless: it } }", "not-a-condition"),
        ("{ react: { actions: [settle] } }", "missing-key"),
        ("{ offer: { actions: [settle], pass: nobody } }", "unknown-action"),
        ("{ offer: { actions: [settle], within: seats } }", "wrong-type"),
        ("{ offer: { actions: [settle], as: land1 } }", "wrong-type"),
    ],
)
def test_mistakes_are_told(effect: str, code: str) -> None:
    assert code in codes(BASE + starting(effect))


def test_an_ending_knows_nothing_of_the_names_around_an_offer() -> None:
    """The procedure calls its parameter `p`, and so does the ending."""
    rules = """
vars: { Seat.gold: 0..9, stop_: bool }
actions: [{ id: dig, effects: [actor.gold += 1, stop_ = actor.gold == 2] }]
procs:
  turn_of(p):
    - offer: { by: p, actions: [dig] }
flow:
  - repeat: { while: not stop_, max: 9, do: [turn_of(red), turn_of(blue)] }
end: [{ when: any(p for p in seats if p.gold == 2), win: p for p in seats if p.gold == 2, reason: rich }]
"""
    game = book(rules)
    state = game.initial_state()
    for answer in ("dig", "dig", "dig"):
        state = game.choose(state, answer).state
    result = game.result(state)
    assert result is not None
    assert result.winners == ("red",)
