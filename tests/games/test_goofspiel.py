"""Goofspiel against OpenSpiel: the same prizes, the same bids, the same points."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games, peer
from tests.games.openspiel import scores

pytestmark = pytest.mark.usefixtures("engine")

GAMES = 10


def bid(game: Game, state: State, bids: dict[str, int], order: list[str]) -> State:
    for seat in order:
        state = game.choose(state, bids[seat], seat=seat).state
    return state


def play(game: Game, other: Any, rng: random.Random) -> None:
    """One game. OpenSpiel makes the last bids, which are forced, without asking."""
    players = other.num_players()
    state = game.initial_state(players=players)
    while not other.is_terminal():
        if other.is_chance_node():
            decision = game.decision(state)
            assert decision is not None
            assert decision.seat == "chance"
            outcomes = [action for action, _ in other.chance_outcomes()]
            assert [prize - 1 for prize in decision.options] == outcomes
            dealt = rng.choice(outcomes)
            other.apply_action(dealt)
            state = game.choose(state, dealt + 1).state
            continue
        order = [f"p{index + 1}" for index in range(players)]
        bids = {}
        for index, seat in enumerate(order):
            decision = game.decision(state, seat)
            assert decision is not None
            assert decision.together == tuple(order)
            assert [card - 1 for card in decision.options] == other.legal_actions(index)
            bids[seat] = rng.choice(decision.options)
        other.apply_actions([bids[seat] - 1 for seat in order])
        rng.shuffle(order)
        state = bid(game, state, bids, order)
    while (decision := game.decision(state)) is not None:
        assert decision.forced
        state = game.choose(state, decision.options[0]).state
    assert scores(game, state) == other.returns()


@pytest.mark.parametrize(("players", "cards"), [(2, 13), (3, 13), (6, 5)])
def test_lockstep_against_openspiel(players: int, cards: int) -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("goofspiel", chance="explicit", cards=cards)
    name = f"goofspiel(players={players},num_cards={cards},returns_type=total_points)"
    other = pyspiel.load_game(name)
    for seed in games(GAMES):
        play(game, other.new_initial_state(), random.Random(seed))


def test_an_answer_is_sealed_until_all_have_answered() -> None:
    game = lw.load("goofspiel", chance="explicit", cards=3)
    state = game.choose(game.initial_state(), 2).state
    views = {str(game.observe(game.choose(state, card, "p1").state, "p2")) for card in (1, 2, 3)}
    assert len(views) == 1


def test_equal_bids_lose_the_prize() -> None:
    game = lw.load("goofspiel", chance="explicit", cards=2)
    state = game.choose(game.initial_state(), 2).state
    state = bid(game, state, {"p1": 2, "p2": 2}, ["p1", "p2"])
    state = bid(game, state, {"p1": 1, "p2": 1}, ["p2", "p1"])
    result = game.result(state)
    assert result is not None
    assert dict(result.scores) == {"p1": 0, "p2": 0}
    assert result.winners == ("p1", "p2")
