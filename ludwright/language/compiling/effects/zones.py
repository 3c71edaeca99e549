"""`of:` of a zone: only pieces of these kinds are ever put there.

Every move of a piece to such a zone is guarded by a test. After lowering, when it is known which
pieces a move can meet, most tests turn out to hold always and are dropped; a move that could never
fit is an error; the rest is tested while playing, and a piece that does not belong is a fault.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.places import places_of
from ludwright.language.compiling.lowering import Lowering


def guard(lowering: Lowering, code: Code, piece: ir.Expr, place: ir.Expr, node: tree.Node) -> None:
    """Test that a piece may lie in a place, directly before it is moved there."""
    test = _fits(lowering, piece, place)
    if test is not None:
        _emit(lowering, code, test, node)


def guard_all(
    lowering: Lowering, code: Code, pieces: ir.Expr, place: ir.Expr, node: tree.Node
) -> None:
    """The same of a list of pieces that are all moved."""
    piece = lowering.unit.register()
    test = _fits(lowering, ir.Load(piece), place)
    if test is not None:
        loop = ir.Loop((piece,), ir.ListSource(pieces))
        misfits = ir.Stream((loop, ir.Filter(ir.Not(test))), ir.Load(piece))
        _emit(lowering, code, ir.Not(ir.Aggregate("exists", misfits)), node)


def _emit(lowering: Lowering, code: Code, test: ir.Expr, node: tree.Node) -> None:
    rule = f"{lowering.unit.rule}: a piece that does not belong in this zone"
    code.fits.append(len(code.instrs))
    code.emit(ir.Require(test, lowering.unit.site(node.span, rule), fault=True))


def _fits(lowering: Lowering, piece: ir.Expr, place: ir.Expr) -> ir.Expr | None:
    """Whether a piece may lie in a place; None if every piece may."""
    unit, world = lowering.unit, lowering.unit.world
    known = places_of(lowering, place)
    places = [world.places[i] for i in known if i >= 0] if known is not None else world.places
    if not any(there.kinds for there in places):
        return None
    kinds = [number for number, kind in enumerate(world.kinds) for _ in kind.pieces]
    # One row for each place and one for none; a piece of none is a fault of the move itself.
    width = len(world.kinds) + 1
    fitting = [1] * width
    for there in world.places:
        fitting += [int(there.takes(kind)) for kind in world.kinds]
        fitting.append(1)
    kind_of = ir.Lookup(unit.table(kinds), piece, len(world.kinds))
    row = ir.Arith("*", ir.Arith("+", place, ir.Const(1)), ir.Const(width))
    return ir.Lookup(unit.table(fitting), ir.Arith("+", row, kind_of), 1)
