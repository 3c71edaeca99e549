"""Set-up: where pieces start, who begins, which phase comes first."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.semantics.books import asked, book, codes, options

MEN = """
pieces: { man: { owner: seat, count: 3 }, ORDERED }
zones: { hand: { each: seat, of: KINDS, order: ORDER, init: all }, pile: { of: man } }
actions:
  - { id: play, params: { x: m for m in hand(actor) }, effects: [move x to pile] }
noMoves: [{ draw: all, reason: stuck }]
"""


def men(order: str = "bag", kinds: str = "man") -> str:
    return MEN.replace("ORDERED", "card: {}").replace("ORDER", order).replace("KINDS", kinds)


def lying(game: Game, state: State, zone: str) -> list[str]:
    """The owners of the pieces in a zone."""
    pieces = game.observe(state, None)["places"][zone].get("pieces", [])
    return [piece["owner"] for piece in pieces]


@pytest.mark.parametrize("order", ["bag", "row", "stack"])
def test_every_piece_starts_in_the_zone_of_its_owner(order: str) -> None:
    game = book(men(order))
    state = game.initial_state()
    for seat in ("red", "blue"):
        assert lying(game, state, f"hand:{seat}") == [seat] * 3
    assert len(options(game, state)) >= 1


def test_seats_that_do_not_play_have_no_pieces() -> None:
    header = "game: { id: fixture, title: Fixture, players: 1..3 }\nseats: [red, blue, green]\n"
    game = book(men(), header=header)
    for players in (1, 2, 3):
        state = game.initial_state(players=players)
        for number, seat in enumerate(("red", "blue", "green")):
            places = game.observe(state, None)["places"]
            found = places.get(f"hand:{seat}", {"count": 0})["count"]
            assert found == (3 if number < players else 0)


def test_pieces_without_an_owner_have_no_hand_to_start_in() -> None:
    assert codes(men(kinds="[man, card]")) == ["zone-needs-seat"]


PHASES = """
vars: { n: 0..9 }
setup: [SETUP]
procs:
  later(): [goto second]
phases:
  - { id: first_, actions: [a] }
  - { id: second, onEnter: [n += 5], actions: [b] }
actions:
  - { id: a, effects: [n += 1, next phase] }
  - { id: b, effects: [n += 2, goto first_] }
end: [{ when: n > 8, draw: all, reason: x }]
"""


@pytest.mark.parametrize(
    ("setup", "offered"),
    [
        ("n = 0", ["a"]),
        ("goto first_", ["a"]),
        ("next phase", ["a"]),
        ("goto second", ["b"]),
        ("later()", ["b"]),
        ("goto second, goto first_", ["a"]),
    ],
)
def test_set_up_can_choose_the_first_phase(setup: str, offered: list[str]) -> None:
    rules = PHASES.replace("SETUP", setup)
    if "later()" not in setup:
        rules = rules.replace("procs:\n  later(): [goto second]\n", "")
    game = book(rules)
    state = game.initial_state()
    assert options(game, state) == offered
    assert game.observe(state, None)["variables"]["n"] == (5 if offered == ["b"] else 0)


def test_a_scenario_can_choose_the_first_phase() -> None:
    rules = PHASES.replace("SETUP", "n = 0").replace("procs:\n  later(): [goto second]\n", "")
    game = book(
        rules
        + "scenarios:\n  - { id: usual, setup: [n = 0] }\n  - { id: late, setup: [goto second] }\n"
    )
    assert options(game, game.initial_state()) == ["a"]
    assert options(game, game.initial_state(scenario="late")) == ["b"]


TURNS = """
vars: { n: 0..99 }
SETUP
procs:
  PROC
actions:
  - { id: pull, effects: [n += 1, EFFECT] }
