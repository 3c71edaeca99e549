"""Backgammon against OpenSpiel: the same dice, the same checkers to move, the same points."""

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

GAMES = 2
PASS = 25
BAR = 24
SCORING = {1: "winloss_scoring", 2: "enable_gammons", 3: "full_scoring"}
PAIRS = [(a, b) for low in range(1, 6) for high in range(low + 1, 7) for a, b in ((low, high), (high, low))]  # fmt: skip
ROLLS = [*PAIRS, *((n, n) for n in range(1, 7))]  # as OpenSpiel numbers them

Steps = tuple[tuple[int, str], ...]  # a die and where its checker starts


def steps(other: Any, dice: tuple[int, int], action: int) -> Steps:
    """What an action of OpenSpiel does: one or two checkers, in the order they move."""
    player = other.current_player()
    high_first = action < 676
    order = (max(dice), min(dice)) if high_first else (min(dice), max(dice))
    found = []
    for die, digit in zip(order, (action % 676 % 26, action % 676 // 26), strict=True):
        if digit != PASS:
            bar = f"bar:{('dark', 'light')[player]}"
            found.append((die, bar if digit == BAR else f"point{digit + 1}"))
    return tuple(found)


def longest(other: Any, player: int, dice: tuple[int, int]) -> int:
    if other.is_terminal() or other.current_player() != player:
        return 0
    return max(len(steps(other, dice, action)) for action in other.legal_actions())


def allowed(other: Any, dice: tuple[int, int]) -> dict[Steps, int]:
    """OpenSpiel's actions by what they do.

    OpenSpiel plays a double as two actions and lets the first one be any pair, even if four
    checkers could move but not after this pair; the rules of the game do not.
    """
    player = other.current_player()
    found = {steps(other, dice, action): action for action in other.legal_actions()}
    if dice[0] != dice[1]:
        return found
    total = {do: len(do) + longest(other.child(found[do]), player, dice) for do in found}
    return {do: action for do, action in found.items() if total[do] == max(total.values())}


def move(game: Game, state: State, todo: dict[Steps, int], rng: random.Random) -> tuple[State, int]:
    """One action of OpenSpiel here, step by step, with the same choices at each step."""
    for at in range(2):
        following = {do[at] for do in todo if len(do) > at}
        if not following:
            break
        decision = game.decision(state)
        assert decision is not None
        assert set(decision.options) == {die for die, _ in following}
        die = rng.choice(decision.options)
        state = game.choose(state, die).state
        decision = game.decision(state)
        assert decision is not None
        assert set(decision.options) == {origin for number, origin in following if number == die}
        origin = rng.choice(decision.options)
        state = game.choose(state, origin).state
        todo = {do: action for do, action in todo.items() if do[at] == (die, origin)}
    (action,) = todo.values()
    return state, action


def roll(game: Game, state: State, other: Any, rng: random.Random) -> tuple[State, tuple[int, int]]:
    outcome = rng.choice([action for action, _ in other.chance_outcomes()])
    opening = "X starts" in other.action_to_string(-1, 0)
    dice = ROLLS[outcome]
    shown = dice
    if opening:  # the higher die is the one of whoever begins
        shown = (max(dice), min(dice)) if outcome % 2 == 0 else (min(dice), max(dice))
    for die in shown:
        assert game.current_seat(state) == "chance"
        state = game.choose(state, die).state
    other.apply_action(outcome)
    return state, dice


def play(game: Game, other: Any, rng: random.Random) -> int:
    state = game.initial_state()
    plies = 0
    dice = (0, 0)
    while not other.is_terminal():
        plies += 1
        if other.is_chance_node():
            state, dice = roll(game, state, other, rng)
            continue
        todo = allowed(other, dice)
        if list(todo) == [()]:  # nothing can move, so here nobody is asked
            other.apply_action(todo[()])
            continue
        assert game.current_seat(state) == game.seats[other.current_player()]
        state, action = move(game, state, todo, rng)
        other.apply_action(action)
    while (decision := game.decision(state)) is not None:  # OpenSpiel stops amid the last double
        assert decision.seat != "chance"
        state = game.choose(state, decision.options[0]).state
    assert scores(game, state) == other.returns(), other
    return plies


@pytest.mark.parametrize("stakes", [1, 2, 3])
def test_lockstep_against_openspiel(stakes: int) -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("backgammon", chance="explicit", stakes=stakes)
    other = pyspiel.load_game(f"backgammon(scoring_type={SCORING[stakes]})")
    for seed in games(GAMES):
        play(game, other.new_initial_state(), random.Random(3 * seed + stakes))


def test_a_long_game_is_drawn_as_in_openspiel() -> None:
    pyspiel = peer("pyspiel")
    game = lw.load("backgammon", chance="explicit", limit=20)
    other = pyspiel.load_game("backgammon(max_player_turns=20)")
    for seed in range(4):
        play(game, other.new_initial_state(), random.Random(seed))


def test_first_turns() -> None:
    """Thirty opening rolls; a 2 and a 1 can be played in as many ways as OpenSpiel says."""
    game = lw.load("backgammon", chance="explicit")
    state = game.choose(game.choose(game.initial_state(), 2).state, 1).state
    decision = game.decision(state)
    assert decision is not None
    assert (decision.seat, tuple(decision.options)) == ("dark", (2, 1))
    state = game.choose(state, 2).state
    decision = game.decision(state)
    assert decision is not None
    assert decision.options == ("point1", "point12", "point17", "point19")
