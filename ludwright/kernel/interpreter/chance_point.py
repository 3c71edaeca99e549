"""A `Chance` instruction while a game is played: its outcomes, and what happens to one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.kernel.interpreter.ranges import out_of_range
from ludwright.kernel.interpreter.run import RUN, Memory, Run, fault
from ludwright.program import faults
from ludwright.program.cells import encoder
from ludwright.program.events import EventKind
from ludwright.program.limits import OPTION_LIMIT
from ludwright.program.ranges import misfit


class ChancePoint:
    """One `Chance` instruction: its outcomes, and how one is stored."""

    def __init__(
        self, expressions: Expressions, classes: PieceClasses, instr: ir.Chance, pc: int
    ) -> None:
        self.instr = instr
        self.pc = pc
        self._program = expressions.program
        self._classes = classes
        self._outcomes = expressions.streams.source(instr.outcomes)
        self._write = encoder(instr.type)
        self._misfit = misfit(self._program.world, instr.type)
        self._in_cells = instr.addr < self._program.cells
        self._pieces = instr.type.kind == "piece" and classes.any_alike

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
