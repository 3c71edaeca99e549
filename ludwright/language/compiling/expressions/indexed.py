"""Where the value of a declared variable stands: of a seat or space, and behind an index.

A variable with an index (`Seat.gems[Gem]`) is one variable for each member, one behind the other in
the cells, so the value of a member and an owner stands at `member * owners + owner`.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.expressions.type_check import typed
from ludwright.language.compiling.layout import Slot
from ludwright.language.compiling.tree_walk import dotted
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import BROKEN, Broken, Compiled, Val


def indexed(unit: Unit, node: tree.Expr, scope: Scope) -> tuple[Slot, Val | None] | Broken | None:
    """The variable with an index that is named, and whose it is; None of anything else."""
    layout = unit.layout
    full = dotted(node)
    if full is not None and scope.find(full.split(".")[0]) is None:
        slot = layout.globals.get(full)
        if slot is not None:
            return (slot, None) if slot.each is not None else None
    if not isinstance(node, tree.Attr):
        return None
    slots = {"seat": layout.seat_vars.get(node.name), "place": layout.space_vars.get(node.name)}
    if not any(slot is not None and slot.each is not None for slot in slots.values()):
        return None
    owner = expression(unit, node.of, scope)
    if not isinstance(owner, Val):
        return BROKEN if isinstance(owner, Broken) else None
    slot = slots.get(owner.type.kind)
    return (slot, owner) if slot is not None and slot.each is not None else None


def position(
    unit: Unit, slot: Slot, owner: Val | None, index: tree.Expr, scope: Scope
) -> ir.Expr | Broken:
    """Which of all values of a variable with an index is meant; negative if there is no owner."""
    assert slot.each is not None
    key = typed(unit, index, scope, slot.each)
    if isinstance(key, Broken):
        return key
    member = fold(ir.Arith("-", key.expr, ir.Const(slot.each.lo)), unit)
    if not _within(unit, key, slot):
        rows = ir.Const(tuple(range(slot.members)))
        member = ir.ListItem(rows, member, unit.site(index.span))
    owners = ir.Const(slot.variable.count)
    if owner is None:
        return member
    whose = attributes.owner_position(unit, slot, owner)
    before = fold(ir.Arith("*", member, owners), unit)
    if isinstance(whose, ir.Const):
        return fold(ir.Arith("+", before, whose), unit)
    reg = unit.register()
    missing = ir.Compare("<", ir.Load(reg), ir.Const(0))
    found = ir.Select(missing, ir.Const(-1), ir.Arith("+", before, ir.Load(reg)))
    return ir.Bind(reg, whose, found)


def _within(unit: Unit, key: Val, slot: Slot) -> bool:
    """Whether a key is certainly one of the members."""
    assert slot.each is not None
    if slot.each.kind == "place":
        places = attributes.possible_places(unit, key)
        return all(slot.each.lo <= place <= slot.each.hi for place in places)
    return slot.each.lo <= key.type.lo and key.type.hi <= slot.each.hi


def value(unit: Unit, slot: Slot, owner: Val | None, node: tree.Index, scope: Scope) -> Compiled:
    at = position(unit, slot, owner, node.index, scope)
    if isinstance(at, Broken):
        return at
    return attributes.load_at(unit, slot, at, node.span, owner is not None and owner.type.optional)


def needs_index(unit: Unit, slot: Slot, span: Span | None) -> Broken:
    assert slot.each is not None
    first = slot.variable.name.partition("[")[2].rstrip("]")
    unit.error(
        "needs-index",
        span,
        f"`{slot.name}` is kept several times; which one is not said",
        f"add an index, for example `{slot.name}[{first}]`",
    )
    return BROKEN
