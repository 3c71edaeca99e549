"""Many random games at once, on several threads, without a word of Python in between."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ludwright.kernel import program as ir
from ludwright.kernel.context import Refused, late
from ludwright.kernel.generator import mix
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.native import layout
from ludwright.native.engine import Context, Engine, Halted
from ludwright.native.waiting import wait_for

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
    scenario: int = 0, limit: int = layout.GAME_LIMIT, budget: int = SEARCH_BUDGET,
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
    start = _Start(engine, count, scenario, budget, ticks)
    series = _Series(engine, found, chunk, seed, start)
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


class _Start:
    """The state in which all games of a series are still the same: at the first decision or draw.

    Set-up that no chance touches is done once instead of in every game.
    """

    def __init__(
        self, engine: Engine, players: int, scenario: int, budget: int, ticks: int
    ) -> None:
        program = engine.program
        block = ctypes.c_int32 * engine.cells
        self.cells = block(*program.initial)
        self.cells[ir.PLAYERS], self.cells[ir.SCENARIO] = players, scenario
        self.entry = program.entry
        context = Context(engine, layout.STEP, budget, ticks)
        context.slots[layout.EXPLICIT] = 1
        context.slots[layout.SEAT] = -1
        ahead = block(*self.cells)
        result = engine.run(ctypes.addressof(ahead), context, program.entry)
        kind = layout.STOPS[context.slots[layout.STOP_KIND]]
        if result == layout.STOPPED and kind in ("decision", "chance"):
            # otherwise there is nothing to play, or a fault for the first game to meet
            self.entry = ahead[ir.PC] + (2 * engine.size if kind == "decision" else 0)
            self.cells = ahead


class _Series:
    def __init__(
        self, engine: Engine, found: Playouts, chunk: int, seed: int, start: _Start
    ) -> None:
        self.engine, self.found, self.chunk, self.start = engine, found, chunk, start
        self.n = len(found.ends)
        mixed = mix(seed)
        self.seed = mixed - (1 << 64) if mixed >> 63 else mixed
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
                context.address, ctypes.addressof(state), ctypes.addressof(self.start.cells),
                first, end, self.seed, self.start.entry,
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
