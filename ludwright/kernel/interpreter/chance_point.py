"""Rolls, draws and shuffles: what can come up, how it is drawn, and what an outcome does.

A `ChancePoint` is one `Chance` instruction, as a `ChoicePoint` is one `Choose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.kernel.interpreter.ranges import out_of_range
from ludwright.kernel.interpreter.run import COMPLETE, RUN, STOPPED, Memory, Run, fault
from ludwright.kernel.interpreter.stop import Stop
from ludwright.program import faults
from ludwright.program.cells import encoder
from ludwright.program.events import EventKind
from ludwright.program.limits import OPTION_LIMIT
from ludwright.program.ranges import misfit
from ludwright.program.rng import draw


class ChancePoint:
    """One `Chance` instruction, compiled; `explicit`: the caller decides what chance gives."""

    def __init__(
        self, expressions: Expressions, classes: PieceClasses, instr: ir.Chance, pc: int,
        explicit: bool,
    ) -> None:  # fmt: skip
        self.instr = instr
        self.pc = pc
        self._explicit = explicit
        self._program = expressions.program
        self._classes = classes
        self._outcomes = expressions.streams.source(instr.outcomes)
        self._write = encoder(instr.type)
        self._misfit = misfit(self._program.world, instr.type)
        self._in_cells = instr.addr < self._program.cells
        self._pieces = instr.type.kind == "piece" and classes.any_alike

    def arrive(self, memory: Memory) -> int:
        """The instruction: draw an outcome, or stop where chance is a decision."""
        outcomes = self.outcomes(memory)
        if len(outcomes) < 2:
            if outcomes:
                return self.take(memory, outcomes[0], counted=False)
            raise fault(self._program, faults.nothing_to_draw(self.instr.name), self.instr.site)
        run: Run = memory[RUN]
        if run.searching:
            return COMPLETE
        if not self._explicit:
            return self.take(memory, outcomes[draw(memory, len(outcomes))])
        memory[ir.PC] = self.pc
        answers, weights = self.weighted(memory)
        run.stop = Stop("chance", self.pc, None, -1, answers, weights=weights)
        run.end("chance")
        return STOPPED

    def outcomes(self, memory: Memory) -> Sequence[Any]:
        found = self._outcomes(memory)
        if isinstance(found, range):
            return found
        listed = list(islice(found, OPTION_LIMIT + 1))
        if len(listed) > OPTION_LIMIT:
            raise fault(self._program, faults.TOO_MANY, self.instr.site)
        return listed

    def weighted(self, memory: Memory) -> tuple[list[Any], tuple[int, ...]]:
        """The distinct outcomes, each weighted by the number of equal ones."""
        weights: dict[Any, int] = {}
        shown: dict[Any, Any] = {}
        outcomes = self.outcomes(memory)
        if len(outcomes) > OPTION_LIMIT:  # of a range, which is drawn from without a list
            raise fault(self._program, faults.TOO_MANY, self.instr.site)
        for outcome in outcomes:
            key = self._classes.key(memory, outcome) if self._pieces else outcome
            weights[key] = weights.get(key, 0) + 1
            if key not in shown or outcome < shown[key]:
                shown[key] = outcome
        return list(shown.values()), tuple(weights.values())

    def take(self, memory: Memory, outcome: Any, counted: bool = True) -> int:
        """Store an outcome. It is an event if there were several."""
        if self._misfit is not None and (wrong := self._misfit(outcome)) is not None:
            raise out_of_range(self._program, self.instr.site, wrong)
        if self._in_cells:
            self._write(memory, self.instr.addr, outcome)
        else:
            memory[self.instr.addr] = outcome
        if counted:
            memory[ir.LOG] += 1
            run: Run = memory[RUN]
            run.end("chance")
            if run.events is not None:
                run.events.append((EventKind.ROLLED, self.pc, outcome))
        return self.pc + 1
