"""Stepping many states at once: for search and learning."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ludwright.kernel import program as ir
from ludwright.kernel.context import Refused
from ludwright.kernel.generator import mix
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.native import layout
from ludwright.native.engine import Context, Engine, NativeFailure

Cells = npt.NDArray[np.int32]
Words = npt.NDArray[np.int64]

OVER = -1  # the seat of a state whose game is over


@dataclass
class Batch:
    """States as rows of one array, with what each of them waits for.

    The answers of row i are `options[i, :counts[i]]`; behind them one more answer where
    `extra[i]` is not 0: none of an optional choice (1), or the end of the picks (2). Where answers
    are tuples or lists, each takes `widths[i]` words of the row.
    """

    engine: Engine
    states: Cells  # states x cells
    options: Words  # states x the longest list of answers
    counts: Words
    seats: Words
    extra: Words
    budget: int = SEARCH_BUDGET
    _context: Context = field(init=False)

    def __post_init__(self) -> None:
        self._context = Context(self.engine, layout.STEP, self.budget, TICK_LIMIT)

    @classmethod
    def fresh(cls, engine: Engine, n: int, seed: int, players: int | None = None) -> Batch:
        """`n` games at their first decision; game i has the seed of playout i."""
        program = engine.program
        states = np.tile(np.array(program.initial, np.int32), (n, 1))
        mixed = mix(seed)
        seeds = np.array([mix(mixed ^ (2 * i + 1)) for i in range(n)], np.uint64)
        states[:, :2] = seeds.astype("<u8").view(np.int32).reshape(n, 2)
        states[:, ir.PLAYERS] = program.world.min_players if players is None else players
        batch = cls(
            engine, states, np.zeros((n, engine.room), np.int64), np.zeros(n, np.int64),
            np.zeros(n, np.int64), np.zeros(n, np.int64),
        )  # fmt: skip
        batch._go(np.full(n, -1, np.int64))
        return batch

    def step(self, choices: npt.ArrayLike) -> None:
        """Answer every state with the number of an answer; games that are over stay as they are."""
        wanted = np.ascontiguousarray(choices, np.int64)
        if wanted.shape != self.counts.shape:
            raise ValueError(f"{self.counts.shape[0]} choices are needed")
        waiting = self.seats >= 0
        if np.any(waiting & ((wanted < 0) | (wanted >= self.counts + (self.extra > 0)))):
            raise ValueError("a choice is not the number of an answer")
        self._go(wanted)

    def _go(self, wanted: Words) -> None:
        result: int = self.engine.batch(
            self._context.address, self.states.ctypes.data, len(self.states),
            wanted.ctypes.data, self.options.ctypes.data, self.counts.ctypes.data,
            self.seats.ctypes.data, self.extra.ctypes.data,
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
        return Batch(
            self.engine, self.states.copy(), self.options.copy(), self.counts.copy(),
            self.seats.copy(), self.extra.copy(), self.budget,
        )  # fmt: skip
