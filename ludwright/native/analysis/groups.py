"""What each instruction, choice and function of a Program writes, and what that depends on.

An analysis goes over all writers again and again until nothing changes. A group whose registers and
cells have not changed would only write the same again, so it is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ludwright import program as ir
from ludwright.native.analysis.cell_ranges import CellBounds
from ludwright.program.nodes import walk

_WRITERS = (
    ir.Bind, ir.BindSource, ir.Loop, ir.CallFn, ir.Store, ir.Chance, ir.BestBegin, ir.Choice,
)  # fmt: skip


@dataclass
class Group:
    """The writers of one root; `reads` are registers, and cells by their group."""

    writers: list[Any]
    reads: frozenset[int]
    asked: list[object] = field(default_factory=list)  # nodes that it was the first to ask about

    def depends_on(self, changed: set[int]) -> bool:
        return not self.reads.isdisjoint(changed)


def groups(program: ir.Program, cells: CellBounds, roots: Iterable[list[Any]]) -> list[Group]:
    """A group for each root, which is given as the list of the nodes in it."""
    functions: list[frozenset[int]] = []  # what each reads, with all that it calls
    for function in program.functions:  # each comes after those that it calls
        functions.append(_reads(walk(function), cells, functions))
    return [
        Group([node for node in nodes if isinstance(node, _WRITERS)],
              _reads(nodes, cells, functions))
        for nodes in roots
    ]  # fmt: skip


def _reads(
    nodes: Iterable[Any], cells: CellBounds, functions: list[frozenset[int]]
) -> frozenset[int]:
    found: set[int] = set()
    for node in nodes:
        match node:
            case ir.Load(addr=addr) | ir.LoadAt(addr=addr):
                found.add(cells.group(addr))
            case ir.LoadWide(addr=addr):  # of a list, the second cell stands for its items
                found.update((cells.group(addr), cells.group(addr + 1)))
            case ir.CallFn(fn=fn):
                found |= functions[fn]
            case _:
                pass
    return frozenset(found)
