"""What spares the native engine searching: every answer is offered as the interpreter offers it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import ludwright as lw
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.play.game import Game, core_of
from ludwright.native import layout
from tests.native.support import needs_native

if TYPE_CHECKING:
    from ludwright.native.game import NativeGame

pytestmark = needs_native


def games(rules: str, budget: int = 10_000) -> tuple[Game, NativeGame]:
    """A game on both engines; code that is not optimised is enough."""
    from ludwright.native.engine import Engine
    from ludwright.native.game import NativeGame

    text = "# Test\n\n```yaml\ngame: { id: test, title: Test, players: 2 }\n" + rules + "```\n"
    plain = lw.load_text(text, engine="python", search_budget=budget)
    native = NativeGame(
        plain.program, plain.gamedef_json, search_budget=budget, gamedef=plain.gamedef,
        gamedef_hash=plain.gamedef_hash,
        engine=Engine(plain.program, 0, events=True),
    )  # fmt: skip
    return plain, native


def play_alike(plain: Game, native: Game, seed: int, decisions: int) -> int:
    """Play on both engines and compare what is decided; how many decisions there were."""
    dice = random.Random(seed)
    states = [game.initial_state(seed) for game in (plain, native)]
    for made in range(decisions):
        assert states[0].to_bytes() == states[1].to_bytes()
        one, two = plain.decision(states[0]), native.decision(states[1])
        assert one == two
        if one is None or not one.answers:
            return made
        answer = dice.choice(list(one.answers))
        found = [outcome(plain, states[0], answer), outcome(native, states[1], answer)]
        states = [after for after in found if isinstance(after, lw.State)]
        if not states:
            assert found[0] == found[1]
            return made
    return decisions


def outcome(game: Game, state: lw.State, answer: object) -> lw.State | str:
    """The next state, or why there is none."""
    try:
        return game.choose(state, answer).state
    except (IllegalMove, RulebookFault) as error:
        return str(error)


def searches(native: NativeGame) -> int:
    """How many searches there have been in steps."""
    from ludwright.native.game import NativeCore

    core = core_of(native)
    assert isinstance(core, NativeCore)
    age: int = core.context.slots[layout.MEMO_AGE]
    return age


# --------------------------------------------------------------- what is recalled

BLOCK = """
vars: { got: 0..99, round: 0..99 }
flow:
  - repeat:
      while: round < 9
      max: 20
      do:
        - round += 1
        - take(red, by=red)
        - got = 0
seats: [red, blue]
score: 0
"""

TAKE = """
procs:
  take(me):
    best: %s
    do:
      - chooseOne: { bind: $a, options: 1..4 }
      - got += $a %% 3
      - chooseOne: { bind: $b, options: 1..5, optional: true }
      - if $b != none then got += ($a * $b) %% 4
      - chooseN: { bind: $c, options: "[x for x in 1..3 if x != $a]", min: 0, max: 2 }
      - got += count($c)
"""


@pytest.mark.parametrize("value", ["got", "(got, 7)", "got // 3", "0 - got", "(got % 2, got)"])
def test_later_decisions_of_a_block_need_no_search(value: str) -> None:
    plain, native = games(BLOCK + TAKE % value)
    assert play_alike(plain, native, 1, 40) >= 18
    state = native.initial_state(3)
    inside = 0
    for _ in range(12):
        decision = native.decision(state)
        assert decision is not None
        before = searches(native)
        state = native.choose(state, decision.answers[-1]).state
        asked = native.decision(state)
        assert asked is not None
        inside += asked.name != "$a"
        assert searches(native) == before + (asked.name == "$a")
    assert inside >= 4


@pytest.mark.parametrize(
    "inside",
    [
        "- chooseOne: { bind: $d, options: 1..2, by: blue }",  # the part may end inside the block
        # even where there is nothing to decide
        '- chooseN: { bind: $d, options: "[x for x in 1..2 if x > 5]", by: blue, max: 1 }',
        "- chooseOne: { bind: $d, options: 1..70 }\n      - got += $d % 3",  # too many to tell apart
        "- chooseOne: { bind: $d, options: 1..3 }\n      - require $d > 1",
    ],
)
def test_a_search_that_cannot_be_recalled_is_not(inside: str) -> None:
    plain, native = games(BLOCK + TAKE % "got" + f"      {inside}\n")
    for seed in range(6):
        assert play_alike(plain, native, seed, 40) >= 2


def test_what_refuses_behind_a_block_is_searched() -> None:
    rules = """
