"""The interpreter: runs a Program on cells until it stops.

It knows instructions and stops, not games. Whoever calls it owns the cells: a run that raises
leaves them half changed, so callers always pass a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ludwright.kernel import program as ir
from ludwright.kernel.choosing import STOP, Stop
from ludwright.kernel.context import (
    COMPLETE,
    LOG_FULL,
    RUN,
    STOPPED,
    TICKS,
    Cells,
    Refused,
    Run,
    SearchRun,
    fault,
    illegal,
    late,
)
from ludwright.kernel.expressions import Expressions
from ludwright.kernel.frames import Frames
from ludwright.kernel.generator import seed_cells
from ludwright.kernel.instructions import Instructions
from ludwright.kernel.search import Search
from ludwright.kernel.soundness import problem
from ludwright.kernel.types import INT_MAX

ChanceMode = Literal["generator", "explicit"]

TICK_LIMIT = 5_000_000
SEARCH_BUDGET = 10_000


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
        self.search = Search(program, search_budget)
        self.search.resume = self._dispatch
        self.search.glance = self._glance
        built = Instructions(program, self.expressions, self.search, chance == "explicit")
        self.pieces = built.pieces
        self.classes = built.classes
        self._code = built.compile()
        self.choices = built.choices
        self.chances = built.chances
        self._tail: list[Any] = [0] * program.registers + [tick_limit, None]
        self._tick_limit = tick_limit
        self._frames = Frames(program)

    # -------------------------------------------------------------- cells

    def problem(self, cells: Sequence[Any]) -> str | None:
        """Why these cells cannot be a state, in words."""
        return problem(self.program, self._frames, cells)

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
        S = cells + self._tail
        S[RUN] = run
        return S

    def settled(self, S: Cells) -> Cells:
        """The cells of a finished run, without its registers."""
        return S[: self.program.cells]

    # --------------------------------------------------------------- runs

    def _dispatch(self, S: Cells, pc: int) -> int:
        S[TICKS] = self._tick_limit
        code = self._code
        while pc >= 0:
            pc = code[pc](S)
        return pc

    def _glance(self, S: Cells, pc: int, until: frozenset[int]) -> int:
        """Run on until the part ends, or is sure to."""
        S[TICKS] = self._tick_limit
        code = self._code
        while pc >= 0 and pc not in until:
            pc = code[pc](S)
        return COMPLETE if pc >= 0 else pc

    def start(self, S: Cells) -> Stop:
        """Run set-up up to the first stop."""
        return self._go(S, self.program.entry)

    def answer(self, S: Cells, stop: Stop, answer: Any) -> Stop:
        """Give the answer to a stop and run on to the next one."""
        try:
            if stop.kind == "chance":
                following = self.chances[stop.pc].settle(S, answer)
            else:
                point = self.choices[stop.pc]
                following = point.apply(S, answer, stop.seat)
                if following == point.pc:
                    following = point.offer(S)
        except Refused as refused:
            raise self._trouble(S[RUN], refused) from None
        return self._go(S, following)

    def go(self, S: Cells, pc: int) -> Stop:
        return self._go(S, pc)

    def _go(self, S: Cells, pc: int) -> Stop:
        run: Run = S[RUN]
        try:
            self._dispatch(S, pc)
        except Refused as refused:
            raise self._trouble(run, refused) from None
        if S[ir.LOG] >= INT_MAX:
            raise fault(self.program, *LOG_FULL)
        stop = run.stop
        assert stop is not None, "a run ends at a stop"
        return stop

    def _trouble(self, run: Run, refused: Refused) -> Exception:
        """A refusal is the player's only while his own part lasts; later the rulebook is wrong."""
        if run.ended or run.seat < 0:
            return late(self.program, refused)
        return illegal(self.program, refused)

    # -------------------------------------------------------------- stops

    def stop_at(self, cells: Cells) -> Stop:
        """What a stored state waits for, found again from its cells alone."""
        pc = cells[ir.PC]
        if cells[ir.OVER]:
            return Stop("over", pc)
        # As if another seat's part had just ended: the stop is published whatever it holds.
        run = Run(seat=-2)
        S = self.scratch(cells, run)
        if pc in self.chances:
            answers, weights = self.chances[pc].weighted(S)
            return Stop("chance", pc, None, -1, answers, weights=weights)
        point = self.choices.get(pc)
        if point is None:
            raise fault(self.program, "state", -1, "this state does not stand at a decision")
        try:
            if point.offer(S) == STOPPED and run.stop is not None:
                return run.stop
        except Refused:
            S = self.scratch(cells, run)
        stop = point.here(S)
        stop.answers, stop.can_stop, stop.can_decline, stop.dead_end = (), False, False, True
        return stop

    def sealed(self, cells: Cells, stop: Stop, seat: int) -> Stop:
        """The stop of a sealed decision as another seat meets it."""
        point = self.choices[stop.pc]
        return point.answered(self.scratch(cells, Run(seat)), stop, seat)


__all__ = ["SEARCH_BUDGET", "STOP", "TICK_LIMIT", "ChanceMode", "Machine", "SearchRun"]
