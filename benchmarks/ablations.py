"""What each optimisation of the native engine gives: every pass switched off by itself.

    python benchmarks/ablations.py [--rounds 5] [--seconds 0.3] [--only PASS] [game ...]

A ratio of 1.25 says that the game runs 25 % faster with the pass than without it: the median of
the rounds, in which both kinds of code take turns. A dot stands where the pass changes nothing in
the code of a game.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from measuring import Work, pin, rates, table

import ludwright as lw
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Run
from ludwright.loading import shipped_games
from ludwright.native.engine import Engine
from ludwright.native.passes.switches import PASSES, Pass
from ludwright.native.perft import Counter
from ludwright.native.playouts import playouts
from ludwright.native.translate import translate
from ludwright.program import Program
from ludwright.program.limits import SEARCH_BUDGET

PLAYERS = {"texas-holdem": 4}
COUNTED_SECONDS = 0.05  # a count takes at least this long
IN_PLAYOUTS_ONLY = {"shared_setup"}  # the code is the same, but is used otherwise


def playing(program: Program, players: int | None, without: set[str]) -> Work:
    engine = Engine(program, 2, without=without)

    def work(n: int) -> int:
        playouts(engine, n, n, players=players)
        return n

    return work


def counting(program: Program, players: int | None, without: set[str]) -> Work:
    engine = Engine(program, 2, counting=True, without=without)
    machine = Machine(program)
    fresh = machine.fresh(1, players or program.world.min_players, 0)
    cells = machine.scratch(fresh, Run())
    stop = machine.start(cells)
    kept = cells[: program.cells]

    def count_to(depth: int) -> int:
        counter = Counter(engine, "generator", SEARCH_BUDGET)
        return counter.count(list(kept), stop, depth) or 0

    depth = _depth(program, players, count_to)

    def work(n: int) -> int:
        for _ in range(n):
            count_to(depth)
        return n

    return work


_depths: dict[int, int] = {}


def _depth(program: Program, players: int | None, count_to: Callable[[int], int]) -> int:
    """The same for all kinds of code of one Program: the first that takes long enough."""
    known = _depths.get(id(program))
    if known is None:
        known = 1
        while known < 12:
            start = time.process_time()
            count_to(known)
            if time.process_time() - start >= COUNTED_SECONDS:
                break
            known += 1
        _depths[id(program)] = known
    return known


KINDS = {"playouts": playing, "counts": counting}


def changes(program: Program, each: Pass) -> bool:
    """Whether a pass makes a difference to a Program."""
    if each.name in IN_PLAYOUTS_ONLY:
        return True
    counts = each.measured == "counts"
    texts = [translate(program, counting=counts, without=w).text for w in ((), (each.name,))]
    return texts[0] != texts[1]


def ratio(program: Program, each: Pass, name: str, rounds: int, seconds: float) -> float:
    make = KINDS[each.measured]
    players = PLAYERS.get(name)
    sides = [make(program, players, without) for without in (set(), {each.name})]
    on, off = rates(sides, rounds, seconds)
    return statistics.median(a / b for a, b in zip(on, off, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--only", action="append", default=[])
    given = parser.parse_args()
    pin()
    names = given.games or list(shipped_games())
    passes = [each for each in PASSES if not given.only or each.name in given.only]
    found: dict[str, dict[str, float]] = {each.name: {} for each in passes}
    for name in names:
        program = lw.load(name, engine="python").program
        for each in passes:
            if changes(program, each):
                value = ratio(program, each, name, given.rounds, given.seconds)
                found[each.name][name] = value
                print(f"{name} {each.name} {value:.2f}", flush=True)
    rows = [
        [each.name, each.measured]
        + [f"{found[each.name][name]:.2f}" if name in found[each.name] else "." for name in names]
        + [f"{max(found[each.name].values(), default=1.0):.2f}"]
        for each in passes
    ]
    print()
    print(table(["pass", "measured in", *names, "best"], rows))


if __name__ == "__main__":
    main()
