"""Both engines side by side, games played again from their traces, and what nobody may know."""

from __future__ import annotations

import os
import random

import pytest

from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.play.game import core_of
from ludwright.simulate import Recorder, replay
from ludwright.testing.walks import dealt_anew
from tests.games.fire_in_the_lake.support import game
from tests.native.support import needs_native
from tests.properties.twins import check

SCENARIOS = ("short", "medium", "full")
GAMES = int(os.environ.get("LUDWRIGHT_LOCKSTEP", "3"))
STRETCH = 400  # decisions, if only a few games are asked for


@pytest.mark.long
@pytest.mark.timeout(36_000)
@needs_native
def test_both_engines_play_the_same_wars() -> None:
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    native = core_of(game()).machine
    assert isinstance(native, NativeMachine)
    plain = Machine(native.program, "generator")
    limit = 100_000 if len(SCENARIOS) < GAMES else STRETCH
    for seed in range(GAMES):
        _, difference = lockstep(plain, native, seed, 4, limit, seed % len(SCENARIOS))
        assert difference is None, f"seed {seed}: {difference}"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_trace_is_played_again(scenario: str) -> None:
    played = game("python")
    state = played.initial_state(seed=4, scenario=scenario)
    recorder, rng = Recorder(played, state), random.Random(4)
    for _ in range(40):
        decision = played.decision(state)
        assert decision is not None
        answer = rng.choice(decision.answers)
        step = played.choose(state, answer)
        recorder.add(decision, answer, step)
        state = step.state
    trace = recorder.trace("fire-in-the-lake", played.gamedef_hash, {}, 4, 4, scenario)
    again = replay(played, played.gamedef_hash, trace)
    assert again.difference is None
    assert again.states[-1] == state


def test_nobody_is_told_the_order_of_the_cards() -> None:
    """Worlds that differ only in cards nobody has seen look the same to every seat."""
    played = game("python")
    state, rng = played.initial_state(seed=6, scenario="full"), random.Random(6)
    differed = 0
    for at in range(30):
        decision = played.decision(state)
        assert decision is not None
        if at % 10 == 0:
            for number, seat in enumerate(played.seats):
                twin = dealt_anew(played, state, seat, 10 * at + number)
                assert twin is not None
                differed += twin != state
                assert played.observe(twin, seat) == played.observe(state, seat)
                assert played.decision(twin) == decision
                assert played.draw(twin, seat) == played.draw(state, seat)
        state = played.choose(state, rng.choice(decision.answers)).state
    assert differed > 0


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_nothing_that_a_seat_reads_tells_the_order_of_the_cards() -> None:
    assert check(game("python"), seed=3, limit=20) > 0
