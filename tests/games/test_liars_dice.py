"""Liar's dice against OpenSpiel: the same dice, the same bids, the same winner."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games, peer, texts
from tests.games.openspiel import scores

pytestmark = pytest.mark.usefixtures("engine")

GAMES = 40


def written(other: Any) -> dict[str, int]:
    """OpenSpiel's actions as the rulebook writes them."""
    return {other.action_to_string(a).lower(): a for a in other.legal_actions()}


def roll(game: Game, state: State, action: int) -> State:
    decision = game.decision(state)
    assert decision is not None
    assert decision.seat == "chance"
    return game.choose(state, action + 1).state


def play(game: Game, other: Any, rng: random.Random) -> None:
    state = game.initial_state()
    while not other.is_terminal():
        actions = other.legal_actions()
        if other.is_chance_node():
            action = rng.choice(actions)
            state = roll(game, state, action)
        else:
            moves, named = texts(game, state), written(other)
            assert set(moves) == set(named), other
            assert game.current_seat(state) == game.seats[other.current_player()]
            text = rng.choice(sorted(named))
            action = named[text]
            state = game.apply_move(state, moves[text]).state
        other.apply_action(action)
    assert scores(game, state) == other.returns(), other


@pytest.mark.parametrize("dice", [1, 2])
def test_lockstep_against_openspiel(dice: int) -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("liars-dice", chance="explicit", dice=dice)
    other = pyspiel.load_game(f"liars_dice(numdice={dice})")
    for seed in games(GAMES):
        play(game, other.new_initial_state(), random.Random(seed))


def histories(game: Game, state: State, other: Any) -> int:
    if other.is_terminal():
        assert scores(game, state) == other.returns(), other
        return 1
    if other.is_chance_node():
        children = [(roll(game, state, action), action) for action in other.legal_actions()]
    else:
        moves, named = texts(game, state), written(other)
        assert set(moves) == set(named), other
        children = [(game.apply_move(state, moves[text]).state, named[text]) for text in named]
    return 1 + sum(histories(game, after, other.child(action)) for after, action in children)


def test_whole_tree_with_two_faces_against_openspiel() -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("liars-dice", chance="explicit", sides=2)
    other = pyspiel.load_game("liars_dice(numdice=1,dice_sides=2)").new_initial_state()
    # Two dice, then for every non-empty set of the four bids a history with and without a doubt.
    assert histories(game, game.initial_state(), other) == 1 + 2 + 4 * (1 + 2 * 15)


def test_the_other_cup_is_hidden_in_view_and_log() -> None:
    game = lw.load("liars-dice", chance="explicit")
    state = game.choose(game.initial_state(), 3).state
    seen = set()
    for face in range(1, 7):
        step = game.choose(state, face)
        seen.add((str(game.observe(step.state, "p1")), str(step.events("p1"))))
    assert len(seen) == 1
