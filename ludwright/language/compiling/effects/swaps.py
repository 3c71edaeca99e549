"""`swap X with Y`: two pieces, two places, or two variables."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.assignments import assign, coerce
from ludwright.language.compiling.effects.pieces import put, put_all
from ludwright.language.compiling.effects.places import check_limits, orders_of
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.targets import target
from ludwright.language.compiling.expressions.type_check import value_of
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import INT, Broken, Seq, Val, piece_type, place_type
from ludwright.program.types import Type


def swap(lowering: Lowering, code: Code, node: tree.Swap, scope: Scope) -> None:
    unit = lowering.unit
    left, right = (value_of(unit, side, scope) for side in (node.left, node.right))
    if isinstance(left, Broken) or isinstance(right, Broken):
        return
    kinds = {left.type.kind, right.type.kind}
    if kinds == {"piece"}:
        _pieces(lowering, code, node, left, right)
    elif kinds == {"place"}:
        for value, side in ((left, node.left), (right, node.right)):
            if value.type.optional:  # what lies there would leave the board
                presence.report(unit, value.type, place_type(unit.world), side.span, side, scope)
                return
        _places(lowering, code, node, left, right)
    else:
        _values(lowering, code, node, scope, left, right)


def _kept(code: Code, value: ir.Expr, type_: Type, name: str) -> ir.Expr:
    slot = code.slot(type_, name)
    code.store(slot, value, type_)
    return ir.Load(slot)


def _pieces(lowering: Lowering, code: Code, node: tree.Swap, left: Val, right: Val) -> None:
    """Each goes to where the other one was, in a row or stack to its position; the limits hold when
    both have moved."""
    world, layout = lowering.unit.world, lowering.unit.layout
    site = lowering.unit.site(node.span)
    one, other = (
        _kept(code, value.expr, piece_type(world), name)
        for value, name in ((left, "one"), (right, "other"))
    )
    here, there = (
        _kept(
            code,
            ir.LoadAt(layout.piece_place, piece, world.piece_count, -1, site=site),
            place_type(world),
            name,
        )
        for piece, name in ((one, "here"), (other, "there"))
    )
    position, other_position = (
        _position(lowering, code, piece, place) for piece, place in ((one, here), (other, there))
    )
    where: ir.Where = "default" if position is None else "at"
    put(lowering, code, one, there, node, where, other_position, limited=False)
    put(lowering, code, other, here, node, where, position, limited=False)
    for place in (here, there):
        check_limits(lowering, code, place, site, code.here(), None)


def _position(lowering: Lowering, code: Code, piece: ir.Expr, place: ir.Expr) -> ir.Expr | None:
    """How many pieces lie before this one in its place; None if no place has an order."""
    if orders_of(lowering, place) == {"bag"}:
        return None
    reg = lowering.unit.register()
    found = ir.Until(ir.Compare("==", ir.Load(reg), piece))
    clauses = (ir.Loop((reg,), ir.PiecesSource(place)), found)
    up_to = ir.Aggregate("count", ir.Stream(clauses, ir.Const(1)))
    return _kept(code, ir.Arith("-", up_to, ir.Const(1)), INT, "position")


def _places(lowering: Lowering, code: Code, node: tree.Swap, left: Val, right: Val) -> None:
    """What lies in each goes to the other, in its order; both are looked at before anything moves.

    So each piece comes behind those that came before it, and before nothing but what is to leave.
    """
    world = lowering.unit.world
    site = lowering.unit.site(node.span)
    here, there = (
        _kept(code, value.expr, place_type(world), name)
        for value, name in ((left, "here"), (right, "there"))
    )
    listed = Type("list", items=(piece_type(world),), cap=max(1, world.piece_count))
    second = code.slot(listed, "second")
    code.store(second, ir.MakeList(ir.PiecesSource(there), listed.cap, site=site), listed)
    first = Seq(ir.PiecesSource(here), piece_type(world), world.piece_count)
    later = Seq(ir.ListSource(ir.LoadWide(second, listed)), piece_type(world), world.piece_count)
    for pieces, goal in ((first, there), (later, here)):
        put_all(lowering, code, pieces, goal, node, "bottom", limited=False)
    for place in (here, there):
        check_limits(lowering, code, place, site, code.here(), None)


def _values(
    lowering: Lowering, code: Code, node: tree.Swap, scope: Scope, left: Val, right: Val
) -> None:
    """The values of two variables."""
    one, other = target(lowering.unit, node.left, scope), target(lowering.unit, node.right, scope)
    if one is None or other is None:
        return
    first = coerce(lowering, right, one.type, node.right, scope)
    second = coerce(lowering, left, other.type, node.left, scope)
    if first is None or second is None:
        return
    slot = code.slot(one.type, "old")  # the other one says what happens to what it cannot hold
    code.store(slot, second, one.type)
    assign(lowering, code, one, first, node)
    assign(lowering, code, other, code.load(slot, one.type), node)
