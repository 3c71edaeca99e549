"""The kinds of searches, and where in the instructions each of them ends.

- *Completion* looks for any way to complete the part.
- *Best* looks for the largest value at the end of a `best` block, also past the end of a move.
- *Count* follows every way to complete the part, but does not carry out its effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ludwright.native import layout
from ludwright.native.codegen.llvm.module import Module


class Point(Enum):
    """Where a search may have found what it looks for."""

    BARRIER = auto()  # the chooser learns something, or chance decides
    MOVE_END = auto()
    OTHER_SEAT = auto()  # another seat decides
    SAFE_CHOICE = auto()  # whatever is answered, nothing can refuse it
    SURE = auto()  # nothing can refuse any more
    EFFECTS_ONLY = auto()  # nothing is asked or refused any more


@dataclass(frozen=True, slots=True)
class SearchMode:
    bit: int  # in the slot MODE
    ends_at: frozenset[Point]


COMPLETION = SearchMode(
    layout.COMPLETION,
    frozenset({
        Point.BARRIER, Point.MOVE_END, Point.OTHER_SEAT, Point.SAFE_CHOICE, Point.SURE,
    }),
)  # fmt: skip
BEST = SearchMode(layout.BEST, frozenset({Point.BARRIER}))
COUNT = SearchMode(
    layout.COUNT_WAYS,
    frozenset({Point.BARRIER, Point.MOVE_END, Point.OTHER_SEAT, Point.EFFECTS_ONLY}),
)


def modes_of(module: Module) -> list[SearchMode]:
    """The searches that the code of a module may be run by."""
    if not module.searches:
        return []
    best = [BEST] if module.has_best else []
    return [COMPLETION, *best, *([COUNT] if module.counting is not None else [])]
