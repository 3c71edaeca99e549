"""Whether there is a way, asked of the way that was found before: `any(c for c in reach(…) if …)`.

The answer is wanted again and again while little changes: before and after each move, and for all
the things that might be put in the way. So the spaces of a way are kept. If all of them are still
free, and it begins and ends where it should, it is the answer, and nothing is flooded. A flood
ends where it meets what was looked for, and goes back from there to find a way.

This relies on a test that cannot fail, and is a set of spaces. A way that is kept is true of no
state: it is compared with the sets of each question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.native.passes.flood_shifts import Shifts, shifts_of
from ludwright.native.passes.masks import Mask
from ludwright.native.passes.space_sets import SpaceSets

KEPT = 16  # ways of one question, by the space that they begin in; a power of two


@dataclass(frozen=True, slots=True)
class Way:
    """A question: where a way begins and may lead, the steps, and the sets it has to end in."""

    reach: ir.Reach
    spaces: int
    shifts: Shifts
    ends: list[Mask]


def way_of(
    program: ir.Program, sets: SpaceSets, node: ir.Aggregate, cheap: Callable[[ir.Expr], bool]
) -> Way | None:
    """What a test asks, if it is such a question; `cheap`: takes little, and cannot fail."""
    match node:
        case ir.Aggregate(
            op="exists" | "any",
            stream=ir.Stream(
                clauses=(
                    ir.Loop(
                        regs=(register,),
                        source=ir.SetSource(of=ir.Reach(steps=None) as reach, lo=0),
                    ),
                    *filters,
                ),
                head=head,
            ),
        ):
            tests = [clause.when for clause in filters if isinstance(clause, ir.Filter)]
            rows = program.rows[reach.table]
            shifts = shifts_of(rows)
            if shifts is None or len(tests) < len(filters) or len(rows) > sets.spaces:
                return None  # of places that are no spaces there are no facts
            if node.op == "any":
                tests.append(head)
            ends = sets.masks(tests, register, cheap)
            return Way(reach, len(rows), shifts, ends) if ends else None
        case _:
            return None