"""


def turns(setup: str, effect: str = "n += 1", proc: str = "") -> list[str]:
    rules = TURNS.replace("SETUP", setup).replace("EFFECT", effect)
    rules = rules.replace("procs:\n  PROC\n", f"procs:\n  {proc}\n" if proc else "")
    game = book(rules)
    state = game.initial_state()
    found = []
    for _ in range(4):
        found.append(asked(game, state).seat)
        state = game.choose(state, "pull").state
    return found


@pytest.mark.parametrize(
    ("setup", "effect", "proc", "wanted"),
    [
        ("", "n += 1", "", ["red", "blue", "red", "blue"]),
        ("setup: [active = blue]", "n += 1", "", ["blue", "red", "blue", "red"]),
        ("setup: [begin()]", "n += 1", "begin(): [active = blue]", ["blue", "red", "blue", "red"]),
        ("setup: [active = blue]", "active = red", "", ["blue", "red", "red", "red"]),
        ("setup: [begin()]", "begin()", "begin(): [active = blue]", ["blue"] * 4),
        ("", "active = red", "", ["red"] * 4),
        ("scenarios: [{ id: one, setup: [active = blue] }]", "n += 1", "", ["blue", "red", "blue", "red"]),
    ],
)  # fmt: skip
def test_who_begins_is_no_order_of_turns(
    setup: str, effect: str, proc: str, wanted: list[str]
) -> None:
    assert turns(setup, effect, proc) == wanted


BEFORE = """
vars: { n: 0..9, who: Seat = blue, both: "(0..9, Seat) = (1, blue)", Seat.purse: 0..9 = 3 }
setup: [who = actor, "both = (2, actor)", actor.purse += 1, n = actor.purse]
triggers: [{ on: { changed: n }, immediate: true, effects: ["both = (3, actor)"] }]
actions: [{ id: wait, effects: [n = 1] }]
"""


def test_before_the_first_move_the_first_seat_is_the_actor() -> None:
    """Nobody has moved, but `actor` is a seat all the same: the state can be loaded again."""
    game = book(BEFORE)
    state = game.initial_state()
    seen = game.observe(state, None)["variables"]
    assert (seen["who"], seen["both"], seen["n"]) == ("red", [3, "red"], 4)
    assert seen["purse"] == {"red": 4, "blue": 3}
    assert game.state_from_bytes(state.to_bytes()) == state


FLOW = """
vars: { n: 0..9, Seat.cards: 0..9 }
flow:
  - { chooseOne: { bind: $deal, options: 1..3, by: blue } }
  - red.cards = $deal
  - blue.cards = $deal
  - { chooseOne: { bind: $give, options: 1..1, by: red } }
  - red.cards -= $give
end: [{ when: actor.cards == 0, win: actor, reason: empty-handed }]
"""


def test_an_end_that_names_the_actor_waits_for_the_first_move() -> None:
    """Before cards are dealt nobody has any, and nobody has won."""
    game = book(FLOW)
    state = game.initial_state()
    assert asked(game, state).seat == "blue"
    state = game.choose(state, 1).state
    assert asked(game, state).seat == "red"
    result = game.result(game.choose(state, 1).state)
    assert result is not None
    assert result.winners == ("red",)


SET_OFF = """
spaces: { land: { track: 3 } }
pieces: { stone: { count: 4 } }
vars: { n: 0..20 }
setup: [place stone at land1]
triggers:
  - { on: { entered: land1 }, effects: [{ chooseOne: { bind: $c, options: 1..3, by: red } }, n += $c] }
actions:
  - { id: dig, effects: [{ chooseOne: { bind: $c, options: 1..3 } }, n += $c] }
"""


def test_what_set_up_sets_off_is_a_move_of_its_own() -> None:
    """Its decisions are no part of the first turn, which may ask under the same name."""
    game = book(SET_OFF)
    state = game.initial_state()
    assert asked(game, state).decision_id == "$c[0]"
    (move,) = game.legal_moves(state)
    step = game.apply_move(state, move.with_param("$c[0]", 1))
    assert step.part_ended
    assert asked(game, step.state).head
    dig = lw.Move("dig", {"$c": 3})
    assert game.legal_choices(step.state, dig).complete
    assert game.observe(game.apply_move(step.state, dig).state, None)["variables"]["n"] == 4


def test_a_played_game_in_a_rulebook_is_an_example() -> None:
    text = """```yaml
game: { id: fixture, title: Fixture, players: 2 }
vars: { n: 0..9 }
actions: [{ id: wait, effects: [n = 1] }]
```

```play
p1: wait
check n == 7
```
"""
    found = lw.compile_text(text)
    assert found.ok
    assert not found.diagnostics.errors
    assert [line.text for line in found.examples[0].lines if line.text] == [
        "p1: wait",
        "check n == 7",
    ]
