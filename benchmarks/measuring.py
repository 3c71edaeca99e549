"""How the benchmarks measure: on one core, in processor time, both sides in turns."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence

Work = Callable[[int], int]  # does about n pieces of work and gives how many it did


def pin() -> None:
    """Stay on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rate(work: Work, seconds: float) -> float:
    """Pieces of work per second of processor time."""
    n = 1
    while True:
        start = time.process_time()
        done = work(n)
        spent = time.process_time() - start
        if spent >= seconds:
            return done / spent
        n = max(n + 1, int(n * min(50.0, 1.2 * seconds / max(spent, 1e-6))))


def rates(sides: Sequence[Work], rounds: int, seconds: float) -> list[list[float]]:
    """One list of rates per side; every round measures all sides, one after the other."""
    found: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, values in zip(sides, found, strict=True):
            values.append(rate(side, seconds))
    return found


def ratios(ours: Sequence[float], theirs: Sequence[float], scale: float = 1.0) -> str:
    """The median of the rounds' ratios, with the smallest and the largest."""
    values = [scale * a / b for a, b in zip(ours, theirs, strict=True)]
    return f"{short(statistics.median(values))} ({short(min(values))}-{short(max(values))})"


def short(value: float) -> str:
    """Three digits that matter."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def seconds_of(work: Callable[[], object], least: float = 0.02) -> float:
    """Processor time of one call; short ones are repeated, and the quickest counts."""
    times: list[float] = []
    while sum(times) < least or len(times) < 3:
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
        if times[-1] > 1.0:
            break
    return min(times)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with aligned columns."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        told = [f"{first[0]:{first[1]}s}", *(f"{cell:>{width}s}" for cell, width in rest)]
        return f"| {' | '.join(told)} |"

    rule = [f"{'':-<{widths[0]}}", *(f"{'':-<{width - 1}}:" for width in widths[1:])]
    return "\n".join([line(head), line(rule), *map(line, rows)])
