"""Nomination whist against OpenSpiel's oh hell, deal by deal: cards, bids, tricks and points."""

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


def here(text: str) -> str | int:
    """`DT` is `TD` here; bids are numbers."""
    return int(text) if text.isdigit() else text[1] + text[0]


def play_deal(game: Game, state: State, other: Any, rng: random.Random) -> State:
    """One deal on both sides, from the first card to the last trick."""
    while not other.is_terminal():
        decision = game.decision(state)
        assert decision is not None
        chance = other.is_chance_node()
        assert decision.seat == ("chance" if chance else game.seats[other.current_player()])
        named = {here(other.action_to_string(action)): action for action in other.legal_actions()}
        assert set(decision.answers) == set(named), other
        answer = rng.choice(sorted(named, key=str))
        state = game.choose(state, answer).state
        other.apply_action(named[answer])
    return state


@pytest.mark.parametrize("players", [3, 5])
def test_lockstep_against_openspiel(players: int) -> None:
    pyspiel = peer("pyspiel")
    largest = 4
    game = lw.load("nomination-whist", chance="explicit", largest=largest)
    for seed in games(2):
        rng = random.Random(seed)
        state = game.initial_state(players=players)
        total = [0] * players
        for deal in range(largest):
            settings = {"players": players, "num_tricks_fixed": largest - deal}
            other = pyspiel.load_game("oh_hell", settings).new_initial_state()
            other.apply_action(other.legal_actions()[0])  # the number of tricks
            other.apply_action(deal % players)  # the dealer
            state = play_deal(game, state, other, rng)
            total = [a + int(b) for a, b in zip(total, other.returns(), strict=True)]
        assert scores(game, state) == total


def test_the_dealer_cannot_make_the_bids_fit() -> None:
    game = lw.load("nomination-whist", largest=2)
    state = game.initial_state(seed=1)
    for bid in (1, 0):
        state = game.choose(state, bid).state
    decision = game.decision(state)
    assert decision is not None
    assert (decision.seat, decision.answers) == ("Ada", [0, 2])
