"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """How a finished game ended, and why. Of `scores` higher is better, in every game: 1, 0 and -1
    for won, drawn and lost, or what the rulebook counts (`outcome` "score")."""

    outcome: str  # "win", "lose", "draw", "score"
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    ranking: list[tuple[str, ...]]  # best first; seats that share a rank are in one tuple
    reason: str

    def __hash__(self) -> int:
        return hash((self.outcome, self.winners, tuple(self.ranking), self.reason))
