"""What searches find out, and what they promise: budgets, proofs, refusals."""

from __future__ import annotations

import gc
import os
import re
import signal
import threading
import time
import tracemalloc
from typing import Any

import pytest

import ludwright
from ludwright.errors import IllegalMove, LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State, cells_from_bytes, cells_to_bytes
from tests.native.support import needs_native


def after(game: Game, moves: str) -> State:
    state = game.initial_state()
    for text in moves.split():
        state = game.apply_move(state, game.parse_move(state, text)).state
    return state


@pytest.fixture(scope="module")
def noughts() -> Game:
    return ludwright.load("tic-tac-toe")


def test_tic_tac_toe_is_proven_drawn(noughts: Game) -> None:
    found = noughts.search(noughts.initial_state(), simulations=200_000)
    assert found.solved
    assert found.values == {"cross": 0.5, "nought": 0.5}
    assert all(each.proven and each.values["cross"] == 0.5 for each in found.candidates)
    assert len(found.line) == 9
    assert found.simulations < 100_000


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_win_is_proven_and_chosen(engine: Any) -> None:
    game = ludwright.load("tic-tac-toe", engine=engine)
    found = game.search(after(game, "a1 b1 a2 b2"), simulations=60)
    assert (found.best, found.solved, found.values["cross"]) == ("a3", True, 1.0)
    assert found.candidates[0].interval == (1.0, 1.0)
    assert found.line == ("a3",)


def test_a_threat_is_met(noughts: Game) -> None:
    found = noughts.search(after(noughts, "a1 b2 a2"), simulations=3_000)
    assert found.best == "a3"


def test_connect_four_opens_in_the_centre() -> None:
    game = ludwright.load("connect-four")
    for seed in range(3):
        found = game.search(game.initial_state(), simulations=1_000, seed=seed)
        assert found.best == 4


@pytest.mark.long
@pytest.mark.parametrize(("simulations", "seeds"), [(1_000, 40), (10_000, 20), (1_000_000, 2)])
def test_connect_four_goes_on_to_open_in_the_centre(simulations: int, seeds: int) -> None:
    """Without a look for wins in playouts, other columns caught up from 600,000 on."""
    game = ludwright.load("connect-four")
    start = game.initial_state()
    best = [game.search(start, simulations=simulations, seed=seed).best for seed in range(seeds)]
    assert best.count(4) >= (0.8 * seeds if simulations < 10_000 else seeds)


def test_playouts_see_a_win_at_once() -> None:
    """Whatever red answers, yellow completes a row: one playout is enough to know."""
    game = ludwright.load("connect-four")
    state = after(game, "1 4 1 3 7 5")
    told = {
        ahead: {
            game.search(state, simulations=1, seed=seed, ahead=ahead).values["red"]
            for seed in range(20)
        }
        for ahead in (0, 2)
    }
    assert told[2] == {0.0}
    assert 1.0 in told[0]  # random play overlooks it


def test_new_nodes_see_a_win_at_once() -> None:
    """Two threats with one move: proven long before simulations could have tried all replies."""
    game = ludwright.load("connect-four")
    found = game.search(after(game, "4 4 3 3"), simulations=5_000, seed=1)
    assert found.solved
    assert found.values["red"] == 1.0
    assert found.best in (2, 5)
    assert found.simulations < 100
    blind = game.search(after(game, "4 4 3 3"), simulations=100, seed=1, solve=False)
    assert not blind.solved


@pytest.mark.long
@pytest.mark.parametrize(("depth", "simulations"), [(1, 2_000), (2, 10_000)])
def test_mates_are_found(depth: int, simulations: int) -> None:
    """In positions that python-chess has found: the first move of the line is a mating one."""
    pytest.importorskip("chess")
    from benchmarks.mates import ours, positions

    game = ludwright.load("chess")
    tested = list(positions(20, depth, 1))
    assert all(ours(game, fen, simulations) in keys for fen, keys in tested)


def test_open_cards_are_for_looking_back_only() -> None:
    """With `sees_all` a search uses what no seat may know; without, it needs worlds."""
    game = ludwright.load("kuhn-poker")
    state = game.initial_state(1)
    assert game.search(state, simulations=50, sees_all=True).worlds is None
    assert game.search(state, simulations=50).worlds is not None


def test_every_value_lies_within_its_interval() -> None:
    game = ludwright.load("kalah")
    found = game.search(game.initial_state(), simulations=2_000, seed=1)
    for each in found.candidates:
        low, high = each.interval
        assert 0 <= low <= each.values[found.seat] <= high <= 1
        assert sum(each.values.values()) == pytest.approx(1.0, abs=1e-5)


def test_chance_is_not_foreseen() -> None:
    """The generator in the state says what the next rolls are; a search may not look."""
    game = ludwright.load("pig")
    cells = list(game.initial_state(1).cells)
    told = set()
    for generator in range(4):
        cells[0], cells[1] = generator, 7 * generator
        state = State(game.initial_state().game_id, cells)
        found = game.search(state, simulations=300, seed=2)
        told.add(repr((found.candidates, found.values)))
    assert len(told) == 1


