"""Whether searches keep their time and their memory: `python -m benchmarks.budgets [GAME…]`.

In every shipped game, at positions of random games, the bot thinks for a given time. Told are the
times it took, as parts of that (the largest, and the 99th percentile over all), and how much memory
a search took at most, as a part of what it was given: all blocks and objects, used or not. While
other processes have the processor, the clock goes on: with the right to do so, this one runs before
them, and how long it had to wait is told as well. A small `--memory` shows whether what lies beside
the tree is counted too.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import ludwright
from ludwright.loading import large_games
from ludwright.native.build.background import THREAD

PRIORITY = -10  # of this process, where it may choose
Position = tuple[Any, list[tuple[Any, Any]]]  # a state and its past


def positions(game: Any, count: int, seed: int) -> list[Position]:
    """States in the middle of random games, with their pasts."""
    found: list[Position] = []
    while len(found) < count:
        pick = random.Random(f"{seed}/{len(found)}")
        state, past = game.initial_state(pick.randrange(1_000)), []
        for _ in range(pick.randrange(40)):
            decision = game.decision(state)
            if decision is None:
                break
            past.append((state, pick.choice(decision.answers)))
            state = game.choose(*past[-1]).state
        while game.decision(state) is None:
            state, _ = past.pop()
        found.append((state, past))
    return found


def taken_by(search: Callable[[], object]) -> int:
    """The most bytes that a search has had at once, whether it used them or not."""
    gc.collect()
    tracemalloc.start()
    search()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@dataclass
class Measured:
    """Searches of one game, as parts of what they were given."""

    taken: list[float] = field(default_factory=list)  # by the clock
    ran: list[float] = field(default_factory=list)  # on a processor
    memory: list[float] = field(default_factory=list)
    no_world: int = 0

    def told(self) -> str:
        waited = [max(0.0, all_ - own) for all_, own in zip(self.taken, self.ran, strict=True)]
        return (
            f"{statistics.median(self.taken):.2f} of the time, at most {max(self.taken):.2f} "
            f"(waited {statistics.median(waited):.2f}, at most {max(waited):.2f}); "
            f"{max(self.memory):.2f} of the memory; no world found {self.no_world} times"
        )


def searches(game: Any, count: int, seconds: float, memory: int) -> Measured:
    tested, found = positions(game, count, 1), Measured()
    for state, past in tested[:2]:  # code is made, what is kept for later searches is there
        game.search(state, seconds=0.02, memory=memory, past=past)
    for thread in threading.enumerate():
        if thread.name == THREAD:  # makes code, whose memory and time are not the search's
            thread.join()
    for state, past in tested:
        begun, ran = time.monotonic(), time.process_time()
        analysis = game.search(state, seconds=seconds, memory=memory, past=past)
        found.ran.append((time.process_time() - ran) / seconds)
        found.taken.append((time.monotonic() - begun) / seconds)
        found.no_world += analysis.worlds is not None and analysis.worlds.none_found
        # Counting memory takes time, so that is another search.
        think = partial(game.search, state, seconds=seconds, memory=memory, past=past)
        found.memory.append(taken_by(think) / memory)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    shipped = sorted({*ludwright.shipped_games(), *large_games()})
    parser.add_argument("games", nargs="*", default=shipped)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--memory", type=float, default=32.0, help="megabytes of each search")
    parser.add_argument("-n", type=int, default=5, help="searches in each game")
    given = parser.parse_args()
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)
    taken, ran, memory = list[float](), list[float](), list[float]()
    for name in given.games:
        game = ludwright.load(name)
        found = searches(game, given.n, given.seconds, int(given.memory * (1 << 20)))
        taken, ran, memory = taken + found.taken, ran + found.ran, memory + found.memory
        print(f"{name}: {found.told()}", flush=True)
    last = max(0, int(0.99 * len(taken)) - 1)
    print(
        f"all, {len(taken)} searches: p99 {sorted(taken)[last]:.2f} of the time, "
        f"{sorted(ran)[last]:.2f} on a processor; at most {max(memory):.2f} of the memory"
    )


if __name__ == "__main__":
    main()
