"""Where a program waits: for a seat, for chance, or for nothing because the game is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from ludwright import program as ir

STOP: Final = "__stop"  # the answer that ends the picks of a chooseN
DECLINE: Final = None  # the answer that takes nothing of an optional choice


@dataclass(slots=True)
class Stop:
    """A stop of the program, with answers as the kernel holds them."""

    kind: str  # "decision", "chance" or "over"
    pc: int = -1
    choice: ir.Choice | None = None  # of a decision
    seat: int = -1
    answers: Sequence[Any] = ()
    unknown: frozenset[int] = frozenset()  # positions among the answers the budget left open
    can_decline: bool = False
    can_stop: bool = False
    minimum: int = 1
    maximum: int = 1
    picked: tuple[Any, ...] = ()
    pending: tuple[int, ...] = ()  # sealed: the seats that have not answered
    dead_end: bool = False
    weights: tuple[int, ...] = ()

    def alternatives(self) -> Iterator[Any]:
        """Everything that may be answered. A search tries the short ways first; it may never come
        to the end of a range, so nothing is listed."""
        first: list[Any] = []
        if self.can_decline:
            first.append(DECLINE)
        if self.can_stop:
            first.append(STOP)
        return chain(first, self.answers)
