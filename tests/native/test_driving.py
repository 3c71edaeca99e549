"""A game driven from Python: whatever a step or a decision tells is the same on both engines."""

from __future__ import annotations

import copy
import pickle
import threading
from dataclasses import FrozenInstanceError, fields
from functools import cache
from typing import Any

import pytest

import ludwright as lw
from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.step import Step
from tests.native.support import engine, needs_native

pytestmark = needs_native
GAMES = sorted(lw.shipped_games())
WRONG: tuple[Any, ...] = ("nowhere", -7, 10**30, True, 1.5, None, lw.STOP, (), ["x"], {"y": 1})


@cache
def games(name: str, chance: ChanceMode = "generator") -> tuple[Game, Game]:
    """The same game on both engines; code that is not optimised is enough."""
    from ludwright.native.game import NativeGame

    plain = lw.load(name, engine="python", chance=chance)
    native = NativeGame(
        plain.program, plain.gamedef_json, chance, gamedef=plain.gamedef,
        gamedef_hash=plain.gamedef_hash,
        engine=engine(name, events=True),
    )  # fmt: skip
    return plain, native


def told(step: Step, seats: tuple[str, ...]) -> tuple[Any, ...]:
    return (
        step.state.to_bytes(), step.part_ended, step.barrier, step.learned, step.events(),
        [step.events(seat) for seat in seats],
    )  # fmt: skip


def outcome(game: Game, state: lw.State, answer: Any, seat: str | None = None) -> object:
    """The bytes of the next state, or why there is none."""
    try:
        return game.choose(state, answer, seat).state.to_bytes()
    except IllegalMove as refused:
        return (refused.code, refused.rule, str(refused))


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", GAMES)
def test_both_engines_tell_the_same(name: str, chance: ChanceMode) -> None:
    """Fields are read in any order, so that each is once the first to be asked for."""
    plain, native = games(name, chance)
    dice = Dice(5)
    names = [field.name for field in fields(Decision)]
    players = len(plain.seats)
    states = [game.initial_state(8, players) for game in (plain, native)]
    for number in range(40):
        assert states[0] == states[1]
        assert hash(states[0]) == hash(states[1])
        one, two = (
            game.decision(state) for game, state in zip((plain, native), states, strict=True)
        )
        assert plain.result(states[0]) == native.result(states[1])
        if one is None:
            assert two is None
            return
        asked = names[number % len(names)]
        assert getattr(one, asked) == getattr(two, asked)
        assert one == two
        assert repr(one) == repr(two)
        assert two is not None
        assert type(one.options) is type(two.options)
        wrong = WRONG[number % len(WRONG)]
        assert outcome(plain, states[0], wrong) == outcome(native, states[1], wrong)
        answer = one.answers[dice.pick(len(one.answers))]
        seat = one.seat if number % 3 else None
        steps = [
            game.choose(state, answer, seat)
            for game, state in zip((plain, native), states, strict=True)
        ]
        if number % 2:
            assert steps[0].events() == steps[1].events()
        assert told(steps[0], plain.seats) == told(steps[1], plain.seats)
        states = [step.state for step in steps]


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "delta", "goofspiel"])
def test_a_native_decision_is_a_value_like_any_other(name: str) -> None:
    plain, native = games(name)
    state = native.initial_state(3)
    decision = native.decision(state)
    assert decision is not None
    assert decision is native.decision(state)
    for again in (pickle.loads(pickle.dumps(decision)), copy.copy(decision)):
        assert again == decision == plain.decision(plain.initial_state(3))
        assert hash(again) == hash(decision)
    with pytest.raises(FrozenInstanceError):
        decision.seat = "nobody"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        decision.nothing  # type: ignore[attr-defined]  # noqa: B018
    step = native.choose(state, decision.options[0])
    with pytest.raises(FrozenInstanceError):
        step.state = state  # type: ignore[misc]
    assert native.decision(pickle.loads(pickle.dumps(step.state))) == native.decision(step.state)


def test_a_state_may_change_engines_at_any_decision() -> None:
    plain, native = games("pig")
    state = plain.initial_state(2)
    for number in range(12):
        game = (native, plain)[number % 2]
        decision = game.decision(state)
        assert decision is not None
        state = game.choose(state, decision.options[0]).state
    here = plain.initial_state(2)
    for _ in range(12):
        found = plain.decision(here)
        assert found is not None
        here = plain.choose(here, found.options[0]).state
    assert here == state


def test_states_of_another_game_are_refused() -> None:
    native = games("nim")[1]
    other = games("pig")[1].initial_state()
    for ask in (native.decision, native.result, native.current_seat):
        with pytest.raises(ValueError, match="another game"):
            ask(other)
    with pytest.raises(ValueError, match="another game"):
        native.choose(other, 1)


def test_whose_turn_it_is_matters() -> None:
    plain, native = games("tic-tac-toe")
    one, two = (outcome(game, game.initial_state(), "b2", "nought") for game in (plain, native))
    assert one == two
    assert isinstance(one, tuple)
    assert one[0] == "not-your-turn"
    for game in (plain, native):
        with pytest.raises(ValueError, match="there is no seat `nobody`"):
            game.choose(game.initial_state(), "b2", "nobody")
    assert native.choose(native.initial_state(), "b2", "cross").state.to_bytes()


def test_threads_may_share_a_game() -> None:
    """Each plays its own games, reading events all the while; nothing of it mixes."""
    native = games("hearts")[1]

    def played(seed: int) -> list[bytes]:
        state, dice = native.initial_state(seed), Dice(seed)
        found: list[bytes] = []
        while (decision := native.decision(state)) is not None and len(found) < 60:
            step = native.choose(state, decision.options[dice.pick(len(decision.options))])
            assert isinstance(step.events(), list)
            state = step.state
            found.append(state.to_bytes())
        return found

    alone = [played(seed) for seed in range(4)]
    together: dict[int, list[bytes]] = {}
    workers = [
        threading.Thread(target=lambda seed=seed: together.update({seed: played(seed)}))
        for seed in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [together[seed] for seed in range(4)] == alone
