"""Random games are counted again from the facts while they go on, and end as they should."""

from __future__ import annotations

import random

import pytest

import ludwright as lw
from ludwright.kernel.protocol.state import State
from tests.games.fire_in_the_lake.facts import DECKS, EVENTS_1964, EVENTS_1965, EVENTS_1968
from tests.games.fire_in_the_lake.support import Table, expected, game, margins
from tests.native.support import needs_native

SCENARIOS = ("short", "medium", "full")
FIRST_COUP = 125
pytestmark = [pytest.mark.long, pytest.mark.timeout(7200), needs_native]


def play(played: lw.Game, scenario: str, seed: int, every: int) -> tuple[State, list[int]]:
    """One random game, checked at every so many decisions: its end and the cards it turned up."""
    rng = random.Random(seed)
    state = played.initial_state(seed=seed, scenario=scenario)
    cards: list[int] = []
    for n in range(100_000):
        decision = played.decision(state)
        if decision is None:
            return state, cards
        assert "unknown" not in decision.legality
        if n % every == 0:
            table = Table(played, state)
            table.assert_sound()
            assert margins(played, state) == expected(table, played) or table.variables["frozen"]
            for card in table.shown("preview"):
                number = int(card["row"].split("_")[0][1:])
                if cards[-1:] != [number]:
                    cards.append(number)
        state = played.choose(state, rng.choice(decision.answers)).state
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_random_game_is_sound_from_beginning_to_end(scenario: str) -> None:
    state, cards = play(game(), scenario, seed=5, every=40)
    result = game().result(state)
    assert result is not None
    table = Table(game(), state)
    coups = table.variables["coups"]
    won = any(margin > 0 for margin in expected(table, game()))
    assert won or coups == DECKS[scenario][0]
    assert sum(number >= FIRST_COUP for number in cards) <= coups + 1  # the one to come


@pytest.mark.parametrize(
    ("scenario", "years"),
    [("short", EVENTS_1965), ("medium", EVENTS_1968), ("full", EVENTS_1964 | EVENTS_1965)],
)
def test_with_the_period_option_cards_are_of_their_years(scenario: str, years: set[int]) -> None:
    played = game(period=True)
    for seed in range(3):
        table = Table(played, played.initial_state(seed=seed, scenario=scenario))
        shown = table.shown("preview") + table.shown("showing")
        numbers = {int(card["row"].split("_")[0][1:]) for card in shown}
        assert all(number in years or number >= FIRST_COUP for number in numbers)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ten_thousand_games_end_without_a_failure(scenario: str) -> None:
    found = game().playouts(10_000, 1, scenario=scenario)
    assert found.failures == {}
