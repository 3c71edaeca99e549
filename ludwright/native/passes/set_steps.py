"""The neighbours of all spaces of a set at once: `x for s in chain for x in s.adjacent if …`.

All spaces of a set take a step by a few shifts of its bits, as in a flood (`flood_shifts`), and
conditions on the neighbours are sets, too (`space_sets`).

This relies on nobody asking in which order the neighbours come, or how often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.native.passes.flood_shifts import Shifts, shifts_of
from ludwright.native.passes.masks import Mask
from ludwright.native.passes.space_sets import SpaceSets
from ludwright.program.nodes import walk


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The set that the steps begin in, the steps, and the sets that they have to end in."""

    source: ir.SetSource
    rows: int  # of places, of which the spaces come first
    shifts: Shifts
    kept: list[Mask]
    site: int


def neighbours_of(
    program: ir.Program, sets: SpaceSets, stream: ir.Source, cheap: Callable[[ir.Expr], bool]
) -> Neighbours | None:
    """What a comprehension lists, if it is such a set; `cheap`: takes little, and cannot fail."""
    match stream:
        case ir.Stream(
            clauses=(
                ir.Loop(regs=(origin,), source=ir.SetSource(lo=0) as source),
                ir.Loop(
                    regs=(near,), source=ir.RowSource(table=table, index=ir.Load(addr=index)) as row
                ),
                *filters,
            ),
            head=ir.Load(addr=head),
        ) if index == origin and head == near:
            tests = [clause.when for clause in filters if isinstance(clause, ir.Filter)]
            rows = program.rows[table]
            shifts = shifts_of(rows)
            if shifts is None or any(rows[sets.spaces :]) or len(tests) < len(filters):
                return None
            if ir.Load(origin) in walk(tests):
                return None
            kept = sets.masks(tests, near, cheap)
            return None if kept is None else Neighbours(source, len(rows), shifts, kept, row.site)
        case _:
            return None
