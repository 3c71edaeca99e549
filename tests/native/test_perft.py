"""Counting moves in machine code: the interpreter's numbers, errors and limits."""

from __future__ import annotations

import random
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.state import State
from tests.native.support import needs_native
from tests.semantics.books import markdown

if TYPE_CHECKING:
    from ludwright.native.perft import Counter

pytestmark = needs_native

FEW = 2_000  # the interpreter counts about as many in a second
LONG_MOVES = {"delta"}  # a single move can be made in a million ways


def counter(game: Game, budget: int = 10_000, remembered: int = 16) -> Counter:
    """Compiled without optimising, because these counts are short."""
    from ludwright.native.engine import Engine
    from ludwright.native.perft import Counter

    return Counter(Engine(game.program, 0, counting=True), game.chance, budget, remembered)


def counted(game: Game, state: State, depth: int, **options: int) -> int | None:
    return counter(game, **options).count(state.shared_cells, core_of(game).stop(state), depth)


def walked(game: Game, seed: int, answers: int) -> State:
    dice = random.Random(seed)
    state = game.initial_state(seed=seed)
    for _ in range(answers):
        decision = game.decision(state)
        if decision is None:
            break
        state = game.choose(state, dice.choice(decision.answers)).state
    return state


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_both_engines_count_the_same(name: str, chance: ChanceMode) -> None:
    game = lw.load(name, chance=chance, engine="python")
    count = counter(game)
    for seed in range(4):
        state = walked(game, seed, 12 * seed)
        stop = core_of(game).stop(state)
        if stop.kind == "over":
            continue
        for depth in (1, 2):
            found = count.count(state.shared_cells, stop, depth)
            assert found is not None
            if found > FEW:
                break
            assert found == game.perft(state, depth)
            if name in LONG_MOVES:
                break


RULES: dict[str, tuple[str, list[int]]] = {
    "picks, and one more for some of them": ("""
vars: { last: 0..9 }
actions:
  - id: pick
    effects:
      - chooseN: { bind: $s, options: "[1, 2, 3, 4]", min: 1, max: 3 }
      - chooseOne: { bind: $t, if: 4 in $s, options: "1..3" }
      - last = count($s)
""", [28, 28 * 28]),
    "picks that end a move": ("""
vars: { last: 0..9 }
actions:
  - id: pick
    effects: [chooseN: { bind: $s, options: "[1, 2, 3, 4]", min: 1, max: 3 }, last = count($s)]
""", [14, 14 * 14]),
    "a condition on what was chosen": ("""
vars: { total: 0..99 }
actions:
  - id: act
    effects:
      - chooseOne: { bind: $a, options: "1..4" }
      - chooseOne: { bind: $b, options: "1..4", optional: true }
      - total = $a + default($b, 0)
    ensure: total % 3 == 0
""", [6, 36]),
    "moves run out": ("""
vars: { left: 0..9 = 2 }
actions:
  - { id: act, params: { n: "1..3" }, pre: left > 0, effects: [left -= 1], ensure: n != 2 }
noMoves: [{ draw: all, reason: spent }]
""", [2, 4, 0]),
    "sealed bids, then a die": ("""
vars: { round: 0..9 }
flow:
  - repeat:
      while: round < 2
      max: 2
      do:
        - round += 1
        - chooseOne: { bind: $bid, together: true, options: "1..3" }
        - roll d in 1..4
score: 0
""", [3, 9, 36, 36 * 3]),
    "the best must be taken": ("""
vars: { got: 0..9 }
actions:
  - id: act
    params: { a: "[1, 2, 3]", b: "[1, 2, 3]" }
    effects: ["got = max(a, b)"]
turn: { offer: [act], best: got }
""", [5, 25]),
    "cards that are alike": ("""
pieces: { token: { count: 5, each: { colour: [gold, grey] } } }
zones: { bag: { }, table: { } }
setup: ["for t in token do move t to bag"]
actions:
  - { id: take, effects: ["draw 1 from bag to table"] }
noMoves: [{ draw: all, reason: spent }]
""", [1, 2, 2]),
}  # fmt: skip


def rules(name: str, **options: Any) -> Game:
    return lw.load_text(markdown(RULES[name][0]), engine="python", **options)


@pytest.mark.parametrize("name", RULES)
def test_counts_made_by_hand(name: str) -> None:
    game = rules(name, chance="explicit")
    state = game.initial_state()
    expected = RULES[name][1]
    depths = range(1, len(expected) + 1)
    assert [counted(game, state, depth) for depth in depths] == expected
    assert [game.perft(state, depth) for depth in depths] == expected


