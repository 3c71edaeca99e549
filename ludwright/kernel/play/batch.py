"""Stepping many states at once: for search and learning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.play.agent_dice import game_seed
from ludwright.kernel.play.core import Core
from ludwright.kernel.protocol.arguments import counted, players_of, whole
from ludwright.kernel.protocol.state import State

Cells = npt.NDArray[np.int32]
Words = npt.NDArray[np.int64]
# states x cells, states x answers, and per state: how many answers, whose, and what comes after
Arrays = tuple[Cells, Words, Words, Words, Words]

_Number = TypeVar("_Number", bound=np.generic)

OVER = -1  # the seat of a state whose game is over
MOST_WORDS = 1 << 27  # of all options of a batch: 1 GB
NONE, END = 1, 2  # in `extra`: none may be answered, or the picks may end


class GameOfRows(Protocol):
    """As much of a game as a batch needs."""

    def state_from_bytes(self, data: bytes) -> State: ...
    def batch_of(self, states: Sequence[State]) -> Batch: ...


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a batch come from: their game, and how its next games are to begin."""

    game: GameOfRows
    fresh: bool = False  # the rows began with set-up
    seed: int = 0
    players: int | None = None
    scenario: str | None = None
    begun: int = 0  # games of this seed so far


class Batch(ABC):
    """States as rows of one array, with what each of them waits for.

    The answers of row i are `options[i, :counts[i]]`; behind them one more answer where
    `extra[i]` is not 0: none of an optional choice (1), or the end of the picks (2). Where answers
    are tuples or lists, each takes `widths[i]` words of the row. So answer k of row i is
    `game.decision(batch.state(i)).answers[k]`.

    Engines work on these arrays as they are, so callers can read but not write them. They show the
    rows as they are now, not as they were when an array was asked for.
    """

    def __init__(self, program: ir.Program, arrays: Arrays) -> None:
        self._program = program
        self._arrays = arrays
        self._origin: Origin | None = None

    def of(self, origin: Origin | None) -> Self:
        """The same, once it knows where it comes from."""
        self._origin = origin
        return self

    def __len__(self) -> int:
        return len(self._arrays[0])

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} states, {int(self.over.sum())} over>"

    @property
    def states(self) -> Cells:
        """States x cells."""
        return _shown(self._arrays[0])

    @property
    def options(self) -> Words:
        """States x the longest list of answers."""
        return _shown(self._arrays[1])

    @property
    def counts(self) -> Words:
        """How many answers there are, per state."""
        return _shown(self._arrays[2])

    @property
    def seats(self) -> Words:
        """Whose decision it is, per state; -1 where the game is over."""
        return _shown(self._arrays[3])

    @property
    def extra(self) -> Words:
        """Which answer comes after the options, per state."""
        return _shown(self._arrays[4])

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games are over."""
        found: npt.NDArray[np.bool_] = self._arrays[3] == OVER
        return found

    @property
    def scores(self) -> Cells:
        """States x seats: as in `Game.result`; 0 while a game runs and for seats out of play."""
        return self._of_seats(self._program.scores)

    @property
    def ranks(self) -> Cells:
        """States x seats: 1 is best; 0 while a game runs and for seats out of play."""
        return self._of_seats(self._program.ranks)

    @property
    def ends(self) -> Cells:
        """How a game ended, as in `Playouts.ends`; -1 while it runs."""
        found: Cells = self._arrays[0][:, ir.OVER] - 1
        return found

    def _of_seats(self, first: int) -> Cells:
        last = first + len(self._program.world.seats)
        found: Cells = self._arrays[0][:, first:last].copy()
        found[~self.over] = 0
        return found

    def state(self, row: int) -> State:
        """A row as a state of the game. It keeps what it holds when the batch goes on."""
        return self._known().game.state_from_bytes(self._cells(row).tobytes())

    def _cells(self, row: int) -> Cells:
        found: Cells = self._arrays[0][whole("row", row, 0, len(self) - 1)]
        return found

    def _known(self) -> Origin:
        if self._origin is None:
            raise LudwrightError("this batch was made by an engine alone; it has no game")
        return self._origin

    def restart(self) -> Words:
        """Begin a new game in every row whose game is over; gives the numbers of these rows.

        The new games are those that follow in the series of the seed: of a batch of n, the first
        restarted row is game n, as in `playouts(first=n)`.
        """
        origin = self._known()
        if not origin.fresh:
            raise LudwrightError("only a batch whose games began with set-up can be restarted")
        rows = np.flatnonzero(self.over)
        if len(rows):
            made = self._begun(origin, len(rows))
            self._take(rows, made)
            self._origin = replace(origin, begun=origin.begun + len(rows))
        return rows

    def _take(self, rows: Words, other: Batch) -> None:
        """Put the rows of another batch in place of some."""
        width = other._arrays[1].shape[1]
        if width > self._arrays[1].shape[1]:
            self._widen(width)
        states, options, counts, seats, extra = self._arrays
        states[rows], counts[rows] = other._arrays[0], other._arrays[2]
        seats[rows], extra[rows] = other._arrays[3], other._arrays[4]
        options[rows, :width] = other._arrays[1]

    @property
    def widths(self) -> Words:
        """Words of one answer, per state."""
        by_instruction = np.ones(len(self._program.code), np.int64)
        for pc, width in self._widths().items():
            by_instruction[pc] = width
        return by_instruction[self._arrays[0][:, ir.PC]]

    def step(self, choices: npt.ArrayLike) -> None:
        """Answer every state with the number of an answer; games that are over stay as they are,
        and take 0 or -1.

        After a fault or an interrupt, some states have been answered and some have not.
        """
        given = np.asarray(choices)
        if given.dtype.kind not in "iu" and given.size:
            raise TypeError("choices must be whole numbers")
        if given.shape != self.counts.shape:
            raise ValueError(f"{self.counts.shape[0]} choices are needed")
        self._answer(given)

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

    def _wanted(self, given: npt.NDArray[Any]) -> Words:
        """The numbers of answers, checked; 0 where nothing is asked."""
        waiting = self.seats >= 0
        most = np.where(waiting, self.counts + (self.extra > 0) - 1, 0)
        wrong = np.flatnonzero((given < np.where(waiting, 0, -1)) | (given > most))
        if wrong.size:
            row = int(wrong[0])
            told = f"0 to {most[row]}" if waiting[row] else "0 or -1, its game is over"
            raise ValueError(
                f"choice {given[row]} is not the number of an answer of state {row}: {told}"
            )
        return np.where(waiting, given, 0).astype(np.int64)

    def _widen(self, words: int) -> None:
        """Make the rows of options longer, for at least so many words."""
        states, options, counts, seats, extra = self._arrays
        if words * len(states) > MOST_WORDS:
            raise LudwrightError(
                f"a decision offers {words:,} answers: to list as many for each of {len(states):,} "
                "states takes too much memory; make the batch smaller"
            )
        more = words - options.shape[1]
        self._arrays = (states, np.pad(options, ((0, 0), (0, more))), counts, seats, extra)

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._origin is None:
            raise TypeError("only a batch of a game can be pickled")
        return (_restored, (self._origin, self.states.copy()))

    @abstractmethod
    def copy(self) -> Batch:
        """The same states, to be stepped apart."""

    @abstractmethod
    def _begun(self, origin: Origin, n: int) -> Batch:
        """The next `n` games of a series, at their first decision."""

    @abstractmethod
    def _answer(self, given: npt.NDArray[Any]) -> None:
        """Give the answers with these numbers."""

    @abstractmethod
    def _widths(self) -> dict[int, int]:
        """Words of one answer, by instruction, where it is not one."""


def _restored(origin: Origin, cells: Cells) -> Batch:
    """A batch that was pickled. Its states are checked like any that come from elsewhere."""
    game = origin.game
    return game.batch_of([game.state_from_bytes(row.tobytes()) for row in cells]).of(origin)


def given_arrays(cells: Sequence[Sequence[int]], program: ir.Program, room: int) -> Arrays:
    """The arrays of a batch with these states, before it is known what they wait for."""
    states = np.array(cells, np.int32).reshape(len(cells), program.cells)
    counts, extra = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    seats = np.full(len(cells), OVER, np.int64)
    return states, np.zeros((len(cells), room), np.int64), counts, seats, extra


def fresh_states(
    program: ir.Program, n: int, seed: int, players: int | None, scenario: int, first: int = 0
) -> Cells:
    """`n` states before set-up; game i has the seed of playout i. The first is number `first`."""
    n, count = counted("n", n), players_of(program.world, players)
    seed = whole("seed", seed)
    states = np.tile(np.array(program.initial, np.int32), (n, 1))
    seeds = np.array([game_seed(seed, first + i) for i in range(n)], np.uint64)
    states[:, :2] = seeds.astype("<u8").view(np.int32).reshape(n, 2)
    states[:, ir.PLAYERS], states[:, ir.SCENARIO] = count, scenario
    return states


def copied(arrays: Arrays) -> Arrays:
    states, options, counts, seats, extra = arrays
    return states.copy(), options.copy(), counts.copy(), seats.copy(), extra.copy()


def _shown(array: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """The same memory, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


