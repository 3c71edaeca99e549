"""The native game as a whole, steps and batches from Python."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.errors import IllegalMove
from tests.native.support import engine, needs_native

pytestmark = needs_native


# ------------------------------------------------------------------ the game


def test_a_native_game_does_what_a_game_does() -> None:
    games = [lw.load("nim", engine=name) for name in ("python", "native")]
    states = [game.initial_state(seed=4) for game in games]
    while (decision := games[0].decision(states[0])) is not None:
        assert decision == games[1].decision(states[1])
        assert games[0].legal_moves(states[0]) == games[1].legal_moves(states[1])
        answer = decision.answers[-1]
        steps = [game.choose(state, answer) for game, state in zip(games, states, strict=True)]
        assert steps[0].events == steps[1].events
        states = [step.state for step in steps]
        assert states[0].to_bytes() == states[1].to_bytes()
    assert games[0].result(states[0]) == games[1].result(states[1])


def test_an_answer_that_is_not_offered_is_refused_alike() -> None:
    told = []
    for name in ("python", "native"):
        game = lw.load("nim", engine=name)
        with pytest.raises(IllegalMove) as caught:
            game.choose(game.initial_state(), "nowhere")
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(ValueError, match="'python' or 'native'"):
        lw.load("nim", engine="quantum")


# ------------------------------------------------------------ steps, batches


def test_steps_from_python_give_the_same_bytes() -> None:
    from ludwright.native.stepping import Stepper

    stepper = Stepper(engine("tic-tac-toe"))
    game = lw.load("tic-tac-toe")
    state = game.initial_state(seed=9)
    data, seat, answers, extra = stepper.start(9)
    assert data == state.to_bytes()
    while seat >= 0:
        assert extra == 0
        before = data
        data, seat, answers, extra = stepper.step(data, answers[-1])
        decision = game.decision(state)
        assert decision is not None
        state = game.choose(state, decision.options[-1]).state
        assert data == state.to_bytes()
        assert before != data
    assert game.result(state) is not None


@pytest.mark.parametrize("answer", [-1, 9, 10**12])
def test_a_step_takes_only_what_is_offered(answer: int) -> None:
    from ludwright.native.stepping import Stepper

    stepper = Stepper(engine("tic-tac-toe"))
    start = stepper.start(1)
    with pytest.raises(IllegalMove):
        stepper.step(start.state, answer)
    with pytest.raises(IllegalMove):
        stepper.step(start.state, 0, kind=2)
    assert stepper.step(start.state, 4)[1] == 1


@pytest.mark.parametrize("state", [b"", b"1234", "text", None, 7])
def test_a_step_takes_only_states(state: object) -> None:
    from ludwright.native.stepping import Stepper

    stepper = Stepper(engine("tic-tac-toe"))
    with pytest.raises((TypeError, ValueError)):
        stepper.step(state, 0)  # type: ignore[arg-type]


def test_a_batch_steps_many_states() -> None:
    import numpy as np

    from ludwright.native.batches import Batch

    batch = Batch.fresh(engine("tic-tac-toe"), 16, seed=2)
    assert (batch.counts == 9).all()
    assert batch.masks(9).all()
    kept = batch.copy()
    for _ in range(9):
        batch.step(np.zeros(16, np.int64))
    assert (batch.seats == -1).all()
    assert (batch.states == batch.states[0]).sum() >= batch.states.size - 32  # but for generators
    assert (kept.counts == 9).all()
    with pytest.raises(ValueError, match="not the number of an answer"):
        kept.step(np.full(16, 9))
