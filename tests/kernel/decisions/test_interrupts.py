"""Interrupt phases: pushed on top of a phase, and back to where it was."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import Game, Move, State
from tests.semantics.books import book, codes, variable

HEADER = "game: { id: fixture, title: Fixture, players: 3 }\nseats: [red, blue, green]\n"
RULES = """
vars: { log: "list[0..99, 60]", gold: 0..50, hits: 0..9 }
phases:
  - id: day
    actionDefaults: { afterEffects: ["log = log + [1]"] }
    onExit: ["log = log + [19]"]
  - id: fight
    interrupt: true
    onEnter: ["log = log + [20]", active = blue]
    actionDefaults: { pre: hits < 2, afterEffects: ["log = log + [2]"] }
    onExit: ["log = log + [29]"]
  - id: panic
    interrupt: true
    onEnter: ["log = log + [30]"]
    onExit: ["log = log + [39]"]
  - id: night
    onEnter: ["log = log + [40]"]
turn: { order: ORDER }
noMoves: ["log = log + [9]", next phase]
actions:
  - { id: work, phase: day, limits: { phase: 1 }, effects: ["log = log + [10]"] }
  - { id: attack, phase: day, effects: ["log = log + [11]", push phase fight, "log = log + [12]"] }
  - { id: both, phase: day, effects: [push phase panic, push phase fight, next phase] }
  - { id: hit, phase: fight, effects: [hits += 1, "log = log + [21]"] }
  - { id: scare, phase: fight, effects: [push phase panic] }
  - { id: again, phase: fight, effects: [push phase fight] }
  - { id: over, phase: fight, effects: [next phase] }
  - id: part
    phase: fight
    effects: [next phase, chooseOne: { bind: $g, options: 0..2 }, gold += $g]
  - { id: flee, phase: fight, effects: [goto night] }
  - { id: calm, phase: panic, effects: [next phase] }
  - { id: rest, phase: night, effects: [next phase] }
"""


@pytest.fixture
def game() -> Game:
    return book(RULES.replace("ORDER", "roundRobin"), header=HEADER)


def after(game: Game, *actions: str) -> State:
    state = game.initial_state()
    for action in actions:
        # from the bytes alone: the stack is in the state, nowhere else
        state = game.state_from_bytes(game.apply_move(state, Move(action)).state.to_bytes())
    return state


def here(game: Game, state: State) -> tuple[Any, str | None]:
    return game.observe(state, None)["phase"], game.current_seat(state)


def log(game: Game, state: State) -> list[int]:
    found: list[int] = variable(game, state, "log")
    return found


def test_an_interrupt_waits_for_the_end_of_the_move(game: Game) -> None:
    state = after(game, "attack")
    assert here(game, state) == ("fight", "blue")
    assert log(game, state) == [11, 12, 1, 20]
    assert game.legal_moves(state)[0] == Move("hit")


def test_it_has_turns_and_defaults_of_its_own_and_comes_back(game: Game) -> None:
    state = after(game, "attack", "hit")
    assert here(game, state) == ("fight", "green")
    assert log(game, state)[-2:] == [21, 2]
    state = after(game, "attack", "hit", "over")
    assert here(game, state) == ("day", "blue")  # red attacked, so blue is next
    assert log(game, state) == [11, 12, 1, 20, 21, 2, 2, 29]  # nobody left `day`: no 19


def test_the_condition_of_an_interrupt_is_its_own(game: Game) -> None:
    """After two hits nobody can do anything in the fight, and `noMoves` ends it."""
    state = after(game, "attack", "hit", "hit")
    assert here(game, state) == ("day", "blue")
    assert log(game, state)[-2:] == [9, 29]


def test_limits_of_the_phase_below_still_count(game: Game) -> None:
    state = after(game, "work", "attack", "over", "attack", "over")
    assert here(game, state) == ("day", "red")
    assert "work" not in [move.action_id for move in game.legal_moves(state)]
    assert game.why(state, Move("work")).rule == "action work: limit of each phase"


def test_interrupts_are_stacked(game: Game) -> None:
    state = after(game, "attack", "scare")
    assert here(game, state) == ("panic", "blue")
    state = after(game, "attack", "scare", "calm")
    assert here(game, state) == ("fight", "green")
    state = after(game, "attack", "scare", "calm", "over")
    assert here(game, state) == ("day", "blue")
    assert log(game, state) == [11, 12, 1, 20, 2, 30, 39, 2, 29]


def test_two_requests_and_one_to_leave_are_all_served(game: Game) -> None:
    """The fight begins, the panic breaks into it; then `next phase` of the day is carried out."""
    assert here(game, after(game, "both")) == ("panic", "blue")
    assert here(game, after(game, "both", "calm")) == ("fight", "blue")
    state = after(game, "both", "calm", "over")
    assert here(game, state) == ("night", "blue")
    assert log(game, state) == [1, 20, 30, 39, 2, 29, 19, 40]


def test_a_request_for_itself_waits_until_it_is_over(game: Game) -> None:
    assert here(game, after(game, "attack", "again")) == ("fight", "green")
    state = after(game, "attack", "again", "over")
    assert here(game, state) == ("fight", "blue")
    assert log(game, state)[-3:] == [2, 29, 20]
    assert here(game, after(game, "attack", "again", "over", "over")) == ("day", "blue")


def test_goto_leaves_the_phase_below_as_well(game: Game) -> None:
    state = after(game, "attack", "flee")
    assert here(game, state) == ("night", "blue")
    assert log(game, state) == [11, 12, 1, 20, 2, 29, 19, 40]


def test_a_fixed_order_of_turns_goes_on_where_it_was() -> None:
    rules = RULES.replace("ORDER", "[red, green, blue]").replace(", active = blue", "")
    game = book(rules, header=HEADER)
    state = after(game, "attack", "hit", "over")
    assert here(game, state) == ("day", "green")  # after red, whatever the fight's turns were
    assert here(game, after(game, "attack", "hit", "over", "work")) == ("day", "blue")


FLOW = """
vars: { log: "list[0..99, 60]" }
phases:
  - { id: duel, interrupt: true, actions: [strike, done] }
