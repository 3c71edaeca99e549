"""Many random games at once, on several threads, without a word of Python in between."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from ludwright.errors import LudwrightError
from ludwright.kernel import program as ir
from ludwright.kernel.arguments import THREADS, counted, players_of, whole
from ludwright.kernel.context import Refused, late
from ludwright.kernel.generator import mix
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.native import layout
from ludwright.native.engine import Context, Engine
from ludwright.native.waiting import wait_for

_FEWEST, _MOST = 64, 16_384  # games a thread takes at a time

FAILED = -2  # among `Playouts.ends`

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Playouts:
    """Results of a series, by game; they depend on the seed alone."""

    scores: Numbers  # games x seats
    ranks: Numbers  # games x seats; 1 is best
    winners: npt.NDArray[np.bool_]  # games x seats
    decisions: Numbers
    moves: Numbers
    turns: Numbers
    # how a game ended: index into the Program's `ends`, -1: the limit came first, -2: it failed
    ends: Numbers
    finals: Numbers | None = None  # games x cells: the last states, where they are wanted
    failures: dict[int, LudwrightError] = field(default_factory=dict)  # by number of the game


def playouts(
    engine: Engine, n: int, seed: int, threads: int = 1, *, players: int | None = None,
    scenario: int = 0, limit: int = layout.GAME_LIMIT, budget: int = SEARCH_BUDGET,
    ticks: int = TICK_LIMIT, finals: bool = False, first: int = 0, go_on: bool = False,
) -> Playouts:  # fmt: skip
    """Play `n` uniformly random games from number `first` on.

    A game depends on the seed and its number, whatever `n` and `threads` are. The first failure
    is raised; to `go_on` keeps all of them beside the results of the others.
    """
    program = engine.program
    n, first, limit = counted("n", n), counted("first", first), counted("limit", limit)
    seed, threads = whole("seed", seed), whole("threads", threads, 1, THREADS)
    count, seats = players_of(program.world, players), len(program.world.seats)
    whole("scenario", scenario, 0, max(0, len(program.scenarios) - 1))
    per_game = [np.zeros(n, np.int32) for _ in range(4)]
    found = Playouts(
        np.zeros((n, seats), np.int32), np.zeros((n, seats), np.int32),
        np.zeros((n, seats), np.bool_), per_game[0], per_game[1], per_game[2], per_game[3],
        np.zeros((n, program.cells), np.int32) if finals else None,
    )  # fmt: skip
    chunk = max(_FEWEST, min(_MOST, n // (8 * threads)))
    start = _Start(engine, count, scenario, budget, ticks)
    series = _Series(engine, found, chunk, seed, start, first, go_on)
    workers: list[Callable[[], None]] = []
    for _ in range(min(threads, max(1, n // _FEWEST))):
        context = Context(engine, layout.RANDOM, budget, ticks)
        context.slots[layout.LIMIT] = limit
        series.contexts.append(context)
        workers.append(partial(series.work, context))
    wait_for(workers, series.halt)
    if found.failures and not go_on:
        raise found.failures[min(found.failures)]
    _find_winners(program, found, count)
    return found


def _find_winners(program: ir.Program, found: Playouts, players: int) -> None:
    """As `results` does: the first of the ranking, unless it is a draw of all."""
    if not len(found.ends):
        return
    ranks = found.ranks[:, :players]
    draws = [number for number, end in enumerate(program.ends) if end.outcome == "draw"]
    level = (ranks == ranks[:, :1]).all(axis=1) & np.isin(found.ends, draws)
    decided = (found.ends >= 0) & ~level
    best = ranks == ranks.min(axis=1, keepdims=True)
    found.winners[:, :players] = best & decided[:, None]


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
        context = Context(engine, layout.STEP, budget, ticks, asks=True)
        context.slots[layout.EXPLICIT] = 1
        context.slots[layout.SEAT] = -1
        ahead = block(*self.cells)
        result = engine.run(ctypes.addressof(ahead), context, program.entry)
        context.raise_signal()
        kind = layout.STOPS[context.slots[layout.STOP_KIND]]
        if result == layout.STOPPED and kind in ("decision", "chance"):
            # otherwise there is nothing to play, or a fault for the first game to meet
            self.entry = ahead[ir.PC] + (2 * engine.size if kind == "decision" else 0)
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
        state = (ctypes.c_int32 * engine.cells)()
        first = end = 0
        while True:
            if first >= end:
                first, end = self._take()
            if first >= end or self._halted(context):
                return
            failed: int = engine.playouts(
                context.address, ctypes.addressof(state), ctypes.addressof(self.start.cells),
                first, end, self.base, self.seed, self.start.entry,
                found.scores.ctypes.data, found.ranks.ctypes.data, found.decisions.ctypes.data,
                found.moves.ctypes.data, found.turns.ctypes.data, found.ends.ctypes.data,
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
            error = late(self.engine.program, error)
        if not isinstance(error, LudwrightError):
            return  # halted
        error.add_note(f"in playout {game}")
        with self._lock:
            self.found.failures[game] = error
        self.found.ends[game - self.base] = FAILED
