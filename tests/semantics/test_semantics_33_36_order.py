"""Rules 33 to 36: the order in which a move is carried out, and how games end."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.semantics.books import asked, book, codes, options, variable

# Every stage appends its own digit to `log`, so that the order can be read from one number.
ORDER = """
vars: { log: "list[0..99, 40]", gold: 0..9 = 9, note: 0..9, moves: 0..9 }
spaces: { land: { track: 2 } }
phases:
  - id: main
    actionDefaults: { pre: gold > 0, afterEffects: ["log = log + [9]"] }
    actions: [op, leave]
  - id: late
    onEnter: ["log = log + [20]"]
    actions: [op]
triggers:
  - { id: queued, on: { changed: note }, do: ["log = log + [11, new]"] }
  - { id: now, on: { changed: gold }, immediate: true, do: ["log = log + [2]"] }
  - { id: resolved, on: { resolved: op }, do: ["log = log + [13]"] }
  - { id: entered, on: { phase: late }, do: ["log = log + [21]"] }
operations:
  - id: op
    decisions: live
    legality: { when: gold > 1 }
    cost: { validate: gold > 2, spend: ["log = log + [1]", gold -= 1] }
    resolution:
      - stage: first
        effects: ["log = log + [4]", note += 1, note += 1]
      - stage: second
        effects: ["log = log + [6]", { chooseOne: { bind: $s, options: land } }, goto late, "log = log + [7]"]
    linkedSpecialActivityWindows: [extra]
specials:
  - { id: extra, timing: [before, first, after], effects: ["log = log + [50]"] }
actions:
  - { id: leave, effects: [moves += 1] }
end:
  - { when: count(log) > 30, draw: all, reason: long }
"""


def play_op(special: str) -> list[int]:
    game = book(ORDER)
    state = game.choose(game.initial_state(), "op").state
    while asked(game, state).action == "op" and asked(game, state).head is False:
        decision = asked(game, state)
        answer = decision.answers[0]
        if decision.name == special:
            answer = "extra"
        state = game.choose(state, answer).state
    found: list[int] = variable(game, state, "log")
    return found


@pytest.mark.parametrize(
    ("special", "expected"),
    [
        ("", [1, 2, 4, 6, 7, 9, 11, 1, 11, 2, 13, 20, 21]),
        ("__special_before", [1, 2, 50, 4, 6, 7, 9, 11, 1, 11, 2, 13, 20, 21]),
        ("__special_first", [1, 2, 4, 50, 6, 7, 9, 11, 1, 11, 2, 13, 20, 21]),
        ("__special_after", [1, 2, 4, 6, 7, 50, 9, 11, 1, 11, 2, 13, 20, 21]),
    ],
)
def test_semantics_33_the_order_of_a_move(special: str, expected: list[int]) -> None:
    """spend, stages and windows, after effects of the phase it began in, triggers, phase change.

    Queued triggers run first in first out with the data of their moment (1, then 2).
    """
    assert play_op(special) == expected


def test_semantics_33_conditions_are_tested_in_order() -> None:
    game = book(ORDER)
    state = game.initial_state()
    assert options(game, state) == ["op", "leave"]
    for gold, offered in ((2, ["leave"]), (1, ["leave"])):
        poor = book(ORDER.replace("gold: 0..9 = 9", f"gold: 0..9 = {gold}"))
        assert options(poor, poor.initial_state()) == offered
    with pytest.raises(lw.RulebookFault):
        book(ORDER.replace("gold: 0..9 = 9", "gold: 0..9 = 0")).initial_state()


def test_semantics_33_usage_counts_after_the_effects() -> None:
    game = book("""
vars: { n: 0..9 }
actions:
  - { id: once, limits: [{ scope: turn, max: 1 }], effects: [n += 1] }
  - { id: twice, limits: [{ scope: game, max: 2 }], effects: [n += 1] }
  - { id: finish, effects: [end turn] }
""")
    state = game.initial_state()
    assert options(game, state) == ["once", "twice", "finish"]
    state = game.choose(state, "once").state
    assert options(game, state) == ["twice", "finish"]
    state = game.replay(state, ["twice", "twice"])
    assert options(game, state) == ["finish"]
    state = game.choose(state, "finish").state
    assert options(game, state) == ["once", "twice", "finish"], "blue has his own"
    state = game.choose(state, "finish").state
    assert options(game, state) == ["once", "finish"]


def test_semantics_33_spending_is_skipped_where_execution_in_part_is_allowed() -> None:
    rules = """
vars: { gold: 0..9 = GOLD, n: 0..9 }
operations:
  - id: op
    cost: { validate: gold >= 3, spend: [gold -= 3] }
    partialExecution: { mode: MODE }
    resolution: [{ stage: one, effects: [n += 1] }]
