"""The three beginnings, as printed; nothing is played, so the interpreter is enough."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.fire_in_the_lake.facts import BOXES, CONTROL, DECKS, PRINTED
from tests.games.fire_in_the_lake.recount import SEATS, Recount
from tests.games.fire_in_the_lake.support import Table, game, margins

SCENARIOS = ("short", "medium", "full")
EVENTS, FIRST_COUP = 120, 125


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_start_scores_are_as_printed(scenario: str) -> None:
    played = game("python")
    state = played.initial_state(seed=1, scenario=scenario)
    recount = Recount(played, [state])
    recount.assert_sound()
    recount.assert_told()
    assert recount.scores[0].tolist() == [PRINTED[scenario][seat] for seat in SEATS]
    assert margins(played, state) == recount.margins[0].tolist()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_boxes_and_control_are_as_printed(scenario: str) -> None:
    played = game("python")
    state = played.initial_state(seed=1, scenario=scenario)
    table, recount = Table(played, state), Recount(played, [state])
    assert Counter(table.forces("outOfPlay")) == BOXES[scenario]["out"]
    home = [force for seat in SEATS for force in table.forces(f"available:{seat}")]
    assert Counter(home) == BOXES[scenario]["available"]
    held = {"coin": recount.coin_control, "nva": recount.nva_control}
    for holder, spaces in CONTROL[scenario].items():
        assert {recount.places[at] for at in held[holder][0].nonzero()[0]} == spaces


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_deck_has_its_piles(scenario: str) -> None:
    """Two cards have been turned up: the current one and the one to come."""
    table = Table(game("python"), game("python").initial_state(seed=1, scenario=scenario))
    piles, events = DECKS[scenario]
    sizes = [table.places[f"pile:{n}"]["count"] for n in range(1, 7)]
    assert sizes == [events - 1] + [events + 1] * (piles - 1) + [0] * (6 - piles)
    leaders = {"short": 2, "medium": 3, "full": 0}
    assert table.places["leaderBox"]["count"] == leaders[scenario]
    held = [table.places[f"pivotal:{seat}"]["count"] for seat in ("us", "arvn", "nva", "vc")]
    assert held == [0 if scenario == "short" else 1] * 4


# the coups that are shuffled into the piles, by number; in the short war one failed attempt is out
SHUFFLED_IN = {
    "short": {127, 128, 130},
    "medium": {128, 129, 130},
    "full": {125, 126, 127, 128, 129, 130},
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_pile_hides_one_coup_and_no_card_lies_twice(scenario: str) -> None:
    played = game("python")
    state = played.initial_state(seed=2, scenario=scenario)
    places = played.observe(state, None)["places"]

    def numbers(place: str) -> list[int]:
        cards = places.get(place, {"pieces": []})["pieces"]
        return [int(card["row"].split("_")[0][1:]) for card in cards]

    piles, events = DECKS[scenario]
    decks = [numbers(f"pile:{n}") for n in range(1, piles + 1)]
    decks[0] += numbers("showing") + numbers("preview")  # these two were on top
    coups = [number for deck in decks for number in deck if number >= FIRST_COUP]
    assert set(coups) == SHUFFLED_IN[scenario]
    assert all(sum(number >= FIRST_COUP for number in deck) == 1 for deck in decks)
    dealt = [number for deck in decks for number in deck if number < FIRST_COUP]
    assert len(dealt) == len(set(dealt)) == piles * events
    assert max(dealt) <= EVENTS
    assert len(set(dealt) | set(numbers("pool"))) == EVENTS
