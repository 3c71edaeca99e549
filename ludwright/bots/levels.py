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
    Level(25, 0.76),
    Level(45, 0.595),
    Level(77, 0.46),
    Level(122, 0.35),
    Level(200, 0.25),
    Level(366, 0.156),
    Level(620, 0.09),
    Level(1_300, 0.02),
    Level(8_000, 0.0),
)