actions: [{ id: pass }]
"""
    poor = rules.replace("GOLD", "2")
    strict = book(poor.replace("MODE", "forbid"))
    assert options(strict, strict.initial_state()) == ["pass"]
    game = book(poor.replace("MODE", "allow"))
    state = game.choose(game.initial_state(), "op").state
    assert (variable(game, state, "gold"), variable(game, state, "n")) == (2, 1)
    rich = book(rules.replace("GOLD", "5").replace("MODE", "allow"))
    assert variable(rich, rich.choose(rich.initial_state(), "op").state, "gold") == 2


PHASES = """
vars: { log: "list[0..99, 20]", seen: 0..9 }
phases:
  - id: one
    onEnter: ["log = log + [1]"]
    onExit: ["log = log + [2]"]
    actionDefaults: { afterEffects: ["log = log + [5]"] }
  - id: two
    onEnter: ["log = log + [3]"]
  - id: three
    onEnter: ["log = log + [4]"]
actions:
  - { id: go, effects: [goto two, "log = log + [6]"] }
  - { id: change, effects: [goto two, goto three] }
  - { id: stop, effects: ["log = log + [7]", END, "log = log + [8]"] }
"""


def start(rules: str) -> tuple[Game, State]:
    game = book(rules.replace("END", "seen = 1"))
    return game, game.initial_state()


def test_semantics_34_after_effects_run_before_on_enter() -> None:
    game, state = start(PHASES)
    after = game.choose(state, "go").state
    assert variable(game, after, "log") == [1, 6, 5, 2, 3]
    assert game.observe(after, None)["phase"] == "two"


def test_semantics_34_a_second_request_replaces_the_first() -> None:
    game, state = start(PHASES)
    after = game.choose(state, "change").state
    assert variable(game, after, "log") == [1, 5, 2, 4]
    assert game.observe(after, None)["phase"] == "three"


def test_semantics_34_reads_see_the_old_seat_until_the_turn_changes() -> None:
    game = book("""
vars: { who: Seat? }
actions: [{ id: act, effects: [end turn, who = active] }]
""")
    state = game.choose(game.initial_state(), "act").state
    assert variable(game, state, "who") == "red"
    assert game.observe(state, None)["active"] == "blue"


def test_semantics_34_end_game_stops_at_once() -> None:
    game = book(PHASES.replace("END", "end game draw"))
    state = game.choose(game.initial_state(), "stop").state
    result = game.result(state)
    assert result is not None
    assert variable(game, state, "log") == [1, 7]


def test_semantics_35_the_ninth_mark_wins_though_the_board_is_full() -> None:
    game = lw.load("tic-tac-toe")
    state = game.initial_state()
    order = ["a1", "b1", "b2", "a2", "a3", "c1", "b3", "c2", "c3"]
    for cell in order[:-1]:
        assert game.result(state) is None
        state = game.choose(state, cell).state
    state = game.choose(state, order[-1]).state
    result = game.result(state)
    assert result is not None
    assert result.winners == ("cross",)
    assert result.reason == "3 in a row"


def test_semantics_35_the_end_is_never_checked_inside_a_move() -> None:
    game = book("""
vars: { n: 0..9 }
actions:
  - id: act
    effects: [n = 5, { chooseOne: { bind: $x, options: 0..1 } }, n = $x]
end: [{ when: n == 5, draw: all, reason: five }]
""")
    state = game.choose(game.initial_state(), "act").state
    assert variable(game, state, "n") == 5
    assert game.result(state) is None
    assert game.result(game.choose(state, 1).state) is None


def test_semantics_35_checked_after_set_up_and_first_listed_wins() -> None:
    rules = """
vars: { n: 0..9 = 3 }
actions: [{ id: pass }]
end:
  - { when: n >= 2, win: blue, reason: first listed }
  - { when: n >= 1, win: red, reason: second listed }
"""
    game = book(rules)
    result = game.result(game.initial_state())
    assert result is not None
    assert (result.winners, result.reason) == (("blue",), "first listed")


FLOW = """
vars: { n: 0..99, seen: 0..99 }
procs:
  step(p):
    - chooseOne: { bind: $k, by: p, options: 1..3 }
    - n += $k
flow:
  - repeat:
      while: n < 50
      max: 60
      do:
        - chooseOne: { bind: $k, by: red, options: 1..3 }
        - n += $k
        - SECOND
        - seen += 1
end: [{ when: n >= 10, win: red, reason: ten }]
"""
ASKING = {
    "a choice": "chooseOne: { bind: $j, by: blue, options: 1..3, BODY }",
    "a procedure": "step(blue)",
    "a procedure by another": "step(blue, by=blue)",
    "several": "chooseN: { bind: $j, by: blue, options: 3..3, min: 1, each: [n += $j] }",
    "a menu": "menu: { bind: $j, by: blue, options: { up: { do: [n += 3] } } }",
}


@pytest.mark.parametrize("second", ASKING.values(), ids=ASKING)
def test_semantics_35_the_consequences_of_a_choice_come_before_the_end(second: str) -> None:
    """Four answers of three make twelve: the fourth ends the game, and nobody is asked again."""
    second = second.replace(", BODY }", " }\n        - n += $j")
    game = book(FLOW.replace("SECOND", second))
    state = game.initial_state()
    for number in range(4):
        decision = game.decision(state)
        assert decision is not None, number
        assert decision.seat == ("red", "blue")[number % 2]
        answer = next(a for a in decision.answers if a in (3, "up"))
        state = game.choose(state, answer).state
        while (more := game.decision(state)) is not None and None in more.answers:
            state = game.choose(state, None).state
    assert game.decision(state) is None
    result = game.result(state)
    assert result is not None
    assert (result.reason, variable(game, state, "n")) == ("ten", 12)


def test_semantics_35_an_offer_in_a_flow_comes_after_the_consequences() -> None:
    game = book("""
