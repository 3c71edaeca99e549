"""The state of a game, counted again from the facts of the box."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import ludwright as lw
from ludwright.kernel.protocol.state import State
from tests.games.fire_in_the_lake.facts import FORCES, GOALS, SPACES

COIN = ("us", "arvn")
SNEAKY = ("irregular", "ranger", "guerrilla")
RANKS = {"us": 0, "nva": 1, "arvn": 2, "vc": 3}  # who is first in a tie
MARKERS = 15
MOST = 75


@cache
def game(engine: str = "native", period: bool = False) -> lw.Game:
    """Made once: reading the rules takes half a minute, and native code for them minutes."""
    return lw.load("fire-in-the-lake", engine=engine, period=period)


class Table:
    """Everything that lies open, by the names of the observation."""

    def __init__(self, played: lw.Game, state: State) -> None:
        seen = played.observe(state, lw.SPECTATOR)
        self.variables: dict[str, Any] = seen["variables"]
        self.places: dict[str, Any] = seen["places"]
        boxes = (*(f"available:{seat}" for seat in played.seats), "outOfPlay", "casualties")
        self.pieces = {
            name: [(*piece["row"].split("_"), piece) for piece in self.shown(name)]
            for name in (*SPACES, *boxes)
        }

    def shown(self, place: str) -> list[dict[str, Any]]:
        """The pieces of a place; empty spaces are left out of an observation."""
        found: list[dict[str, Any]] = self.places.get(place, {}).get("pieces", [])
        return found

    def count(self, place: str, *factions: str) -> int:
        return sum(faction in factions for faction, _, _ in self.pieces[place])

    def holder(self, space: str) -> str:
        """Who controls a city or province: 1.7 of the rules."""
        if SPACES[space][0] == "loc":
            return "none"
        friends, enemies = self.count(space, *COIN), self.count(space, "nva", "vc")
        if friends > enemies:
            return "coin"
        north = self.count(space, "nva")
        return "nva" if north > friends + enemies - north else "none"

    def population(self, holder: str) -> int:
        return sum(facts[2] for space, facts in SPACES.items() if self.holder(space) == holder)

    def mood(self, sign: int) -> int:
        """Total support, or total opposition: 1.6."""
        support: dict[str, int] = self.variables["support"]
        return sum(SPACES[s][2] * abs(n) for s, n in support.items() if n * sign > 0)

    def bases(self, faction: str) -> int:
        on_map = (piece for space in SPACES for piece in self.pieces[space])
        return sum((owner, kind) == (faction, "base") for owner, kind, _ in on_map)

    def scores(self) -> dict[str, int]:
        """7.2 and 7.3 of the rules."""
        home = [kind for _, kind, _ in self.pieces["available:us"]]
        return {
            "us": self.mood(1) + sum(kind in ("troops", "base") for kind in home),
            "arvn": self.population("coin") + self.variables["patronage"],
            "nva": self.population("nva") + self.bases("nva"),
            "vc": self.mood(-1) + self.bases("vc"),
        }

    def assert_sound(self) -> None:
        """Pieces, stacking, markers and tracks are within what the box allows."""
        everything = Counter(
            f"{faction}_{kind}" for pieces in self.pieces.values() for faction, kind, _ in pieces
        )
        assert everything == FORCES
        for space, (kind, country, people, _) in SPACES.items():
            bases = sum(type_ == "base" for _, type_, _ in self.pieces[space])
            assert bases <= (0 if kind == "loc" else 2), space
            if country == "north-vietnam":
                assert self.count(space, *COIN) == 0, space
            assert self.variables["support"][space] == 0 or people > 0, space
            assert not (kind == "loc" and self.variables["terror"][space]), space
            assert not (kind != "loc" and self.variables["sabotaged"][space]), space
        for pieces in self.pieces.values():
            for _, type_, piece in pieces:
                assert not piece["hidden"] or type_ in SNEAKY, piece
                assert not piece["tunneled"] or type_ == "base", piece
        markers = sum(self.variables["terror"].values()) + sum(self.variables["sabotaged"].values())
        assert markers <= MARKERS
        tracks = [*self.variables["resources"].values()]
        tracks += [self.variables["aid"], self.variables["patronage"]]
        assert all(0 <= n <= MOST for n in tracks)


def margins(played: lw.Game, state: State) -> list[int]:
    """What the rulebook itself says, with the ranks of ties taken away again."""
    found = [played.score(state, seat) for seat in played.seats]
    return [((n or 0) - RANKS[seat]) // 4 for n, seat in zip(found, played.seats, strict=True)]


def expected(table: Table, played: lw.Game) -> list[int]:
    scores = table.scores()
    return [scores[seat] - GOALS[seat] for seat in played.seats]
