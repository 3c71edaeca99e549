"""Counting move sequences with machine code."""

from __future__ import annotations

import ctypes
import threading

from ludwright.kernel import program as ir
from ludwright.kernel.choosing import Stop
from ludwright.kernel.context import Cells, Refused, late
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT, ChanceMode
from ludwright.native import layout
from ludwright.native.engine import Context, Engine
from ludwright.native.waiting import wait_for
from ludwright.native.words import flatten

REMEMBERED = 20  # bits: so many positions are kept; later ones take the place of earlier ones
_WORD = ctypes.c_int64


class Counter:
    """Counts the sequences of one Program, for one thread after another."""

    def __init__(
        self, program: ir.Program, chance: ChanceMode, budget: int = SEARCH_BUDGET,
        remembered: int = REMEMBERED, level: int = 2,
    ) -> None:  # fmt: skip
        self._engine = Engine(program, level, counting=True)
        self._lock = threading.Lock()
        # Plays on to the next decision.
        self._play = Context(self._engine, layout.STEP, budget, TICK_LIMIT)
        self._play.slots[layout.EXPLICIT] = int(chance == "explicit")
        # Follows the last part as a search does, but may itself search for a best value.
        self._last = Context(self._engine, layout.STEP, budget, TICK_LIMIT)
        self._last.slots[layout.MODE] = layout.SEARCHING
        self._last.slots[layout.COUNTING] = 1
        # Holds what the walk needs, and how it ended.
        self._walk = Context(self._engine, layout.STEP, budget, TICK_LIMIT)
        self._table = (_WORD * (layout.COUNTS_ENTRY << remembered))()
        for slot, value in (
            (layout.PLAY, self._play.address), (layout.SEARCH, self._last.address),
            (layout.COUNTS, ctypes.addressof(self._table)), (layout.COUNTS_BITS, remembered),
        ):  # fmt: skip
            self._walk.slots[slot] = value
        halt = ctypes.addressof(self._walk.halt)
        for context in (self._play, self._play.inner, self._last, self._last.inner):
            assert context is not None, "a count searches"
            context.slots[layout.HALT] = halt

    def abandon(self) -> None:
        """Never to be used again: see `Context.abandon`."""
        for context in (self._play, self._last, self._walk):
            context.abandon()

    def count(self, cells: Cells, stop: Stop, depth: int) -> int | None:
        """Sequences of `depth` parts from a stop; None if there are too many for a word."""
        with self._lock:
            return self._counted(cells, stop, depth)

    def _counted(self, cells: Cells, stop: Stop, depth: int) -> int | None:
        self._stand_at(stop)
        block = (ctypes.c_int32 * len(cells))(*cells)
        self._walk.halt[0] = 0
        found = [0]

        def work() -> None:
            found[0] = self._engine.count(self._walk.address, ctypes.addressof(block), depth)

        wait_for([work], self._halt)
        if found[0] >= 0:
            return found[0]
        if (
            self._engine.interface.error(self._walk.slots[layout.ERROR] - 1).code
            == layout.TOO_LARGE
        ):
            return None
        error = self._engine.error(self._walk)
        raise late(self._engine.program, error) if isinstance(error, Refused) else error

    def _halt(self) -> None:
        self._walk.halt[0] = 1

    def _stand_at(self, stop: Stop) -> None:
        """As if a run had just come to this stop."""
        slots, answers = self._play.slots, stop.answers
        slots[layout.STOP_KIND] = layout.STOPS.index(stop.kind)
        slots[layout.STOP_SEAT] = stop.seat
        slots[layout.PENDING] = sum(1 << seat for seat in stop.pending)
        slots[layout.DECLINE] = int(stop.can_decline)
        slots[layout.CAN_STOP] = int(stop.can_stop)
        slots[layout.COUNT] = len(answers)
        slots[layout.RANGE] = int(isinstance(answers, range))
        if isinstance(answers, range):
            slots[layout.FIRST] = answers.start
            return
        words: list[int] = []
        shape = self._engine.interface.answers[stop.pc]
        for answer in answers:
            flatten(answer, shape, words)
        self._play.offer(words)
