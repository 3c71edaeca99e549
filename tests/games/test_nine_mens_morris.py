"""Nine men's morris against OpenSpiel, decision for decision."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

pytestmark = pytest.mark.usefixtures("engine")

POINTS = [  # from the top left to the bottom right, as OpenSpiel numbers them
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip


def written(other: Any, action: int) -> str:
    """`Point 3` is `b6`, `Move 0 -> 1` is `a7-d7`."""
    return "-".join(POINTS[int(n)] for n in re.findall(r"\d+", other.action_to_string(action)))


def answers(game: lw.Game, state: lw.State) -> dict[str, list[Any]]:
    """What can be answered now, by its text: a whole placement or step, or the man to take."""
    decision = game.decision(state)
    assert decision is not None
    if decision.name == "$taken":
        return {option: [option] for option in decision.options}
    return {
        game.notation(state, move): [move.action_id, *move.params.values()]
        for move in game.legal_moves(state)
    }


def test_lockstep_with_openspiel() -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("nine-mens-morris")
    for seed in lockstep.games(8):
        dice = random.Random(seed)
        other = pyspiel.load_game("nine_mens_morris").new_initial_state()
        state = game.initial_state()
        while not other.is_terminal():
            mine = answers(game, state)
            theirs = {written(other, action): action for action in other.legal_actions()}
            assert mine.keys() == theirs.keys(), f"seed {seed}:\n{other}"
            assert game.current_seat(state) == game.seats[other.current_player()]
            text = dice.choice(sorted(mine))
            state = game.replay(state, mine[text])
            other.apply_action(theirs[text])
        assert lockstep.returns(game, game.result(state)) == other.returns(), f"seed {seed}"


def test_a_mill_takes_a_man_that_is_in_no_mill() -> None:
    game = lw.load("nine-mens-morris")
    state = game.initial_state()
    for text in ("a7", "a1", "d7", "d1", "c5", "g1xa7", "a7", "b2", "g7xb2"):
        state = game.apply_move(state, game.parse_move(state, text)).state
    # black's other men are all in a mill
    assert lockstep.owners(game, state) == {
        "a7": "white", "d7": "white", "g7": "white", "c5": "white",
        "a1": "black", "d1": "black", "g1": "black",
        "hand:white": "white", "hand:black": "black",
    }  # fmt: skip
