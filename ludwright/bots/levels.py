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
    Level(12, 0.95),
    Level(26, 0.73),
    Level(53, 0.56),
    Level(87, 0.42),
    Level(140, 0.31),
    Level(240, 0.21),
    Level(370, 0.14),
    Level(550, 0.09),
    Level(1_300, 0.02),
    Level(6_000, 0.0),
)
