"""Promises that hold in every state, tried on random ones.

`make test` tries a few hundred moves; LUDWRIGHT_TRIES=10000 is the long run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import ludwright as lw
from ludwright import Game, IllegalMove, Move, State
from tests.engines import under_test
from tests.seeds.support import answer, book, completed, filled, refused

TRIES = int(os.environ.get("LUDWRIGHT_TRIES", "300"))
GAMES = ("delta", "gulf", "gulf-of-bases", "operations", "train")


@cache
def _delta(engine: str) -> Game:
    return lw.load("delta", engine=engine)


def game_called(name: str) -> Game:
    if name == "delta":
        return _delta(under_test())
    if name == "gulf-of-bases":
        return book("gulf", outside=9, bases=6)
    if name == "train":
        return book(name, width=12)
    return book(name)


def states(game: Game, rng: random.Random) -> Iterator[State]:
    """States met in random games, without end."""
    while True:
        state = game.initial_state(seed=rng.getrandbits(32))
        while (decision := game.decision(state)) is not None:
            yield state
            state = game.choose(state, rng.choice(decision.answers)).state


def tries(name: str, share: int = 1) -> Iterator[tuple[Game, State, Move, random.Random]]:
    """Offered moves in random states."""
    game = game_called(name)
    rng = random.Random(f"{name} {share}")
    left = TRIES // share
    for state in states(game, rng):
        moves = game.legal_moves(state)
        assert moves, "a decision without a move"
        for move in rng.sample(moves, min(3, len(moves))):
            yield game, state, move, rng
            left -= 1
            if left <= 0:
                return


@pytest.mark.parametrize("name", GAMES)
def test_every_offered_move_can_be_completed_and_applied(name: str) -> None:
    for game, state, move, rng in tries(name):
        before = state.to_bytes()
        whole = completed(game, state, move, rng)
        seat = game.current_seat(state)
        game.validate_move(state, whole, seat)
        assert game.why(state, whole).legal
        after = game.apply_move(state, whole, seat).state
        assert after.to_bytes() != before
        assert state.to_bytes() == before


@pytest.mark.parametrize("name", GAMES)
def test_whole_lists_are_taken_where_nothing_later_can_refuse(name: str) -> None:
    """A chooseN answered at once, with any number from min to max."""
    for game, state, move, rng in tries(name, share=3):
        whole = move
        for _ in range(100):
            request = game.legal_choices(state, whole)
            if request.complete:
                break
            assert request.decision_id is not None
            trial = whole.with_param(request.decision_id, answer(request, rng))
            error = _refusal_of_choices(game, state, trial)
            if error is not None:
                # Only where a rule forbids the combination; then one pick at a time helps.
                assert request.kind == "chooseN"
                assert error.rule
                assert error.code in ("refused", "not-an-option", "no-option", "limit")
                break
            whole = trial


def _refusal_of_choices(game: Game, state: State, move: Move) -> IllegalMove | None:
    try:
        game.legal_choices(state, move)
    except IllegalMove as error:
        return error
    return None


@pytest.mark.parametrize("name", GAMES)
def test_asking_changes_no_byte(name: str) -> None:
    for game, state, move, rng in tries(name, share=3):
        before = state.to_bytes()
        game.legal_moves(state)
        whole = completed(game, state, move, rng)
        game.legal_choices(state, whole)
        game.why(state, whole)
        game.decision(state)
        assert state.to_bytes() == before
        assert game.state_from_bytes(before).to_bytes() == before


def spoiled(game: Game, state: State, whole: Move, rng: random.Random) -> Iterator[Move]:
    """Variations of a move; most of them cannot be played."""
    yield whole.with_param("$nothing", 1)
    yield Move("nonsense", dict(whole.params))
    for name in rng.sample(list(whole.params), min(4, len(whole.params))):
        less = {key: value for key, value in whole.params.items() if key != name}
        yield Move(whole.action_id, less)
        bad: tuple[Any, ...] = ("nowhere", 99, None, True, ["nowhere"], ["a", 1], [], {})
        for value in bad:
            yield Move(whole.action_id, {**whole.params, name: value})
    actions = [action.name for action in game.program.actions]
    yield Move(rng.choice(actions), dict(whole.params))


@pytest.mark.parametrize("name", GAMES)
def test_why_explains_every_refused_move(name: str) -> None:
    refusals = 0
    for game, state, move, rng in tries(name, share=6):
        before = state.to_bytes()
        whole = completed(game, state, move, rng)
        for other in spoiled(game, state, whole, rng):
            why = game.why(state, other)
            if why.legal:
                game.apply_move(state, other)
            else:
                assert why.code
                assert why.reason
                with pytest.raises(IllegalMove) as caught:
                    game.apply_move(state, other)
                assert caught.value.code == why.code
                refusals += 1
            assert state.to_bytes() == before
    assert refusals > TRIES // 6


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("move", "code", "named"),
    [
        (Move("fly"), "unknown-action", "fly"),
        (filled(Move("sweep"), into=7), "wrong-type", "$into"),
        (filled(Move("train"), spaces=7, where="port"), "wrong-type", "$spaces"),
        (filled(Move("sweep"), into="moon"), "not-an-option", "moon"),
        (filled(Move("train"), spaces=["hills"], where="hills"), "not-an-option", "hills"),
        (filled(Move("sweep"), into="hills", onto="port"), "unknown-param", "$onto"),
        (filled(Move("train"), spaces=["port"]), "missing-choice", "$where"),
        (filled(Move("raid"), at="port"), "refused", "raid"),
        (filled(Move("train"), spaces=[], where="port"), "too-few", "$spaces"),
        (filled(Move("train"), spaces=["port", "capital", "port"], where="port"), "too-many", "2"),
    ],
)
def test_bad_input_has_its_own_code_and_changes_nothing(move: Move, code: str, named: str) -> None:
    game = book("operations")
    error = refused(game, game.initial_state(seed=1), move)
    assert error.code == code
    assert named in error.reason


def test_bad_input_a_move_for_another_seat() -> None:
    game = book("operations")
    state = game.initial_state()
    error = refused(game, state, Move("pass"), "rebels")
    assert error.code == "not-your-turn"
    assert "rebels" in error.reason
    with pytest.raises(ValueError, match="there is no seat `nobody`"):
        game.apply_move(state, Move("pass"), "nobody")
    game.validate_move(state, Move("pass"), "coin")


def test_bad_input_after_the_end() -> None:
    game = book("gulf")
    state = game.initial_state(scenario="gulf")
    state = game.apply_move(state, Move("pass")).state
    assert game.result(state) is not None
    assert game.legal_moves(state) == []
    assert refused(game, state, Move("pass")).code == "game-over"


def test_bad_input_to_the_atomic_view() -> None:
    game = book("operations")
    state = game.initial_state()
    before = state.to_bytes()
    for option in ("fly", 3, None, ["train"], ("train",), lw.STOP, object()):
        with pytest.raises(IllegalMove) as caught:
            game.choose(state, option)
        assert caught.value.code
    with pytest.raises(IllegalMove) as caught:
        game.choose(state, "train", "rebels")
    assert caught.value.code == "not-your-turn"
    assert state.to_bytes() == before
