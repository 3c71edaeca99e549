"""Places as targets of a move: their orders, their limits."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code, Passage, Room
from ludwright.language.compiling.expressions.type_check import condition
from ludwright.language.compiling.expressions.type_check import number as number_of
from ludwright.language.compiling.lowering import Limited, Lowering
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import (
    Val,
    int_type,
    piece_type,
    place_type,
)
from ludwright.language.gamedef import LimitDecl
from ludwright.program.world import PieceKind


def orders_of(lowering: Lowering, place: ir.Expr) -> set[str]:
    """The orders a place can have, as far as the text tells."""
    places = lowering.unit.world.places
    known = places_of(lowering, place)
    members = range(len(places)) if known is None else known
    return {places[index].order for index in members if index >= 0} or {"bag"}


def places_of(lowering: Lowering, place: ir.Expr) -> set[int] | None:
    match place:
        case ir.Const(value=int(value)):
            return {value}
        case ir.Lookup(table=table):
            return {value for value in lowering.unit.tables[table] if value >= 0}
        case ir.ListItem(of=ir.Const(value=tuple(values))):
            return {value for value in values if isinstance(value, int)}
        case ir.Load(addr=addr) if addr in lowering.place_origin:
            return places_of(lowering, lowering.place_origin[addr])
        case _:
            return None


def says_whose(lowering: Lowering, kind: PieceKind, origin: ir.Expr, node: tree.MoveCount) -> None:
    """Warn where some pieces are taken from a place in which those of several seats may lie."""
    unit = lowering.unit
    every = isinstance(node.count, tree.Name) and node.count.id == "all"
    told = node.owner is not None or any(name == "owner" for name, _ in node.props)
    several = any(d.name == kind.name and d.owner == "seat" for d in unit.gamedef.pieces)
    if every or told or not several:
        return
    known = places_of(lowering, origin)
    if known and all(unit.world.places[at].owner >= 0 for at in known):
        return
    verb = "removed" if node.to is None else "moved"
    unit.diagnostics.warning(
        "any-owner",
        node.span,
        f"whose `{kind.name}` are {verb} is not said: the first ones that lie there are taken",
        f"write `{kind.name} of SEAT`, or let somebody choose: `chooseN: {{ bind: $x, options: …, "
        "max: 2 }` and `for x in $x do …`",
    )


def has_order(lowering: Lowering, place: ir.Expr, order: str) -> ir.Expr:
    flags = lowering.unit.table(int(p.order == order) for p in lowering.unit.world.places)
    return ir.Lookup(flags, place, 0)


def is_limited(lowering: Lowering, place: ir.Expr) -> bool:
    """Whether there may be a limit to what a place holds."""
    return bool(_limits_of(lowering, places_of(lowering, place)))


def check_limits(
    lowering: Lowering,
    code: Code,
    place: ir.Expr,
    site: int,
    passage: Passage | None = None,
    piece: ir.Expr | None = None,
) -> None:
    """Refuse what would overfill a place: so nothing that would is ever offered.

    With a `passage`, it may be proven from what is known before that there is room.
    """
    targets = places_of(lowering, place)
    places = range(len(lowering.unit.world.places))
    for name, members, limits in _limits_of(lowering, targets):
        outside: ir.Expr | None = None
        if targets is None or not targets <= members:
            inside = lowering.unit.table(int(i in members) for i in places)
            outside = ir.Not(ir.Lookup(inside, place, 0))
        for number, limit in enumerate(limits):
            function = _limit_function(lowering, name, number, limit)
            fits: ir.Expr = ir.CallFn(function, (place,))
            if outside is not None:
                fits = ir.Or(outside, fits)
            rule = f"{lowering.unit.rule}: `{name}` would hold too many pieces"
            if passage is not None:
                code.rooms[len(code.instrs)] = Room(name, function, place, passage, piece)
            code.emit(ir.Require(fits, lowering.unit.site(lowering.unit.sites[site].span, rule)))


def _limits_of(lowering: Lowering, places: set[int] | None) -> list[Limited]:
    """The zones and groups with limits that some of the places belong to, in their order."""
    if places is None:
        return lowering.limited
    found = {number for place in places for number in lowering.limited_at.get(place, ())}
    return [lowering.limited[number] for number in sorted(found)]


def compile_limits(lowering: Lowering) -> None:
    """Limits of places that nothing is moved to have been met nowhere else."""
    holders = [(zone.name, zone.limits) for zone in lowering.unit.gamedef.zones]
    holders += [(group.name, group.limits) for group in lowering.unit.gamedef.spaces]
    for name, limits in holders:
        for number, limit in enumerate(limits):
            _limit_function(lowering, name, number, limit)


def _limit_function(lowering: Lowering, name: str, number: int, limit: LimitDecl) -> int:
    unit = lowering.unit
    key = (name, number)
    if key in lowering.limit_functions:
        return lowering.limit_functions[key]
    here, it = unit.register(), unit.register()
    scope = Scope()
    scope.names["here"] = Local(Val(ir.Load(here), place_type(unit.world)))
    most = number_of(unit, limit.max, scope)
    clauses: list[ir.Loop | ir.Filter | ir.Until] = [ir.Loop((it,), ir.PiecesSource(ir.Load(here)))]
    if limit.of is not None:
        inner = scope.inner()
        inner.names["it"] = Local(Val(ir.Load(it), piece_type(unit.world)))
        clauses.append(ir.Filter(condition(unit, limit.of, inner)))
    held = ir.Aggregate("count", ir.Stream(tuple(clauses), ir.Const(1)))
    bound = most.expr if isinstance(most, Val) else ir.Const(0)
    fits: ir.Expr = ir.Compare("<=", held, bound)
    if limit.where is not None:
        fits = ir.Or(ir.Not(condition(unit, limit.where, scope)), fits)
    site = unit.site(limit.span, f"limit of {name}")
    function = ir.Function(f"limit of {name}", (here,), fits, int_type(0, 1))
    unit.functions.append(placed(function, site))
    lowering.limit_functions[key] = len(unit.functions) - 1
    return lowering.limit_functions[key]
