"""Mean scores: which games are about them, and 95 % intervals.

The intervals go by Student's distribution, so they are honest after a few games, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludwright import program as ir

_SURE = 1.96  # standard deviations of a 95 % interval, of a normal distribution
_FEW = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}  # the same with so many degrees of freedom

Interval = tuple[float, float]


def played_for_score(program: ir.Program) -> bool:
    """Whether the rulebook ends its game by scores and by nothing else.

    Then it matters by how much somebody wins, as in poker. Where some ending names winners, a score
    of it (1, 0 or -1) cannot be compared with the others.
    """
    return bool(program.ends) and all(end.outcome == "score" for end in program.ends)


def student(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches, with so many degrees of freedom."""
    if freedom in _FEW:
        return _FEW[freedom]
    z = _SURE
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def interval_of_sums(total: int, squares: int, count: int) -> Interval | None:
    """Of the mean of independent whole numbers, from their sum and that of their squares.

    None for fewer than two of them: one says nothing about how far they lie apart.
    """
    if count < 2:
        return None
    spread = (squares * count - total * total) / (count * (count - 1))  # the variance
    return _around(total / count, math.sqrt(spread / count), count - 1)


def interval_of_rounds(rounds: Sequence[Sequence[int]]) -> Interval | None:
    """Of the mean of numbers that depend on one another within a round, but not between rounds.

    Both bots of a round have the same cards once, so luck with them is gone from the sum of the
    round. Single games lie further apart than rounds do.
    """
    if len(rounds) < 2:
        return None
    count = sum(len(each) for each in rounds)
    mean = sum(sum(each) for each in rounds) / count
    apart = sum((sum(each) - mean * len(each)) ** 2 for each in rounds)
    error = math.sqrt(apart * len(rounds) / (len(rounds) - 1)) / count
    return _around(mean, error, len(rounds) - 1)


def _around(mean: float, error: float, freedom: int) -> Interval:
    half = student(freedom) * error
    return (mean - half, mean + half)
