"""Counting move sequences with machine code."""

from __future__ import annotations

import ctypes
import threading

from ludwright.forking import in_copies_renewed
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.interpreter.run import Cells, Refused, late_refusal
from ludwright.kernel.interpreter.stop import Stop
from ludwright.native import layout
from ludwright.native.analysis.words import flatten
from ludwright.native.engine import Context, Engine
from ludwright.native.workers import wait_for
from ludwright.program.limits import SEARCH_BUDGET, TICK_LIMIT

MEMO_BITS = 20  # of the number of positions in the table; later ones replace earlier ones
_WORD = ctypes.c_int64


class Counter:
    """Counts the sequences of one Program, for one thread at a time."""

    def __init__(
        self, engine: Engine, chance: ChanceMode, budget: int = SEARCH_BUDGET,
        memo_bits: int = MEMO_BITS,
    ) -> None:  # fmt: skip
        """`engine` has code for counting."""
        self._engine = engine
        self._chance, self._budget, self._memo_bits = chance, budget, memo_bits
        self._prepare()
        in_copies_renewed(self)

    def _prepare(self) -> None:
        budget, memo_bits = self._budget, self._memo_bits
        self._lock = threading.Lock()
        # Plays on to the next decision.
        self._play = Context(self._engine, layout.STEP, budget, TICK_LIMIT)
        self._play.slots[layout.EXPLICIT] = int(self._chance == "explicit")
        # Follows the last part like a search, but may itself search for a best value.
        self._last = Context(self._engine, layout.STEP, budget, TICK_LIMIT)
        self._last.slots[layout.MODE] = layout.COUNT_WAYS
        # Holds what the walk needs, and its error.
        self._walk = Context(self._engine, layout.STEP, budget, TICK_LIMIT)
        self._table = (_WORD * (layout.COUNTS_ENTRY << memo_bits))()
        for slot, value in (
            (layout.PLAY, self._play.address), (layout.SEARCH, self._last.address),
            (layout.COUNTS, ctypes.addressof(self._table)), (layout.COUNTS_BITS, memo_bits),
        ):  # fmt: skip
            self._walk.slots[slot] = value
        halt = ctypes.addressof(self._walk.halt)
        for context in (self._play, self._play.inner, self._last, self._last.inner):
            assert context is not None, "a count searches"
            context.slots[layout.HALT] = halt

    def renew(self) -> None:
        """In a copy of the process, where the thread that counts does not live on."""
        if self._lock.acquire(blocking=False):
            self._lock.release()  # nobody counted
            return
        for context in (self._play, self._last, self._walk):
            context.abandon()
        self._prepare()

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
        raise late_refusal(self._engine.program, error) if isinstance(error, Refused) else error

    def _halt(self) -> None:
        self._walk.halt[0] = 1

    def _stand_at(self, stop: Stop) -> None:
        """Make it look as if a run had just come to this stop."""
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
