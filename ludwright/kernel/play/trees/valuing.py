"""What a finished or interrupted game is worth to each seat: a whole number from 0 to WORTH.

Half of it (see `Settings.margin`) is the rank: all of it for a seat that is ahead of all others,
nothing for one that is behind them all. The rest is the margin: a seat's score against the average
of the others, as a part of the largest margin that random games showed (`Scale`). Where games are
only won, lost or drawn, both say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.play.trees.settings import SIXTEENTHS, WORTH
from ludwright.kernel.views import outcome


@dataclass(frozen=True, slots=True)
class Scale:
    """The largest margins: of results, and of the rulebook's `score` where a playout is cut off."""

    result: int
    cut: int


def worth(scores: Sequence[int], ranks: Sequence[int], scale: int, margin: int) -> list[int]:
    """By seat, from the scores and ranks of all seats in play."""
    n, total = len(scores), sum(scores)
    found: list[int] = []
    for own, rank in zip(scores, ranks, strict=True):
        lead = min(max(n * own - total if n > 1 else own, -scale), scale)
        by_margin = (lead + scale) * WORTH // (2 * scale)
        by_rank = by_margin
        if n > 1:
            beaten = sum(2 * (other > rank) + (other == rank) for other in ranks) - 1
            by_rank = beaten * WORTH // (2 * (n - 1))
        found.append((by_margin * margin + by_rank * (SIXTEENTHS - margin)) // SIXTEENTHS)
    return found


def ranks_of(scores: Sequence[int]) -> list[int]:
    """1 is best; equal scores share a rank."""
    return [1 + sum(other > own for other in scores) for own in scores]


def lead(scores: Sequence[int]) -> int:
    """The largest margin of any seat."""
    n, total = len(scores), sum(scores)
    return max(abs(n * own - total) if n > 1 else abs(own) for own in scores)


def only_won_or_lost(program: ir.Program) -> bool:
    return all(end.outcome != "score" for end in program.ends)


def wins_are_exact(program: ir.Program, margin: int) -> bool:
    """Whether a game that is won is worth all there is, whatever the scores."""
    return margin == 0 or only_won_or_lost(program)


def skipped(program: ir.Program) -> frozenset[int]:
    """The instructions that ask what is not worth thinking about."""
    named = program.hints.skip if program.hints is not None else ()
    return frozenset(
        pc
        for pc, instr in enumerate(program.code)
        if isinstance(instr, ir.Choose) and instr.choice in named
    )


class Valuing:
    """Values the states of one game."""

    def __init__(self, machine: Machine, scale: Scale, margin: int) -> None:
        self._machine, self._program = machine, machine.program
        self._scale, self._margin = scale, margin
        self.wins_are_exact = wins_are_exact(self._program, margin)
        self.skip = skipped(self._program)

    def __call__(self, cells: Cells) -> list[int]:
        """By seat in play."""
        program, players = self._program, cells[ir.PLAYERS]
        if cells[ir.OVER]:
            scores = cells[program.scores : program.scores + players]
            ranks = cells[program.ranks : program.ranks + players]
            return worth(scores, ranks, self._scale.result, self._margin)
        scores = measured(self._machine, cells)
        return worth(scores, ranks_of(scores), self._scale.cut, SIXTEENTHS)


def measured(machine: Machine, cells: Cells) -> list[int]:
    """The rulebook's `score` of every seat in play; all alike where it has none."""
    seats = range(cells[ir.PLAYERS])
    return [outcome.score(machine, cells, seat) or 0 for seat in seats]
