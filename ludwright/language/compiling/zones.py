"""`of:` of a zone: only pieces of these kinds are ever put there.

Every move of a piece to such a zone is guarded by a test. After lowering, when it is known which
pieces a move can meet, most tests turn out to hold always and are dropped; a move that could never
fit is an error; the rest is tested while playing, and a piece that does not belong is a fault.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.contents import Contents
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.possible import NOTHING, members


def guard(game: Lowering, code: Code, piece: ir.Expr, place: ir.Expr, node: tree.Node) -> None:
    """Test that a piece may lie in a place, directly before it is moved there."""
    unit, world = game.unit, game.unit.world
    known = game.places_of(place)
    places = [world.places[i] for i in known if i >= 0] if known is not None else world.places
    if not any(there.kinds for there in places):
        return
    kinds = [number for number, kind in enumerate(world.kinds) for _ in kind.pieces]
    # One row for each place and one for none; a piece of none is a fault of the move itself.
    width = len(world.kinds) + 1
    fitting = [1] * width
    for there in world.places:
        fitting += [int(not there.kinds or kind.name in there.kinds) for kind in world.kinds]
        fitting.append(1)
    kind_of = ir.Lookup(unit.table(kinds), piece, len(world.kinds))
    row = ir.Arith("*", ir.Arith("+", place, ir.Const(1)), ir.Const(width))
    rule = f"{unit.rule}: a piece that does not belong in this zone"
    test = ir.Lookup(unit.table(fitting), ir.Arith("+", row, kind_of), 1)
    code.fits.append(len(code.instrs))
    code.emit(ir.Require(test, unit.site(node.span, rule), fault=True))


def check(game: Lowering, contents: Contents) -> None:
    """Drop the tests that always hold, and tell those that never do."""
    for code in game.codes:
        code.drop({index for index in code.fits if _settled(game, contents, code, index)})


def _settled(game: Lowering, contents: Contents, code: Code, index: int) -> bool:
    test, move = code.instrs[index : index + 2]
    assert isinstance(test, ir.Require)
    assert isinstance(move, ir.MovePiece)
    places = contents.places_of(move.place)
    values = contents.possible.value(move.piece, {})
    pieces = (2 << game.unit.world.piece_count) - 2 if values is None else values & ~NOTHING
    if all(not pieces & ~contents.allowed[place] for place in places):
        return True
    if pieces and not any(pieces & contents.allowed[place] for place in places):
        _report(game, test, places, pieces)
    return False


def _report(game: Lowering, test: ir.Require, places: set[int], pieces: int) -> None:
    world = game.unit.world
    numbers = set(members(pieces))
    kinds = [kind.name for kind in world.kinds if numbers & set(kind.pieces)]
    zone = world.places[min(places)]
    game.unit.error(
        "wrong-zone",
        game.unit.sites[test.site].span,
        f"the zone `{zone.zone}` is only for {', '.join(f'`{k}`' for k in zone.kinds)}, "
        f"and this is {' or '.join(f'`{kind}`' for kind in kinds)}",
        f"move it elsewhere, or add `{kinds[0]}` to `of` of the zone",
    )
