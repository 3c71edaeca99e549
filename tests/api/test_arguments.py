"""Numbers from callers: what is no whole number or out of range is told, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.arguments import THREADS, whole
from tests.engines import ENGINES
from tests.native.support import needs_native

WRONG_TYPES = (True, 1.0, "1", None, [1], float("nan"))
BEYOND = (-1, -(2**31), 2**31, 2**63, 2**64, 10**30)


@cache
def pig(engine: str) -> Any:
    """Made by the first test that needs it: code of tests belongs in their own folder."""
    return lw.load("pig", engine=engine)


@pytest.fixture(params=ENGINES)
def game(request: pytest.FixtureRequest) -> Any:
    return pig(request.param)


@pytest.fixture
def native() -> Any:
    return pig("native")


def seeds(game: Any, value: Any) -> list[Callable[[], object]]:
    state = game.initial_state()
    calls = [
        lambda: game.initial_state(value), lambda: core_of(game).start(seed=value),
        lambda: game.determinize(state, game.seats[0], value),
    ]  # fmt: skip
    if game.engine == "native":
        calls += [lambda: game.playouts(1, value), lambda: game.batch(1, value)]
    return calls


def players(game: Any, value: Any) -> list[Callable[[], object]]:
    calls = [lambda: game.initial_state(players=value), lambda: core_of(game).start(players=value)]
    if game.engine == "native":
        calls += [lambda: game.playouts(1, players=value), lambda: game.batch(1, players=value)]
    return calls


def test_seeds_are_whole_numbers_of_any_size(game: Any) -> None:
    for value in WRONG_TYPES:
        for call in seeds(game, value):
            with pytest.raises(TypeError, match="`seed` must be a whole number"):
                call()
    for value in (0, *BEYOND):
        for call in seeds(game, value):
            call()


def test_seeds_mean_the_same_to_both_engines() -> None:
    for value in BEYOND:
        assert len({game.initial_state(value).to_bytes() for game in map(pig, ENGINES)}) == 1


def test_players_are_as_many_as_the_game_is_for(game: Any) -> None:
    for value in WRONG_TYPES:
        if value is not None:
            for call in players(game, value):
                with pytest.raises(TypeError, match="`players` must be a whole number"):
                    call()
    for value in (0, 1, 100, 2**31 - 1, *BEYOND):
        for call in players(game, value):
            with pytest.raises(ValueError, match=r"this game is for \d+ to \d+ players, not"):
                call()


def test_depths_are_counted(game: Any) -> None:
    state = game.initial_state()
    for value in WRONG_TYPES:
        with pytest.raises(TypeError, match="`depth` must be a whole number"):
            game.perft(state, value)
    for value in BEYOND:
        with pytest.raises(ValueError, match="`depth` must be at"):
            game.perft(state, value)
    assert game.perft(state, 0) == 1


def test_seats_and_scenarios_are_those_of_the_game(game: Any) -> None:
    state = game.initial_state()
    for name in ("nobody", None, 0, ["p1"]):
        with pytest.raises(ValueError, match="there is no seat"):
            game.score(state, name)
        with pytest.raises(ValueError, match="there is no seat"):
            game.determinize(state, name, 1)
        if name is not None:
            with pytest.raises(ValueError, match="there is no seat"):
                game.observe(state, name)
            with pytest.raises(ValueError, match="there is no scenario"):
                core_of(game).start(scenario=name)  # type: ignore[arg-type]


@needs_native
@pytest.mark.parametrize("name", ["n", "limit", "first", "threads"])
def test_numbers_of_a_series_are_checked(native: Any, name: str) -> None:
    for value in WRONG_TYPES:
        with pytest.raises(TypeError, match=f"`{name}` must be a whole number"):
            native.playouts(**{"n": 1, name: value})
    for value in BEYOND:
        with pytest.raises(ValueError, match=f"`{name}` must be at"):
            native.playouts(**{"n": 1, name: value})
    with pytest.raises(ValueError, match="`threads` must be at most"):
        native.playouts(1, threads=THREADS + 1)


@needs_native
def test_a_batch_is_checked_and_cannot_be_written_to(native: Any) -> None:
    for value in WRONG_TYPES:
        with pytest.raises(TypeError, match="`n` must be a whole number"):
            native.batch(value)
    for value in BEYOND:
        with pytest.raises(ValueError, match="`n` must be at"):
            native.batch(value)
    batch = native.batch(3)
    assert native.batch(0).states.shape[0] == 0
    for array in (batch.states, batch.options, batch.counts, batch.seats, batch.extra):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for odd in (0.5, "0", True, None):
        with pytest.raises(TypeError, match="choices must be whole numbers"):
            batch.step([odd] * 3)
    wrong: Any
    for wrong in ([0, 0], [[0, 0, 0]], [0, 0, 99], [0, 0, -1], [2**63] * 3):
        with pytest.raises(ValueError, match="choice"):
            batch.step(wrong)
    batch.step([0, 0, 0])


@pytest.mark.parametrize("engine", ENGINES)
def test_the_budget_of_searches_is_checked(engine: str) -> None:
    for value in (True, 1.0, "1"):
        with pytest.raises(TypeError, match="`search_budget` must be a whole number"):
            lw.load("pig", engine=engine, search_budget=value)  # type: ignore[arg-type]
    for value in BEYOND:
        with pytest.raises(ValueError, match="`search_budget` must be at"):
            lw.load("pig", engine=engine, search_budget=value)


@needs_native
def test_numbers_of_numpy_are_whole_numbers() -> None:
    import numpy as np

    assert whole("n", np.int32(7)) == 7
    assert type(whole("n", np.uint64(2**63))) is int
    with pytest.raises(TypeError):
        whole("n", np.float64(7))
    with pytest.raises(TypeError):
        whole("n", np.bool_(True))


@pytest.mark.parametrize("wrong", [None, 3, ["x"], b"x", "numpy"])
def test_positions_are_laid_out_by_texts(game: Any, wrong: Any) -> None:
    import numpy as np

    given = np.int64(3) if wrong == "numpy" else wrong
    with pytest.raises(TypeError, match="a str is needed"):
        game.position(given)
    with pytest.raises(TypeError, match="a str is needed"):
        game.position(drawing=given)
