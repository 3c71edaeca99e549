"""Playing a shipped game and another program's game side by side, move for move."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.result import Result
from ludwright.kernel.protocol.state import State

NATIVE = 2  # games of the native engine for one of the interpreter
Written = Callable[[Any, int], str]


def peer(module: str) -> Any:
    """The other program, or a skipped test that says which package is missing."""
    return pytest.importorskip(module, reason=f"{module} is not installed: nothing to compare with")


def games(few: int) -> range:
    """The seeds to play, more of them on the faster engine; `LUDWRIGHT_LOCKSTEP=1000` asks for a
    longer run."""
    usual = few * NATIVE if os.environ.get("LUDWRIGHT_ENGINE") == "native" else few
    return range(int(os.environ.get("LUDWRIGHT_LOCKSTEP", usual)))


def returns(game: lw.Game, result: Result | None) -> list[int]:
    """One for a sole winner, minus one for whoever loses, nothing for a draw."""
    assert result is not None, "the other program says that the game is over"
    if len(result.winners) != 1:
        return [0 for _ in game.seats]
    return [1 if seat in result.winners else -1 for seat in game.seats]


def whole_moves(game: lw.Game, state: State) -> Iterator[Move]:
    """Every complete move, with the decisions inside it answered in all ways."""
    waiting = game.legal_moves(state)
    while waiting:
        move = waiting.pop()
        request = game.legal_choices(state, move)
        if request.complete:
            yield move
        else:
            assert request.decision_id is not None
            waiting += [move.with_param(request.decision_id, option) for option in request.options]


def owners(game: lw.Game, state: State) -> dict[str, str | None]:
    """Whose piece lies on each space that is not free."""
    places = game.observe(state, None)["places"]
    return {
        name: place["pieces"][0].get("owner") for name, place in places.items() if place["count"]
    }


def texts(game: lw.Game, state: State) -> dict[str, Move]:
    """The legal moves by their notation; no two may be written alike."""
    moves = game.legal_moves(state)
    found = {game.notation(state, move): move for move in moves}
    assert len(found) == len(moves), "two moves are written alike"
    return found


def mirror(game: lw.Game, other: Any, written: Written, seed: int) -> int:
    """One random game on both sides, for OpenSpiel games of one action a move; gives the plies."""
    dice = random.Random(seed)
    state = game.initial_state()
    plies = 0
    while not other.is_terminal():
        moves = texts(game, state)
        actions = {written(other, action): action for action in other.legal_actions()}
        assert moves.keys() == actions.keys(), f"seed {seed}, ply {plies}:\n{other}"
        assert game.current_seat(state) == game.seats[other.current_player()]
        text = dice.choice(sorted(moves))
        state = game.apply_move(state, moves[text]).state
        other.apply_action(actions[text])
        plies += 1
    assert returns(game, game.result(state)) == other.returns(), f"seed {seed}:\n{other}"
    return plies
