"""Wrong use is told in the same way everywhere: `ValueError` or `TypeError`, with what was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ludwright as lw
from ludwright import IllegalMove, Move
from ludwright.agents import RandomAgent
from ludwright.simulate.simulation import simulate
from tests.api.games import loaded
from tests.engines import ENGINES


@pytest.fixture(params=ENGINES)
def game(request: pytest.FixtureRequest) -> lw.Game:
    return loaded("pig", request.param)


# Every public method that takes a seat besides `decision`, called with one.
SEATED: dict[str, Callable[[lw.Game, lw.State, Any], Any]] = {
    "question": lambda game, state, seat: game.question(state, seat),
    "option_texts": lambda game, state, seat: game.option_texts(state, seat),
    "choose": lambda game, state, seat: game.choose(state, "roll", seat),
    "withdraw": lambda game, state, seat: game.withdraw(state, seat),
    "legal_moves": lambda game, state, seat: game.legal_moves(state, seat),
    "legal_choices": lambda game, state, seat: game.legal_choices(state, Move("roll"), seat),
    "apply_move": lambda game, state, seat: game.apply_move(state, Move("roll"), seat),
    "validate_move": lambda game, state, seat: game.validate_move(state, Move("roll"), seat),
    "why": lambda game, state, seat: game.why(state, Move("roll"), seat),
    "search": lambda game, state, seat: game.search(state, seat, simulations=4),
    "score": lambda game, state, seat: game.score(state, seat),
    "observe": lambda game, state, seat: game.observe(state, seat),
    "draw": lambda game, state, seat: game.draw(state, seat),
    "determinize": lambda game, state, seat: game.determinize(state, seat, 1),
    "worlds": lambda game, state, seat: game.worlds(state, seat, 2),
    "events": lambda game, state, seat: game.choose(state, "roll").events(seat),
}


def test_the_list_of_seated_methods_is_complete() -> None:
    import inspect

    taking = {
        name
        for name, method in inspect.getmembers(lw.Game, inspect.isfunction)
        if not name.startswith("_") and "seat" in inspect.signature(method).parameters
    }
    assert taking - {"decision"} == SEATED.keys() - {"events"}


@pytest.mark.parametrize("method", SEATED)
def test_seats_that_nobody_plays_are_refused(game: lw.Game, method: str) -> None:
    state = game.initial_state(1, players=2)
    call = SEATED[method]
    for seat in ("nobody", 0, ["p1"]):
        with pytest.raises(ValueError, match="there is no seat"):
            call(game, state, seat)
    with pytest.raises(ValueError, match="nobody plays `p3` here; in play are: p1, p2"):
        call(game, state, "p3")


def test_series_are_counted_and_played_by_somebody(game: lw.Game) -> None:
    plain: dict[str, Any] = {"n": 1, "agents": [RandomAgent], "seed": 1}
    for name, value in (("n", -1), ("first", -1), ("limit", -2), ("threads", 0)):
        with pytest.raises(ValueError, match=f"`{name}` must be at least"):
            simulate(game, **{**plain, name: value})
    for name in ("n", "seed", "first", "limit", "threads"):
        with pytest.raises(TypeError, match=f"`{name}` must be a whole number"):
            simulate(game, **{**plain, name: 1.5})
    with pytest.raises(ValueError, match="`agents` is empty"):
        simulate(game, 1, [], seed=1)
    assert simulate(game, np.int64(2), [RandomAgent], np.int64(3)).games == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"seconds": "1"}, TypeError, "`seconds` must be a number, not '1'"),
        ({"seconds": True}, TypeError, "`seconds` must be a number, not True"),
        ({"seconds": 0}, ValueError, "`seconds` must be more than 0"),
        ({"seconds": -1}, ValueError, "`seconds` must be a number of at least 0, not -1"),
        ({"seconds": float("nan")}, ValueError, "`seconds` must be"),
        ({"seconds": float("inf")}, ValueError, "`seconds` must be"),
        ({"simulations": 0}, ValueError, "`simulations` must be at least 1, not 0"),
        ({"simulations": -5}, ValueError, "`simulations` must be at least 1, not -5"),
        ({"simulations": 1.5}, TypeError, "`simulations` must be a whole number"),
        ({}, ValueError, "a search needs a budget"),
        ({"memory": float("nan")}, TypeError, "`memory` must be a whole number, not nan"),
        ({"memory": 10}, ValueError, "`memory` must be at least"),
        ({"memory": 10**18}, ValueError, "`memory` must be at most"),
        ({"exploration": "x"}, TypeError, "`exploration` must be a number"),
        ({"exploration": -1.0}, ValueError, "`exploration` must be"),
        ({"urgency": float("nan")}, ValueError, "`urgency` must be"),
        ({"cutoff": 0}, ValueError, "`cutoff` must be at least 1"),
        ({"worlds": 2**40}, ValueError, "`worlds` must be at most"),
        ({"hints": 1}, TypeError, "a bool is needed, not int"),
        ({"foo": 1}, TypeError, "a search has no setting `foo`; there are: simulations, seconds"),
    ],
)  # fmt: skip
def test_settings_of_a_search_are_checked(
    game: lw.Game, given: dict[str, Any], error: type[Exception], told: str
) -> None:
    budget: dict[str, Any] = {"simulations": 4}
    if not given or {"simulations", "seconds"} & set(given):
        budget = {}
    with pytest.raises(error, match=told):
        game.search(game.initial_state(1), **budget, **given)


def test_settings_may_be_numbers_of_numpy(game: lw.Game) -> None:
    plain = game.search(game.initial_state(1), simulations=20, seed=3)
    given: dict[str, Any] = {"simulations": np.int64(20), "seed": np.uint8(3)}
    found = game.search(game.initial_state(1), **given, exploration=np.float32(1))
    assert found.candidates == plain.candidates


def test_draws_of_random_answers_are_looked_at(game: lw.Game) -> None:
    state = game.initial_state(1)
    count = len(game.decision(state).answers)  # type: ignore[union-attr]
    for pick, told in ((-1, "must be at least 0"), (count, f"must be at most {count - 1}")):
        with pytest.raises(ValueError, match=rf"`pick\({count}\)` {told}, not {pick}"):
            game.random_answer(state, lambda n, pick=pick: pick)  # type: ignore[misc]
    for odd in (0.5, None, True):
        with pytest.raises(TypeError, match=rf"`pick\({count}\)` must be a whole number"):
            game.random_answer(state, lambda n, odd=odd: odd)  # type: ignore[misc]


@pytest.mark.parametrize("value", [50.5, "50", None, [50], float("nan")])
def test_parameters_are_whole_numbers_or_truths(game: lw.Game, value: Any) -> None:
    text = "# P\n```yaml\ngame: { id: p, title: P, players: 2 }\nparameters: { goal: 3 }\n```\n"
    for load in (
        lambda: lw.load("pig", engine=game.engine, goal=value),
        lambda: lw.load_text(text, goal=value),
        lambda: lw.compile_text(text, parameters={"goal": value}),
    ):
        with pytest.raises(TypeError, match="parameter `goal` must be a whole number or a bool"):
            load()


def test_parameters_may_be_numbers_of_numpy(game: lw.Game) -> None:
    made = [lw.load("pig", engine=game.engine, goal=goal) for goal in (50, np.int64(50))]  # type: ignore[arg-type]
    assert made[0].gamedef_hash == made[1].gamedef_hash


def test_notation_is_of_moves_that_there_are(game: lw.Game) -> None:
    state = game.initial_state(1)
    with pytest.raises(IllegalMove, match="zzz") as refused:
        game.notation(state, Move("zzz"))
    assert refused.value.code == "unknown-action"
    for move in game.legal_moves(state):
        assert game.notation(state, move)
    assert game.notation(state, Move("hold")) == "hold"  # not possible yet, but a move of the game


def test_widths_of_drawings_are_counted(game: lw.Game) -> None:
    state = game.initial_state(1)
    for width in (-1, 0, 2**40):
        with pytest.raises(ValueError, match="`width` must be at"):
            game.draw(state, width=width)
    with pytest.raises(TypeError, match="`width` must be a whole number"):
        game.draw(state, width=None)  # type: ignore[arg-type]
    assert game.draw(state, width=1)


def test_rows_that_are_over_take_no_answers(game: lw.Game) -> None:
    batch = loaded("kuhn-poker", game.engine).batch(3, seed=1)
    batch.step([0, 0, 0])
    batch.step([0, 1, 0])
    assert batch.seats.tolist() == [-1, 0, -1]
    for wrong, row in (([99, 0, 0], 0), ([0, 0, 1], 2), ([-2, 0, 0], 0)):
        with pytest.raises(ValueError, match=f"of state {row}: 0 or -1, its game is over"):
            batch.step(wrong)
    with pytest.raises(ValueError, match="7 is not the number of an answer of state 1: 0 to 1"):
        batch.step([0, 7, 0])
    batch.step([-1, 1, 0])
    assert batch.seats.tolist() == [-1, -1, -1]
