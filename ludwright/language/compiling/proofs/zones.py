"""Zones are only for the kinds of pieces that `of:` names: which of the tests are needed. And only
what has an order can be reversed."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.contents import Contents
from ludwright.language.compiling.proofs.value_sets import NOTHING, members


def check(lowering: Lowering, contents: Contents) -> None:
    """Drop the tests that always hold, and tell those that never do."""
    for code in lowering.codes:
        for index, span in code.reversals.items():
            _check_reversal(lowering, contents, code.instrs[index], span)
        code.drop({index for index in code.fits if _always_holds(lowering, contents, code, index)})


def _always_holds(lowering: Lowering, contents: Contents, code: Code, index: int) -> bool:
    test, move = code.instrs[index : index + 2]
    assert isinstance(test, ir.Require)
    assert isinstance(move, ir.MovePiece | ir.MoveAll)
    places = contents.places_of(move.place)
    values = contents.moved_by(move)
    pieces = (2 << lowering.unit.world.piece_count) - 2 if values is None else values & ~NOTHING
    if all(not pieces & ~contents.allowed[place] for place in places):
        return True
    if pieces and not any(pieces & contents.allowed[place] for place in places):
        _report(lowering, test, places, pieces)
    return False


def _report(lowering: Lowering, test: ir.Require, places: set[int], pieces: int) -> None:
    world = lowering.unit.world
    numbers = set(members(pieces))
    kinds = [kind.name for kind in world.kinds if numbers & set(kind.pieces)]
    if not kinds:
        return  # the pieces of a kind that could not be read
    zone = world.places[min(places)]
    lowering.unit.error(
        "wrong-zone",
        lowering.unit.sites[test.site].span,
        f"the zone `{zone.zone}` is only for {', '.join(f'`{k}`' for k in zone.kinds)}, "
        f"and this is {' or '.join(f'`{kind}`' for kind in kinds)}",
        f"move it elsewhere, or add `{kinds[0]}` to `of` of the zone",
    )


def _check_reversal(
    lowering: Lowering, contents: Contents, swap: ir.Instr, span: Span | None
) -> None:
    assert isinstance(swap, ir.SwapInPlace)
    world = lowering.unit.world
    possible = sorted(contents.places_of(swap.place))
    loose = [at for at in possible if world.places[at].order not in ("stack", "row")]
    if loose:
        groups = (group for group, members in world.groups.items() if loose[0] in members)
        name = world.places[loose[0]].zone or next(groups)
        lowering.unit.error(
            "wrong-zone",
            span,
            f"only a stack or row has an order that can be reversed, and `{name}` has none",
            f"declare `{name}` with `order: stack` or `order: row`",
        )
    elif any(world.places[at].see == "top" for at in possible):
        lowering.unit.error(
            "wrong-zone",
            span,
            "reversing would show another top, and nothing says that it comes to light",
            "move the pieces to a zone that is seen by all or by nobody, and reverse that",
        )
