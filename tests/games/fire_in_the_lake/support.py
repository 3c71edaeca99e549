"""The game, and what lies open in one of its states."""

from __future__ import annotations

from functools import cache
from typing import Any

import ludwright as lw
from ludwright.kernel.protocol.state import State

RANKS = {"us": 0, "nva": 1, "arvn": 2, "vc": 3}  # who is first in a tie


@cache
def game(engine: str = "native", period: bool = False) -> lw.Game:
    """Made once: reading the rules takes seconds, and native code for them more."""
    return lw.load("fire-in-the-lake", engine=engine, period=period)


class Table:
    """Everything that lies open, by the names of the observation."""

    def __init__(self, played: lw.Game, state: State) -> None:
        seen = played.observe(state, lw.SPECTATOR)
        self.variables: dict[str, Any] = seen["variables"]
        self.places: dict[str, Any] = seen["places"]

    def forces(self, place: str) -> list[str]:
        """The kinds of the pieces of a place."""
        return [piece["row"] for piece in self.shown(place)]

    def shown(self, place: str) -> list[dict[str, Any]]:
        """The pieces of a place; empty spaces are left out of an observation."""
        found: list[dict[str, Any]] = self.places.get(place, {}).get("pieces", [])
        return found


def margins(played: lw.Game, state: State) -> list[int]:
    """What the rulebook itself says, with the ranks of ties taken away again."""
    found = [played.score(state, seat) for seat in played.seats]
    return [((n or 0) - RANKS[seat]) // 4 for n, seat in zip(found, played.seats, strict=True)]
