"""What a game does only once, before its first decision or draw, calls functions out of line.

Set-up puts many pieces on the board, and each time LLVM would inline all that this takes. That
costs time to compile and room in the caches, for code that all playouts of a series share.

This relies on nothing: code that is called does the same as code that is inlined.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludwright import program as ir
from ludwright.program.flow import reachable, suspends, within_procedures


def set_up(program: ir.Program) -> frozenset[int]:
    """The instructions that nothing comes to after a decision or a draw."""
    code = program.code
    graph = within_procedures(code, program.choices)
    owners = {pc: p.entry for p in program.procedures for pc in range(p.entry, p.end)}
    calls: dict[int | None, list[int]] = {}  # by procedure: where they come back to
    for pc, instr in enumerate(code):
        if isinstance(instr, ir.CallProc):
            calls.setdefault(instr.entry, []).append(pc + 1)

    def following(pc: int) -> Iterable[int]:
        if pc == len(code):
            return ()  # the end, which the program never runs past
        instr = code[pc]
        if isinstance(instr, ir.Return):
            return calls.get(owners.get(pc), ())
        return (instr.entry, *graph[pc]) if isinstance(instr, ir.CallProc) else graph[pc]

    stops = [pc for pc, instr in enumerate(code) if suspends(instr)]
    later = reachable(stops, following)
    return frozenset(range(len(code))).difference(later)
