"""Decisions per second of the Python interpreter, for every shipped game.

    python benchmarks/interpreter.py [seconds per game]

Machines differ and are noisy: compare ratios of one run, for which a fixed loop of plain Python
is timed along.
"""

from __future__ import annotations

import random
import sys
import time

import ludwright as lw
from ludwright.kernel.protocol.decision import Decision


def plain_python(seconds: float = 0.3) -> float:
    """Thousand list reads and additions per second: a yardstick for this machine, now."""
    cells = list(range(100))
    rounds, total = 0, 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for index in range(100):
            total += cells[index]
        rounds += 1
    return rounds * 100 / seconds / 1000


def answer(decision: Decision, dice: random.Random) -> object:
    count = len(decision.options)
    pick = dice.randrange(count + decision.optional + decision.can_stop)
    if pick < count:
        return decision.options[pick]
    return None if decision.optional else lw.STOP


def measure(name: str, seconds: float) -> tuple[float, float]:
    game = lw.load(name, engine="python")
    dice = random.Random(1)
    decisions = games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.initial_state(seed=games)
        while (decision := game.decision(state)) is not None:
            state = game.choose(state, answer(decision, dice)).state
            decisions += 1
        games += 1
    return decisions / (time.perf_counter() - start), decisions / games


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(f"{'game':14} {'decisions/s':>12} {'per game':>9} {'per plain-Python unit':>22}")
    for name in lw.shipped_games():
        yardstick = plain_python()
        rate, length = measure(name, seconds)
        print(f"{name:14} {rate:12,.0f} {length:9.1f} {rate / yardstick:22.2f}")


if __name__ == "__main__":
    main()