seats: [red, blue]
vars: { got: 0..99 }
actions: [{ id: act, effects: [got = 0, take(actor)], ensure: got != 5 }]
"""
    plain, native = games(rules + TAKE % "got // 4")
    for seed in range(6):
        assert play_alike(plain, native, seed, 40) >= 2


def test_a_way_around_a_choice_may_be_worth_more() -> None:
    """An offer without an action that can be finished is passed over; the way around counts too."""
    rules = """
seats: [red, blue]
vars: { got: 0..99 }
turn: { offer: [low, high], best: got }
actions:
  - { id: low, params: { n: 1..3 }, effects: ["got = (got + n) % 5"] }
  - id: high
    params: { n: 1..3, m: "x for x in 1..4 if x > n" }
    effects: ["got = (got + m) % 7"]
    ensure: got != 3
"""
    plain, native = games(rules)
    for seed in range(6):
        assert play_alike(plain, native, seed, 30) > 10


@pytest.mark.parametrize("name", ["backgammon", "draughts"])
def test_states_of_many_games_in_turn(name: str) -> None:
    """What is recalled belongs to a state, whatever was searched in between."""
    plain, native = lw.load(name, engine="python"), lw.load(name, engine="native")
    dice = random.Random(4)
    states = [native.initial_state(seed) for seed in range(5)]
    for _ in range(60):
        at = dice.randrange(len(states))
        one, two = plain.decision(states[at]), native.decision(states[at])
        assert one == two
        if one is not None:
            states[at] = native.choose(states[at], dice.choice(list(one.answers))).state


# ------------------------------------------------------------------ the budget

SUMS = """
seats: [red, blue]
vars: { got: 0..999, turns: 0..99 }
actions:
  - id: pick
    params: { n: 1..4 }
    effects:
      - turns += 1
      - got = 0
      - chooseN: { bind: $s, options: "1..12", min: 1, max: 5 }
      - for x in $s do got += x * (n + x)
    ensure: got % 97 == turns % 97 or got %% 89 == n
"""


@pytest.mark.parametrize("budget", [1, 60, 255, 256, 257, 800, 1023, 1024, 1025, 1500, 3000, 9000])
def test_the_budget_ends_a_search_at_the_same_answer(budget: int) -> None:
    """A search is not counted exactly at first; with too many nodes it begins again."""
    plain, native = games(SUMS.replace("%%", "%"), budget)
    assert play_alike(plain, native, budget, 5) >= 2


WALKS = """
seats: [red, blue]
vars: { got: 0..99, turns: 0..99 }
actions:
  - id: walk
    params: { n: 1..3 }
    effects:
      - turns += 1
      - got = n
      - forEach:
          bind: i
          over: 1..9
          do:
            - chooseOne: { bind: $step, options: 1..6 }
            - got += $step
    ensure: got == 57
"""


def test_ways_that_meet_again_are_counted_once() -> None:
    """A search that takes more nodes than the interpreter's begins again."""
    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program, machine = games(WALKS)[0].program, core_of(games(WALKS)[1]).machine
    assert isinstance(machine, NativeMachine)
    engine = machine.engine
    for budget in (100, 700, *range(1023, 2600, 60)):
        native = NativeMachine(program, search_budget=budget, engine=engine)
        _, difference = lockstep(Machine(program, search_budget=budget), native, 1, 2, 2)
        assert difference is None, f"{budget}: {difference}"


TWO_WAYS = """
seats: [red, blue]
vars: { got: 0..99 }
actions:
  - id: begin
    effects:
      - got = 0
      - menu:
          bind: $how
          options:
            long: { do: [climb()] }
            short: { do: [got = 50] }
    ensure: got > 40
  - { id: pass }
procs:
  climb():
    - forEach:
        bind: i
        over: 1..5
        do:
          - chooseOne: { bind: $step, options: 1..8 }
          - got = (got + $step * i) % 41
"""


@pytest.mark.parametrize("budget", [8, 63, 64, 100, 2000])
def test_a_glance_finds_what_the_budget_would_leave_open(budget: int) -> None:
    plain, native = games(TWO_WAYS, budget)
    decision = plain.decision(plain.initial_state(1))
    assert decision is not None
    proven = "legal" if budget in (64, 100, 2000) else "unknown"
    assert decision.legality[0] == proven
    assert play_alike(plain, native, 1, 12) > 2


