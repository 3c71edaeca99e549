"""A machine whose runs are native; looking at a state stays with the interpreter it extends."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from ludwright.errors import RulebookFault
from ludwright.kernel import program as ir
from ludwright.kernel.choosing import DECLINE, STOP, Stop
from ludwright.kernel.context import RUN, Cells, Refused, Run
from ludwright.kernel.machine import SEARCH_BUDGET, TICK_LIMIT, ChanceMode, Machine
from ludwright.native import layout
from ludwright.native.engine import Context, Engine
from ludwright.native.eventing import told, value_of
from ludwright.native.options import is_range
from ludwright.native.shapes import Int, Shape
from ludwright.native.streams import flatten


class NativeMachine(Machine):
    """`start`, `answer` and `stop_at` in machine code; everything else as in `Machine`."""

    def __init__(
        self,
        program: ir.Program,
        chance: ChanceMode = "generator",
        search_budget: int = SEARCH_BUDGET,
        tick_limit: int = TICK_LIMIT,
        engine: Engine | None = None,
    ) -> None:
        super().__init__(program, chance, search_budget, tick_limit)
        self.engine = engine or Engine(program, 1, events=True, at_once=True)
        self._budget, self._limit = search_budget, tick_limit
        self.context = Context(self.engine, layout.STEP, search_budget, tick_limit)
        self.context.slots[layout.EXPLICIT] = int(chance == "explicit")
        self._block = (ctypes.c_int32 * program.cells)()

    # ---------------------------------------------------------------- runs

    def start(self, S: Cells) -> Stop:
        return self._native(S, self.program.entry)

    def answer(self, S: Cells, stop: Stop, answer: Any) -> Stop:
        run: Run = S[RUN]
        if run.probing:
            # A look at what is not offered: a question to the interpreter, not a step of the game.
            return super().answer(S, stop, answer)
        slots = self.context.slots
        slots[layout.STOP_SEAT] = stop.seat
        if answer is DECLINE:
            self.context.give(layout.GIVEN_DECLINE, [])
        elif isinstance(answer, str) and answer == STOP:
            self.context.give(layout.GIVEN_STOP, [])
        else:
            words: list[int] = []
            flatten(answer, self._shape(stop.pc), words)
            self.context.give(layout.GIVEN_VALUE, words)
        return self._native(S, self.engine.size + stop.pc)

    def _native(self, S: Cells, entry: int) -> Stop:
        run: Run = S[RUN]
        slots = self.context.slots
        slots[layout.SEAT] = run.seat
        slots[layout.ENDED] = 0
        slots[layout.PENDING] = 0
        slots[layout.DEAD_END] = 0
        slots[layout.UNKNOWN] = 0
        block = self._block
        cells = self.program.cells
        block[:] = S[:cells]
        self.context.want_events(run.events is not None)
        result = self.engine.run(ctypes.addressof(block), self.context, entry)
        ended = slots[layout.ENDED]
        if ended:
            run.end(layout.BARRIERS[ended])
        if result == layout.FAILED:
            error = self.engine.error(self.context)
            if isinstance(error, Refused):
                error = self._trouble(run, error)
            raise error
        S[:cells] = block[:]
        if run.events is not None:
            run.events += self._told(self.context.event_words())
            run.learned = run.learned or bool(slots[layout.LEARNED])
        run.stop = self._stop(S)
        return run.stop

    def _told(self, words: list[int]) -> list[tuple[Any, ...]]:
        records = self.engine.interface.records
        return told(self.program, records, words, self.choices, self.chances)

    def _shape(self, pc: int) -> Shape:
        return self.engine.interface.answers[pc]

    def _stop(self, S: Cells) -> Stop:
        slots = self.context.slots
        kind = layout.STOPS[slots[layout.STOP_KIND]]
        pc = S[ir.PC]
        if kind == "over":
            return Stop("over", pc)
        if kind == "chance":
            answers, weights = self.chances[pc].weighted(S)
            return Stop("chance", pc, None, -1, answers, weights=weights)
        point = self.choices[pc]
        choice = point.choice
        seat, count = slots[layout.STOP_SEAT], slots[layout.COUNT]
        shape = self._shape(pc)
        found: Sequence[Any]
        if is_range(choice) and slots[layout.RANGE]:
            found = range(slots[layout.FIRST], slots[layout.FIRST] + count)
        else:
            words = self.context.answers(count, shape.words)
            found = words if isinstance(shape, Int) else _values(words, shape)
        stop = Stop("decision", pc, point, seat, found)
        stop.dead_end = bool(slots[layout.DEAD_END])
        unknown = slots[layout.UNKNOWN]
        if unknown:
            whole = isinstance(found, range)
            stop.unknown = frozenset((0,) if whole else self.context.unknown(count))
        if choice.kind == "many":
            stop.can_stop = bool(slots[layout.CAN_STOP])
            stop.minimum, stop.maximum = slots[layout.MINIMUM], slots[layout.MAXIMUM]
            stop.picked = point._picks(S, seat)
        else:
            stop.can_decline = bool(slots[layout.DECLINE])
        pending = slots[layout.PENDING]
        if choice.together:
            stop.pending = tuple(at for at in range(pending.bit_length()) if pending >> at & 1)
        return stop

    # --------------------------------------------------------------- stops

    def stop_at(self, cells: Cells) -> Stop:
        pc = cells[ir.PC]
        if cells[ir.OVER] or pc not in self.choices:
            return super().stop_at(cells)
        S = self.scratch(cells, Run(seat=-2))
        try:
            stop = self._native(S, 2 * self.engine.size + pc)
        except (Refused, RulebookFault):
            # Only the reference tells what a stored state without an answer waits for.
            return super().stop_at(cells)
        if stop.pc == pc and stop.kind == "decision":
            return stop
        return super().stop_at(cells)


def _values(words: list[int], shape: Shape) -> list[Any]:
    step = shape.words
    return [value_of(words[at : at + step], shape) for at in range(0, len(words), step)]
