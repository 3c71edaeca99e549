"""What is asked of an expression: a value, a condition, a number, a stream, a set."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes, presence
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    INT,
    MAX_LIST,
    Broken,
    Compiled,
    Seq,
    TableRef,
    Val,
    constant_of,
    join,
    none_of,
    noun,
    seat_type,
    universe,
)
from ludwright.program.types import Type


def value_of(unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None) -> Val | Broken:
    """A single value; a stream becomes a list (or set where one is expected)."""
    return to_value(unit, expression(unit, node, scope, expect), node.span, expect)


def to_value(
    unit: Unit, compiled: Compiled, span: Span | None, expect: Type | None = None
) -> Val | Broken:
    if isinstance(compiled, Val | Broken):
        return compiled
    if isinstance(compiled, TableRef):
        unit.error(
            "table-as-value",
            span,
            f"`{compiled.name}` is a whole table",
            f"pick a row: `{compiled.name}[…]`",
        )
        return BROKEN
    if expect is not None and expect.kind == "set":
        return as_set(unit, compiled, expect.items[0], span)
    if compiled.cap > MAX_LIST:
        unit.error(
            "list-too-long",
            span,
            f"this list could have {compiled.cap} elements; {MAX_LIST} is the most",
            "filter it first, or use it only inside count, any, sum, …",
        )
        return BROKEN
    type_ = Type("list", items=(compiled.elem,), cap=max(1, compiled.cap))
    return Val(ir.MakeList(compiled.source, type_.cap, site=unit.site(span)), type_)


def as_set(unit: Unit, compiled: Seq, item: Type, span: Span | None) -> Val | Broken:
    bounds = universe(item)
    if bounds is None or not compiled.elem.is_scalar:
        unit.error("not-a-set", span, "this cannot be kept as a set", "use a list")
        return BROKEN
    if compiled.elem.optional and compiled.cap:
        presence.report(unit, Type("list", items=(compiled.elem,)), item, span)
        return BROKEN
    type_ = Type("set", items=(item,))
    source = ir.MakeSet(compiled.source, item.lo, item.hi, unit.site(span))
    return Val(source, type_)


def different(unit: Unit, sequence: Seq, span: Span | None) -> Val:
    """A list of the members of a stream, each once."""
    cap = max(1, min(sequence.cap, MAX_LIST))
    bounds = universe(sequence.elem)
    if bounds is not None:
        cap = max(1, min(cap, bounds[1] - bounds[0] + 1 + sequence.elem.optional))
    listed = ir.MakeList(sequence.source, cap, True, unit.site(span))
    return Val(listed, Type("list", items=(sequence.elem,), cap=cap))


def condition(unit: Unit, node: tree.Expr, scope: Scope) -> ir.Expr:
    """A bool. Numbers and lists are not conditions."""
    compiled = expression(unit, node, scope, BOOL)
    if isinstance(compiled, Broken):
        return ir.Const(1)
    if isinstance(node, tree.NoneLit):
        told = "a condition is needed here, and `none` is never true"
        unit.error("not-a-condition", node.span, told, "compare with it, for example `… == none`")
        return ir.Const(1)
    if isinstance(compiled, Val) and compiled.type.kind == "bool":
        return presence.truth(unit, compiled)
    if isinstance(compiled, Val) and compiled.type.kind == "int":
        hint = "compare it, for example `… > 0`"
        if isinstance(node, tree.IntLit):
            hint = "write both comparisons: `x == 1 or x == 3`"
    elif isinstance(compiled, Seq | TableRef) or compiled.type.kind in ("list", "set"):
        hint = "write `any(…)` to ask whether there is one"
    elif compiled.type.kind == "place":
        hint = "`any(…)` asks whether something lies there, `empty(…)` whether nothing does"
    else:
        hint = "compare it, for example `… != none`"
    what = noun(compiled.type) if isinstance(compiled, Val) else "a list"
    unit.error("not-a-condition", node.span, f"a condition is needed here, this is {what}", hint)
    return ir.Const(1)


def number(unit: Unit, node: tree.Expr, scope: Scope) -> Val | Broken:
    return typed(unit, node, scope, INT)


def typed(unit: Unit, node: tree.Expr, scope: Scope, expect: Type) -> Val | Broken:
    """A value of the given kind, or a diagnostic that names both kinds."""
    value = value_of(unit, node, scope, expect)
    if isinstance(value, Broken):
        return value
    return check_type(unit, value, expect, node.span, node, scope)


# How to get what is needed from what was given.
_INSTEAD = {
    ("list", "seat"): "take one of them: `first(…)`",
    ("set", "seat"): "take one of them: `first(…)`",
    ("list", "place"): "take one of them: `first(…)`",
    ("set", "place"): "take one of them: `first(…)`",
    ("list", "piece"): "take one of them: `first(…)`",
    ("set", "piece"): "take one of them: `first(…)`",
    ("list", "int"): "count them: `count(…)`",
    ("set", "int"): "count them: `count(…)`",
    ("place", "int"): "count what is there: `count(…)`",
    ("place", "piece"): "take what is there: `….piece`",
    ("piece", "place"): "take where it is: `….place`",
    ("piece", "seat"): "take whose it is: `….owner`",
    ("bool", "int"): "write `1 if … else 0`",
}


def check_type(
    unit: Unit,
    value: Val,
    expect: Type,
    span: Span | None,
    node: tree.Expr | None = None,
    scope: Scope | None = None,
) -> Val | Broken:
    """The value where a type is expected, or a diagnostic. `node` and `scope` help to say which
    test is missing where it may be none."""
    stated = presence.stated(unit, value, expect)
    fits = stated is not None and join(stated.type, expect) is not None
    if stated is not None and fits and not _other_kind(stated.type, expect):
        if presence.fits(stated.type, expect):
            return stated
        literal = constant_of(stated) == none_of(expect) and expect.is_scalar
        presence.report(unit, stated.type, expect, span, node, scope, literal)
        return BROKEN
    if stated is None or join(value.type, expect) is None or _other_kind(value.type, expect):
        unit.error(
            "wrong-type",
            span,
            f"{noun(expect)} is needed here, this is {noun(value.type)}",
            _INSTEAD.get((value.type.kind, expect.kind), f"write {noun(expect)}"),
        )
        return BROKEN
    return value


def _other_kind(value: Type, expect: Type) -> bool:
    """Whether a piece of one kind stands where one of another kind is needed."""
    both = value.kind == expect.kind == "piece"
    return both and "" not in (value.name, expect.name) and value.name != expect.name


def stream(unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None) -> Seq | Broken:
    """Anything that can be iterated: a comprehension, list, set, range, place, table."""
    hint = Type("list", items=(expect,), cap=MAX_LIST) if expect is not None else None
    return to_stream(unit, expression(unit, node, scope, hint), node.span)


def seats_of(unit: Unit, node: tree.Expr, scope: Scope) -> Val | Broken:
    """A seat or a collection of seats, as a set."""
    item = seat_type(unit.world)
    found = expression(unit, node, scope, item)
    if isinstance(found, Val) and found.type.kind == "seat":
        found = check_type(unit, found, item, node.span, node, scope)
        if isinstance(found, Val):
            found = Seq(ir.ItemsSource((found.expr,)), item, 1)
    seats = to_stream(unit, found, node.span)
    if isinstance(seats, Broken):
        return seats
    if seats.elem.kind != "seat":
        unit.error(
            "wrong-type",
            node.span,
            "seats are needed here",
            "name a seat, `actor`, `all`, or `p for p in seats if …`",
        )
        return BROKEN
    return as_set(unit, seats, item, node.span)


def to_stream(unit: Unit, compiled: Compiled, span: Span | None) -> Seq | Broken:
    match compiled:
        case Seq() | Broken():
            return compiled
        case TableRef(name=name):
            count = len(unit.world.tables[name].rows)
            type_ = Type("row", name, 0, max(0, count - 1))
            return Seq(ir.ConstSource(tuple(range(count))), type_, count, ascending=True)
        case Val(expr=expr, type=Type(kind="list") as type_):
            return Seq(ir.ListSource(expr), type_.items[0], type_.cap)
        case Val(expr=expr, type=Type(kind="set") as type_):
            item = type_.items[0]
            count = item.hi - item.lo + 1
            return Seq(ir.SetSource(expr, item.lo), item, count, ascending=True)
        case Val(expr=expr, type=Type(kind="place")):
            place = constant_of(compiled)
            order = unit.world.places[place].order if place is not None else "unknown"
            ordered = order not in ("bag",) and (
                place is not None or any(p.order != "bag" for p in unit.world.places)
            )
            return Seq(
                ir.PiecesSource(expr),
                attributes.pieces_in(unit, compiled),
                unit.world.piece_count,
                ascending=not ordered,
            )
        case Val(type=type_):
            unit.error(
                "not-a-collection",
                span,
                f"something to go through is needed here, this is {noun(type_)}",
                "a piece is compared: `x == none`"
                if type_.kind == "piece"
                else "write a list `[…]`, a range `a..b` or a comprehension `x for x in …`",
            )
            return BROKEN


def untyped_none(unit: Unit, span: Span | None) -> None:
    unit.error(
        "wrong-type",
        span,
        "there is a `none` in this, and nothing says of what type",
        "write the tuple where it is used, or keep it in a variable",
    )
