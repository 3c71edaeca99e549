"""Rows of a batch are games: they are the states, results and copies that single games have."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import ludwright as lw
from ludwright.kernel.protocol.move import Move
from tests.api.games import loaded
from tests.native.support import needs_native


def stepped(batch: lw.Batch, rng: np.random.Generator) -> None:
    """Every row takes an answer at random."""
    most = np.maximum(batch.counts + (batch.extra > 0), 1)
    batch.step((rng.random(len(batch)) * most).astype(int))


@pytest.mark.parametrize("name", ["kuhn-poker", "tic-tac-toe", "goofspiel", "leduc-poker"])
def test_a_row_is_the_game_of_its_playout(engine: str, name: str) -> None:
    """Answer k of a row is answer k of the decision of its state, from the first to the last."""
    game, rng = loaded(name, engine), np.random.default_rng(1)
    batch = game.batch(4, seed=7)
    finals = game.playouts(4, seed=7, limit=0, finals=True).finals
    assert finals is not None
    assert (batch.states == finals).all()
    states = [batch.state(row) for row in range(4)]
    for _ in range(12):
        most = np.maximum(batch.counts + (batch.extra > 0), 1)
        chosen = (rng.random(4) * most).astype(int)
        for row, number in enumerate(chosen):
            decision = game.decision(states[row])
            assert (decision is None) == bool(batch.over[row])
            if decision is not None:
                assert decision.seat == game.seats[batch.seats[row]]
                assert len(decision.answers) == most[row]
                states[row] = game.choose(states[row], decision.answers[number]).state
        batch.step(chosen)
        assert [batch.state(row) for row in range(4)] == states
    told = repr(batch)
    assert told == f"<Batch of 4 states, {sum(batch.over)} over>"


def test_rows_are_states_that_stay(engine: str) -> None:
    game = loaded("kuhn-poker", engine)
    batch = game.batch(2, seed=1)
    state = batch.state(np.int64(1))  # type: ignore[arg-type]
    batch.step([0, 0])
    assert batch.state(1) != state
    assert game.choose(state, game.decision(state).answers[0]).state == batch.state(1)  # type: ignore[union-attr]
    for row in (2, -1):
        with pytest.raises(ValueError, match="`row` must be at"):
            batch.state(row)


@pytest.mark.parametrize("name", ["kuhn-poker", "pig"])
def test_results_are_those_of_single_games(engine: str, name: str) -> None:
    game, rng = loaded(name, engine), np.random.default_rng(2)
    batch = game.batch(6, seed=3)
    assert not batch.over.any()
    assert not batch.scores.any()
    assert not batch.ranks.any()
    assert (batch.ends == -1).all()
    for _ in range(4000):
        if batch.over.all():
            break
        stepped(batch, rng)
    assert batch.over.all()
    for row in range(6):
        result = game.result(batch.state(row))
        assert result is not None
        seats = game.seats_in_play(batch.state(row))
        assert dict(zip(seats, batch.scores[row].tolist(), strict=False)) == result.scores
        ranks = dict(zip(seats, batch.ranks[row].tolist(), strict=False))
        assert all(ranks[seat] == min(ranks.values()) for seat in result.ranking[0])
        assert game.program.ends[batch.ends[row]].outcome == result.outcome


@pytest.mark.parametrize("name", ["kuhn-poker", "tic-tac-toe", "goofspiel"])
def test_a_batch_goes_on_from_any_states(engine: str, name: str) -> None:
    game, rng = loaded(name, engine), np.random.default_rng(5)
    batch = game.batch(8, seed=2)
    for _ in range(6):
        made = game.batch_of([batch.state(row) for row in range(8)])
        for mine, theirs in (
            (made.states, batch.states), (made.counts, batch.counts), (made.seats, batch.seats),
            (made.extra, batch.extra), (made.widths, batch.widths),
        ):  # fmt: skip
            assert (mine == theirs).all()
        for row, count in enumerate(batch.counts):
            assert (made.options[row, :count] == batch.options[row, :count]).all()
        apart = np.random.default_rng(9)
        stepped(made, apart)
        stepped(batch, np.random.default_rng(9))
        assert (made.states == batch.states).all()
        stepped(batch, rng)
    assert len(game.batch_of([])) == 0
    with pytest.raises(ValueError, match="belongs to another game"):
        game.batch_of([loaded("pig", engine).initial_state()])
    with pytest.raises(lw.LudwrightError, match="began with set-up"):
        game.batch_of([]).restart()


def test_games_that_are_over_are_begun_again(engine: str) -> None:
    """With the next games of the series, so that nothing is played twice."""
    game = loaded("kuhn-poker", engine)
    batch = game.batch(3, seed=4)
    assert batch.restart().tolist() == []
    batch.step([0, 1, 0])
    batch.step([0, 0, 1])
    assert batch.over.tolist() == [True, True, False]
    going = batch.state(2)
    assert batch.restart().tolist() == [0, 1]
    later = game.batch(5, seed=4)
    assert batch.state(0) == later.state(3)
    assert batch.state(1) == later.state(4)
    assert batch.state(2) == going
    assert (batch.counts > 0).all()
    batch.step([0, 0, 0])
    batch.step([0, 0, 0])
    assert batch.restart().tolist() == [0, 1, 2]
    assert batch.state(0) == game.batch(6, seed=4).state(5)


def test_copies_are_stepped_apart(engine: str) -> None:
    game = loaded("kuhn-poker", engine)
    batch = game.batch(3, seed=1)
    batch.step([0, 1, 0])
    made = [batch.copy(), copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    kept = batch.states.copy()
    for other in made:
        assert (other.states == kept).all()
        assert (other.counts == batch.counts).all()
        other.step([1, 0, 0])
        assert (batch.states == kept).all()
        other.restart()
    batch.step([1, 0, 0])
    batch.restart()
    assert all((other.states == batch.states).all() for other in made)


def test_explicit_chance_is_not_drawn_in_secret(engine: str) -> None:
    game = lw.load("kuhn-poker", engine=engine, chance="explicit")
    with pytest.raises(lw.LudwrightError, match='load the game with chance="generator"'):
        game.batch(2)
    with pytest.raises(lw.LudwrightError, match='load the game with chance="generator"'):
        game.batch_of([])


# ------------------------------------------------------- copies of steps and states


def test_steps_and_games_can_be_copied_and_pickled(engine: str) -> None:
    game = loaded("kuhn-poker", engine)
    state = game.initial_state(1)
    for step in (game.choose(state, "bet"), game.apply_move(state, Move("bet"))):
        assert copy.copy(step) is copy.deepcopy(step) is step
        other = pickle.loads(pickle.dumps(step))
        again = pickle.loads(pickle.dumps(other))
        for made in (other, again):
            assert made.state == step.state
            assert (made.part_ended, made.barrier) == (step.part_ended, step.barrier)
            assert (made.learned, made.raw_events) == (step.learned, step.raw_events)
            for viewer in (None, lw.SPECTATOR, *game.seats):
                assert made.events(viewer) == step.events(viewer)
            with pytest.raises(ValueError, match="nobody plays"):
                made.events("nobody")
    assert copy.deepcopy({"env": (game, state)}) == {"env": (game, state)}
    assert copy.deepcopy(game) is game


def test_sets_answered_as_a_whole_can_be_pickled(engine: str) -> None:
    game = loaded("hearts", engine)
    state = game.initial_state(1)
    step = game.choose(state, list(game.decision(state).options[:3]))  # type: ignore[union-attr]
    other = pickle.loads(pickle.dumps(step))
    assert other.state == step.state
    assert [event.to_json() for event in other.events()] == [e.to_json() for e in step.events()]


@needs_native
def test_a_batch_of_an_engine_alone_has_no_game() -> None:
    from ludwright.native.batch import NativeBatch
    from ludwright.native.engine import Engine

    batch = NativeBatch.fresh(Engine(loaded("tic-tac-toe", "native").program, 0), 2, seed=1)
    with pytest.raises(lw.LudwrightError, match="has no game"):
        batch.state(0)
    with pytest.raises(TypeError, match="only a batch of a game"):
        pickle.dumps(batch)
    assert (copy.deepcopy(batch).states == batch.states).all()


@needs_native
@pytest.mark.parametrize("name", ["backgammon", "draughts", "delta"])
def test_batches_of_games_with_best_blocks_are_those_of_the_interpreter(name: str) -> None:
    """Native code of such a game is longer than the rules: widths go by the rules."""
    batches = [loaded(name, engine).batch(3, seed=5) for engine in ("python", "native")]
    for _ in range(12):
        one, two = batches
        assert (one.states == two.states).all()
        assert (one.widths == two.widths).all()
        assert (one.masks(30) == two.masks(30)).all()
        for batch in batches:
            batch.step(np.where(one.over, -1, 0))
