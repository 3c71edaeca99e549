"""The interpreter: runs a Program on cells until it stops.

It knows instructions and stops, not games. Whoever calls it owns the cells: a run that raises
leaves them half changed, so callers always pass a copy.
"""

from __future__ import annotations

from typing import Any, Literal

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.choice_point import ChoicePoint
from ludwright.kernel.interpreter.dispatch import Dispatch
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.instructions import Instructions
from ludwright.kernel.interpreter.legality import Search
from ludwright.kernel.interpreter.run import (
    RUN,
    STOPPED,
    Cells,
    Fn,
    Memory,
    Refused,
    Run,
    fault,
    illegal_move,
    late_refusal,
)
from ludwright.kernel.interpreter.stop import Stop
from ludwright.program import faults
from ludwright.program.limits import SEARCH_BUDGET, TICK_LIMIT
from ludwright.program.rng import seed_cells
from ludwright.program.types import INT_MAX

ChanceMode = Literal["generator", "explicit"]


class Machine:
    """One Program, compiled to closures."""

    def __init__(
        self,
        program: ir.Program,
        chance: ChanceMode = "generator",
        search_budget: int = SEARCH_BUDGET,
        tick_limit: int = TICK_LIMIT,
    ) -> None:
        self.program = program
        self.chance: ChanceMode = chance
        self.expressions = Expressions(program)
        self.choices: dict[int, ChoicePoint] = {}  # by the index of the instruction
        self._dispatch = Dispatch(tick_limit)
        self.search = Search(program, self._dispatch, self.choices, search_budget)
        explicit = chance == "explicit"
        built = Instructions(program, self.expressions, self.search, self.choices, explicit)
        self.code = self._dispatch.code = built.compile()
        self.pieces = built.pieces
        self.classes = built.classes
        self.chances = built.chances
        self._offers = built.offers
        self._tail: list[Any] = [0] * program.registers + [tick_limit, None]

    # -------------------------------------------------------------- cells

    def fresh(self, seed: int, players: int, scenario: int) -> Cells:
        """The cells before set-up."""
        cells: Cells = list(self.program.initial)
        if self.chance == "generator":
            seed_cells(cells, seed)
        cells[ir.PLAYERS] = players
        cells[ir.SCENARIO] = scenario
        return cells

    def scratch(self, cells: Cells, run: Run) -> Cells:
        """A copy to run on: cells, registers, ticks, run."""
        memory = cells + self._tail
        memory[RUN] = run
        return memory

    def state_cells(self, memory: Memory) -> Cells:
        """The cells of a finished run, without its registers."""
        return memory[: self.program.cells]

    # --------------------------------------------------------------- runs

    def start(self, memory: Memory) -> Stop:
        """Run set-up up to the first stop."""
        return self.resume(memory, self.program.entry)

    def answer(self, memory: Memory, stop: Stop, answer: Any) -> Stop:
        """Give the answer to a stop and run on to the next one."""
        try:
            if stop.kind == "chance":
                following = self.chances[stop.pc].take(memory, answer)
            else:
                point = self.choices[stop.pc]
                following = point.apply(memory, answer, stop.seat)
                if following == point.pc:
                    following = self._offers[stop.pc].offer(memory)
        except Refused as refused:
            raise self._trouble(memory[RUN], refused) from None
        return self.resume(memory, following)

    def resume(self, memory: Memory, pc: int) -> Stop:
        """Run on from an instruction to the next stop."""
        run: Run = memory[RUN]
        try:
            self._dispatch.run(memory, pc)
        except Refused as refused:
            raise self._trouble(run, refused) from None
        if memory[ir.LOG] >= INT_MAX:
            raise fault(self.program, faults.LOG_FULL, -1)
        stop = run.stop
        assert stop is not None, "a run ends at a stop"
        return stop

    def _trouble(self, run: Run, refused: Refused) -> Exception:
        """A refusal is the player's mistake during the own part, the rulebook's after it."""
        if run.ended or run.seat < 0:
            return late_refusal(self.program, refused)
        return illegal_move(self.program, refused)

    # -------------------------------------------------------------- stops

    def stop_at(self, cells: Cells) -> Stop:
        """What a stored state waits for, found again from its cells alone."""
        pc = cells[ir.PC]
        if cells[ir.OVER]:
            return Stop("over", pc)
        # As if another seat's part had just ended, so that a dead end is published too.
        run = Run(seat=-2)
        memory = self.scratch(cells, run)
        if pc in self.chances:
            answers, weights = self.chances[pc].weighted(memory)
            return Stop("chance", pc, None, -1, answers, weights=weights)
        point = self.choices.get(pc)
        if point is None:
            raise fault(self.program, faults.STATE, -1)
        try:
            if self._offers[pc].offer(memory) == STOPPED and run.stop is not None:
                return run.stop
        except Refused:
            memory = self.scratch(cells, run)
        stop = point.here(memory)
        stop.answers, stop.can_stop, stop.can_decline, stop.dead_end = (), False, False, True
        return stop

    def shown(self, cells: Cells, data: bytes | None = None) -> list[list[Any]]:
        """The values of `show`, each of them one, or one per seat; None where it cannot be
        computed. `data` are the cells as bytes, if they are known."""
        memory = self.scratch(cells, Run())

        def value(shown: ir.Shown, compute: Fn, seat: int) -> Any:
            if shown.seat is not None:
                memory[shown.seat] = seat
            try:
                return compute(memory)
            except (Refused, RulebookFault):
                return None

        return [
            [value(shown, compute, seat) for seat in range(cells[ir.PLAYERS] if each else 1)]
            for shown, compute, each in self._shown
        ]

    @cached_property
    def _shown(self) -> list[tuple[ir.Shown, Fn, bool]]:
        return [
            (shown, self.expressions.expr(shown.value), shown.seat is not None)
            for shown in self.program.shown
        ]

    def sealed(self, cells: Cells, stop: Stop, seat: int) -> Stop:
        """The stop of a sealed decision as another seat meets it."""
        point = self.choices[stop.pc]
        return point.answered(self.scratch(cells, Run(seat)), stop, seat)
