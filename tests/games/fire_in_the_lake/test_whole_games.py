"""Random games are counted again from the facts while they go on, and end as they should.

With every test a stretch of each war is played on the interpreter, by players who mostly pass, so
that coup rounds come soon. The long run plays whole games natively: `LUDWRIGHT_GAMES` of them in
each war, counted again at every tenth decision and at the end, and `LUDWRIGHT_PLAYOUTS` more that must only
end.
"""

from __future__ import annotations

import os
import random
from itertools import groupby
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State
from tests.games.fire_in_the_lake.facts import DECKS, EVENTS_1964, EVENTS_1965, EVENTS_1968
from tests.games.fire_in_the_lake.recount import Recount
from tests.games.fire_in_the_lake.support import Table, game
from tests.native.support import needs_native

SCENARIOS = ("short", "medium", "full")
FIRST_COUP = 125
EVERY = 10
GAMES = int(os.environ.get("LUDWRIGHT_GAMES", "20"))
FIRST = int(os.environ.get("LUDWRIGHT_FIRST_GAME", "0"))
PLAYOUTS = int(os.environ.get("LUDWRIGHT_PLAYOUTS", "1000"))
MOST = 100_000  # decisions of a game


class Play:
    """One random game from its beginning; `lazy` players pass, and decline what they can."""

    def __init__(self, played: lw.Game, scenario: str, seed: int, lazy: float = 0) -> None:
        self.game, self.scenario, self.lazy = played, scenario, lazy
        self.rng = random.Random(seed)
        self.state: State = played.initial_state(seed=seed, scenario=scenario)
        self.decisions = 0
        self.positions: list[State] = []  # every tenth

    def run(self, limit: int = MOST) -> bool:
        """Whether the game is over after so many decisions."""
        for self.decisions in range(limit):
            decision = self.game.decision(self.state)
            if decision is None:
                return True
            assert "unknown" not in decision.legality
            assert not decision.dead_end
            if self.decisions % EVERY == 0:
                self.positions.append(self.state)
            self.state = self.game.choose(self.state, self._answer(decision)).state
        return False

    def _answer(self, decision: Decision) -> Any:
        if self.rng.random() < self.lazy:
            if "pass" in decision.options:
                return "pass"
            if decision.optional:
                return None
        return self.rng.choice(decision.answers)

    def check(self) -> Recount:
        """Everything that the facts say about the positions of this war, the last included."""
        recount = Recount(self.game, [*self.positions, self.state])
        recount.assert_sound()
        recount.assert_told()
        return recount

    def assert_ended(self, recount: Recount) -> None:
        """By a victory at a coup round, or with the last coup."""
        assert self.game.result(self.state) is not None
        coups = recount.variable("coups")[-1, 0]
        won = bool((recount.margins[-1] > 0).any())
        assert won or coups == DECKS[self.scenario][0]
        turned = [card for card, _ in groupby(recount.turned_up("preview"))]
        assert sum(number >= FIRST_COUP for number in turned) <= coups + 1  # the one to come


@pytest.mark.parametrize(("scenario", "decisions"), [("short", 160), ("medium", 60), ("full", 60)])
def test_a_stretch_of_a_war_is_sound(scenario: str, decisions: int) -> None:
    play = Play(game("python"), scenario, seed=8, lazy=0.7)
    play.run(decisions)
    assert len(set(play.check().turned_up("preview"))) > 2


@pytest.mark.long
@pytest.mark.timeout(7200)
@needs_native
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_wars_are_sound_from_beginning_to_end(scenario: str) -> None:
    hurt = 0
    for seed in range(FIRST, FIRST + GAMES):
        play = Play(game(), scenario, seed)
        assert play.run(), "the game does not end"
        recount = play.check()
        play.assert_ended(recount)
        hurt += recount.count("us")[:, recount.places.index("casualties")].max()
    assert hurt > 0


@pytest.mark.long
@pytest.mark.timeout(7200)
@needs_native
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_thousands_of_wars_end_without_a_failure(scenario: str) -> None:
    assert game().playouts(PLAYOUTS, 1, scenario=scenario).failures == {}


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "years"),
    [("short", EVENTS_1965), ("medium", EVENTS_1968), ("full", EVENTS_1964 | EVENTS_1965)],
)
def test_with_the_period_option_cards_are_of_their_years(scenario: str, years: set[int]) -> None:
    played = game("python", period=True)
    for seed in range(3):
        table = Table(played, played.initial_state(seed=seed, scenario=scenario))
        shown = table.shown("preview") + table.shown("showing")
        numbers = {int(card["row"].split("_")[0][1:]) for card in shown}
        assert all(number in years or number >= FIRST_COUP for number in numbers)