def test_options_the_budget_left_open_prove_to_be_dead_ends() -> None:
    """Without a search every first choice is offered; those that come to nothing count nothing."""
    name = "a condition on what was chosen"
    expected = RULES[name][1]
    game = rules(name, search_budget=1)
    state = game.initial_state()
    assert "unknown" in game.decision(state).legality  # type: ignore[union-attr]
    assert [counted(game, state, depth, budget=1) for depth in (1, 2)] == expected
    assert [game.perft(state, depth) for depth in (1, 2)] == expected


FAULTY = """
vars: { stock: 0..3 = 3 }
actions:
  - { id: take, params: { n: "1..2" }, effects: [stock -= n] }
"""


def both(game: Game, depth: int) -> list[int | str | None]:
    """What each engine counts, or the error it ends in."""
    state = game.initial_state()
    found: list[int | str | None] = []
    for count in (counted, Game.perft):
        try:
            found.append(count(game, state, depth))
        except RulebookFault as fault:
            found.append(str(fault))
    return found


def test_a_fault_names_the_rule_but_effects_of_the_last_move_are_not_carried_out() -> None:
    game = lw.load_text(markdown(FAULTY), engine="python")
    assert both(game, 1) == [2, 2]
    assert both(game, 2) == [4, 4], "the second move is not made"
    native, reference = both(game, 3)
    assert native == reference
    assert isinstance(native, str)
    assert native.startswith("[range] -1 is outside 0..3, the range of `stock`; widen it")
    assert native.endswith("; rule: action take (rulebook.md:8)")


def test_what_is_decided_is_not_carried_out_even_where_more_could_have_been_asked() -> None:
    game = lw.load_text(markdown("""
vars: { stock: 0..3 = 3 }
actions:
  - id: take
    params: { n: "1..2" }
    effects:
      - chooseOne: { bind: $k, if: n == 2, options: "1..5" }
      - stock -= 4
"""), engine="python")  # fmt: skip
    assert both(game, 1) == [1 + 5, 1 + 5]


def test_a_way_around_is_not_taken_from_what_is_offered() -> None:
    """Nothing that is offered can be done, but the search could not tell: there are no moves."""
    game = lw.load_text(markdown("""
vars: { total: 0..99 }
procs:
  twice():
    - chooseOne: { bind: $a, options: "1..9" }
    - chooseOne: { bind: $b, options: "1..9" }
    - total = $a + $b
    - require total > 50
actions: [{ id: one, effects: [twice()] }, { id: two, effects: [twice()] }]
noMoves: [{ draw: all, reason: stuck }]
"""), engine="python", search_budget=1)  # fmt: skip
    state = game.initial_state()
    assert game.decision(state) is not None
    assert counted(game, state, 1, budget=1) == game.perft(state, 1) == 0


def test_a_best_value_is_sought_inside_a_part() -> None:
    from tests.kernel.assembler import Assembler, const, integer, load, upto

    asm = Assembler(spaces=("a",))
    asm.mark("start")
    a, best, b = asm.cells(), asm.cells(), asm.cells()
    head = asm.head("turn")
    asm.emit(ir.HeadEnter(head))
    asm.choose("$a", const(0), a, integer(0, 9), options=upto(0, 2), safe=False)
    asm.emit(ir.BestBegin(0, best, integer()))
    asm.choose("$b", const(0), b, integer(0, 9), options=upto(0, 4), safe=False)
    value = ir.Arith("min", load(b), const(3))
    asm.emit(ir.BestEnd(0, best, integer(), value, 0), ir.HeadExit(head))
    asm.emit(ir.Finish(asm.end()))
    game = asm.game()
    assert both(game, 1) == [3 * 2, 3 * 2], "3 and 4 are as good as each other"


def test_a_full_table_forgets_and_changes_no_count() -> None:
    game = lw.load("tic-tac-toe", engine="python")
    assert counted(game, game.initial_state(), 6, remembered=3) == 54_720


def test_more_than_a_machine_word_holds() -> None:
    from ludwright.native.game import NativeGame

    rules_ = "vars: { n: 0..1 }\nactions: [{ id: act, params: { k: 1..9 }, effects: [n = 1 - n] }]"
    game = lw.load_text(markdown(rules_), engine="native")
    assert isinstance(game, NativeGame)
    state = game.initial_state()
    assert game.perft(state, 19) == 9**19
    assert game.perft(state, 20) == 9**20 > 1 << 63


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_count_at_once() -> None:
    import _thread

    game = lw.load("chess", engine="python")
    count = counter(game)
    state = game.initial_state()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        count.count(state.shared_cells, core_of(game).stop(state), 12)
    assert time.monotonic() - start < 5
    assert count.count(state.shared_cells, core_of(game).stop(state), 2) == 400, (
        "and it can be used again"
    )
