"""States as bytes, one decision at a time: the fastest way to drive a game from Python."""

from __future__ import annotations

from array import array
from struct import Struct
from typing import Any, NamedTuple

from ludwright.errors import IllegalMove
from ludwright.kernel import program as ir
from ludwright.kernel.context import Refused, illegal
from ludwright.kernel.generator import seed_cells
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.kernel.soundness import problem
from ludwright.kernel.state import cells_from_bytes, cells_to_bytes
from ludwright.native import layout
from ludwright.native.calling import Waits
from ludwright.native.cells import outside
from ludwright.native.engine import Context, Engine
from ludwright.native.shapes import Int
from ludwright.native.words import values_of

VALUE, NONE, STOP = layout.GIVEN_VALUE, layout.GIVEN_DECLINE, layout.GIVEN_STOP

_DECLINE, _CAN_STOP, _COUNT = (
    8 * (slot - layout.ENDED) for slot in (layout.DECLINE, layout.CAN_STOP, layout.COUNT)
)
_ANSWERS = 8 * layout.RECORD_WORDS  # where the answers stand in a record
_WORD = Struct("=q")


class Position(NamedTuple):
    """A state and what it waits for; `extra` is 1 if none may be answered, 2 if STOP may."""

    state: bytes
    seat: int  # -1 once the game is over
    answers: tuple[Any, ...]  # numbers; tuples where the answers of this decision are tuples
    extra: int


class Stepper:
    """Steps states given as bytes. Not for two threads at once."""

    def __init__(
        self, engine: Engine, budget: int = SEARCH_BUDGET, ticks: int = TICK_LIMIT
    ) -> None:
        self._engine = engine
        self._context = Context(engine, layout.STEP, budget, ticks)
        self._initial = list(engine.program.initial)
        self._begin, self._offer, self._step, self._options = (
            engine.python_function(name, self._context)
            for name in ("begin", "offer", "step", "options")
        )
        # the decisions whose answers are tuples or lists
        answers = engine.interface.answers
        self._wide = {pc: shape for pc, shape in answers.items() if not isinstance(shape, Int)}
        # the record of the state given last: going straight on lists no options twice
        self._last: Waits = (b"none yet", b"", 0, 0)

    def start(self, seed: int, players: int | None = None, scenario: int = 0) -> Position:
        """The first decision of a new game."""
        cells = self._initial.copy()
        seed_cells(cells, seed)
        world = self._engine.program.world
        cells[ir.PLAYERS] = world.min_players if players is None else players
        cells[ir.SCENARIO] = scenario
        found: Waits | None = self._begin(cells_to_bytes(cells))
        if found is None:
            raise self._error()
        return Position(*self._position(found))

    def step(
        self, state: bytes, answer: int | tuple[Any, ...], kind: int = VALUE
    ) -> tuple[bytes, int, tuple[Any, ...], int]:
        """The fields of the `Position` after an answer; `state` stays as it is."""
        known = self._last
        if known[0] is not state:
            known = self._known(state)
        at, how = answer, kind
        if isinstance(answer, tuple):
            answers = self._answers(known)
            at, how = answers.index(answer) if answer in answers else -1, layout.GIVEN_POSITION
        found = self._step(state, known[1], at, how)
        if found:
            return self._position(found)
        if found is False:
            raise IllegalMove("not-an-option", "", f"{answer} is not an answer here")
        raise self._error()

    def _position(self, found: Waits) -> tuple[bytes, int, tuple[Any, ...], int]:
        self._last = found
        data, record, _, seat = found
        extra = record[_DECLINE] + 2 * record[_CAN_STOP] if seat >= 0 else 0
        return data, seat, self._answers(found), extra

    def _answers(self, found: Waits) -> tuple[Any, ...]:
        _, record, pc, seat = found
        shape = self._wide.get(pc) if seat >= 0 else None
        if shape is None:
            plain: tuple[int, ...] = self._options(record)
            return plain
        end = _ANSWERS + 8 * shape.words * _WORD.unpack_from(record, _COUNT)[0]
        return tuple(values_of(array("q", record[_ANSWERS:end]), shape))

    def _known(self, state: bytes) -> Waits:
        """The record of a state that may come from anywhere: it is checked first."""
        if not isinstance(state, bytes):
            raise TypeError(f"a state is bytes, not {type(state).__name__}")
        if len(state) != 4 * self._engine.cells:
            raise ValueError(f"a state of this game is {4 * self._engine.cells} bytes")
        cells, interface = cells_from_bytes(state), self._engine.interface
        wrong = problem(self._engine.program, cells)
        wrong = wrong or outside(interface.lows, interface.highs, cells)
        if wrong is not None:
            raise ValueError(f"this is not a state of this game: {wrong}")
        found: Waits | None = self._offer(state)
        if found is None:
            raise self._error()
        return found

    def _error(self) -> Exception:
        error = self._engine.error(self._context)
        if isinstance(error, Refused):
            return illegal(self._engine.program, error)
        return error
