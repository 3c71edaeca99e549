"""Random games inside the engine: the same results on any number of threads, and by hand."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.playouts import find_winners
from ludwright.native.game import NativeGame
from tests.native.support import engine, needs_native

pytestmark = needs_native


def same(one: Any, two: Any) -> bool:
    import numpy as np

    names = ("scores", "decisions", "turns", "ends")
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in names)


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "pig", "connect-four"])
def test_threads_do_not_matter(name: str) -> None:
    from ludwright.native.playouts import playouts

    results = [playouts(engine(name), 600, seed=11, threads=threads) for threads in (1, 2, 7)]
    assert same(results[0], results[1])
    assert same(results[0], results[2])
    assert int(results[0].decisions.sum()) > 600


def test_a_game_depends_on_its_number_only() -> None:
    from ludwright.native.playouts import playouts

    many, few = (playouts(engine("pig"), n, seed=3) for n in (50, 20))
    assert (many.scores[:20] == few.scores).all()


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("tic-tac-toe", 8),
        ("nim", 8),
        ("pig", 3),
        ("delta", 2),
        ("hearts", 2),
        ("nine-mens-morris", 2),
        ("chess", 1),
        ("draughts", 2),
        ("amazons", 2),
        ("backgammon", 1),
        ("harvest-fair", 2),
        ("three-fords", 1),
        ("masked-ball", 2),
        ("texas-holdem", 2),
    ],
)
def test_a_playout_is_the_game_anyone_could_play(name: str, games: int) -> None:
    replay(lw.load(name), engine(name), games)


def replay(game: lw.Game, native: Any, games: int) -> None:
    """Policy and game have generators of their own; `choose` with the same draws gives the same."""
    from ludwright.native.playouts import playouts

    found = playouts(native, games, seed=42)
    for number in range(games):
        dice = Dice(policy_seed(42, number))
        state = game.initial_state(seed=game_seed(42, number))
        decisions = 0
        while (decision := game.decision(state)) is not None:
            state = game.choose(state, game.random_answer(state, dice.pick), decision.seat).state
            decisions += 1
        cells = state.cells
        scores = cells[game.program.scores : game.program.scores + len(game.seats)]
        assert tuple(found.scores[number]) == scores
        assert found.decisions[number] == decisions
        assert found.turns[number] == cells[ir.TURN]
        assert found.ends[number] == cells[ir.OVER] - 1


SITES = """# Sites

```yaml
game: { id: sites, title: Sites, players: 1 }
seats: [me]
spaces: { board: { grid: [4, 3] } }
pieces: { stone: { count: 3 } }
vars: { Space.chosen: 0..9999, none_: 0..9999, asked: 0..9999, dry: 0..9999 }
fns:
  "site(s)": count(n for n in s.adjacent if any(n)) > 0 and not any(s)
setup: [place 1 stone at b2, place 1 stone at d3]
actions:
  - id: pick
    effects:
      - asked += 1
      - chooseOne: { bind: $at, options: s for s in board if site(s), optional: true }
      - if: { when: $at == none, then: [none_ += 1], else: [$at.chosen += 1] }
      - chooseOne: { bind: $no, options: s for s in board if site(s) and any(n for n in s.adjacent if n.count > 1), optional: true }
      - if $no == none then dry += 1
end: [{ when: asked == 2000, win: me, reason: done }]
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_candidates_that_are_drawn_before_they_are_tested_are_equally_likely(engine: str) -> None:
    """Six sites, or none of them; where there is nothing to choose, nobody is asked."""
    from ludwright.program.candidates import draws

    game = lw.load_text(SITES, engine=engine)
    drawn = draws(game.program)
    assert [len(draw.candidates) for draw in drawn.values()] == [12, 12]
    found = game.playouts(1, seed=7, finals=True)
    assert found.finals is not None
    cells = found.finals[0].tolist()
    held = {v.name: cells[v.addr : v.addr + v.count] for v in game.program.variables}
    assert held["dry"] == [2000]
    assert int(found.decisions[0]) == 4000  # the action and the site
    ways = [n for n in (*held["chosen"], *held["none_"]) if n]
    assert len(ways) == 7
    assert sum(ways) == 2000
    assert all(abs(n - 2000 / 7) < 75 for n in ways)  # some five standard deviations


LOADS = """# Loads

```yaml
game: { id: loads, title: Loads, players: 2 }
seats: [red, blue]
vars: { total: 0..9, turns: 0..9 clamp }
actions:
  - id: load
    effects:
      - chooseOne: { bind: $least, options: LEAST }
      - total = 0
      - chooseN:
          bind: $n
          options: "[n for n in 1..3 if n >= $least]"
          max: 3
          asManyAsPossible: true
          each:
            - total += $n
            - require total <= 4
      - turns += 1
