"""Ten levels of play, from hardly better than chance to as good as it gets.

A level is a budget of simulations and a share of answers given at random. Low levels differ in how
often they blunder, high ones in how far they look.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    simulations: int
    blunders: float  # the share of decisions that are answered at random


LEVELS: tuple[Level, ...] = (
    Level(20, 0.88),
    Level(40, 0.68),
    Level(80, 0.48),
    Level(160, 0.31),
    Level(320, 0.18),
    Level(640, 0.09),
    Level(1_300, 0.03),
    Level(3_000, 0.0),
    Level(9_000, 0.0),
    Level(32_000, 0.0),
)
