"""English draughts against OpenSpiel's checkers, whole moves at a time."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")


def is_jump(text: str) -> bool:
    return abs(int(text[1]) - int(text[3])) == 2


def whole(other: Any) -> dict[str, list[int]]:
    """OpenSpiel's legal moves: the actions of a player up to the change of turn."""
    found: dict[str, list[int]] = {}
    mover = other.current_player()
    waiting: list[tuple[Any, str, list[int]]] = [(other, "", [])]
    while waiting:
        state, path, actions = waiting.pop()
        for action in state.legal_actions():
            text = state.action_to_string(action)
            following = state.child(action)
            if not is_jump(text):
                found[f"{text[:2]}-{text[2:]}"] = [action]
                continue
            longer = f"{path or text[:2]}x{text[2:]}"
            if not following.is_terminal() and following.current_player() == mover:
                waiting.append((following, longer, [*actions, action]))
            else:
                found[longer] = [*actions, action]
    return found


def test_lockstep_with_openspiel() -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("draughts", quiet_moves=40)
    jumps = 0
    for seed in lockstep.games(20):
        dice = random.Random(seed)
        other = pyspiel.load_game("checkers").new_initial_state()
        state = game.initial_state()
        while not other.is_terminal():
            moves = {game.notation(state, m): m for m in lockstep.whole_moves(game, state)}
            expected = whole(other)
            assert moves.keys() == expected.keys(), f"seed {seed}:\n{other}"
            assert game.current_seat(state) == game.seats[other.current_player()]
            text = dice.choice(sorted(moves))
            jumps = max(jumps, len(expected[text]))
            state = game.apply_move(state, moves[text]).state
            for action in expected[text]:
                other.apply_action(action)
        assert lockstep.returns(game, game.result(state)) == other.returns()
    assert jumps >= 3, "the games hold captures of several men"


def played(game: lw.Game, line: str) -> lw.State:
    state = game.initial_state()
    for text in line.split():
        state = game.apply_move(state, game.parse_move(state, text)).state
    return state


def test_capturing_is_compulsory() -> None:
    game = lw.load("draughts")
    state = played(game, "c3-d4 b6-c5")
    assert {move.action_id for move in game.legal_moves(state)} == {"jump"}
    refused = game.why(state, lw.Move("walk", {"origin": "a3", "target": "b4"}))
    assert not refused.legal


def test_the_jumps_of_a_capture_are_decisions_of_one_move() -> None:
    game = lw.load("draughts")
    state = played(game, "a3-b4 h6-g5 e3-d4 d6-c5 b4xd6")
    moves = {game.notation(state, m) for m in lockstep.whole_moves(game, state)}
    assert moves == {"c7xe5", "e7xc5xe3"}
    state = game.replay(state, ["jump", "e7", "c5"])
    decision = game.decision(state)
    assert decision is not None
    assert (decision.seat, decision.name) == ("white", "$to")
    assert list(decision.options) == ["e3"]
    state = game.choose(state, "e3").state
    assert game.current_seat(state) == "black"
    assert not {"d6", "d4"} & lockstep.owners(game, state).keys()
