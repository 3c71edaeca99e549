"""Bytes that are no state of the game are refused before anything runs on them."""

from __future__ import annotations

import random
import struct

import pytest

import ludwright as lw
from ludwright.kernel import program as ir


def changed(data: bytes, cell: int, value: int) -> bytes:
    return data[: 4 * cell] + struct.pack("<i", value) + data[4 * cell + 4 :]


@pytest.fixture(scope="module")
def game(engine: str) -> lw.Game:
    return lw.load("harvest-fair", engine=engine)


def test_states_of_real_games_are_accepted() -> None:
    for name in lw.shipped_games():
        game = lw.load(name)
        dice = random.Random(1)
        state = game.initial_state(seed=1)
        for _ in range(40):
            assert game.state_from_bytes(state.to_bytes()) == state
            decision = game.decision(state)
            if decision is None:
                break
            pick = dice.randrange(len(decision.options)) if len(decision.options) else 0
            answer = decision.options[pick] if len(decision.options) else decision.answers[0]
            state = game.choose(state, answer).state
        assert game.state_from_json(game.state_to_json(state)) == state


def test_a_circle_of_pieces_is_refused(game: lw.Game) -> None:
    data = game.initial_state().to_bytes()
    program = game.program
    first = struct.unpack_from("<i", data, 4 * program.place_head)[0]
    with pytest.raises(ValueError, match="twice in one"):
        game.state_from_bytes(changed(data, program.piece_next + first, first))


@pytest.mark.parametrize(
    ("cell", "value", "words"),
    [
        (ir.PC, 10**6, "header"),
        (ir.PC, 0, "decision"),
        (ir.ACTIVE, 77, "header"),
        (ir.PLAYERS, 0, "header"),
        (ir.OVER, -1, "header"),
    ],
)
def test_a_header_out_of_range_is_refused(game: lw.Game, cell: int, value: int, words: str) -> None:
    data = changed(game.initial_state().to_bytes(), cell, value)
    with pytest.raises(ValueError, match=words):
        game.state_from_bytes(data)


def test_a_variable_out_of_range_is_refused(game: lw.Game) -> None:
    coins = next(v for v in game.program.variables if v.name == "coins")
    with pytest.raises(ValueError, match="`coins` holds 999"):
        game.state_from_bytes(changed(game.initial_state().to_bytes(), coins.addr, 999))


@pytest.mark.parametrize("name", ["tic-tac-toe", "delta", "harvest-fair", "backgammon"])
def test_spoilt_bytes_are_refused_or_played_never_worse(name: str) -> None:
    """Any cell may hold anything: a clear refusal, or a state whose next decision can be asked."""
    game = lw.load(name)
    dice = random.Random(7)
    state = game.initial_state(seed=3)
    data = state.to_bytes()
    for _ in range(300):
        cell = dice.randrange(game.program.cells)
        value = dice.choice([-1, 0, 1, 2, 7, 1000, -(2**31), 2**31 - 1])
        try:
            spoilt = game.state_from_bytes(changed(data, cell, value))
            decision = game.decision(spoilt)
            assert decision is None or decision.name
        except (ValueError, lw.LudwrightError):
            continue
