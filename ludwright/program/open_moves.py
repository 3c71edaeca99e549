"""Which move can be under way at an instruction.

`HeadEnter` opens a move unless one is open, and `HeadExit` closes the one it belongs to. So what
`header.HEAD` holds follows from the way that the program took. A procedure may be called both
inside and outside of a move: each entry is followed for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ludwright import program as ir
from ludwright.program import flow

Heads = frozenset[int]  # values that HEAD can have
NO_MOVE: Heads = frozenset((0,))


class _Passed(NamedTuple):
    """What a procedure makes of one value of HEAD."""

    at: dict[int, set[int]]  # by instruction
    behind: set[int]  # where it returns


class OpenMoves:
    """Of one Program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._passed: dict[tuple[int, int], _Passed] = {}

    @cached_property
    def _graph(self) -> flow.Graph:
        return flow.within_procedures(self._program.code, self._program.choices)

    @cached_property
    def _changing(self) -> set[int]:
        """The procedures, by entry, that open or close a move, also further down in a call."""
        bodies = {p.entry: self._program.code[p.entry : p.end] for p in self._program.procedures}
        own = (
            entry
            for entry, body in bodies.items()
            if any(isinstance(instr, ir.HeadEnter | ir.HeadExit) for instr in body)
        )
        return flow.calling(bodies, own)

    def inside(self, procedure: ir.Procedure, heads: Iterable[int], pc: int) -> Heads:
        """What HEAD can hold at an instruction of a procedure that was entered with these."""
        if procedure.entry not in self._changing:
            return frozenset(heads)
        found = (self._through(procedure.entry, head).at.get(pc, ()) for head in heads)
        return frozenset().union(*found)

    def _through(self, entry: int, head: int) -> _Passed:
        """Calls never go round in a circle, so this ends."""
        known = self._passed.get((entry, head))
        if known is not None:
            return known
        made = self._passed[entry, head] = _Passed({}, set())
        ways = [(entry, head)]
        while ways:
            pc, open_ = ways.pop()
            here = made.at.setdefault(pc, set())
            if open_ in here:
                continue
            here.add(open_)
            instr = self._program.code[pc]
            if isinstance(instr, ir.Return):
                made.behind.add(open_)
            for following in self._after(instr, open_):
                ways += ((target, following) for target in self._graph[pc])
        return made

    def _after(self, instr: ir.Instr, head: int) -> Iterable[int]:
        match instr:
            case ir.HeadEnter(head=number) if not head:
                return (number + 1,)
            case ir.HeadExit(head=number) if head == number + 1:
                return (0,)
            case ir.CallProc(entry=entry) if entry in self._changing:
                return self._through(entry, head).behind
            case _:
                return (head,)
