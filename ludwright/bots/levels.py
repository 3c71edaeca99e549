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
    Level(20, 0.82),
    Level(42, 0.61),
    Level(80, 0.445),
    Level(140, 0.315),
    Level(280, 0.185),
    Level(480, 0.115),
    Level(760, 0.07),
    Level(1_300, 0.02),
    Level(8_000, 0.0),
)