def test_time_is_kept(noughts: Game) -> None:
    game = ludwright.load("connect-four")
    state = game.initial_state()
    game.search(state, simulations=1)  # the code is made
    taken, simulations = list[float](), list[int]()
    for _ in range(5):  # other processes may disturb some of them
        begun = time.monotonic()
        found = game.search(state, seconds=0.3)
        taken.append(time.monotonic() - begun)
        simulations.append(found.simulations)
        assert found.per_second > 0
    assert min(taken) < 0.3 * 1.2
    assert max(simulations) > 100


def test_memory_is_kept_and_play_goes_on() -> None:
    game = ludwright.load("connect-four")
    found = game.search(game.initial_state(), simulations=20_000, memory=1 << 20)
    assert found.full
    assert found.simulations == 20_000
    # what nodes take at least: a byte for each cell, and seven edges of six words
    assert found.nodes * (game.program.cells + 7 * 6 * 8) < 1 << 20
    plain = ludwright.load("tic-tac-toe", engine="python")
    assert plain.search(plain.initial_state(), simulations=900, memory=1 << 20).nodes < 400


def test_an_interrupt_gives_the_best_answer_so_far() -> None:
    game = ludwright.load("connect-four")
    state = game.initial_state()
    game.search(state, simulations=1)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    found = game.search(state, seconds=60)
    timer.join()
    assert found.interrupted
    assert found.simulations > 10
    assert found.best in range(1, 8)


def test_bad_budgets_are_refused(noughts: Game) -> None:
    state = noughts.initial_state()
    bad: tuple[dict[str, Any], ...] = (
        {}, {"simulations": 0}, {"seconds": 0.0}, {"seconds": float("nan")},
        {"simulations": 5, "memory": 10}, {"simulations": 5, "exploration": -1.0},
    )  # fmt: skip
    for given in bad:
        with pytest.raises((LudwrightError, ValueError)):
            noughts.search(state, **given)


def test_a_game_that_is_over_has_no_answers(noughts: Game) -> None:
    with pytest.raises(IllegalMove, match="over"):
        noughts.search(after(noughts, "a1 b1 a2 b2 a3"), simulations=5)
    with pytest.raises(IllegalMove, match="decides now"):
        noughts.search(noughts.initial_state(), "nought", simulations=5)


DEAD_END = """# Stuck

```yaml
game: { id: stuck, title: Stuck, players: 2 }
vars: { n: 0..9 }
actions: [{ id: take, pre: n < 1, effects: [n += 1] }]
end: [{ when: n == 9, draw: all, reason: enough }]
```
"""


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_nothing_is_searched_where_nothing_can_be_answered(engine: str) -> None:
    """No play leads there, but a state from outside may stand there."""
    game = ludwright.load_text(DEAD_END, engine=engine)
    cells = cells_from_bytes(game.initial_state().to_bytes())
    cells[game.program.variables[0].addr] = 1
    stuck = game.state_from_bytes(cells_to_bytes(cells))
    with pytest.raises(IllegalMove, match="nothing can be answered"):
        game.search(stuck, simulations=5)


LONG_RANGE = """# Aim high

```yaml
game: { id: high, title: Aim high, players: 2 }
vars: { said: 0..1000 }
actions:
  - id: say
    params: { number: 0..1000 }
    effects: [said = number]
end: [{ when: turn > 0, score: "(1 if p == actor and said == 1000 else 0) for p in seats" }]
```
"""


@pytest.mark.parametrize("engine", ["native", "python"])
def test_of_many_numbers_the_first_and_the_last_are_looked_at(engine: Any) -> None:
    game = ludwright.load_text(LONG_RANGE, engine=engine)
    found = game.search(game.initial_state(), simulations=600)
    answers = [each.option for each in found.candidates]
    assert (min(answers), max(answers)) == (0, 1000)
    assert found.best == 1000


@needs_native
@pytest.mark.parametrize(
    ("name", "memory"), [("connect-four", 1 << 20), ("liars-dice", 3 << 20), ("delta", 6 << 20)]
)
def test_all_that_a_search_takes_fits_into_its_memory(name: str, memory: int) -> None:
    game = ludwright.load(name)
    state = game.initial_state(1)
    given: dict[str, Any] = {"simulations": 5_000, "memory": memory}
    game.search(state, **given)  # what is kept for later searches is there
    gc.collect()
    tracemalloc.start()
    try:
        game.search(state, **given)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most <= memory


@needs_native
def test_memory_that_no_tree_fits_into_is_refused() -> None:
    game = ludwright.load("delta")
    with pytest.raises(LudwrightError, match="needs at least"):
        game.search(game.initial_state(1), simulations=10, memory=1 << 20)


@needs_native
def test_there_are_as_many_threads_as_have_memory() -> None:
    game = ludwright.load("delta")
    found = game.search(game.initial_state(1), simulations=40, memory=6 << 20, threads=4)
    assert found.simulations == 40


def test_a_line_tells_a_choice_of_the_flow_by_its_answers() -> None:
    hearts = ludwright.load("hearts")
    state = hearts.initial_state(seed=4)
    found = hearts.search(state, "North", simulations=50)
    assert re.fullmatch(r"\w\w(, \w\w)*( …)?", found.line[0])
