"""Sentences for people: `say`, and the questions of choices (`ask`)."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions.type_check import (
    condition,
    seats_of,
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.tree_walk import free_names
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import BROKEN, Broken, Val, seat_type
from ludwright.program.types import Type


def say(lowering: Lowering, code: Code, node: tree.Say, scope: Scope) -> None:
    unit = lowering.unit
    when = None if node.when is None else condition(unit, node.when, scope)
    inner = scope if when is None else scope.assuming(unit.narrowing.implied(when, True))
    to = None if node.to is None else seats_of(unit, node.to, inner)
    sentence = compiled(lowering, node.text, inner)
    if sentence is None or isinstance(to, Broken):
        return
    hearers = None if to is None else to.expr
    read = () if node.when is None else _pieces_read(unit, node.when, scope)
    if read:  # whether the sentence is said could tell which pieces these are
        seat = unit.register()
        seats = _everyone(unit) if hearers is None else ir.SetSource(hearers, 0)
        hearers = _set_of(unit, seat, seats, _sees_all(unit, ir.Load(seat), read))
    code.emit(ir.Say(sentence, hearers, when, unit.site(node.span, f"{unit.rule}: say")))


def question(lowering: Lowering, text: tree.Text | None, scope: Scope) -> ir.Sentence | None:
    """The `ask` of a choice."""
    return None if text is None else compiled(lowering, text, scope)


def compiled(lowering: Lowering, text: tree.Text, scope: Scope) -> ir.Sentence | None:
    """None if one of its values is broken, which has been reported."""
    unit = lowering.unit
    found = [value_of(unit, node, scope) for node in text.values]
    values = [value for value in found if not isinstance(value, Broken)]
    if len(values) < len(found):
        return None
    seen: list[ir.Expr | None] = []
    for value, node in zip(values, text.values, strict=True):
        viewers = _viewers(unit, value, node, scope)
        if isinstance(viewers, Broken):
            return None
        seen.append(viewers)
    return ir.Sentence(
        text.words,
        tuple(value.expr for value in values),
        tuple(value.type for value in values),
        tuple(seen),
    )


# ------------------------------------------------------- who sees the pieces named


def _viewers(unit: Unit, value: Val, node: tree.Expr, scope: Scope) -> ir.Expr | Broken | None:
    """The set of seats that see all pieces that a value holds, or was read from; None where
    nobody has to be kept from it."""
    if not _can_hide(unit):
        return None
    read = list(_pieces_read(unit, node, scope))
    if value.type.holds_pieces:
        own = _pieces(value.type, value.expr)
        if own is None:
            unit.error(
                "wrong-type",
                node.span,
                "a sentence names pieces one by one, or a list of them, but not inside of tuples",
                "name the parts of the tuple: `{x.piece}`",
            )
            return BROKEN
        read.append(own)
    if not read:
        return None
    seat = unit.register()
    return _set_of(unit, seat, _everyone(unit), _sees_all(unit, ir.Load(seat), tuple(read)))


def _everyone(unit: Unit) -> ir.Source:
    """All seats, also those that are not in play: a spectator hears what all of them would."""
    return ir.ConstSource(tuple(range(len(unit.world.seats))))


def _can_hide(unit: Unit) -> bool:
    return any(place.see != "all" for place in unit.world.places)


def _pieces_read(unit: Unit, node: tree.Expr, scope: Scope) -> tuple[ir.Source, ...]:
    """The pieces in the locals that an expression names: `c` in `c.rank > 3`."""
    if not _can_hide(unit):
        return ()
    found: list[ir.Source] = []
    for name in dict.fromkeys(free_names(node)):
        local = scope.find(name)
        if local is not None and isinstance(local.value, Val) and local.value.type.holds_pieces:
            pieces = _pieces(local.value.type, local.value.expr)
            found += [] if pieces is None else [pieces]
    return tuple(found)


def _set_of(unit: Unit, seat: int, seats: ir.Source, when: ir.Expr) -> ir.Expr:
    """The seats, each in the register `seat`, for which a condition holds."""
    chosen = ir.Stream((ir.Loop((seat,), seats), ir.Filter(when)), ir.Load(seat))
    return ir.MakeSet(chosen, 0, seat_type(unit.world).hi)


def _sees_all(unit: Unit, seat: ir.Expr, pieces: tuple[ir.Source, ...]) -> ir.Expr:
    piece = unit.register()
    source = pieces[0] if len(pieces) == 1 else ir.ConcatSource(pieces)
    there = ir.Compare(">=", ir.Load(piece), ir.Const(0))
    hidden = ir.Not(_sees(unit, seat, ir.Load(piece)))
    out_of_sight = ir.Stream(
        (ir.Loop((piece,), source), ir.Filter(there), ir.Filter(hidden)), ir.Load(piece)
    )
    return ir.Not(ir.Aggregate("exists", out_of_sight))


def _pieces(type_: Type, value: ir.Expr) -> ir.Source | None:
    if type_.kind == "piece":
        return ir.ItemsSource((value,))
    if type_.kind == "set":
        return ir.SetSource(value, type_.items[0].lo)
    if type_.kind == "list" and type_.items[0].kind == "piece":
        return ir.ListSource(value)
    return None


def _sees(unit: Unit, seat: ir.Expr, piece: ir.Expr) -> ir.Expr:
    """Whether a seat sees what a piece is: as `kernel.interpreter.pieces.Pieces.viewers` says."""
    layout, places = unit.layout, unit.world.places
    count, seats = unit.world.piece_count, len(unit.world.seats)
    place = ir.LoadAt(layout.piece_place, piece, count, -1)
    shown = unit.table(
        int(there.see == "all" or (there.see == "owner" and there.owner == number))
        for there in places
        for number in range(seats)
    )
    # a piece that is out of the game is nowhere: the index is negative, and everybody sees it
    at = ir.Arith("+", ir.Arith("*", place, ir.Const(seats)), seat)
    found: ir.Expr = ir.Compare("==", ir.Lookup(shown, at, 1), ir.Const(1))
    if any(there.see == "top" for there in places):
        tops = unit.table(int(there.see == "top") for there in places)
        first = ir.LoadAt(layout.place_head, place, len(places), -1)
        lies_on_top = ir.And(
            ir.Compare("==", ir.Lookup(tops, place, 0), ir.Const(1)),
            ir.Compare("==", first, piece),
        )
        found = ir.Or(found, lies_on_top)
    if layout.revealed >= 0:
        bit = unit.table(1 << number for number in range(seats))
        mask = ir.LoadAt(layout.revealed, piece, count, 0)
        shifted = ir.Arith("//", mask, ir.Lookup(bit, seat, 1))
        revealed = ir.Compare("==", ir.Arith("%", shifted, ir.Const(2)), ir.Const(1))
        found = ir.Or(found, revealed)
    return found
