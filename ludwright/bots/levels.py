"""Ten levels of play, from hardly better than chance to as good as it gets.

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
    Level(10, 0.94),
    Level(20, 0.73),
    Level(40, 0.55),
    Level(75, 0.40),
    Level(150, 0.28),
    Level(300, 0.19),
    Level(600, 0.12),
    Level(1_300, 0.07),
    Level(3_000, 0.03),
    Level(12_000, 0.0),
)
