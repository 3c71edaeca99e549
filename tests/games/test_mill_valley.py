"""Mill valley against a plain model in Python, which reads the same file of buildings."""

from __future__ import annotations

import csv
import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games

pytestmark = pytest.mark.usefixtures("engine")

GOODS: tuple[str, ...] = ("grain", "timber", "stone")
LIMIT, GOAL, ROUNDS = 9, 12, 50


def buildings() -> dict[str, dict[str, str]]:
    path = lw.shipped_games()["mill-valley"].parent / "buildings.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


BUILDINGS = buildings()


class Family:
    def __init__(self) -> None:
        self.goods: dict[str, int] = dict.fromkeys(GOODS, 0)
        self.built: list[str] = []

    def add(self, good: str, number: int = 1) -> None:
        self.goods[good] = min(LIMIT, self.goods[good] + number)

    def produce(self) -> None:
        for name in self.built:
            if BUILDINGS[name]["makes"]:
                self.add(BUILDINGS[name]["makes"])

    def cost(self, name: str) -> dict[str, int]:
        spared = [BUILDINGS[own]["spares"] for own in self.built]
        return {good: max(0, int(BUILDINGS[name][good]) - spared.count(good)) for good in GOODS}

    def points(self) -> int:
        return sum(int(BUILDINGS[name]["points"]) for name in self.built)

    def moves(self, plans: set[str]) -> set[str]:
        found = {f"gather {a} {b}" for i, a in enumerate(GOODS) for b in GOODS[i:]}
        for give in GOODS:
            if self.goods[give] >= 2:
                found |= {f"trade {give} for {take}" for take in GOODS if take != give}
        for name in plans:
            if all(self.goods[good] >= price for good, price in self.cost(name).items()):
                found.add(f"build {BUILDINGS[name]['title']}")
        return found

    def play(self, text: str) -> None:
        word, rest = text.split(" ", 1)
        if word == "gather":
            for good in rest.split():
                self.add(good)
        elif word == "trade":
            give, _, take = rest.split()
            self.goods[give] -= 2
            self.add(take)
        else:
            name = next(one for one, row in BUILDINGS.items() if row["title"] == rest)
            for good, price in self.cost(name).items():
                self.goods[good] -= price
            self.built.append(name)


def plans(game: Game, state: State) -> set[str]:
    shown: dict[str, Any] = game.observe(state, None)["places"]["plans"]
    return {piece["row"] for piece in shown.get("pieces", ())}


@pytest.mark.parametrize("players", [2, 4])
def test_it_follows_its_model(players: int) -> None:
    game = lw.load("mill-valley")
    for seed in games(1):
        rng = random.Random(seed)
        state = game.initial_state(seed=seed, players=players)
        families = {seat: Family() for seat in game.seats_in_play(state)}
        for _ in range(ROUNDS):
            for seat, family in families.items():
                family.produce()
                moves = {game.notation(state, move): move for move in game.legal_moves(state)}
                assert (game.current_seat(state), set(moves)) == (
                    seat, family.moves(plans(game, state)),
                )  # fmt: skip
                build = [text for text in sorted(moves) if text.startswith("build")]
                text = rng.choice(build or sorted(moves))
                state = game.apply_move(state, moves[text]).state
                family.play(text)
            if any(family.points() >= GOAL for family in families.values()):
                break
        result = game.result(state)
        assert result is not None
        assert result.scores == {seat: family.points() for seat, family in families.items()}
        best = max((one.points(), sum(one.goods.values())) for one in families.values())
        assert set(result.winners) == {
            seat
            for seat, one in families.items()
            if (one.points(), sum(one.goods.values())) == best
        }
