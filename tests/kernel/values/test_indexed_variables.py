"""Variables and zones that there are for each member of something."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import Game, RulebookFault, State
from tests.semantics.books import answered, book, codes, options, place, variable

BASE = """
enums: { Gem: [ruby, opal, jade] }
spaces: { road: { track: 3 }, tile: { grid: [2, 1] } }
pieces: { chip: { count: 6 } }
"""


def played(rules: str, *answers: Any) -> tuple[Game, State]:
    game = book(BASE + rules)
    return game, answered(game, *answers)


def changes(game: Game, state: State, answer: Any, seat: str | None = None) -> list[dict[str, Any]]:
    told = game.choose(state, answer).events(seat)
    return [dict(event.fields) for event in told if event.kind == "changed"]


GEMS = """
vars:
  Seat.gems[Gem]: 0..7 = 1
  bank[Gem]: 0..9 = 4
actions:
  - id: act
    params: { who: seats, gem: Gem }
    effects:
      - who.gems[gem] += 2
      - bank[gem] -= 2
      - blue.gems[opal] += 1
"""


def test_every_owner_and_member_has_a_value_of_its_own() -> None:
    game, state = played(GEMS, "blue", "jade")
    assert variable(game, state, "gems[jade]") == {"red": 1, "blue": 3}
    assert variable(game, state, "gems[ruby]") == {"red": 1, "blue": 1}
    assert variable(game, state, "gems[opal]") == {"red": 1, "blue": 2}
    assert [variable(game, state, f"bank[{gem}]") for gem in ("ruby", "opal", "jade")] == [4, 4, 2]


def test_events_name_the_member_and_the_owner() -> None:
    game, state = played(GEMS, "blue")
    assert changes(game, state, "jade") == [
        {"variable": "gems[jade]", "of": "blue", "old": 1, "new": 3},
        {"variable": "bank[jade]", "old": 4, "new": 2},
        {"variable": "gems[opal]", "of": "blue", "old": 1, "new": 2},
    ]


def test_the_change_of_a_named_seat_or_space_is_told_as_its_own() -> None:
    rules = """
vars: { Seat.points: 0..9, Space.heat: 0..9 }
actions: [{ id: act, effects: [blue.points += 1, b1.heat = 3] }]
"""
    game, state = played(rules)
    assert changes(game, state, "act") == [
        {"variable": "points", "of": "blue", "old": 0, "new": 1},
        {"variable": "heat", "of": "b1", "old": 0, "new": 3},
    ]


def test_a_hidden_value_is_told_to_its_owner_only() -> None:
    rules = """
vars: { 'Seat.bid[1..3]': { type: 0..9, see: owner } }
actions: [{ id: act, effects: ['blue.bid[2] = 5'] }]
"""
    game, state = played(rules)
    assert changes(game, state, "act", "red") == []
    assert changes(game, state, "act", "blue") != []
    after = game.choose(state, "act").state
    assert game.observe(after, "red")["variables"]["bid[2]"] == {"red": 0}
    assert game.observe(after, "blue")["variables"]["bid[2]"] == {"blue": 5}


@pytest.mark.parametrize(("whose", "refused"), [("actor", False), ("opponent(actor)", True)])
def test_options_may_read_ones_own_hidden_values(whose: str, refused: bool) -> None:
    rules = f"""
vars: {{ 'Seat.bid[1..3]': {{ type: 0..9, see: owner }} }}
actions:
  - {{ id: act, params: {{ n: 'x for x in 1..3 if {whose}.bid[x] == 0' }}, effects: ['actor.bid[n] = 1'] }}
"""
    assert ("hidden-read" in codes(BASE + rules)) == refused


def test_two_names_are_a_seat_and_an_index() -> None:
    rules = """
vars: { Seat.Space.grip: 0..20 }
actions: [{ id: act, params: { s: spaces }, effects: ['actor.grip[s] += 3', 'red.grip[a1] += 1'] }]
"""
    game, state = played(rules, "b1", "road2")
    assert variable(game, state, "grip[b1]") == {"red": 3, "blue": 0}
    assert variable(game, state, "grip[road2]") == {"red": 0, "blue": 3}
    assert variable(game, state, "grip[a1]") == {"red": 2, "blue": 0}


def test_a_number_that_is_no_member_is_a_fault() -> None:
    rules = """
