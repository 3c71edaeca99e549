"""What is the same for every element of a loop: `led` in `c for c in hand(p) if c.suit == led`.

LLVM cannot know that a function gives the same number each time, so the loop remembers it.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import inside


def bound_in(node: object) -> set[int]:
    """The registers that loops and names inside a node have for themselves."""
    found: set[int] = set()
    for item in inside(node):
        if isinstance(item, ir.Bind | ir.BindSource):
            found.add(item.reg)
        elif isinstance(item, ir.Loop):
            found.update(item.regs)
    return found


def steady_parts(parts: tuple[object, ...], own: tuple[int, ...]) -> list[ir.Expr]:
    """The largest calls and aggregates within a loop that depend on nothing it changes.

    `own` are the registers of the loop itself.
    """
    if not any(isinstance(item, ir.CallFn | ir.Aggregate) for item in inside(parts)):
        return []
    changing = bound_in(parts) | set(own)
    found: dict[int, ir.Expr] = {}
    stack: list[Any] = [parts]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, ir.CallFn | ir.Aggregate) and not (_free(item) & changing):
            found[id(item)] = item
        elif is_dataclass(item):
            stack.extend(getattr(item, field.name) for field in fields(item))
    return list(found.values())


def _free(node: ir.Expr) -> set[int]:
    """The registers that a node reads and does not bind itself."""
    read = {item.addr for item in inside(node) if isinstance(item, ir.Load | ir.LoadWide)}
    return read - bound_in(node)
