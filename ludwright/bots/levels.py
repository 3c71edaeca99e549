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
    Level(20, 0.85),
    Level(40, 0.65),
    Level(80, 0.46),
    Level(120, 0.32),
    Level(200, 0.21),
    Level(350, 0.12),
    Level(900, 0.05),
    Level(2_500, 0.01),
    Level(8_000, 0.0),
    Level(32_000, 0.0),
)
