"""What results say: shares and mean scores with intervals, ratings, and who is best.

Everything is computed over games in the order of their numbers, so it does not depend on the order
in which they were finished. A game that ended in a fault counts for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ludwright.bots.tournaments.playing import Outcome
from ludwright.kernel.play.trees.analysis import interval
from ludwright.simulate.averages import Interval, interval_of_rounds


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot over all its games.

    Whoever wins a game has its point; several winners share it, and so do all in a draw. A share is
    that of the points there were to win, so among n seats an even share is one nth. `games` counts
    a game once for each seat that the bot had in it.
    """

    bot: str
    games: int
    points: float
    share: float
    interval: Interval
    rating: float | None = None
    deviation: float | None = None
    # The mean of the result's `scores`, over games that were finished, and its 95 % interval by
    # rounds. None where the game is not played for its score, or too little was played.
    score: float | None = None
    score_interval: Interval | None = None


def standings(
    bots: Sequence[str], outcomes: Sequence[Outcome], by_score: bool = False
) -> list[Standing]:
    """The bots, best first: by their mean score where the game is played for it, else by share."""
    outcomes = [each for each in outcomes if not each.fault]
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
        mean, sure = scored(at, outcomes) if by_score else (None, None)
        found.append(
            Standing(
                name, games[at], points[at], share, interval(share, games[at]), mu, sigma, mean,
                sure,
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: (-(each.score or 0.0), -each.share))


def scored(bot: int, outcomes: Iterable[Outcome]) -> tuple[float | None, Interval | None]:
    """The mean score of a bot over the games that were finished, and its interval."""
    rounds: dict[int, list[int]] = {}
    for outcome in outcomes:
        own = outcome.scores_of(bot)
        if own:
            rounds.setdefault(outcome.round, []).extend(own)
    scores = [score for each in rounds.values() for score in each]
    if not scores:
        return None, None
    return sum(scores) / len(scores), interval_of_rounds(list(rounds.values()))


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
