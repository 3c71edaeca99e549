"""Ten levels of play, from answers at random to as good as it gets.

A level is a budget of simulations and a share of answers given at random. Low levels differ in how
often they blunder, high ones more in how far they look. The farther one looks, the less a longer
look gives, so the steps grow wider.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    simulations: int
    blunders: float  # the share of decisions that are answered at random


LEVELS: tuple[Level, ...] = (
    Level(10, 1.0),
    Level(29, 0.71),
    Level(59, 0.52),
    Level(106, 0.38),
    Level(180, 0.265),
    Level(310, 0.173),
    Level(500, 0.115),
    Level(815, 0.064),
    Level(1_300, 0.02),
    Level(8_000, 0.0),
)
