"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """How a finished game ended, and why."""

    outcome: str  # "win", "lose", "draw", "score"
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    ranking: list[tuple[str, ...]]  # best first; seats that share a rank are in one tuple
    reason: str
