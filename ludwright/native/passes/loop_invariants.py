"""What is the same for every element of a loop: `led` in `c for c in hand(p) if c.suit == led`.

LLVM cannot know that a function gives the same number each time, so the loop keeps the number in a
slot. What is cheap and cannot fail is evaluated before the loop, the rest when it is first needed.

This relies on expressions having no effects, and on every register being bound where the loop or
the expression itself binds it. Work that is charged (`Spend`) is never done just once.
"""

from __future__ import annotations

from typing import Any

from ludwright import program as ir
from ludwright.program.nodes import children, walk


def invariant_parts(parts: tuple[object, ...], own: tuple[int, ...]) -> list[ir.Expr]:
    """The largest calls and aggregates within a loop that depend on nothing it changes.

    `own` are the registers of the loop itself.
    """
    if not any(isinstance(item, ir.CallFn | ir.Aggregate) for item in walk(parts)):
        return []
    changing = _bound(parts) | set(own)
    found: dict[int, ir.Expr] = {}
    stack: list[Any] = [parts]
    while stack:
        item = stack.pop()
        if isinstance(item, ir.CallFn | ir.Aggregate) and not (_free(item) & changing):
            found[id(item)] = item
        else:
            stack += children(item)
    return list(found.values())


def _bound(node: object) -> set[int]:
    """The registers that loops and names inside a node have for themselves."""
    found: set[int] = set()
    for item in walk(node):
        if isinstance(item, ir.Bind | ir.BindSource):
            found.add(item.reg)
        elif isinstance(item, ir.Loop):
            found.update(item.regs)
    return found


def _free(node: ir.Expr) -> set[int]:
    """The registers that a node reads and does not bind itself."""
    read = {item.addr for item in walk(node) if isinstance(item, ir.Load | ir.LoadWide)}
    return read - _bound(node)
