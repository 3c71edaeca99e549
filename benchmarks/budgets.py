"""Whether searches keep their time and their memory: `python -m benchmarks.budgets [GAME…]`.

In every shipped game, at positions of random games, the bot thinks for a given time. Told are the
times it took beyond that (the largest, and the 99th percentile over all), and how much memory the
process used more than before, against what the search was given. Other processes disturb the
clock: the time that the thread did not have is told as well.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from typing import Any

import ludwright

MEMORY = 32 << 20


def positions(game: Any, count: int, seed: int) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """States in the middle of random games, with their pasts."""
    found: list[tuple[Any, list[tuple[Any, Any]]]] = []
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


def resident() -> int:
    """The most memory the process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(ludwright.shipped_games()))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("-n", type=int, default=5, help="searches in each game")
    given = parser.parse_args()
    everywhere: list[float] = []
    for name in given.games:
        game = ludwright.load(name)
        tested = positions(game, given.n, 1)
        for state, past in tested[:2]:  # code is made, buffers are there
            game.search(state, seconds=0.02, memory=MEMORY, past=past)
        taken, stolen, before, none = list[float](), list[float](), resident(), 0
        for state, past in tested:
            begun, ran = time.monotonic(), time.process_time()
            found = game.search(state, seconds=given.seconds, memory=MEMORY, past=past)
            taken.append((time.monotonic() - begun) / given.seconds)
            busy = (time.process_time() - ran) / given.seconds
            stolen.append(max(0.0, taken[-1] - busy))
            none += found.worlds is not None and found.worlds.none_found
        everywhere += taken
        more = (resident() - before) / MEMORY
        print(
            f"{name}: {statistics.median(taken):.2f} of the time, at most {max(taken):.2f} "
            f"(others took {statistics.median(stolen):.2f}); {more:.2f} of the memory; "
            f"no world found {none} times",
            flush=True,
        )
    worst = sorted(everywhere)[max(0, int(0.99 * len(everywhere)) - 1)]
    print(f"all: p99 {worst:.2f} of the time given")


if __name__ == "__main__":
    main()