actions:
  - { id: insult, effects: [push phase duel, "log = log + [1]"] }
  - { id: strike, phase: duel, effects: ["log = log + [2]"] }
  - { id: done, phase: duel, effects: [next phase] }
flow:
  - offer: { by: red, actions: [insult] }
  - log = log + [3]
  - push phase duel
  - log = log + [4]
  - end game draw
"""


def test_in_a_flow_interrupts_follow_the_statement_that_asked_for_them() -> None:
    game = book(FLOW)
    state = after(game, "insult")
    assert here(game, state) == ("duel", "red")
    state = after(game, "insult", "strike", "done")
    assert (log(game, state), here(game, state)[0]) == ([1, 2, 3], "duel")
    state = after(game, "insult", "done", "done")
    assert log(game, state) == [1, 3, 4]
    assert game.result(state) is not None


def test_an_interrupt_without_actions_only_enters_and_exits() -> None:
    rules = """
vars: { log: "list[0..99, 60]" }
phases:
  - { id: day, actions: [go] }
  - { id: rain, interrupt: true, actions: [], onEnter: ["log = log + [1]"], onExit: ["log = log + [2]"] }
actions: [{ id: go, effects: [push phase rain] }]
"""  # fmt: skip
    game = book(rules)
    state = after(game, "go", "go")
    assert (here(game, state), log(game, state)) == (("day", "red"), [1, 2, 1, 2])


def test_set_up_has_nothing_to_interrupt() -> None:
    rules = FLOW.replace("flow:", "setup: [push phase duel]\nflow:")
    assert codes(rules) == ["request-in-setup"]


def test_games_without_interrupts_are_what_they_were() -> None:
    """The word costs nothing: neither a cell nor a line of code."""
    plain = "phases: [{ id: day, actions: [go] }]\nactions: [{ id: go }]\n"
    said = plain.replace("id: day,", "id: day, interrupt: false,")
    assert book(plain).gamedef_hash == book(said).gamedef_hash
    assert book(plain).initial_state().to_bytes() == book(said).initial_state().to_bytes()


def test_a_state_between_the_request_to_go_back_and_its_service_is_sound(game: Game) -> None:
    state = game.choose(after(game, "attack"), "part").state
    again = game.state_from_bytes(state.to_bytes())
    assert here(game, game.choose(again, 2).state) == ("day", "blue")
