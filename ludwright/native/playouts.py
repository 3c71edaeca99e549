"""Many random games in several threads, played entirely in native code."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from functools import partial

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.run import Refused, late_refusal
from ludwright.kernel.play.playouts import FAILED, Playouts, find_winners, no_results, note
from ludwright.kernel.protocol.arguments import THREADS, counted, players_of, whole
from ludwright.native import layout
from ludwright.native.engine import Context, Engine, aligned
from ludwright.native.workers import wait_for
from ludwright.program.limits import GAME_LIMIT, SEARCH_BUDGET, TICK_LIMIT
from ludwright.program.rng import mix

_SMALLEST_CHUNK, _LARGEST_CHUNK = 64, 16_384  # games that a thread takes at a time


def playouts(
    engine: Engine, n: int, seed: int, threads: int = 1, *, players: int | None = None,
    scenario: int = 0, limit: int = GAME_LIMIT, budget: int = SEARCH_BUDGET,
    ticks: int = TICK_LIMIT, finals: bool = False, first: int = 0, go_on: bool = False,
    cells: Sequence[int] | None = None,
) -> Playouts:  # fmt: skip
    """Play `n` uniformly random games, numbered from `first` on, from `cells` if there are any.

    A game depends on the seed and its number alone. The first failure is raised, unless the series
    is to `go_on`: then all failures are collected beside the results of the other games.
    """
    if engine.playouts is None:
        raise ValueError("this code plays no whole games: make an Engine without `events`")
    program = engine.program
    n, first, limit = counted("n", n), counted("first", first), counted("limit", limit)
    seed, threads = whole("seed", seed), whole("threads", threads, 1, THREADS)
    count = players_of(program.world, players) if cells is None else cells[ir.PLAYERS]
    whole("scenario", scenario, 0, max(0, len(program.scenarios) - 1))
    found = no_results(program, n, finals)
    if cells is not None and cells[ir.OVER]:
        for at in range(n):
            note(program, found, at, cells, 0, 0)
        find_winners(program, found, count)
        return found
    chunk = max(_SMALLEST_CHUNK, min(_LARGEST_CHUNK, n // (8 * threads)))
    start = _Start(engine, count, scenario, budget, ticks, cells)
    series = _Series(engine, found, chunk, seed, start, first, go_on)
    workers: list[Callable[[], None]] = []
    for _ in range(min(threads, max(1, n // _SMALLEST_CHUNK))):
        context = Context(engine, layout.RANDOM, budget, ticks)
        context.slots[layout.LIMIT] = limit
        series.contexts.append(context)
        workers.append(partial(series.work, context))
    wait_for(workers, series.halt)
    if found.failures and not go_on:
        raise found.failures[min(found.failures)]
    return found


class _Start:
    """The state in which all games of a series are still the same: at the first decision or draw.

    So the part of set-up that comes before any chance is done once, not in every game. This relies
    on set-up being the same for every seed up to the first draw.
    """

    def __init__(
        self, engine: Engine, players: int, scenario: int, budget: int, ticks: int,
        cells: Sequence[int] | None,
    ) -> None:  # fmt: skip
        program = engine.program
        block = ctypes.c_int32 * engine.cells
        if cells is not None:
            self.cells = block(*cells)
            pc = cells[ir.PC]
            asked = isinstance(program.code[pc], ir.Choose)
            self.entry = engine.entries.offer(pc) if asked else pc
            return
        self.cells = block(*program.initial)
        self.cells[ir.PLAYERS], self.cells[ir.SCENARIO] = players, scenario
        self.entry = program.entry
        context = Context(engine, layout.STEP, budget, ticks, asks=True)
        context.slots[layout.EXPLICIT] = 1
        context.slots[layout.SEAT] = -1
        ahead = block(*self.cells)
        result = engine.run(ctypes.addressof(ahead), context, program.entry)
        context.raise_signal()
        kind = layout.STOPS[context.slots[layout.STOP_KIND]]
        shared = "shared_setup" not in engine.without
        if shared and result == layout.STOPPED and kind in ("decision", "chance"):
            # otherwise there is nothing to play, or the first game is to meet the fault
            pc = ahead[ir.PC]
            self.entry = engine.entries.offer(pc) if kind == "decision" else pc
            self.cells = ahead


class _Series:
    def __init__(
        self, engine: Engine, found: Playouts, chunk: int, seed: int, start: _Start, first: int,
        go_on: bool,
    ) -> None:  # fmt: skip
        self.engine, self.found, self.chunk, self.start = engine, found, chunk, start
        self.base = first
        self.end = first + len(found.ends)
        mixed = mix(seed)
        self.seed = mixed - (1 << 64) if mixed >> 63 else mixed
        self.contexts: list[Context] = []
        self.go_on = go_on
        self._next = first
        self._lock = threading.Lock()

    def halt(self) -> None:
        for context in self.contexts:
            context.halt[0] = 1

    def _take(self) -> tuple[int, int]:
        with self._lock:
            first = self._next
            stop = self.end
            if not self.go_on:
                stop = min(self.found.failures, default=self.end)
            self._next = min(first + self.chunk, self.end)
            return first, min(first + self.chunk, stop)

    def work(self, context: Context) -> None:
        engine, found = self.engine, self.found
        state = aligned(ctypes.c_int32, engine.cells)
        first = end = 0
        while True:
            if first >= end:
                first, end = self._take()
            if first >= end or self._halted(context):
                return
            failed: int = engine.playouts(
                context.address, ctypes.addressof(state), ctypes.addressof(self.start.cells),
                first, end, self.base, self.seed, self.start.entry,
                found.scores.ctypes.data, found.ranks.ctypes.data, found.winners.ctypes.data,
                found.decisions.ctypes.data, found.moves.ctypes.data, found.turns.ctypes.data,
                found.ends.ctypes.data,
                None if found.finals is None else found.finals.ctypes.data,
            )  # fmt: skip
            first = end
            if failed >= 0 and not self._halted(context):
                self._note(failed, context)
                if not self.go_on:
                    return
                first = failed + 1

    def _halted(self, context: Context) -> bool:
        return bool(context.halt[0])  # another thread may set it at any time

    def _note(self, game: int, context: Context) -> None:
        error = self.engine.error(context)
        if isinstance(error, Refused):
            error = late_refusal(self.engine.program, error)
        if not isinstance(error, LudwrightError):
            return  # halted
        error.add_note(f"in playout {game}")
        with self._lock:
            self.found.failures[game] = error
        self.found.ends[game - self.base] = FAILED
