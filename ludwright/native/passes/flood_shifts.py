"""`reach` as shifts of a whole set: all spaces take a step at once.

On a board the neighbours of a space lie at a few distances: one to the left or right of it, a row
above or below. A step of all spaces of a set in one direction is therefore a shift of its bits,
without those at the edge of the board. A flood takes steps in all directions until nothing is new.

This relies on neighbours at few distances, on spaces that fit into a few words, and on no bound for
the number of steps: then only what is reached counts, not in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_SPACES = 512
_MOST_DISTANCES = 8


@dataclass(frozen=True, slots=True)
class Shifts:
    """The steps from all spaces: by distance, the set of the spaces that have such a neighbour."""

    words: int
    steps: dict[int, int]


def shifts_of(rows: Sequence[Sequence[object]]) -> Shifts | None:
    """The neighbours of all spaces as shifts, if they lie at few distances."""
    steps: dict[int, int] = {}
    for space, row in enumerate(rows):
        for near in row:
            if not isinstance(near, int) or not 0 <= near < len(rows):
                return None
            steps[near - space] = steps.get(near - space, 0) | 1 << space
    if not 0 < len(rows) <= MOST_SPACES or len(steps) > _MOST_DISTANCES:
        return None
    return Shifts((len(rows) + 63) // 64, dict(sorted(steps.items(), key=lambda s: -s[0])))