vars: { 'lane[1..3]': 0..9, n: 0..9 = 3 }
actions: [{ id: act, effects: [n += 1, 'lane[n] = 1'] }]
"""
    game, state = played(rules)
    with pytest.raises(RulebookFault) as caught:
        game.choose(state, "act")
    assert caught.value.code == "range"


def test_nobody_has_no_values() -> None:
    """Another member's value must not be read in the place of that of a missing owner."""
    rules = """
vars: { 'Seat.bid[1..3]': 0..9 = 7, lead: Seat?, got: 0..9 }
actions: [{ id: act, effects: ['got = default(lead.bid[2], 1)'] }]
"""
    game, state = played(rules, "act")
    assert variable(game, state, "got") == 1


def test_a_group_has_variables_of_its_own() -> None:
    rules = """
vars: { tile.number: 2..12, got: 0..99 }
actions:
  - { id: act, params: { s: spaces }, effects: ['got = default(s.number, 50)', b1.number += 1] }
"""
    game, state = played(rules, "b1", "b1")
    assert variable(game, state, "number") == {"a1": 2, "b1": 4}
    assert variable(game, state, "got") == 3
    assert variable(game, game.choose(state, "road2").state, "got") == 50


def test_what_a_space_has_not_cannot_be_changed() -> None:
    rules = """
vars: { tile.number: 2..12 }
actions: [{ id: act, params: { s: spaces }, effects: [%s] }]
"""
    game, state = played(rules.replace("%s", "s.number = 3"))
    with pytest.raises(RulebookFault) as caught:
        game.choose(state, "road2")
    assert caught.value.code == "none"
    assert codes(BASE + rules.replace("%s", "s.number += 1")) == ["may-be-none"]
    assert codes(BASE + rules.replace("%s", "if s.number != none then s.number += 1")) == []


def test_a_trigger_knows_owner_and_index() -> None:
    rules = """
vars: { 'Seat.gems[Gem]': 0..7, log: 0..99 }
triggers:
  - { id: t, on: { changed: Seat.gems }, do: [if seat == blue and key == jade then log = 10 * old + new] }
actions: [{ id: act, params: { p: seats, g: Gem }, effects: ['p.gems[g] += 1'] }]
"""
    game, state = played(rules, "blue", "opal", "red", "jade", "blue", "jade", "blue", "jade")
    assert variable(game, state, "log") == 12


def test_there_is_a_zone_for_each_member() -> None:
    rules = """
zones: { pile: { each: 2..4, of: chip }, shelf: { each: Gem, of: chip } }
setup: [place 2 chip at pile(3), place 1 chip at shelf(jade)]
actions:
  - id: act
    params: { n: 'x for x in 2..4 if any(pile(x))', g: Gem }
    effects: [move 1 chip from pile(n) to shelf(g)]
"""
    game, state = played(rules)
    assert options(game, state) == [3]
    state = game.choose(game.choose(state, 3).state, "opal").state
    assert [place(game, state, f"pile:{n}") for n in (2, 3, 4)] == [0, 1, 0]
    assert [place(game, state, f"shelf:{g}") for g in ("ruby", "opal", "jade")] == [0, 1, 1]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("vars: { 'bank[Gem]': 0..9 }\nsetup: [bank = 1]", "needs-index"),
        ("vars: { 'Seat.g[Gem]': 0..9, x: 0..9 }\nsetup: [x = red.g]", "needs-index"),
        ("vars: { 'Seat.g[Gem]': 0..9 }\nsetup: [red.g += 1]", "needs-index"),
        ("vars: { 'bank[Gem]': 0..9 }\nsetup: ['bank[red] = 1']", "wrong-type"),
        ("vars: { 'bank[Gem]': 'list[Seat, 2]' }", "type-not-storable"),
        ("zones: { pile: { each: 1..3 } }\nsetup: [place chip at pile]", "zone-needs-seat"),
        ("zones: { pile: { each: 1..3 } }\nsetup: ['place chip at pile(1, 2)']", "arity"),
        ("zones: { pile: { each: 1..3, of: chip, init: all } }", "zone-needs-seat"),
    ],
)
def test_mistakes_are_told(rules: str, expected: str) -> None:
    assert codes(BASE + rules + "\nactions: [{ id: pass }]") == [expected]


def test_each_member_is_drawn_under_its_own_name() -> None:
    """`hidden` and `title` are said once, for all of them."""
    rules = """
vars:
  Seat.gems[Gem]: { type: 0..7 = 1, title: stones }
  bank[Gem]: 0..9 = 4
  Seat.mark[1..2]: { type: bool = true, hidden: true }
actions: [{ id: act, effects: ["actor.gems[opal] += 2", "bank[jade] -= 1"] }]
"""
    _, state = played(rules, "act")
    drawn = str(state)
    assert "stones ruby" in drawn
    assert "stones opal" in drawn
    assert "bank jade 3" in drawn
    assert "mark" not in drawn