end: [{ when: turns == 4, win: actor, reason: enough }]
```
"""


@pytest.mark.parametrize("least", ["1..3", "2..2"])
def test_an_only_answer_that_leads_nowhere_is_gone_around(least: str) -> None:
    """As many as possible: what is left, if it is too much, ends the picks.

    Where the part begins with several answers it is known that it can be finished; where it
    begins with only one, nothing is known. Neither says that the next only answer is right.
    """
    game = lw.load_text(LOADS.replace("LEAST", least), engine="native")
    assert isinstance(game, NativeGame)
    replay(game, game.fast, 20)


RESULTS = ("scores", "ranks", "winners", "decisions", "moves", "turns", "ends", "finals")


def agree(one: Any, two: Any, names: tuple[str, ...] = RESULTS) -> None:
    import numpy as np

    for name in names:
        assert np.array_equal(getattr(one, name), getattr(two, name)), name


@pytest.mark.parametrize("limit", [6, 100_000])
@pytest.mark.parametrize("name", ["tic-tac-toe", "hearts", "kalah", "harvest-fair", "liars-dice"])
def test_winners_are_those_of_the_ranks(name: str, limit: int) -> None:
    """Native code writes them; the interpreter finds them in the arrays, for any number of seats."""
    import numpy as np

    game = lw.load(name, engine="native")
    program = core_of(game).program
    for players in range(program.world.min_players, len(program.world.seats) + 1):
        found = game.playouts(200, seed=3, players=players, limit=limit)
        again = replace(found, winners=np.zeros_like(found.winners))
        find_winners(program, again, players)
        assert np.array_equal(found.winners, again.winners)


def some_states(game: lw.Game, count: int) -> list[lw.State]:
    """States on the way of one game, the middle of moves and the end included."""
    state, found = game.initial_state(seed=3), []
    for _ in range(60):
        found.append(state)
        decision = game.decision(state)
        if decision is None:
            break
        state = game.choose(state, decision.answers[len(decision.answers) // 2]).state
    step = max(1, len(found) // count)
    return [*found[::step], found[-1]]


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "goofspiel", "delta", "backgammon"])
def test_an_interpreted_game_plays_the_same_games(name: str, chance: ChanceMode) -> None:
    plain, native = (lw.load(name, engine=engine, chance=chance) for engine in ("python", "native"))
    options: dict[str, Any] = {"seed": 5, "limit": 60, "finals": True, "first": 2}
    agree(plain.playouts(2, **options), native.playouts(2, **options))
    for state in some_states(native, 4):
        copy = plain.state_from_bytes(state.to_bytes())
        agree(plain.playouts(2, state=copy, **options), native.playouts(2, state=state, **options))


@pytest.mark.parametrize("engine", ["python", "native"])
def test_playouts_from_a_state_go_on_from_there(engine: str) -> None:
    game = lw.load("tic-tac-toe", engine=engine)
    state = game.initial_state()
    for cell in ("a1", "b1", "a2", "b2"):
        state = game.choose(state, cell).state
    before = state.to_bytes()
    found = game.playouts(200, seed=1, state=state)
    assert set(found.decisions.tolist()) <= {1, 2, 3, 4, 5}
    assert found.winners[:, 0].mean() > found.winners[:, 1].mean(), "cross is to move"
    assert state.to_bytes() == before
    over = game.choose(state, "a3").state
    ended = game.playouts(3, state=over)
    assert ended.decisions.tolist() == [0, 0, 0]
    assert ended.winners.tolist() == [[True, False]] * 3
    with pytest.raises(ValueError, match="a state says itself who plays"):
        game.playouts(1, state=state, players=2)
    with pytest.raises(ValueError, match="belongs to another game"):
        game.playouts(1, state=lw.load("nim", engine=engine).initial_state())


@pytest.mark.parametrize("engine", ["python", "native"])
def test_faults_of_interpreted_playouts_are_kept_too(engine: str) -> None:
    text = LOADS.replace("LEAST", "1..3").replace("total += $n", "total = 9 // ($least - 1)")
    game = lw.load_text(text, engine=engine)
    found = game.playouts(20, seed=1, go_on=True)
    assert found.failures
    assert {number for number, end in enumerate(found.ends) if end == -2} == set(found.failures)
    with pytest.raises(RulebookFault, match="division") as caught:
        game.playouts(20, seed=1)
    assert f"in playout {min(found.failures)}" in caught.value.__notes__


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "goofspiel", "delta"])
def test_an_interpreted_batch_is_the_same(name: str) -> None:
    plain, native = (
        lw.load(name, engine=engine).batch(3, seed=2) for engine in ("python", "native")
    )
    apart = plain.copy()
    for at in range(14):
        agree(plain, native, ("states", "counts", "seats", "extra", "widths"))
        for row, count in enumerate(plain.counts):
            assert (plain.options[row, :count] == native.options[row, :count]).all()
        assert (plain.masks(9) == native.masks(9)).all()
        last = plain.counts - 1 + (plain.extra > 0)
        for batch in (plain, native):
            batch.step(last.clip(0) * (at % 2))
    assert not (apart.states == plain.states).all()
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        plain.states[0, 0] = 1
    with pytest.raises(ValueError, match="not the number of an answer"):
        apart.step(apart.counts + 9)


NUMBERS = """# Numbers

```yaml
game: { id: numbers, title: Numbers, players: 2 }
vars: { total: 0..100000 }
actions:
  - id: say
    params: { step: 1..MOST }
    effects: [total += step]
