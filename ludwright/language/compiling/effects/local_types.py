"""Types of locals. A `let` has no declared type: it is wide enough for all that is assigned to it.

What is assigned may stand after uses of the name, so the type is found by trying: an assignment
that does not fit notes the wider type, and the whole game is compiled again with it. Types only
grow, and few games have such an assignment.
"""

from __future__ import annotations

from dataclasses import replace

from ludwright.language import tree
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.compiling.unit import LetKey, Local, Unit
from ludwright.language.compiling.values import MAX_LIST, join, storable, universe, unnamed
from ludwright.program.types import Type

MAX_ROUNDS = 8  # lists that grow by each other


def initial(unit: Unit, let: LetKey, type_: Type) -> Type:
    """The type of a new local, as far as is known from earlier rounds."""
    grown = unit.grown.get(let)
    if grown is None:
        return type_
    return grown if _empty(type_) else join(type_, grown) or type_


def _empty(type_: Type) -> bool:
    """A list that began as `[]`: nothing is known of its members yet."""
    return type_.kind == "list" and type_.items[0].kind == "none"


def grows(unit: Unit, local: Local, value: Type, node: tree.SetVar) -> bool:
    """Whether a local must become wider before this can be assigned to it."""
    if local.let is None or local.type is None:
        return False
    value = unnamed(storable(value))
    wider = join(local.type, value)
    if wider is None:
        return False
    longer, emptier = wider.cap > local.type.cap, not presence.fits(value, local.type)
    if _empty(local.type) and value.kind == "list" and not _empty(value):
        item = replace(wider.items[0], optional=False) if longer else wider.items[0]
        wider, longer = replace(wider, items=(item,)), True
    if not longer and not emptier and local.type.kind != "none":
        return False
    if wider.kind == "list":
        cap = _capacity(local.type, wider, node)
        if cap is None or not unit.may_grow:
            _report(unit, node)
            return True
        wider = replace(wider, cap=cap)
    if wider == local.type:
        return False
    unit.grown[local.let] = wider
    return True


def _capacity(type_: Type, wider: Type, node: tree.SetVar) -> int | None:
    """How long the list can get. One that is made from itself grows without a bound, but for its
    different members; more are a fault while playing."""
    name = node.target.id if isinstance(node.target, tree.Name) else ""
    mentioned = any(isinstance(n, tree.Name) and n.id == name for n in nodes_in(node.value))
    if not mentioned:
        return min(wider.cap, MAX_LIST)
    bounds = universe(wider.items[0])
    if bounds is None or wider.items[0].kind == "int":
        return None
    return max(type_.cap, bounds[1] - bounds[0] + 1)


def _report(unit: Unit, node: tree.SetVar) -> None:
    name = presence.spelled(node.target) or "it"
    unit.error(
        "list-grows",
        node.span,
        f"`{name}` grows each time, and nothing says how long it can get",
        f"declare it with its length, under `vars:`: `{name}: list[…, 20]`",
    )
