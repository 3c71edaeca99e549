"""Rock pools: points against a plain count in Python, cards that are neither lost nor made."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games

pytestmark = pytest.mark.usefixtures("engine")

SHELLS = [0, 1, 3, 6, 10, 15]
CARDS = 76
COUNTED = re.compile(r"the pool of (\w+) is worth (-?\d+),")


def pools(game: Game, state: State) -> dict[str, Counter[str]]:
    places = game.observe(state, None)["places"]
    return {
        seat: Counter(piece["row"] for piece in places[f"pool:{seat}"].get("pieces", ()))
        for seat in game.seats_in_play(state)
    }


def points(found: dict[str, Counter[str]]) -> dict[str, int]:
    """What the pools are worth, by the words of the rulebook."""
    worth = {}
    crabs = max(pool["crab"] for pool in found.values())
    weeds = max(pool["weed"] for pool in found.values())
    sharing = sum(pool["crab"] == crabs for pool in found.values())
    for seat, pool in found.items():
        total = SHELLS[min(pool["shell"], 5)] + pool["starfish"] // 2 * 5 + pool["oyster"]
        total += 4 * min(pool["oyster"], pool["pearl"])
        if crabs and pool["crab"] == crabs:
            total += 6 // sharing
        if weeds and pool["weed"] == weeds:
            total -= 4
        worth[seat] = total
    return worth


@pytest.mark.parametrize("players", [2, 5])
def test_points_and_cards_add_up(players: int) -> None:
    game = lw.load("rock-pools")
    for seed in games(2):
        rng = random.Random(seed)
        state = game.initial_state(seed=seed, players=players)
        total = dict.fromkeys(game.seats_in_play(state), 0)
        while (decision := game.decision(state)) is not None:
            step = game.choose(state, rng.choice(decision.answers), decision.seat)
            state = step.state
            shown = game.observe(state, None)
            assert sum(place["count"] for place in shown["places"].values()) == CARDS
            assert shown["shown"]["thisTide"] == points(pools(game, state))
            for text in (str(e.fields["text"]) for e in step.events() if e.kind == "said"):
                if found := COUNTED.match(text):
                    total[found[1]] += int(found[2])
        result = game.result(state)
        assert result is not None
        assert result.scores == total


def test_hands_go_left_and_then_right() -> None:
    """With three players the last card of a hand has been in all three; nobody sees another's."""
    game = lw.load("rock-pools")
    state = game.initial_state(seed=1, players=3)
    first = game.observe(state, "Ada")["places"]["hand:Ada"]["pieces"]
    for seat in ("Ada", "Ben", "Cleo"):
        decision = game.decision(state, seat)
        assert decision is not None
        state = game.choose(state, decision.answers[0], seat).state
    after = game.observe(state, "Ben")["places"]["hand:Ben"]["pieces"]
    held = Counter(piece["row"] for piece in first)
    assert sum((held - Counter(piece["row"] for piece in after)).values()) == 1
    assert game.observe(state, "Ada")["places"]["hand:Ben"] == {"count": 6}
