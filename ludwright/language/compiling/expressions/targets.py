"""What can be assigned to: locals, variables, properties of pieces, markers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes, indexed, names
from ludwright.language.compiling.expressions.type_check import value_of
from ludwright.language.compiling.layout import Slot
from ludwright.language.compiling.tree_walk import dotted
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import Broken, Val, noun, seat_type
from ludwright.language.parsing.source import BROKEN as UNREADABLE
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean


@dataclass(frozen=True)
class Target:
    addr: int
    type: Type
    index: ir.Expr | None = None
    size: int = 0
    slot: Slot | None = None  # None for locals and header cells
    local: Local | None = None
    missing: bool = False  # not everything has this variable that may stand before its dot

    @property
    def stride(self) -> int:
        return self.type.width

    def load(self, site: int) -> ir.Expr:
        if self.index is None:
            if self.type.is_scalar:
                return ir.Load(self.addr)
            return ir.LoadWide(self.addr, self.type)
        if self.type.is_scalar:
            return ir.LoadAt(self.addr, self.index, self.size, self.type.none, site=site)
        return ir.LoadWide(self.addr, self.type, self.index, self.stride, self.size, site)

    def store(self, value: ir.Expr, site: int) -> ir.Store:
        return ir.Store(
            self.addr,
            value,
            self.type,
            self.index,
            self.stride,
            self.size,
            self.slot.overflow if self.slot else "fault",
            self.slot.index if self.slot else -1,
            site,
        )


def target(unit: Unit, node: tree.Expr, scope: Scope) -> Target | None:
    """Where an assignment goes; None after a diagnostic."""
    name = dotted(node)
    if name == UNREADABLE:
        return None
    if name is not None:
        local = scope.find(name)
        if local is not None:
            if local.addr is None or local.type is None:
                unit.error(
                    "not-assignable",
                    node.span,
                    f"`{name}` cannot be changed here",
                    "it is bound by a loop, a parameter or a choice; use `let` for a new name",
                )
                return None
            return Target(local.addr, local.type, local=local)
        if name == "active":
            return Target(ir.ACTIVE, seat_type(unit.world))
        if name in unit.layout.globals:
            slot = unit.layout.globals[name]
            if slot.each is not None:
                indexed.needs_index(unit, slot, node.span)
                return None
            return Target(slot.variable.addr, slot.variable.type, slot=slot)
    if isinstance(node, tree.Attr):
        return _attribute_target(unit, node, scope)
    if isinstance(node, tree.Index):
        named = indexed.indexed(unit, node.of, scope)
        if isinstance(named, Broken):
            return None
        if named is not None:
            at = indexed.position(unit, *named, node.index, scope)
            return None if isinstance(at, Broken) else _of_variable(named[0], at)
    if isinstance(node, tree.Name):
        if names.spoilt(unit, node.id):
            return None
        known = set(unit.layout.globals) | scope.visible()
        unit.error(
            "unknown-variable",
            node.span,
            f"there is no variable `{node.id}` to assign to",
            _whose(unit, node.id)
            or did_you_mean(node.id, known)
            or names.misspelt_variable(unit, node.id, scope)
            or f"declare it under `vars:`, or write `let {node.id} =`",
        )
        return None
    unit.error(
        "not-assignable",
        node.span,
        "this cannot be assigned to",
        _of_somebody(unit, node)
        or "assign to a variable, to `seat.x`, `space.x` or a property of a piece",
    )
    return None


def _of_somebody(unit: Unit, node: tree.Expr) -> str | None:
    """What is meant by `coins[actor] = 1`."""
    match node:
        case tree.Index(of=tree.Name(id=name), index=tree.Name(id=whose)):
            known = name in unit.layout.seat_vars or name in unit.layout.space_vars
            return f"write `{whose}.{name}`" if known else None
        case _:
            return None


def _attribute_target(unit: Unit, node: tree.Attr, scope: Scope) -> Target | None:
    owner = value_of(unit, node.of, scope)
    if isinstance(owner, Broken):
        return None
    layout = unit.layout
    tables = {"seat": layout.seat_vars, "place": layout.space_vars, "piece": layout.piece_props}
    slots = tables.get(owner.type.kind, {})
    slot = slots.get(node.name)
    fixed = owner.type.kind == "piece" and attributes.fixed_property(unit, node.name) is not None
    if slot is None or (fixed and not attributes.changes(unit, owner, node.name)):
        if names.spoilt(unit, node.name, {"place": "space"}.get(owner.type.kind, owner.type.kind)):
            return None
        if fixed or node.name in ("piece", "place", "adjacent", "count"):
            unit.error(
                "not-assignable",
                node.span,
                f"`{node.name}` never changes" if fixed else f"`.{node.name}` cannot be assigned",
                "use `move … to …`"
                if node.name in ("piece", "place")
                else "declare it under `props` if it shall change",
            )
            return None
        unit.error(
            "unknown-variable",
            node.span,
            f"{noun(owner.type)} has no variable `{node.name}`",
            attributes.of_the_game(unit, node.name, owner.type.kind)
            or _of_each(unit, owner, node)
            or did_you_mean(node.name, slots)
            or _declared_as(owner, node),
        )
        return None
    if slot.each is not None:
        indexed.needs_index(unit, slot, node.span)
        return None
    index = attributes.owner_position(unit, slot, owner, changing=True)
    looked_up = isinstance(index, ir.Lookup) and index is not owner.expr
    return replace(_of_variable(slot, index), missing=looked_up or owner.type.optional)


def _of_variable(slot: Slot, index: ir.Expr) -> Target:
    """One of the values of a variable."""
    variable = slot.variable
    known = index.value if isinstance(index, ir.Const) else None
    if isinstance(known, int) and 0 <= known < slot.count:
        addr = variable.addr + known * variable.type.width
        return Target(addr, variable.type, slot=slot)
    return Target(variable.addr, variable.type, index, slot.count, slot)


def _of_each(unit: Unit, owner: Val, node: tree.Attr) -> str | None:
    """What is meant by `seats.coins += 1` and by `piece.space = s`."""
    if owner.type.kind == "piece" and node.name in ("space", "position", "location", "zone"):
        return "a piece changes its place by `move X to Z`"
    if owner.type.kind not in ("list", "set") or node.name not in unit.layout.seat_vars:
        return None
    return f"every seat has one: `for p in seats do p.{node.name} = e`"


def _declared_as(owner: Val, node: tree.Attr) -> str:
    """Where the variable of a seat, space or piece is declared."""
    scope = {"seat": "Seat", "place": "Space"}.get(owner.type.kind)
    if scope is not None:
        return f"declare it: `vars: {{ {scope}.{node.name}: 0..20 }}`"
    if owner.type.kind == "piece":
        return "declare it as a property, under `pieces:`"
    return "declare it under `vars:`"


def _whose(unit: Unit, name: str) -> str | None:
    """Of a variable that every seat or space has: that it must be said whose it is."""
    for own, example in ((unit.layout.seat_vars, "actor"), (unit.layout.space_vars, "s")):
        if name in own:
            owner = "seat" if example == "actor" else "space"
            return f"every {owner} has one: say whose, for example `{example}.{name}`"
    return None
