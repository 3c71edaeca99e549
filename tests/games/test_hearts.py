"""Hearts against OpenSpiel: the same cards, the same playable cards, the same points."""

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

GAMES = 12
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]  # as OpenSpiel numbers them
PASSED = 3


def deal(game: Game, state: State, other: Any, rng: random.Random) -> State:
    """The direction of passing and 52 cards; the last card is no chance any more."""
    first = True
    while other.is_chance_node():
        action = rng.choice(other.legal_actions())
        option = action if first else CARDS[action]
        if game.current_seat(state) == "chance":
            state = game.choose(state, option).state
        other.apply_action(action)
        first = False
    return state


def passes(game: Game, state: State, other: Any, rng: random.Random) -> State:
    """OpenSpiel asks one player after the other, card by card; here all choose in secret."""
    for number, seat in enumerate(game.seats):
        decision = game.decision(state, seat)
        assert decision is not None
        assert decision.together[0] == seat
        assert other.current_player() == number
        held = [CARDS[action] for action in other.legal_actions()]
        given = rng.sample(held, PASSED)
        for card in given:
            other.apply_action(CARDS.index(card))
        state = game.choose(state, given, seat).state
    return state


def play(game: Game, other: Any, rng: random.Random) -> None:
    state = deal(game, game.initial_state(), other, rng)
    decision = game.decision(state)
    if decision is not None and decision.together:
        state = passes(game, state, other, rng)
    for _ in CARDS:
        decision = game.decision(state)
        assert decision is not None
        assert decision.seat == game.seats[other.current_player()]
        named = {CARDS[action]: action for action in other.legal_actions()}
        assert set(decision.answers) == set(named), other
        card = rng.choice(sorted(named))
        state = game.choose(state, card).state
        other.apply_action(named[card])
    assert other.is_terminal()
    assert scores(game, state) == other.returns(), other


def test_lockstep_against_openspiel() -> None:
    other = peer("pyspiel").load_game("hearts")
    game = lw.load("hearts", chance="explicit")
    for seed in games(GAMES):
        play(game, other.new_initial_state(), random.Random(seed))


def test_points_of_several_deals_add_up() -> None:
    game = lw.load("hearts", deals=3)
    rng = random.Random(1)
    state = game.initial_state(seed=1)
    directions = set()
    while (decision := game.decision(state)) is not None:
        directions.add(game.observe(state, None)["variables"]["passing"])
        state = game.choose(state, rng.choice(decision.answers), decision.seat).state
    lost = sum(26 * 3 - score for score in scores(game, state))
    assert lost in (26 * 3, 26 * 5, 26 * 7, 26 * 9)
    assert len(directions) == 3


def test_shooting_the_moon_costs_the_others() -> None:
    """North holds all clubs, so nobody else can ever take a trick."""
    game = lw.load("hearts", chance="explicit")
    state = game.choose(game.initial_state(), 0).state
    for card in CARDS[:-1]:
        state = game.choose(state, card).state
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, decision.answers[0]).state
    assert scores(game, state) == [26, 0, 0, 0]


def test_hands_are_hidden() -> None:
    game = lw.load("hearts")
    state = game.initial_state(seed=3)
    places = game.observe(state, "North")["places"]
    assert places["hand:East"] == {"count": 13}
    assert len(places["hand:North"]["pieces"]) == 13
