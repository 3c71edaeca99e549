"""A machine whose runs are native; looking at a state stays with the interpreter it extends."""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.forking import free_in_copy, importing, in_copies_renewed
from ludwright.kernel.interpreter.machine import ChanceMode, Machine
from ludwright.kernel.interpreter.run import RUN, Cells, Refused, Run
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.native import layout
from ludwright.native.analysis.cell_ranges import outside
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.analysis.words import flatten, value_of, values_of
from ludwright.native.errors import NativeUnsupported
from ludwright.native.python.event_decoder import decoded
from ludwright.program.limits import SEARCH_BUDGET, TICK_LIMIT

if TYPE_CHECKING:
    # Imported when the code is made: a game that nobody plays does not need LLVM.
    from ludwright.native.engine import Context, Engine

LEVEL = 1  # of optimisation: what a step does takes longer than the code it runs

_DECISION = layout.STOPS.index("decision")
_RECORD_BYTES = 8 * layout.RECORD_WORDS
_KIND, _RANGE, _COUNT = (
    slot - layout.ENDED for slot in (layout.STOP_KIND, layout.RANGE, layout.COUNT)
)


class NativeMachine(Machine):
    """`start`, `answer` and `stop_at` in machine code; everything else as in `Machine`.

    The code is made when it is first needed. Where a Program cannot be translated, that is an
    error, unless `optional` is set: then `unsupported` says why, and runs are interpreted.
    """

    def __init__(
        self,
        program: ir.Program,
        chance: ChanceMode = "generator",
        search_budget: int = SEARCH_BUDGET,
        tick_limit: int = TICK_LIMIT,
        engine: Engine | None = None,
        optional: bool = False,
    ) -> None:
        super().__init__(program, chance, search_budget, tick_limit)
        self._engine = engine
        self._budget, self._limit = search_budget, tick_limit
        self._optional = optional
        self._unsupported: str | None = None
        self._context: Context | None = None
        self._block = (ctypes.c_int32 * program.cells)()
        # Runs are given back the interpreter's lock, and there is one context for all of them.
        self._lock = threading.RLock()
        self._running = False
        in_copies_renewed(self)

    def renew(self) -> None:
        """In a copy of the process, where a thread that is gone may have been in a run."""
        if free_in_copy(self._lock):
            return
        self._lock = threading.RLock()
        self._running = False
        if self._context is not None:
            self._context.abandon()
            self._context = None

    @property
    def unsupported(self) -> str | None:
        """Why runs are not native; None if they are."""
        with self._lock:
            if self._engine is None and self._unsupported is None:
                try:
                    with importing:
                        from ludwright.native.engine import Engine

                    self._engine = Engine(self.program, LEVEL, events=True, at_once=True)
                except (NativeUnsupported, ImportError) as reason:
                    if not self._optional:
                        raise
                    self._unsupported = str(reason)
        return self._unsupported

    @property
    def _interpreted(self) -> bool:
        """Whether runs have to do without native code."""
        if self.unsupported is not None:
            return True
        # A handler of signals asks for something in the middle of a run of the same thread.
        with self._lock:
            return self._running

    @property
    def engine(self) -> Engine:
        if self._engine is None and self.unsupported is not None:
            raise NativeUnsupported(self.unsupported)
        assert self._engine is not None
        return self._engine

    @property
    def context(self) -> Context:
        """Of runs that tell events."""
        if self._context is None:
            self._context = self.new_context(asks=True)
        return self._context

    def new_context(self, *, asks: bool) -> Context:
        from ludwright.native.engine import Context

        context = Context(self.engine, layout.STEP, self._budget, self._limit, asks=asks)
        context.slots[layout.EXPLICIT] = int(self.chance == "explicit")
        return context

    def outside(self, cells: Sequence[Any]) -> str | None:
        """The cell that leaves its bounds, in words. Native code relies on the bounds of every
        cell, which are narrower than types."""
        if self.unsupported is not None:
            return None
        interface = self.engine.interface
        return outside(interface.lows, interface.highs, cells)

    # ---------------------------------------------------------------- runs

    def start(self, memory: Cells) -> Stop:
        if self._interpreted:
            return super().start(memory)
        return self._native(memory, self.program.entry)

    def answer(self, memory: Cells, stop: Stop, answer: Any) -> Stop:
        run: Run = memory[RUN]
        if not run.filters or self._interpreted:
            # A look at what is not offered: a question to the interpreter, not a step of the game.
            return super().answer(memory, stop, answer)
        with self._lock:
            self.context.slots[layout.STOP_SEAT] = stop.seat
            if answer is DECLINE:
                self.context.give(layout.GIVEN_DECLINE, [])
            elif isinstance(answer, str) and answer == STOP:
                self.context.give(layout.GIVEN_STOP, [])
            else:
                words: list[int] = []
                flatten(answer, self._shape(stop.pc), words)
                self.context.give(layout.GIVEN_VALUE, words)
            return self._native(memory, self.engine.entries.answer(stop.pc))

    def _native(self, memory: Cells, entry: int) -> Stop:
        with self._lock:
            self._running = True
            try:
                return self._locked(memory, entry)
            finally:
                self._running = False

    def _locked(self, memory: Cells, entry: int) -> Stop:
        from ludwright.native.engine import EventsFull

        run: Run = memory[RUN]
        slots = self.context.slots
        slots[layout.SEAT] = run.seat
        slots[layout.ENDED] = 0
        slots[layout.PENDING] = 0
        slots[layout.DEAD_END] = 0
        slots[layout.UNKNOWN] = 0
        block = self._block
        cells = self.program.cells
        block[:] = memory[:cells]
        self.context.want_events(run.events is not None)
        given, seat = slots[layout.GIVEN], slots[layout.STOP_SEAT]
        result = self.engine.run(ctypes.addressof(block), self.context, entry)
        error = self.engine.error(self.context) if result == layout.FAILED else None
        if isinstance(error, EventsFull):
            self.context.more_events()
            slots[layout.GIVEN], slots[layout.STOP_SEAT] = given, seat
            return self._locked(memory, entry)
        ended = slots[layout.ENDED]
        if ended:
            run.end(layout.BARRIERS[ended])
        if error is not None:
            if isinstance(error, Refused):
                error = self._trouble(run, error)
            raise error
        memory[:cells] = block[:]
        if run.events is not None:
            run.events += self._told(self.context.event_words())
            run.learned = run.learned or bool(slots[layout.LEARNED])
        run.stop = self._stop(memory)
        return run.stop

    def _told(self, words: list[int]) -> list[tuple[Any, ...]]:
        records = self.engine.interface.records
        return decoded(self.program, records, words)

    def _shape(self, pc: int) -> Shape:
        return self.engine.interface.answers[pc]

    def _stop(self, memory: Cells) -> Stop:
        """What the run that has just ended came to."""
        slots, pc = self.context.slots, memory[ir.PC]
        words = slots[layout.ENDED : layout.UNKNOWN + 1]
        count = 0 if slots[layout.RANGE] else slots[layout.COUNT]
        answers: list[int] = []
        if slots[layout.STOP_KIND] == _DECISION:
            answers = self.context.answers(count, self._shape(pc).words)
        unknown = self.context.unknown(count) if slots[layout.UNKNOWN] else []
        return self._stop_from(memory, words, answers, unknown)

    def stop_of(self, cells: Cells, record: bytes) -> Stop:
        """What a state waits for, from the record of its run (see `byte_calls`)."""
        words = array("q", record[:_RECORD_BYTES]).tolist()
        width = self._shape(cells[ir.PC]).words if words[_KIND] == _DECISION else 0
        count = 0 if words[_RANGE] else words[_COUNT]
        end = _RECORD_BYTES + 8 * count * width
        answers = array("q", record[_RECORD_BYTES:end]).tolist()
        unknown = [at for at, mark in enumerate(record[end:]) if mark]
        return self._stop_from(self.scratch(cells, Run()), words, answers, unknown)

    def _stop_from(
        self, memory: Cells, words: Sequence[int], answers: list[int], unknown: Sequence[int]
    ) -> Stop:
        slots = dict(enumerate(words, layout.ENDED))
        kind = layout.STOPS[slots[layout.STOP_KIND]]
        pc = memory[ir.PC]
        if kind == "over":
            return Stop("over", pc)
        if kind == "chance":
            outcomes, weights = self.chances[pc].weighted(memory)
            return Stop("chance", pc, None, -1, outcomes, weights=weights)
        point = self.choices[pc]
        choice = point.choice
        seat, count = slots[layout.STOP_SEAT], slots[layout.COUNT]
        shape = self._shape(pc)
        found: Sequence[Any]
        if slots[layout.RANGE]:
            found = range(slots[layout.FIRST], slots[layout.FIRST] + count)
        else:
            found = answers if isinstance(shape, Int) else values_of(answers, shape)
        stop = Stop("decision", pc, choice, seat, found)
        stop.dead_end = bool(slots[layout.DEAD_END])
        if slots[layout.UNKNOWN]:
            stop.unknown = frozenset((0,) if isinstance(found, range) else unknown)
        if choice.kind == "many":
            stop.can_stop = bool(slots[layout.CAN_STOP])
            stop.minimum, stop.maximum = slots[layout.MINIMUM], slots[layout.MAXIMUM]
            stop.picked = point.picks(memory, seat)
        else:
            stop.can_decline = bool(slots[layout.DECLINE])
        pending = slots[layout.PENDING]
        if choice.together:
            stop.pending = tuple(at for at in range(pending.bit_length()) if pending >> at & 1)
        return stop

    # --------------------------------------------------------------- shown

    def shown(self, cells: Cells, data: bytes | None = None) -> list[list[Any]]:
        if self._interpreted or not self.engine.interface.shown:
            return super().shown(cells, data)
        shapes, seats = self.engine.interface.shown, len(self.program.world.seats)
        counts = [1 if shown.seat is None else seats for shown in self.program.shown]
        total = sum((1 + shape.words) * n for shape, n in zip(shapes, counts, strict=True))
        with self._lock:
            self._running = True
            try:
                words = (ctypes.c_int64 * total)()
                block = data or array("i", cells).tobytes()
                self.engine.shown(block, self.context.address, ctypes.addressof(words))
            finally:
                self._running = False
            self.context.raise_signal()
        given, at, found = words[:], 0, []
        for shape, count in zip(shapes, counts, strict=True):
            values: list[Any] = []
            for _ in range(count):
                own = given[at + 1 : at + 1 + shape.words]
                values.append(value_of(own, shape) if given[at] else None)
                at += 1 + shape.words
            found.append(values[: cells[ir.PLAYERS]] if count > 1 else values)
        return found

    # --------------------------------------------------------------- stops

    def stop_at(self, cells: Cells) -> Stop:
        pc = cells[ir.PC]
        if cells[ir.OVER] or pc not in self.choices or self._interpreted:
            return super().stop_at(cells)
        memory = self.scratch(cells, Run(seat=-2))
        try:
            stop = self._native(memory, self.engine.entries.offer(pc))
        except (Refused, RulebookFault):
            # Only the interpreter can tell what a stored state without an answer waits for.
            return super().stop_at(cells)
        if stop.pc == pc and stop.kind == "decision":
            return stop
        return super().stop_at(cells)
