"""What a tree search has found, before anybody has given it names."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.play.trees.settings import WIDEST

Answer = Any  # as the kernel holds it


@dataclass(slots=True)
class Explored:
    """Of each answer at the root: how often it was tried, and what came of it for every seat."""

    answers: list[Answer]
    visits: list[int]
    sums: list[list[int]]  # by answer, by seat
    proven: list[list[int] | None]  # by answer: the exact values, where they are known
    solved: list[int] | None = None  # the exact values of the position
    line: list[Answer] = field(default_factory=list)
    simulations: int = 0
    decisions: int = 0  # made in playouts
    nodes: int = 0
    full: bool = False  # the memory was used up: the tree stopped growing
    interrupted: bool = False

    def add(self, other: Explored) -> None:
        """What another thread has found about the same position."""
        for at in range(len(self.answers)):
            self.visits[at] += other.visits[at]
            self.sums[at] = [a + b for a, b in zip(self.sums[at], other.sums[at], strict=True)]
            self.proven[at] = self.proven[at] or other.proven[at]
        self.solved = self.solved or other.solved
        self.line = max(self.line, other.line, key=len)
        self.simulations += other.simulations
        self.decisions += other.decisions
        self.nodes += other.nodes
        self.full = self.full or other.full
        self.interrupted = self.interrupted or other.interrupted


def all_answers(stop: Stop, skip: Container[int] = ()) -> list[Answer]:
    """What a node looks at: the answers offered, evenly thinned if there are very many, then the
    one that takes nothing or ends the picks. Where a decision is to be skipped, only the first."""
    offered: Sequence[Answer] = stop.answers
    count = len(offered)
    listed = list(offered) if count <= WIDEST else []
    if count > WIDEST:
        listed = [offered[at * (count - 1) // (WIDEST - 1)] for at in range(WIDEST)]
    if stop.can_decline:
        listed.append(DECLINE)
    if stop.can_stop:
        listed.append(STOP)
    return listed[:1] if stop.pc in skip else listed