vars: { n: 0..9 }
actions: [{ id: wait }]
flow:
  - chooseOne: { bind: $k, by: red, options: 1..3 }
  - n += $k
  - offer: { by: blue }
  - end game draw
end: [{ when: n == 3 and actor == red, win: actor, reason: three }]
""")
    asked_first = game.choose(game.initial_state(), 3)
    assert game.decision(asked_first.state) is None
    other = game.choose(game.initial_state(), 2).state
    assert game.decision(other) is not None


def test_semantics_35_set_up_is_judged_when_it_is_over() -> None:
    """Red has nothing yet when blue chooses: that is no end."""
    game = book(
        """
spaces: { land: { track: 4 } }
pieces: { unit: { owner: seat, count: 1 } }
setup:
  - for p in [blue, red] do settle(p)
procs:
  settle(p):
    - chooseOne: { bind: $s, by: p, options: s for s in land if s.piece == none }
    - place unit of p at $s
flow:
  - settle_again()
end: [{ when: not any(u for u in unit if u.owner == red and u.place != none), win: blue, reason: alone }]
""".replace("settle_again()", "chooseOne: { bind: $x, by: red, options: 1..2 }\n  - end game draw")
    )
    state = game.initial_state()
    for seat in ("blue", "red", "red"):
        decision = game.decision(state)
        assert decision is not None
        assert decision.seat == seat
        state = game.choose(state, decision.answers[0]).state
    assert game.decision(state) is None


def test_semantics_35_a_procedure_of_set_up_and_flow_is_judged_in_the_flow() -> None:
    game = book("""
vars: { n: 0..99 }
procs:
  step(p):
    - chooseOne: { bind: $k, by: p, options: 1..3 }
    - n += $k
setup: [step(red), step(blue)]
flow:
  - repeat: { while: n < 90, max: 60, do: [step(red), step(blue)] }
  - end game draw
end: [{ when: n >= 3, win: red, reason: three }]
""")
    state = game.initial_state()
    for answer in (3, 3):  # no end in the middle of set-up, though three are reached
        assert game.decision(state) is not None
        state = game.choose(state, answer).state
    assert game.decision(state) is None
    state = game.initial_state()
    for answer in (1, 1, 1):
        assert game.decision(state) is not None
        state = game.choose(state, answer).state
    assert game.decision(state) is None


def test_semantics_35_actor_is_the_mover_and_at_restricts() -> None:
    game = book("""
vars: { n: 0..9 }
actions: [{ id: add, effects: [n += 1] }, { id: wait }]
end:
  - { when: n >= 2, win: actor, reason: two, at: wait }
""")
    state = game.replay(game.initial_state(), ["add", "add", "add"])
    assert game.result(state) is None, "only looked at after `wait`"
    state = game.choose(state, "wait").state
    result = game.result(state)
    assert result is not None
    assert result.winners == ("blue",), "blue made the move"


def test_semantics_36_stalemate_is_declared_or_a_fault() -> None:
    rules = """
spaces: { point: { track: 2 } }
pieces: { man: { owner: seat, count: 2 } }
actions:
  - id: put
    params: { s: s for s in point if empty(s) }
    effects: [place man of actor at s]
"""
    lost = book(rules + "noMoves: [{ lose: active, reason: stuck }]\n")
    state = lost.replay(lost.initial_state(), ["point1", "point2"])
    result = lost.result(state)
    assert result is not None
    assert (result.winners, result.reason) == (("blue",), "stuck")
    silent = book(rules)
    state = silent.choose(silent.initial_state(), "point1").state
    with pytest.raises(lw.RulebookFault) as caught:
        silent.choose(state, "point2")
    assert caught.value.code == "no-moves"


def test_semantics_36_a_pass_without_moves_goes_on() -> None:
    """As in Reversi: who cannot move passes, and two passes in a row end the game."""
    game = book("""
vars: { Seat.stones: 0..9, passes: 0..2 }
setup: [red.stones = 3, blue.stones = 1]
actions:
  - { id: play, pre: actor.stones > 0, effects: [actor.stones -= 1, passes = 0] }
noMoves: [passes += 1]
end: [{ when: passes == 2, draw: all, reason: nobody can move }]
""")
    state = game.initial_state()
    seats = []
    while (decision := game.decision(state)) is not None:
        seats.append(decision.seat)
        state = game.choose(state, "play").state
    assert seats == ["red", "blue", "red", "red"], "blue passes without being asked"
    result = game.result(state)
    assert result is not None
    assert result.reason == "nobody can move"
    assert codes("actions: [{ id: pass }]") == []
