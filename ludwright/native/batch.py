"""Stepping many states at once, in machine code."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludwright.errors import LudwrightError
from ludwright.forking import free_in_copy, in_copies_renewed
from ludwright.kernel.interpreter.run import Refused
from ludwright.kernel.play.batch import (
    Arrays,
    Batch,
    Origin,
    Words,
    copied,
    fresh_states,
    given_arrays,
)
from ludwright.native import layout
from ludwright.native.engine import Context, Engine, NativeFailure
from ludwright.native.errors import ProcessCopied
from ludwright.program.limits import SEARCH_BUDGET, TICK_LIMIT


class NativeBatch(Batch):
    """A batch whose states are stepped without Python objects."""

    def __init__(self, engine: Engine, arrays: Arrays, budget: int) -> None:
        super().__init__(engine.program, arrays)
        self.engine = engine
        self._budget = budget
        self._context = Context(engine, layout.STEP, budget, TICK_LIMIT, asks=True)
        self._lock = threading.RLock()
        self._running = False
        self._torn = False
        self._unlisted = False  # some rows are too short for the options that they count
        in_copies_renewed(self)

    def renew(self) -> None:
        """In a copy of the process, where a thread that is gone may have been in a step."""
        if free_in_copy(self._lock):
            return
        self._lock = threading.RLock()
        self._running, self._torn = False, True
        self._context.abandon()

    def _check(self) -> None:
        """Whether the states are whole; with the lock in hand."""
        if self._running:
            raise RuntimeError("a signal handler cannot use a batch in the middle of its step")
        if self._torn:
            raise ProcessCopied("a step of this batch")
        if self._unlisted:
            raise LudwrightError("not all answers of this batch could be listed; make a new one")

    @classmethod
    def fresh(
        cls, engine: Engine, n: int, seed: int, players: int | None = None, scenario: int = 0,
        budget: int = SEARCH_BUDGET, first: int = 0,
    ) -> NativeBatch:  # fmt: skip
        """`n` games at their first decision; game i has the seed of playout i."""
        states = fresh_states(engine.program, n, seed, players, scenario, first)
        counts, seats, extra = (np.zeros(len(states), np.int64) for _ in range(3))
        options = np.zeros((len(states), engine.room), np.int64)
        batch = cls(engine, (states, options, counts, seats, extra), budget)
        batch._go(np.full(len(states), layout.START, np.int64))
        return batch

    @classmethod
    def placed(
        cls, engine: Engine, cells: Sequence[Sequence[int]], budget: int = SEARCH_BUDGET
    ) -> NativeBatch:
        """Games in the middle."""
        batch = cls(engine, given_arrays(cells, engine.program, engine.room), budget)
        batch._go(np.full(len(cells), layout.LIST_AGAIN, np.int64))
        return batch

    def _begun(self, origin: Origin, n: int) -> Batch:
        scenarios = self._program.scenarios
        scenario = 0 if origin.scenario is None else scenarios.index(origin.scenario)
        return self.fresh(
            self.engine, n, origin.seed, origin.players, scenario, self._budget, origin.begun
        )

    def _take(self, rows: Words, other: Batch) -> None:
        with self._lock:
            self._check()
            super()._take(rows, other)

    def _answer(self, given: npt.NDArray[Any]) -> None:
        with self._lock:
            self._check()
            wanted = self._wanted(given)
            self._running = True
            try:
                self._go(wanted)
            finally:
                self._running = False

    def _go(self, wanted: Words) -> None:
        error = self._run(wanted)
        words = self._arrays[2] * self.widths
        width = self._arrays[1].shape[1]
        if words.max(initial=0) > width:
            self._unlisted = True
            self._widen(int(words.max()))
            again = np.where(words > width, layout.LIST_AGAIN, layout.LEAVE)
            error = self._run(again) or error
            self._unlisted = False
        if error is not None:
            raise error

    def _run(self, wanted: Words) -> BaseException | None:
        states, options, counts, seats, extra = self._arrays
        result: int = self.engine.batch(
            self._context.address, states.ctypes.data, len(states), wanted.ctypes.data,
            options.ctypes.data, counts.ctypes.data, seats.ctypes.data, extra.ctypes.data,
            options.shape[1],
        )  # fmt: skip
        if result < 0:
            return None
        try:
            error: BaseException = self.engine.error(self._context)
        except BaseException as raised:  # by a signal handler
            return raised  # once all rows are whole
        if isinstance(error, Refused):
            error = NativeFailure(f"state {result}: {error.code} {error.reason}")
        error.add_note(f"in state {result} of a batch")
        return error

    def _widths(self) -> dict[int, int]:
        """Of the Program itself: a search for a bound has choices of its own behind it, at which no
        state waits."""
        end = len(self._program.code)
        answers = self.engine.interface.answers
        return {pc: shape.words for pc, shape in answers.items() if pc < end}

    def copy(self) -> NativeBatch:
        with self._lock:
            self._check()
            made = NativeBatch(self.engine, copied(self._arrays), self._budget)
            return made.of(self._origin)
