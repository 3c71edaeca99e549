"""An equilibrium of a small game with two seats and hidden information, by CFR+."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ludwright.bots.solving.cfr_code import REALS, WHOLE, functions
from ludwright.bots.solving.game_tree import GameTree

MOMENT = 0.1  # seconds after which Ctrl-C and the time are looked at

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Equilibrium:
    """Strategies from which neither seat can gain more than `exploitability` by leaving them."""

    value: float  # to the first seat
    exploitability: float  # the mean of what both could gain
    iterations: int
    seconds: float
    strategy: list[list[float]]  # by information set: how likely each answer is
    reached: bool = True  # the exploitability that was asked for
    interrupted: bool = False


class Cfr:
    """CFR+ on one tree."""

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree
        sizes = np.array(tree.set_sizes, np.int64)
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        self._first, self._sizes = first, sizes
        total, nodes = int(first[-1]), len(tree.kinds)
        self._arrays: dict[str, npt.NDArray[Any]] = {
            "kinds": np.array(tree.kinds, np.int64), "sets": np.array(tree.sets, np.int64),
            "first_edges": np.array(tree.first_edges, np.int64),
            "edge_counts": np.array(tree.edge_counts, np.int64),
            "children": np.array(tree.children, np.int64), "set_first": first[:-1].copy(),
            "set_sizes": sizes, "set_seats": np.array(tree.set_seats, np.int64),
            "levels": np.array(tree.levels, np.int64),
            "chances": np.array(tree.chances, np.float64),
            "worths": np.array(tree.worths, np.float64),
            **{name: np.zeros(total) for name in ("regrets", "strategy", "average")},
            **{name: np.zeros(nodes) for name in ("reach0", "reach1", "reach", "values")},
        }  # fmt: skip
        self._counts = (nodes, len(sizes), len(tree.levels) - 1)
        self._improve, self._respond = functions()
        self.iterations = 0

    def _given(self, **instead: Reals) -> list[Any]:
        arrays = {**self._arrays, **instead}
        return [*(arrays[name].ctypes.data for name in (*WHOLE, *REALS)), *self._counts]

    def improve(self, iterations: int) -> None:
        first = self.iterations + 1
        self._improve(*self._given(), first, first + iterations)
        self.iterations += iterations

    def average(self) -> Reals:
        """The average strategy of both seats."""
        sums = self._arrays["average"]
        owner = np.repeat(np.arange(len(self._sizes)), self._sizes)
        totals = np.bincount(owner, weights=sums, minlength=len(self._sizes))[owner]
        even = 1.0 / np.repeat(self._sizes, self._sizes)
        return np.where(totals > 0, sums / np.where(totals > 0, totals, 1.0), even)

    def judged(self) -> tuple[float, float]:
        """The value to the first seat, and the exploitability."""
        strategy = np.ascontiguousarray(self.average())
        best: list[float] = []
        for seat in (0, 1):
            room, values = np.zeros_like(strategy), np.zeros(self._counts[0])
            given = self._given(strategy=strategy, regrets=room, values=values)
            best.append(float(self._respond(*given, seat)))
        return (best[0] - best[1]) / 2, (best[0] + best[1]) / 2

    def strategy(self) -> list[list[float]]:
        """By information set."""
        average: list[float] = self.average().tolist()
        bounds: list[int] = self._first.tolist()
        return [average[first:end] for first, end in pairwise(bounds)]


def equilibrium(
    tree: GameTree, wanted: float, most: int = 1_000_000, seconds: float | None = None,
    progress: Callable[[int, float], None] = lambda iterations, exploitability: None,
) -> Equilibrium:  # fmt: skip
    """Iterate until nobody can gain more than `wanted`, or patience runs out.

    Ctrl-C gives what was found by then.
    """
    begun = time.monotonic()
    until = math.inf if seconds is None else begun + seconds
    cfr = Cfr(tree)
    batch, in_time, interrupted = 16, True, False
    while True:
        # Judged after the same numbers of iterations however fast the machine is.
        try:
            in_time = _improved(cfr, min(batch, most - cfr.iterations), until)
        except KeyboardInterrupt:
            interrupted = True
        value, exploitability = cfr.judged()
        progress(cfr.iterations, exploitability)
        reached = exploitability <= wanted
        if reached or interrupted or not in_time or cfr.iterations >= most:
            break
        batch = max(batch, cfr.iterations // 4)
    spent = time.monotonic() - begun
    return Equilibrium(
        value, exploitability, cfr.iterations, spent, cfr.strategy(), reached, interrupted
    )


def _improved(cfr: Cfr, iterations: int, until: float) -> bool:
    """Iterate so often, unless time runs out. Machine code cannot be interrupted, so it is asked
    for as many iterations at once as take a moment."""
    last, at_once = cfr.iterations + iterations, 1
    while cfr.iterations < last:
        begun = time.monotonic()
        cfr.improve(min(at_once, last - cfr.iterations))
        spent = time.monotonic() - begun
        if begun + spent > until:
            return False
        at_once = max(1, min(at_once * 2, int(at_once * MOMENT / max(spent, 1e-9))))
    return True
