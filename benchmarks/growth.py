"""How costs grow with work: spaces, pieces, the size of a rulebook, threads.

    python benchmarks/growth.py [spaces] [pieces] [text] [threads]

Each table ends with exponents: 1 means that twice the work takes twice the time, 0 that it takes no
longer. The rulebooks are written by `rulebooks.py`. Processor time, except for threads.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import rulebooks
from measuring import Work, rate, seconds_of, short, table

import ludwright as lw
from ludwright.native.build.llvm import optimised
from ludwright.native.engine import Engine
from ludwright.native.playouts import playouts
from ludwright.native.translate import translate
from ludwright.program import Program

SPACES = (10, 20, 50, 100, 200)
PIECES = (10, 20, 50, 100, 200, 500, 1000, 2000)
KILOBYTES = (10, 30, 100, 300, 1000)
OPTIMISED_UP_TO = 100  # KB; larger ones only say how slow LLVM is
THREAD_GAME = "connect-four"
SECONDS = 0.3


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of the line through the logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def show(
    what: str, names: Sequence[str], sizes: Sequence[int], columns: Sequence[list[float]]
) -> None:
    rows = [
        [str(size), *(short(column[at]) if at < len(column) else "" for column in columns)]
        for at, size in enumerate(sizes)
    ]
    slopes = [
        f"{exponent(sizes[-len(upper) :], upper):.2f}"
        if (upper := column[len(column) // 2 :]) and len(column) == len(sizes)
        else f"{exponent(sizes[: len(column)], column):.2f}"
        for column in columns
    ]
    print(table([what, *names], [*rows, ["exponent of the upper half", *slopes]]), flush=True)
    print()


def playing(what: str, sizes: Sequence[int], write: Callable[[int], str]) -> None:
    """Time to start a game and of one decision in random play, and of what goes before."""
    names = [
        "start µs", "decision µs", "interpreter µs", "state bytes", "check ms", "translate ms"
    ]  # fmt: skip
    columns: list[list[float]] = [[] for _ in names]
    for size in sizes:
        text = write(size)
        game = lw.load_text(text, engine="python")
        setup, decision = _native(game.program)
        measured = (
            setup, decision, 1e6 / rate(_driven(game), SECONDS),
            float(len(game.initial_state(seed=1).to_bytes())),
            1e3 * seconds_of(partial(lw.compile_text, text)),
            1e3 * seconds_of(partial(translate, game.program)),
        )  # fmt: skip
        for column, value in zip(columns, measured, strict=True):
            column.append(value)
    show(what, names, sizes, columns)


def _native(program: Program) -> tuple[float, float]:
    """Microseconds of a start and of a decision: games that end at once against whole ones."""
    engine = Engine(program)
    decisions = float(playouts(engine, 50, seed=1).decisions.mean())
    ended, whole = (1e6 / rate(partial(_play, engine, limit), SECONDS) for limit in (1, 10**6))
    return ended, (whole - ended) / (decisions - 1)


def _play(engine: Engine, limit: int, n: int) -> int:
    playouts(engine, n, seed=n, limit=limit)
    return n


def _driven(game: lw.Game) -> Work:
    """Decisions of the interpreter, from a position that is set up."""
    first = game.initial_state(seed=1)
    dice = random.Random(1)

    def work(n: int) -> int:
        state = first
        for _ in range(n):
            decision = game.decision(state)
            if decision is None:
                state = first
            else:
                state = game.choose(state, dice.choice(decision.options)).state
        return n

    return work


def texts() -> None:
    columns: list[list[float]] = [[] for _ in range(4)]
    for size in KILOBYTES:
        text = rulebooks.of_text(size * 1000)
        compilation = lw.compile_text(text)
        assert compilation.program is not None
        program = compilation.program
        columns[0].append(seconds_of(partial(lw.compile_text, text)))
        columns[1].append(seconds_of(partial(translate, program)))
        translated = translate(program).text
        columns[2].append(seconds_of(partial(optimised, translated, 0)))
        if size <= OPTIMISED_UP_TO:
            columns[3].append(seconds_of(partial(optimised, translated, 2)))
    names = ["check + compile s", "translate s", "plain code s", "optimised code s"]
    show("rulebook KB", names, KILOBYTES, columns)


def threads() -> None:
    """In seconds of the clock: how much faster several threads are than one."""
    game = lw.load(THREAD_GAME, engine="python")
    engine = Engine(game.program)
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    counts = list(range(1, cores + 1))
    games = int(rate(partial(_play, engine, 10**6), SECONDS) * 1.5)
    best = [math.inf] * cores
    for _ in range(3):
        for at, count in enumerate(counts):
            start = time.perf_counter()
            playouts(engine, games, 1, count)
            best[at] = min(best[at], time.perf_counter() - start)
    rows = [
        [str(count), short(games / spent), f"{best[0] / spent:.2f}"]
        for count, spent in zip(counts, best, strict=True)
    ]
    print(table([f"threads ({THREAD_GAME})", "games/s", "over one thread"], rows), flush=True)


PARTS: dict[str, Callable[[], None]] = {
    "spaces": lambda: playing("spaces", SPACES, rulebooks.of_spaces),
    "pieces": lambda: playing("pieces", PIECES, rulebooks.of_pieces),
    "text": texts,
    "threads": threads,
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    for part in arguments.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
