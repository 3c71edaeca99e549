"""What a list of effects may change, found from its text: for loops, whose tops come before it."""

from __future__ import annotations

from ludwright.language import tree
from ludwright.language.compiling.layout import Slot
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.narrowing import STATE, Range
from ludwright.language.compiling.tree_walk import dotted, nodes_in
from ludwright.language.compiling.unit import Scope, Unit

_ASSIGNING = (tree.SetVar, tree.AddVar, tree.ShiftMarker)
_MOVING = (
    tree.MoveToken, tree.MoveCount, tree.MoveTokenAdjacent, tree.CreateToken, tree.DestroyToken,
    tree.Draw, tree.Shuffle, tree.Reverse,
)  # fmt: skip
_ASKING = (tree.ChooseOne, tree.ChooseN, tree.Menu)
# Effects that change nothing by themselves, or only names of their own.
_HARMLESS = (
    tree.Let, tree.Do, tree.IfEffect, tree.ForEach, tree.Repeat, tree.With, tree.Require,
    tree.Fault, tree.Return, tree.Stop, tree.Record, tree.Clear, tree.Reveal, tree.Conceal,
    tree.Say,
)  # fmt: skip


def changed_in(lowering: Lowering, body: tree.Block, scope: Scope) -> tuple[Range, ...]:
    """The cells that may be changed, as far as anything outside of the body can read them."""
    unit = lowering.unit
    found: list[Range] = []
    acts = asks = False
    for node in nodes_in(body):
        if isinstance(node, tree.Call) and node.fn in unit.declared_procs:
            found.append(STATE)
        if not isinstance(node, tree.Effect):
            continue
        if isinstance(node, _ASSIGNING):
            found += _assigned(unit, node.target, scope)
            acts = True
        elif isinstance(node, tree.RollRandom):
            named: tree.Expr = tree.Name(node.bind)
            found += _assigned(unit, tree.Attr(node.of, node.bind) if node.of else named, scope)
            acts = True
        elif isinstance(node, _MOVING):
            found.append(unit.narrowing.pieces_range())
            if isinstance(node, tree.CreateToken):  # sets properties of the piece
                found += [_range(slot) for slot in unit.layout.piece_props.values()]
            acts = True
        elif isinstance(node, _ASKING):
            asks = True  # at the level of the flow it is a move, at whose end triggers run
        elif not isinstance(node, _HARMLESS):
            found.append(STATE)
    triggers = unit.gamedef.triggers
    if (asks and triggers) or (acts and any(trigger.immediate for trigger in triggers)):
        found.append(STATE)
    return tuple(found)


def _assigned(unit: Unit, target: tree.Expr, scope: Scope) -> list[Range]:
    layout = unit.layout
    name = dotted(target)
    local = scope.find(name) if name is not None else None
    if local is not None and local.addr is not None and local.type is not None:
        return [(local.addr, local.addr + local.type.width)]
    if name is not None and name in layout.globals:
        return [_range(layout.globals[name])]
    if isinstance(target, tree.Index):
        return _assigned(unit, target.of, scope)
    if isinstance(target, tree.Attr):
        tables = (layout.seat_vars, layout.space_vars, layout.piece_props)
        return [_range(slots[target.name]) for slots in tables if target.name in slots]
    return [] if isinstance(target, tree.Name) and name != "active" else [STATE]


def _range(slot: Slot) -> Range:
    variable = slot.variable
    return variable.addr, variable.addr + slot.count * variable.type.width