end: [{ when: total >= 50000, win: actor }]
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("most", [5, 100, 3_000])
def test_a_batch_lists_every_number_of_a_range(engine: str, most: int) -> None:
    game = lw.load_text(NUMBERS.replace("MOST", str(most)), engine=engine)
    batch = game.batch(3, seed=1)
    assert batch.counts.tolist() == [most] * 3
    assert batch.options[1, :most].tolist() == list(range(1, most + 1))
    assert batch.masks(most + 1).sum() == 3 * most
    batch.step([most - 1, 0, most - 1])
    totals = [game.state_from_bytes(row.tobytes()) for row in batch.states]
    assert [game.observe(state, None)["variables"]["total"] for state in totals] == [most, 1, most]
    assert batch.copy().options[2, most - 1] == most


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_batch_that_would_take_too_much_memory_says_so(engine: str) -> None:
    game = lw.load_text(NUMBERS.replace("MOST", "80000"), engine=engine)
    with pytest.raises(lw.LudwrightError, match="make the batch smaller"):
        game.batch(3_000)


@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_a_batch_offers_what_decisions_do(name: str) -> None:
    """Of each row: the seat, and as many answers as `decision` gives, at random decisions."""
    game, pick = lw.load(name), random.Random(name)
    batch = game.batch(4, seed=3)
    for _ in range(40):
        if pick.random() < 0.2:
            for row, cells in enumerate(batch.states):
                decision = game.decision(game.state_from_bytes(cells.tobytes()))
                answers = 0 if decision is None else len(decision.answers)
                assert batch.counts[row] + (batch.extra[row] > 0) == answers
        given = (batch.counts + (batch.extra > 0)).tolist()
        batch.step([pick.randrange(count) if count else 0 for count in given])


