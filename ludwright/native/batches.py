"""Stepping many states at once: for search and learning."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from ludwright.kernel import program as ir
from ludwright.kernel.arguments import counted, players_of, whole
from ludwright.kernel.context import Refused
from ludwright.kernel.generator import mix
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.native import layout
from ludwright.native.engine import Context, Engine, NativeFailure

Cells = npt.NDArray[np.int32]
Words = npt.NDArray[np.int64]

OVER = -1  # the seat of a state whose game is over


class Batch:
    """States as rows of one array, with what each of them waits for.

    The answers of row i are `options[i, :counts[i]]`; behind them one more answer where
    `extra[i]` is not 0: none of an optional choice (1), or the end of the picks (2). Where answers
    are tuples or lists, each takes `widths[i]` words of the row.

    Native code runs on these arrays as they are, so callers can read but not write them.
    """

    def __init__(self, engine: Engine, arrays: tuple[Cells, Words, Words, Words, Words],
                 budget: int) -> None:  # fmt: skip
        self.engine = engine
        self._arrays = arrays
        self.states: Cells = _shown(arrays[0])  # states x cells
        self.options: Words = _shown(arrays[1])  # states x the longest list of answers
        self.counts: Words = _shown(arrays[2])
        self.seats: Words = _shown(arrays[3])
        self.extra: Words = _shown(arrays[4])
        self._budget = budget
        self._context = Context(engine, layout.STEP, budget, TICK_LIMIT, asks=True)
        self._lock = threading.Lock()

    @classmethod
    def fresh(
        cls, engine: Engine, n: int, seed: int, players: int | None = None,
        budget: int = SEARCH_BUDGET,
    ) -> Batch:  # fmt: skip
        """`n` games at their first decision; game i has the seed of playout i."""
        program = engine.program
        n, count = counted("n", n), players_of(program.world, players)
        mixed = mix(whole("seed", seed))
        states = np.tile(np.array(program.initial, np.int32), (n, 1))
        seeds = np.array([mix(mixed ^ (2 * i + 1)) for i in range(n)], np.uint64)
        states[:, :2] = seeds.astype("<u8").view(np.int32).reshape(n, 2)
        states[:, ir.PLAYERS] = count
        words = [np.zeros(n, np.int64) for _ in range(3)]
        options = np.zeros((n, engine.room), np.int64)
        batch = cls(engine, (states, options, words[0], words[1], words[2]), budget)
        batch._go(np.full(n, -1, np.int64))
        return batch

    def step(self, choices: npt.ArrayLike) -> None:
        """Answer every state with the number of an answer; games that are over stay as they are.

        After a fault or an interrupt, some states have been answered and some have not.
        """
        given = np.asarray(choices)
        if given.dtype.kind not in "iu" and given.size:
            raise TypeError("choices must be whole numbers")
        if given.shape != self.counts.shape:
            raise ValueError(f"{self.counts.shape[0]} choices are needed")
        with self._lock:
            waiting = self.seats >= 0
            if np.any(waiting & ((given < 0) | (given >= self.counts + (self.extra > 0)))):
                raise ValueError("a choice is not the number of an answer")
            self._go(np.where(waiting, given, 0).astype(np.int64))

    def _go(self, wanted: Words) -> None:
        states, options, counts, seats, extra = self._arrays
        result: int = self.engine.batch(
            self._context.address, states.ctypes.data, len(states), wanted.ctypes.data,
            options.ctypes.data, counts.ctypes.data, seats.ctypes.data, extra.ctypes.data,
        )  # fmt: skip
        if result >= 0:
            error = self.engine.error(self._context)
            if isinstance(error, Refused):
                error = NativeFailure(f"state {result}: {error.code} {error.reason}")
            error.add_note(f"in state {result} of a batch")
            raise error

    @property
    def widths(self) -> Words:
        """Words of one answer, per state."""
        answers = self.engine.interface.answers
        by_instruction = np.ones(len(self.engine.program.code), np.int64)
        for pc, shape in answers.items():
            by_instruction[pc] = shape.words
        return by_instruction[self.states[:, ir.PC]]

    def masks(self, size: int) -> npt.NDArray[np.bool_]:
        """Per state which of the numbers 0 .. size-1 are answers; none where those are tuples."""
        size = counted("size", size)
        found = np.zeros((len(self.states), size), np.bool_)
        columns = np.arange(self.options.shape[1])
        numbers = np.where(self.widths == 1, self.counts, 0)
        there = columns[None, :] < numbers[:, None]
        rows, at = np.nonzero(there)
        values = self.options[rows, at]
        inside = (values >= 0) & (values < size)
        found[rows[inside], values[inside]] = True
        return found

    def copy(self) -> Batch:
        with self._lock:
            states, options, counts, seats, extra = self._arrays
            copies = (states.copy(), options.copy(), counts.copy(), seats.copy(), extra.copy())
        return Batch(self.engine, copies, self._budget)


def _shown(array: Any) -> Any:
    """The same memory, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
