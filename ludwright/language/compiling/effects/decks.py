"""Effects on what is hidden or ordered: drawing, shuffling, revealing."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling import narrowing
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.pieces import (
    each_piece,
    fixed_place,
    pieces_of,
    put,
    repeated,
)
from ludwright.language.compiling.effects.places import has_order, orders_of
from ludwright.language.compiling.expressions import boards
from ludwright.language.compiling.expressions.type_check import (
    number,
    seats_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import (
    INT,
    Broken,
    Val,
    piece_type,
    place_type,
    seat_type,
)
from ludwright.program.types import Type


def draw(lowering: Lowering, code: Code, node: tree.Draw, scope: Scope) -> None:
    unit = lowering.unit
    count = number(unit, node.count, scope)
    origin = fixed_place(lowering, code, node.origin, scope)
    place = fixed_place(lowering, code, node.to, scope)
    if isinstance(count, Broken) or origin is None or place is None:
        return
    held = boards.place_count(unit, Val(origin, place_type(unit.world)), node.span).expr
    wanted = count.expr
    if node.up_to:
        wanted = ir.Arith("min", wanted, held)
    else:
        site = unit.site(node.span, f"{unit.rule}: not enough pieces to draw")
        slot = code.slot(INT, "wanted")
        code.store(slot, wanted, INT)
        wanted = ir.Load(slot)
        # A draw is chance, and after chance nothing may be taken back: too few is a mistake
        # of the rules, unless they say `draw up to`.
        code.emit(ir.Require(ir.Compare(">=", held, wanted), site, fault=True))

    def one() -> None:
        piece = code.slot(piece_type(unit.world), "drawn")
        _draw_one(lowering, code, origin, piece, node)
        put(lowering, code, ir.Load(piece), place, node)

    known = count.expr.value if isinstance(count.expr, ir.Const) else 0
    surely = isinstance(known, int) and known > 0 and not node.up_to
    repeated(lowering, code, wanted, node, one, surely)


def _draw_one(lowering: Lowering, code: Code, origin: ir.Expr, piece: int, node: tree.Node) -> None:
    """The next piece of a zone. Where all that can be drawn is the first one, that is no chance, so
    it may be taken back."""
    unit = lowering.unit
    type_ = piece_type(unit.world)
    site = unit.site(node.span, f"{unit.rule}: draw")
    if orders_of(lowering, origin) <= {"stack", "row"}:
        count = len(unit.world.places)
        first = ir.LoadAt(unit.layout.place_head, origin, count, -1, site=site)
        code.store(piece, first, type_)
        return
    outcomes = ir.DrawFrom(origin, site)
    code.emit(ir.Chance(piece, outcomes, type_, "draw", -1, site, code.move_loops()))


def shuffle(lowering: Lowering, code: Code, node: tree.Shuffle, scope: Scope) -> None:
    unit = lowering.unit
    place = fixed_place(lowering, code, node.zone, scope)
    if place is None:
        return
    orders = orders_of(lowering, place)
    if "deck" in orders:
        other = code.label()
        if orders != {"deck"}:
            code.branch(has_order(lowering, place, "deck"), other)
        code.emit(ir.MixDeck(place))
        code.mark(other)
    if orders & {"stack", "row"}:
        done = code.label()
        if orders - {"stack", "row"}:
            ordered = ir.Or(has_order(lowering, place, "stack"), has_order(lowering, place, "row"))
            code.branch(ordered, done)
        index, other_index = code.slot(INT, "index"), code.slot(INT, "other")
        held = boards.place_count(unit, Val(place, place_type(unit.world)), node.span).expr
        code.store(index, ir.Arith("-", held, ir.Const(1)), INT)
        top = code.label()
        code.mark(top, (narrowing.STATE,))
        code.branch(ir.Compare(">", ir.Load(index), ir.Const(0)), done)
        site = unit.site(node.span, f"{unit.rule}: shuffle")
        outcomes = ir.RangeSource(ir.Const(0), ir.Load(index), unit.world.piece_count)
        with code.loop(index, done):
            code.emit(
                ir.Chance(
                    other_index, outcomes, INT, "shuffle", -1, site, code.move_loops(),
                    arranges=True,
                )
            )  # fmt: skip
        code.emit(ir.SwapInPlace(place, ir.Load(index), ir.Load(other_index)))
        code.store(index, ir.Arith("-", ir.Load(index), ir.Const(1)), INT)
        code.emit(ir.Tick(site))
        code.jump(top)
        code.mark(done)
    if orders == {"bag"}:
        unit.diagnostics.warning(
            "no-effect",
            node.span,
            "this zone has no order, so there is nothing to shuffle",
            "declare the zone with `order: deck`, or leave the shuffle out",
        )


def reverse(lowering: Lowering, code: Code, node: tree.Reverse, scope: Scope) -> None:
    """Exchange the outermost two, then the next two, up to the middle."""
    unit = lowering.unit
    place = fixed_place(lowering, code, node.zone, scope)
    if place is None:
        return
    site = unit.site(node.span)
    index, last = code.slot(INT, "index"), code.slot(INT, "last")
    held = boards.place_count(unit, Val(place, place_type(unit.world)), node.span).expr
    code.store(index, ir.Const(0), INT)
    code.store(last, ir.Arith("-", held, ir.Const(1)), INT)
    top, done = code.label(), code.label()
    code.mark(top, (narrowing.STATE,))
    code.branch(ir.Compare("<", ir.Load(index), ir.Load(last)), done)
    code.reversals[len(code.instrs)] = node.zone.span
    code.emit(ir.SwapInPlace(place, ir.Load(index), ir.Load(last)))
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.store(last, ir.Arith("-", ir.Load(last), ir.Const(1)), INT)
    code.emit(ir.Tick(site))
    code.jump(top)
    code.mark(done)


def reveal(lowering: Lowering, code: Code, node: tree.Reveal, scope: Scope) -> None:
    _show(lowering, code, node.what, node.to, scope, hide=False)


def conceal(lowering: Lowering, code: Code, node: tree.Conceal, scope: Scope) -> None:
    _show(lowering, code, node.what, node.origin, scope, hide=True)


def _show(
    lowering: Lowering,
    code: Code,
    what: tree.Expr,
    seats_node: tree.Expr | None,
    scope: Scope,
    hide: bool,
) -> None:
    unit = lowering.unit
    item = seat_type(unit.world)
    everyone: ir.Expr = ir.Const((1 << len(unit.world.seats)) - 1)
    if seats_node is not None and not (
        isinstance(seats_node, tree.Name) and seats_node.id == "all"
    ):
        chosen = seats_of(unit, seats_node, scope)
        if isinstance(chosen, Broken):
            return
        everyone = chosen.expr
    pieces = pieces_of(lowering, what, scope, many=True)
    if isinstance(pieces, Broken):
        return
    if isinstance(pieces, Val):
        code.emit(ir.RevealPiece(pieces.expr, everyone, hide))
        return
    mask = code.slot(Type("set", items=(item,)), "viewers")
    if not hide and isinstance(pieces.source, ir.PiecesSource):
        code.shown[len(code.instrs)] = (pieces.source.place, everyone)
    code.store(mask, everyone, Type("set", items=(item,)))
    viewers = ir.LoadWide(mask, Type("set", items=(item,)))
    each_piece(
        lowering,
        code,
        pieces,
        tree.Node(span=what.span),
        lambda piece: code.emit(ir.RevealPiece(piece, viewers, hide)),
    )
