"""Many random games at once, on several threads, without a word of Python in between."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ludwright.kernel.context import Refused, late
from ludwright.kernel.generator import mix
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.native import layout
from ludwright.native.engine import Context, Engine, Halted
from ludwright.native.waiting import wait_for

GAME_LIMIT = 100_000  # decisions in one game
_FEWEST, _MOST = 64, 16_384  # games a thread takes at a time

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Playouts:
    """Results of a series, by game; they depend on the seed alone."""

    scores: Numbers  # games x seats
    decisions: Numbers
    turns: Numbers
    ends: Numbers  # index into the Program's `ends`, -1 where the limit came first


def playouts(
    engine: Engine, n: int, seed: int, threads: int = 1, *, players: int | None = None,
    scenario: int = 0, limit: int = GAME_LIMIT, budget: int = SEARCH_BUDGET,
    ticks: int = TICK_LIMIT,
) -> Playouts:  # fmt: skip
    """Play `n` uniformly random games; game i is the same whatever `n` and `threads` are."""
    if n < 0 or threads < 1:
        raise ValueError("playouts needs a number of games and at least one thread")
    program = engine.program
    seats = len(program.world.seats)
    count = program.world.min_players if players is None else players
    if not program.world.min_players <= count <= seats:
        raise ValueError(f"this game is not for {count} players")
    found = Playouts(
        np.zeros((n, seats), np.int32), np.zeros(n, np.int32), np.zeros(n, np.int32),
        np.zeros(n, np.int32),
    )  # fmt: skip
    chunk = max(_FEWEST, min(_MOST, n // (8 * threads)))
    series = _Series(engine, found, chunk, seed, count, scenario)
    workers: list[Callable[[], None]] = []
    for _ in range(min(threads, max(1, n // _FEWEST))):
        context = Context(engine, layout.RANDOM, budget, ticks)
        context.slots[layout.LIMIT] = limit
        series.contexts.append(context)
        workers.append(partial(series.work, context))
    wait_for(workers, series.halt)
    if series.failure is not None:
        raise series.failure[1]
    return found


class _Series:
    def __init__(
        self, engine: Engine, found: Playouts, chunk: int, seed: int, players: int, scenario: int
    ) -> None:
        self.engine, self.found, self.chunk = engine, found, chunk
        self.n = len(found.ends)
        self.players, self.scenario = players, scenario
        mixed = mix(seed)
        self.seed = mixed - (1 << 64) if mixed >> 63 else mixed
        cells = engine.program.cells
        self.initial = (ctypes.c_int32 * cells)(*engine.program.initial)
        self.contexts: list[Context] = []
        self.failure: tuple[int, Exception] | None = None
        self._next = 0
        self._lock = threading.Lock()

    def halt(self) -> None:
        for context in self.contexts:
            context.halt[0] = 1

    def _take(self) -> tuple[int, int]:
        with self._lock:
            first = self._next
            stop = self.n if self.failure is None else min(self.n, self.failure[0])
            self._next = min(first + self.chunk, self.n)
            return first, min(first + self.chunk, stop)

    def work(self, context: Context) -> None:
        engine, found = self.engine, self.found
        state = (ctypes.c_int32 * engine.cells)()
        while True:
            first, end = self._take()
            if first >= end or context.halt[0]:
                return
            failed: int = engine.playouts(
                context.address, ctypes.addressof(state), ctypes.addressof(self.initial),
                first, end, self.seed, self.players, self.scenario,
                found.scores.ctypes.data, found.decisions.ctypes.data, found.turns.ctypes.data,
                found.ends.ctypes.data,
            )  # fmt: skip
            if failed >= 0 and not context.halt[0]:
                self._note(failed, context)
                return

    def _note(self, game: int, context: Context) -> None:
        """Of several failures the first by number counts, whatever the threads did."""
        error = self.engine.error(context)
        if isinstance(error, Refused):
            error = late(self.engine.program, error)
        if isinstance(error, Halted):
            return
        error.add_note(f"in playout {game}")
        with self._lock:
            if self.failure is None or game < self.failure[0]:
                self.failure = (game, error)
