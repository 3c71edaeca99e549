"""What a search for the best has found out serves the decisions that follow it.

To find the largest value of a `best` block every way through it is walked, so it is known of each
decision on the way which of its answers lead there. The memo of that search keeps these answers, by
the state; later decisions of the block look them up instead of searching again what can be
finished.

This relies on a search saying the same of every answer: nothing may end the part or hand over to
another seat inside the block, every way must have been walked to its end, and behind the block
nothing may refuse any more. Otherwise the memo is void. What it says of a state is true whenever
the state comes up, so it need not be invalidated in time.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import of_type

MOST_ANSWERS = 62  # of one decision, as bits of a word


def is_memoized(program: ir.Program, sure: frozenset[int], instr: ir.BestBegin) -> bool:
    """Whether behind a block nothing can refuse, and its value lies in cells as it is compared."""
    ends = [
        pc
        for pc, other in enumerate(program.code)
        if isinstance(other, ir.BestEnd) and other.best == instr.best
    ]
    return (
        instr.addr < program.cells
        and instr.type.width == of_type(instr.type).words
        and all(pc + 1 in sure for pc in ends)
    )
