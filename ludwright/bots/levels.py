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
    Level(15, 0.88),
    Level(30, 0.69),
    Level(65, 0.49),
    Level(140, 0.31),
    Level(300, 0.17),
    Level(600, 0.08),
    Level(1_300, 0.02),
    Level(2_500, 0.0),
    Level(9_000, 0.0),
    Level(32_000, 0.0),
)