class InterpretedBatch(Batch):
    """One state after another; for games whose answers are single numbers."""

    def __init__(self, core: Core, arrays: Arrays, stops: Sequence[Stop]) -> None:
        super().__init__(core.program, arrays)
        self._core = core
        self._stops = list(stops)

    @classmethod
    def fresh(
        cls, core: Core, n: int, seed: int, players: int | None = None, scenario: int = 0,
        first: int = 0,
    ) -> Batch:  # fmt: skip
        """`n` games at their first decision."""
        states = fresh_states(core.program, n, seed, players, scenario, first)
        counts, seats, extra = (np.zeros(len(states), np.int64) for _ in range(3))
        options = np.zeros((len(states), 1), np.int64)
        batch = cls(core, (states, options, counts, seats, extra), [Stop("over")] * len(states))
        for row in range(len(states)):
            batch._run(row, None)
        return batch

    @classmethod
    def placed(cls, core: Core, cells: Sequence[Sequence[int]]) -> Batch:
        """Games in the middle."""
        batch = cls(core, given_arrays(cells, core.program, 1), [Stop("over")] * len(cells))
        for row in range(len(cells)):
            batch._note(row, core.machine.stop_at(list(cells[row])))
        return batch

    def copy(self) -> Batch:
        made = InterpretedBatch(self._core, copied(self._arrays), self._stops)
        return made.of(self._origin)

    def _begun(self, origin: Origin, n: int) -> Batch:
        scenario = self._core.scenario_number(origin.scenario)
        return self.fresh(self._core, n, origin.seed, origin.players, scenario, origin.begun)

    def _take(self, rows: Words, other: Batch) -> None:
        assert isinstance(other, InterpretedBatch)
        super()._take(rows, other)
        for row, stop in zip(rows.tolist(), other._stops, strict=True):
            self._stops[row] = stop

    def _widths(self) -> dict[int, int]:
        return {}

    def _answer(self, given: npt.NDArray[Any]) -> None:
        for row, number in enumerate(self._wanted(given).tolist()):
            stop = self._stops[row]
            if stop.kind == "over":
                continue
            if number < len(stop.answers):
                self._run(row, stop.answers[number])
            else:
                self._run(row, STOP if stop.can_stop else DECLINE)

    def _run(self, row: int, answer: Any) -> None:
        """Begin a game, or answer its decision, and note what it waits for then."""
        machine, before = self._core.machine, self._stops[row]
        memory = machine.scratch(self._arrays[0][row].tolist(), Run(before.seat))
        try:
            stop = (
                machine.start(memory) if before.pc < 0 else machine.answer(memory, before, answer)
            )
        except LudwrightError as error:
            error.add_note(f"in state {row} of a batch")
            raise
        self._arrays[0][row] = machine.state_cells(memory)
        self._note(row, stop)

    def _note(self, row: int, stop: Stop) -> None:
        """Write down what a row waits for."""
        self._stops[row] = stop
        _, _, counts, seats, extra = self._arrays
        counts[row], seats[row] = len(stop.answers), stop.seat if stop.kind != "over" else OVER
        extra[row] = NONE if stop.can_decline else END if stop.can_stop else 0
        self._list(row, stop.answers)

    def _list(self, row: int, answers: Sequence[Any]) -> None:
        if answers and not isinstance(answers[0], int):
            raise LudwrightError(
                "the answers of this game are not all single numbers; `batch` needs the native "
                "engine for it: install `ludwright[native]`"
            )
        if len(answers) > self._arrays[1].shape[1]:
            self._widen(len(answers))
        self._arrays[1][row, : len(answers)] = answers
