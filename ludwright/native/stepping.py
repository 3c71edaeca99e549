"""States as bytes, one decision at a time: the fastest way to drive a game from Python."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from ludwright.errors import IllegalMove
from ludwright.kernel import program as ir
from ludwright.kernel.context import Refused, illegal
from ludwright.kernel.generator import signed
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT
from ludwright.native import layout
from ludwright.native.engine import Context, Engine
from ludwright.native.errors import NativeUnsupported
from ludwright.native.fastcall import python_function

VALUE, NONE, STOP = layout.GIVEN_VALUE, layout.GIVEN_DECLINE, layout.GIVEN_STOP


class Position(NamedTuple):
    """A state and what it waits for; `extra` is 1 if none may be answered, 2 if STOP may."""

    state: bytes
    seat: int  # -1 once the game is over
    answers: list[int]
    extra: int


class Stepper:
    """Steps states given as bytes. Not for two threads at once."""

    def __init__(
        self, engine: Engine, budget: int = SEARCH_BUDGET, ticks: int = TICK_LIMIT
    ) -> None:
        if engine.step_address is None:
            raise NativeUnsupported("stepping through decisions between tuples or lists")
        self._engine = engine
        self._context = Context(engine, layout.STEP, budget, ticks)
        self._block = ctypes.c_int32 * engine.cells
        self._initial = bytes(self._block(*engine.program.initial))
        self._keep: list[Any] = [engine, self._context]
        self._step = python_function(engine.step_address, self._context.address, self._keep)

    def start(self, seed: int, players: int | None = None, scenario: int = 0) -> Position:
        """The first decision of a new game."""
        program = self._engine.program
        block = self._block.from_buffer_copy(self._initial)
        block[ir.RNG_LO], block[ir.RNG_HI] = signed(seed), signed(seed >> 32)
        block[ir.PLAYERS] = program.world.min_players if players is None else players
        block[ir.SCENARIO] = scenario
        slots = self._context.slots
        slots[layout.SEAT], slots[layout.ENDED] = -1, 0
        if self._engine.run(ctypes.addressof(block), self._context, program.entry) != -1:
            raise self._error()
        if slots[layout.STOP_KIND] != layout.STOPS.index("decision"):
            return Position(bytes(block), -1, [], 0)
        count = slots[layout.COUNT]
        answers = self._context.answers(0 if slots[layout.RANGE] else count, 1)
        if slots[layout.RANGE]:
            answers = list(range(slots[layout.FIRST], slots[layout.FIRST] + count))
        extra = slots[layout.DECLINE] + 2 * slots[layout.CAN_STOP]
        return Position(bytes(block), slots[layout.STOP_SEAT], answers, extra)

    def step(
        self, state: bytes, answer: int, kind: int = VALUE
    ) -> tuple[bytes, int, list[int], int]:
        """The fields of the `Position` after an answer; `state` stays as it is."""
        found = self._step(state, answer, kind)
        if found:
            result: tuple[bytes, int, list[int], int] = found
            return result
        if found is False:
            raise IllegalMove("not-an-option", "", f"{answer} is not an answer here")
        if found is None:
            raise self._error()
        raise ValueError(f"a state of this game is {4 * self._engine.cells} bytes")

    def _error(self) -> Exception:
        error = self._engine.error(self._context)
        if isinstance(error, Refused):
            return illegal(self._engine.program, error)
        return error
