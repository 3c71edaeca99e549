"""What results say: shares with intervals, ratings, and whether a question is decided.

Everything is computed over games in the order of their numbers, so it does not depend on the order
in which they were finished.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ludwright.bots.tournament.playing import Outcome
from ludwright.errors import LudwrightError
from ludwright.kernel.play.trees.analysis import interval


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot over all its games; a share is that of the points there were to win."""

    bot: str
    games: int
    points: float
    share: float
    interval: tuple[float, float]
    rating: float | None = None
    deviation: float | None = None


def standings(bots: Sequence[str], outcomes: Sequence[Outcome]) -> list[Standing]:
    """The bots, best first."""
    games, points = [0] * len(bots), [0.0] * len(bots)
    for outcome in outcomes:
        for bot, own in zip(outcome.seats, outcome.points, strict=True):
            games[bot] += 1
            points[bot] += own
    rated = ratings(bots, outcomes)
    found: list[Standing] = []
    for at, name in enumerate(bots):
        share = points[at] / games[at] if games[at] else 0.0
        mu, sigma = rated[at] if rated is not None else (None, None)
        found.append(
            Standing(name, games[at], points[at], share, interval(share, games[at]), mu, sigma)
        )
    return sorted(found, key=lambda each: -each.share)


def ratings(bots: Sequence[str], outcomes: Iterable[Outcome]) -> list[tuple[float, float]] | None:
    """Plackett-Luce ratings; None where the package `openskill` is not installed."""
    try:
        models: Any = import_module("openskill.models")
    except ImportError:
        return None
    model = models.PlackettLuce()
    rated = [model.rating(name=name) for name in bots]
    for outcome in outcomes:
        if len(set(outcome.seats)) < len(outcome.seats):
            continue  # a bot that plays against itself learns nothing about itself
        teams = [[rated[bot]] for bot in outcome.seats]
        new = model.rate(teams, ranks=[float(rank) for rank in outcome.ranks])
        for bot, (own,) in zip(outcome.seats, new, strict=True):
            rated[bot] = own
    return [(each.mu, each.sigma) for each in rated]


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the first of two bots wins a larger share than `low`: `high`, say.

    A sequential probability ratio test with errors of 5 %: games are played until it is decided.
    """

    low: float = 0.5
    high: float = 0.55
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise LudwrightError("a question needs shares 0 < low < high < 1")

    def verdict(self, outcomes: Sequence[Outcome]) -> tuple[str, float]:
        """`yes`, `no` or nothing yet, and the log-likelihood ratio."""
        shares = [
            sum(own for bot, own in zip(each.seats, each.points, strict=True) if bot == 0)
            for each in outcomes
        ]
        ratio = self._ratio(shares)
        bound = math.log((1 - self.error) / self.error)
        return ("yes" if ratio >= bound else "no" if ratio <= -bound else ""), ratio

    def _ratio(self, shares: Sequence[float]) -> float:
        """Of a normal approximation; half a win and half a loss more keep the variance sensible."""
        n = len(shares) + 1
        mean = (sum(shares) + 0.5) / n
        variance = (sum(each * each for each in shares) + 0.5) / n - mean * mean
        if len(shares) < 8 or variance <= 0:
            return 0.0
        middle = (self.low + self.high) / 2
        return n * (self.high - self.low) * (mean - middle) / variance

    def decided_at(self, outcomes: Sequence[Outcome], step: int) -> int | None:
        """After how many games, in whole rounds of `step`, the question is decided."""
        for count in range(step, len(outcomes) + 1, step):
            if self.verdict(outcomes[:count])[0]:
                return count
        return None
