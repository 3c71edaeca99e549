"""The search of the native engine is the plain one: the same visits, values and lines."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright
from ludwright.kernel.play.trees.analysis import Analysis
from ludwright.kernel.play.trees.settings import Settings
from ludwright.testing import random_walk

OPEN = ("tic-tac-toe", "nim", "pig", "kalah")
HIDDEN = ("kuhn-poker", "leduc-poker", "liars-dice", "goofspiel")


def told(found: Analysis) -> tuple[Any, ...]:
    """All of an analysis but the time it took and who made it."""
    return (
        found.seat, found.candidates, found.values, found.solved, found.line, found.simulations,
        found.nodes, found.worlds,
    )  # fmt: skip


@pytest.mark.parametrize("name", [*OPEN, *HIDDEN])
def test_both_engines_visit_the_same_answers_equally_often(name: str) -> None:
    plain, native = (ludwright.load(name, engine=engine) for engine in ("python", "native"))
    for seed, simulations in ((1, 60), (2, 7)):
        given: dict[str, Any] = {"simulations": simulations, "seed": seed}
        one = plain.search(plain.initial_state(seed), **given)
        two = native.search(native.initial_state(seed), **given)
        assert (one.engine, two.engine) == ("python", "native")
        assert told(one) == told(two)
        assert one.simulations <= simulations


@pytest.mark.parametrize(
    "given",
    [
        {"urgency": 0.8, "exploration": 0.5},
        {"solve": False},
        {"margin": 0, "cutoff": 5},
        {"margin": 16, "cutoff": 5},
    ],
)
def test_settings_mean_the_same_to_both(given: dict[str, Any]) -> None:
    for name in ("tic-tac-toe", "goofspiel"):
        plain, native = (ludwright.load(name, engine=engine) for engine in ("python", "native"))
        one = plain.search(plain.initial_state(4), simulations=80, seed=3, **given)
        two = native.search(native.initial_state(4), simulations=80, seed=3, **given)
        assert told(one) == told(two)


def test_a_search_depends_on_its_seed_and_budget_alone() -> None:
    game = ludwright.load("connect-four")
    state = game.initial_state(1)
    one, two = (game.search(state, simulations=500, seed=9) for _ in range(2))
    assert told(one) == told(two)
    assert told(game.search(state, simulations=500, seed=10)) != told(one)


def test_several_threads_do_all_simulations_between_them() -> None:
    game = ludwright.load("connect-four")
    found = game.search(game.initial_state(), simulations=1_001, seed=1, threads=2)
    assert found.simulations == 1_001
    assert sum(each.visits for each in found.candidates) == 1_001


@pytest.mark.parametrize("name", ["go", "delta", "harvest-fair", "three-fords"])
def test_scores_of_unfinished_games_are_the_rulebooks(name: str) -> None:
    """Playouts that are cut off are valued by them. The interpreter's would take seconds in go."""
    plain, native = (ludwright.load(name, engine=engine) for engine in ("python", "native"))
    settings, grower = Settings(simulations=1), native._grower()
    for state in random_walk(plain, 3, 40).states[:-1:13]:
        scores = [plain.score(state, seat) for seat in plain.seats_in_play(state)]
        assert grower.measured(list(state.cells), settings) == scores