def test_an_interpreted_batch_of_tuples_says_what_it_needs() -> None:
    text = """# Pairs

```yaml
game: { id: pairs, title: Pairs, players: 2 }
vars: { n: 0..9 clamp }
actions:
  - id: take
    params: { pair: "[(a, b) for a in 1..2 for b in 1..2]" }
    effects: [n += 1]
end: [{ when: n == 9, draw: all, reason: enough }]
```
"""
    with pytest.raises(lw.LudwrightError, match=r"ludwright\[native\]"):
        lw.load_text(text, engine="python").batch(2)


def test_the_limit_ends_games() -> None:
    from ludwright.native.playouts import playouts

    found = playouts(engine("pig"), 4, seed=1, limit=5)
    assert (found.ends == -1).all()
    assert (found.decisions == 5).all()


def test_a_fault_names_the_rule_and_the_game() -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts
    from tests.kernel.assembler import Assembler, const, integer, load

    asm = Assembler()
    number = asm.variable("n", integer(0, 3))
    asm.mark("start")
    more = ir.Arith("+", load(number), const(1), 0)
    asm.emit(ir.Store(number, more, integer(0, 3), variable=0, site=0))
    asm.choose("c", const(0), asm.cells(1), integer(1, 2), options=ir.ConstSource((1, 2)))
    asm.emit(ir.Jump(asm.at("start")))
    with pytest.raises(
        RulebookFault, match=r"4 is outside 0\.\.3, the range of `n`; .*; rule: a rule"
    ) as caught:
        playouts(Engine(asm.program(), 0), 10, seed=1, threads=2)
    assert caught.value.__notes__ == ["in playout 0"]


def endless() -> ir.Program:
    """Goes on and on without a decision."""
    from tests.kernel.assembler import Assembler

    asm = Assembler()
    asm.mark("start")
    asm.emit(ir.Tick(0), ir.Jump(asm.at("start")))
    return asm.program()


def test_a_loop_without_end_is_a_fault() -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    with pytest.raises(RulebookFault, match="goes on and on"):
        playouts(Engine(endless(), 0), 1, seed=1)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_playouts_at_once() -> None:
    """Ctrl-C arrives while the main thread waits; the workers stop at their next decision."""
    import _thread

    from ludwright.native.playouts import playouts

    timer = threading.Timer(0.3, _thread.interrupt_main)
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        playouts(engine("pig"), 50_000_000, seed=1, threads=2)
    assert time.monotonic() - start < 5


IN_VAIN = """# In vain

```yaml
game: { id: vain, title: In vain, players: 2 }
seats: [red, blue]
vars: { total: 0..9 }
actions:
  - id: act
    effects:
      - chooseOne: { bind: $n, options: 1..2 }
      - require total + $n > 5
noMoves: [total = 0]
```
"""


def test_tries_in_vain_do_not_keep_a_game_going() -> None:
    """A turn in which nothing can be finished is passed over, and so are all that follow."""
    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    program = lw.load_text(IN_VAIN, engine="python").program
    machine = Machine(program, tick_limit=3000)
    with pytest.raises(RulebookFault, match="without a decision") as expected:
        machine.start(machine.scratch(machine.fresh(1, 2, 0), Run()))
    with pytest.raises(RulebookFault, match="without a decision") as found:
        playouts(Engine(program, 0), 1, seed=1, ticks=3000)
    assert str(expected.value) == str(found.value).split("\n")[0]


def test_an_error_in_a_thread_is_raised_where_it_is_waited_for() -> None:
    from ludwright.native.workers import wait_for

    halted: list[bool] = []

    def fail() -> None:
        raise LookupError("nothing here")

    with pytest.raises(LookupError, match="nothing here"):
        wait_for([lambda: None, fail], lambda: halted.append(True))
    assert halted == [True]


def test_code_that_answers_python_plays_no_whole_games() -> None:
    """It has no function for that: nothing may pass for a game that nobody played."""
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    driven = Engine(lw.load("tic-tac-toe").program, 0, events=True)
    with pytest.raises(ValueError, match="plays no whole games"):
        playouts(driven, 10, seed=1)