# -------------------------------------------------------------- what is kept

HEAPS = """
seats: [red, blue]
spaces: { heap: { track: 6 } }
vars: { Space.height: 0..20 = 1, spare: 0..99 }
fns:
  highest(p): max(h.height + (1 if p == red else 0) for h in heap)
  low(h, p): h.height < highest(p)
  own(h): count(x for x in heap if x.height == h.height)
actions:
  - id: raise
    params: { h: "h for h in heap if low(h, actor) or h.height == highest(actor)" }
    effects:
      - spare = highest(actor)
      - h.height += 1
      - if highest(actor) > spare and h.height < 9 then h.height += count(x for x in heap if low(x, actor)) % 2
      - chooseOne: { bind: $other, options: "x for x in heap if low(x, actor)", optional: true }
      - if $other != none then $other.height = highest(actor) % 7
    ensure: count(x for x in heap if low(x, actor) or own(x) > 9) != 4
"""


def test_functions_are_evaluated_again_when_something_has_changed() -> None:
    plain, native = games(HEAPS)
    for seed in range(6):
        assert play_alike(plain, native, seed, 25) > 5


CROWD = """
seats: [red, blue]
spaces: { hall: { track: 4 } }
zones: { bank: {} }
pieces: { man: { owner: seat, count: 5 } }
setup: [for p in seats do place 5 man of p at bank]
fns:
  most(p): max(count(x for x in h if x.owner == p) for h in hall)
  crowded(h, p): count(h) >= most(p)
actions:
  - id: send
    params: { h: "h for h in hall if crowded(h, actor)" }
    effects:
      - forEach: { bind: x, over: "[x for x in bank if x.owner == actor]", limit: 3, do: [move x to h] }
      - chooseOne: { bind: $o, options: "o for o in hall if crowded(o, actor)" }
      - let mine = [x for x in h if x.owner == actor]
      - move all of mine to $o
      - chooseOne: { bind: $e, options: "o for o in hall if crowded(o, actor)" }
      - let peak = most(actor)
      - let those = [x for x in $o]
      - move all of those to bank
      - chooseOne: { bind: $f, options: "o for o in hall if crowded(o, actor) or (o == $e and peak > 9)" }
    ensure: any(o for o in hall if crowded(o, actor))
"""


def test_pieces_that_move_together_change_what_is_kept() -> None:
    from ludwright import program as ir
    from ludwright.native.codegen.llvm.module import Module

    plain, native = games(CROWD)
    program = plain.program
    assert any(isinstance(instr, ir.MoveAll) for instr in program.code)
    assert Module(program).memo
    for seed in range(6):
        assert play_alike(plain, native, seed, 25) > 5


def test_only_what_is_asked_again_is_kept() -> None:
    """`low` depends on the heap that is looked at, `own` too; `highest` is the same for all."""
    from ludwright.native.codegen.llvm.module import Module

    plain, _ = games(HEAPS)
    program = plain.program
    kept = Module(program).memo
    assert {f.name for at, f in enumerate(program.functions) if at in kept} == {"highest"}
    spare = next(at for at, v in enumerate(program.variables) if v.name == "spare")
    from ludwright import program as ir

    for pc, instr in enumerate(program.code):
        if isinstance(instr, ir.Store) and instr.variable >= 0:
            assert (pc + 1 in kept.changed) == (instr.variable != spare)


# ----------------------------------------------------------- an only answer

NARROW = """
seats: [red, blue]
vars: { got: 0..99, round: 0..99 clamp }
actions:
  - id: go
    params:
      a: 1..4
      b: "x for x in 1..4 if x % 4 == a % 4"
      c: "x for x in 1..a if x > 1 or a < 3"
    effects: [round += 1, "got = (a + c) % 5"]
    ensure: got != 3
"""


def test_an_only_answer_in_the_middle_of_a_part() -> None:
    plain, native = games(NARROW)
    for seed in range(4):
        assert play_alike(plain, native, seed, 30) == 30
    state = native.initial_state(1)
    decision = native.decision(state)
    assert decision is not None
    after = native.choose(state, decision.answers[0]).state
    asked = native.decision(after)
    assert asked is not None
    assert len(asked.answers) == 1


def test_a_loop_over_the_seats_is_quicker_than_a_memo() -> None:
    from ludwright.native.translate import translate

    program = lw.load("texas-holdem", engine="python").program
    assert translate(program).text == translate(program, without={"memoize"}).text
