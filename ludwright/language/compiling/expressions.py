"""Expressions: names, types and code in one pass over the syntax tree."""

from __future__ import annotations

from dataclasses import replace

from ludwright.diagnostics import Span
from ludwright.kernel import program as ir
from ludwright.kernel.types import NO_ENTITY, Type
from ludwright.language import tree
from ludwright.language.compiling import attributes, names, narrowing, presence
from ludwright.language.compiling.arithmetic import arithmetic, fold
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    INT,
    MAX_LIST,
    NONE,
    Broken,
    Compiled,
    Seq,
    TableRef,
    Val,
    const,
    constant_of,
    int_const,
    join,
    none_of,
    noun,
    seat_type,
    universe,
)
from ludwright.language.parsing.source import BROKEN as UNREADABLE


def expression(unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None) -> Compiled:
    """Compile an expression to a value or a stream. `expect` only helps to tell names apart."""
    return presence.narrowed(unit, scope, _expression(unit, node, scope, expect))


def _expression(unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None) -> Compiled:
    match node:
        case tree.IntLit(value=value):
            return int_const(value)
        case tree.BoolLit(value=flag):
            return const(int(flag), BOOL)
        case tree.NoneLit():
            return const(
                none_of(expect) if expect else -1,
                replace(expect, optional=True) if expect else NONE,
            )
        case tree.Name(id=name):
            return _name(unit, node, name, scope, expect)
        case tree.Attr():
            return _attribute(unit, node, scope, expect)
        case tree.Index():
            return _index(unit, node, scope)
        case tree.Call():
            from ludwright.language.compiling.calls import call

            return call(unit, node, scope, expect)
        case tree.Unary(op="not", arg=arg):
            return Val(ir.Not(condition(unit, arg, scope)), BOOL)
        case tree.Unary(arg=arg):
            negated = number(unit, arg, scope)
            if isinstance(negated, Broken):
                return BROKEN
            return arithmetic(unit, "-", int_const(0), negated, node.span)
        case tree.Binary():
            from ludwright.language.compiling.operators import binary

            return binary(unit, node, scope, expect)
        case tree.Cond(when=when, then=then, other=other):
            return _conditional(unit, node, when, then, other, scope, expect)
        case tree.TupleLit(items=items):
            return _tuple(unit, items, scope, expect)
        case tree.ListLit(items=items):
            return _list(unit, node, items, scope, expect)
        case tree.Comp():
            from ludwright.language.compiling.comprehensions import comprehension

            return comprehension(unit, node, scope)
        case _:
            raise AssertionError(f"unknown expression {node!r}")


# ------------------------------------------------------------- what is asked for


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


def condition(unit: Unit, node: tree.Expr, scope: Scope) -> ir.Expr:
    """A bool. Numbers and lists are not conditions."""
    compiled = expression(unit, node, scope, BOOL)
    if isinstance(compiled, Broken):
        return ir.Const(1)
    if isinstance(compiled, Val) and compiled.type.kind == "bool":
        return presence.truth(unit, compiled)
    if isinstance(compiled, Val) and compiled.type.kind == "int":
        hint = "compare it, for example `… > 0`"
    elif isinstance(compiled, Seq | TableRef) or compiled.type.kind in ("list", "set"):
        hint = "write `any(…)` to ask whether there is one"
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
    if stated is not None and join(stated.type, expect) is not None:
        if presence.fits(stated.type, expect):
            return stated
        literal = constant_of(stated) == none_of(expect) and expect.is_scalar
        presence.report(unit, stated.type, expect, span, node, scope, literal)
        return BROKEN
    if stated is None or join(value.type, expect) is None:
        unit.error(
            "wrong-type",
            span,
            f"{noun(expect)} is needed here, this is {noun(value.type)}",
            _INSTEAD.get((value.type.kind, expect.kind), f"write {noun(expect)}"),
        )
        return BROKEN
    return value


def stream(unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None) -> Seq | Broken:
    """Anything that can be iterated: a comprehension, list, set, range, place, table."""
    hint = Type("list", items=(expect,), cap=MAX_LIST) if expect is not None else None
    return to_stream(unit, expression(unit, node, scope, hint), node.span)


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
                "write a list `[…]`, a range `a..b` or a comprehension `x for x in …`",
            )
            return BROKEN


# ------------------------------------------------------------------------ names


def _name(unit: Unit, node: tree.Expr, name: str, scope: Scope, expect: Type | None) -> Compiled:
    if name == UNREADABLE:
        return BROKEN
    local = scope.find(name)
    if local is not None:
        return BROKEN if local.origin == "broken" else local.value
    if name in unit.declared_functions:
        from ludwright.language.compiling.calls import call

        return call(unit, tree.Call(name, span=node.span), scope, expect)
    if unit.world.zone_each.get(name):
        unit.error(
            "zone-needs-seat",
            node.span,
            f"every seat has its own `{name}`",
            f"say whose: `{name}(actor)`",
        )
        return BROKEN
    return names.resolve_global(unit, name, node.span, scope, expect)


def dotted(node: tree.Expr) -> str | None:
    match node:
        case tree.Name(id=name):
            return name
        case tree.Attr(of=of, name=name):
            prefix = dotted(of)
            return f"{prefix}.{name}" if prefix is not None else None
        case _:
            return None


def _attribute(unit: Unit, node: tree.Attr, scope: Scope, expect: Type | None) -> Compiled:
    full = dotted(node)
    if full is not None and scope.find(full.split(".")[0]) is None:
        if full in unit.declared_functions or full in unit.layout.globals:
            return _name(unit, node, full, scope, expect)
        if isinstance(node.of, tree.Name):
            values = unit.world.enums.get(node.of.id)
            if values is not None and node.name in values:
                type_ = Type("enum", node.of.id, 0, len(values) - 1)
                return const(values.index(node.name), type_)
            table = unit.world.tables.get(node.of.id)
            if table is not None and node.name in table.rows:
                type_ = Type("row", table.name, 0, len(table.rows) - 1)
                return const(table.rows.index(node.name), type_)
    owner = expression(unit, node.of, scope)
    if isinstance(owner, Broken):
        return owner
    return attributes.attribute(unit, owner, node.name, node.span)


def _index(unit: Unit, node: tree.Index, scope: Scope) -> Compiled:
    # `$bid[seat]`: the answer of one seat to a sealed decision
    if isinstance(node.of, tree.Name):
        local = scope.find(node.of.id)
        if local is not None and local.origin == "sealed":
            assert local.addr is not None
            assert local.type is not None
            seat = typed(unit, node.index, scope, seat_type(unit.world))
            if isinstance(seat, Broken):
                return seat
            return attributes.load_indexed(
                unit, local.addr, local.type, seat.expr, len(unit.world.seats), node.span
            )
    of = expression(unit, node.of, scope)
    match of:
        case Broken():
            return of
        case TableRef(name=name):
            return _table_row(unit, name, node, scope)
        case Val(type=Type(kind="tuple") as type_):
            index = constant_of(expression(unit, node.index, scope))
            if index is None or not 0 <= index < len(type_.items):
                unit.error(
                    "tuple-index",
                    node.index.span,
                    f"a tuple of {len(type_.items)} is indexed by a constant from 0",
                    "or unpack it: `let a, b = …`",
                )
                return BROKEN
            return Val(ir.Item(of.expr, index), type_.items[index])
        case _:
            sequence = to_stream(unit, of, node.of.span)
            index_value = number(unit, node.index, scope)
            if isinstance(sequence, Broken) or isinstance(index_value, Broken):
                return BROKEN
            if constant_of(index_value) == 0 and not isinstance(sequence.source, ir.ListSource):
                return _first_of(unit, sequence, node)
            listed = to_value(unit, sequence, node.of.span)
            if isinstance(listed, Broken):
                return listed
            if isinstance(sequence.source, ir.ConstSource):
                listed = replace(listed, expr=ir.Const(sequence.source.values))
            item = ir.ListItem(listed.expr, index_value.expr, unit.site(node.span))
            return Val(item, sequence.elem)


def _first_of(unit: Unit, sequence: Seq, node: tree.Index) -> Val | Broken:
    """`[…][0]`: the first member, which must be there. No list is made only to look at its head."""
    elem = sequence.elem
    if isinstance(sequence.source, ir.ConstSource) and sequence.source.values:
        value = sequence.source.values[0]
        if isinstance(value, int):
            return const(value, elem)
    if not elem.is_scalar or elem.optional:
        listed = to_value(unit, sequence, node.of.span)
        if isinstance(listed, Broken):
            return listed
        return Val(ir.ListItem(listed.expr, ir.Const(0), unit.site(node.span)), elem)
    reg, none = unit.register(), ir.Const(none_of(elem))
    missing = ir.ListItem(ir.Const(()), ir.Const(0), unit.site(node.span))
    found = ir.Select(ir.Compare("!=", ir.Load(reg), none), ir.Load(reg), missing)
    return Val(ir.Bind(reg, ir.Aggregate("first", sequence.source, none), found), elem)


def _table_row(unit: Unit, name: str, node: tree.Index, scope: Scope) -> Compiled:
    table = unit.world.tables[name]
    row_type = Type("row", name, 0, max(0, len(table.rows) - 1))
    index = value_of(unit, node.index, scope)
    if isinstance(index, Broken):
        return index
    if table.keyed and index.type.kind != "int":
        keyed = attributes.row_by_key(unit, table, index, node.span)
        if isinstance(keyed, Broken) or list(table.columns) != ["value"]:
            return keyed
        return attributes.attribute(unit, keyed, "value", node.span)
    if index.type.kind != "int":
        unit.error(
            "wrong-type",
            node.index.span,
            f"rows of `{name}` are numbered from 0; this is {noun(index.type)}",
            "use its number, or name the rows by giving each an `id`",
        )
        return BROKEN
    index_value = check_type(unit, index, INT, node.index.span, node.index, scope)
    if isinstance(index_value, Broken):
        return index_value
    # The row is its number; one that does not exist is a fault, also a negative one.
    site, rows = unit.site(node.span), tuple(range(len(table.rows)))
    if index_value.type.lo < 0:
        return Val(ir.ListItem(ir.Const(rows), index_value.expr, site), row_type)
    row = ir.Lookup(unit.table(rows), index_value.expr, NO_ENTITY, site)
    return Val(fold(row, unit), row_type)


# ------------------------------------------------- conditionals, tuples and lists


def _conditional(
    unit: Unit,
    node: tree.Expr,
    when: tree.Expr,
    then: tree.Expr,
    other: tree.Expr,
    scope: Scope,
    expect: Type | None,
) -> Compiled:
    test = condition(unit, when, scope)
    yes = expression(unit, then, scope.assuming(narrowing.implied(unit, test, True)), expect)
    hint = expect
    if hint is None and isinstance(yes, Val):
        hint = yes.type
    no = expression(unit, other, scope.assuming(narrowing.implied(unit, test, False)), hint)
    if isinstance(yes, Broken) or isinstance(no, Broken):
        return BROKEN
    if isinstance(yes, Seq | TableRef) or isinstance(no, Seq | TableRef):
        first, second = to_stream(unit, yes, then.span), to_stream(unit, no, other.span)
        if isinstance(first, Broken) or isinstance(second, Broken):
            return BROKEN
        elem = (
            join(first.elem, second.elem)
            if first.cap and second.cap
            else (first.elem if first.cap else second.elem)
        )
        if elem is not None:
            both = presence.restated(unit, first, elem), presence.restated(unit, second, elem)
            if both[0] is None or both[1] is None:
                untyped_none(unit, node.span)
                return BROKEN
            first, second = both[0], both[1]
        if elem is None:
            unit.error(
                "wrong-type",
                node.span,
                f"one branch gives {noun(first.elem)}, the other {noun(second.elem)}",
                "make both branches the same kind of thing",
            )
            return BROKEN
        return Seq(
            ir.SelectSource(test, first.source, second.source),
            elem,
            max(first.cap, second.cap),
            first.ascending and second.ascending,
        )
    type_ = join(yes.type, no.type)
    if type_ is None:
        unit.error(
            "wrong-type",
            node.span,
            f"one branch gives {noun(yes.type)}, the other {noun(no.type)}",
            "make both branches the same kind of thing",
        )
        return BROKEN
    first_value, second_value = _as(unit, yes, type_, then), _as(unit, no, type_, other)
    if isinstance(first_value, Broken) or isinstance(second_value, Broken):
        return BROKEN
    return Val(fold(ir.Select(test, first_value, second_value), unit), type_)


def _as(unit: Unit, value: Val, type_: Type, node: tree.Expr) -> ir.Expr | Broken:
    """`none` is another number where an int is meant."""
    stated = presence.stated(unit, value, type_)
    if stated is None:
        untyped_none(unit, node.span)
        return BROKEN
    return stated.expr


def untyped_none(unit: Unit, span: Span | None) -> None:
    unit.error(
        "wrong-type",
        span,
        "there is a `none` in this, and nothing says of what type",
        "write the tuple where it is used, or keep it in a variable",
    )


def _tuple(unit: Unit, items: tuple[tree.Expr, ...], scope: Scope, expect: Type | None) -> Compiled:
    parts: list[Val] = []
    for index, item in enumerate(items):
        hint = None
        if expect is not None and expect.kind == "tuple" and index < len(expect.items):
            hint = expect.items[index]
        value = value_of(unit, item, scope, hint)
        if isinstance(value, Broken):
            return value
        parts.append(value)
    type_ = Type("tuple", items=tuple(part.type for part in parts))
    return Val(ir.MakeTuple(tuple(part.expr for part in parts)), type_)


def _list(
    unit: Unit,
    node: tree.Expr,
    items: tuple[tree.Expr, ...],
    scope: Scope,
    expect: Type | None,
) -> Compiled:
    if len(items) == 1 and isinstance(items[0], tree.Comp):
        return expression(unit, items[0], scope)
    hint = expect.items[0] if expect is not None and expect.kind in ("list", "set") else None
    parts: list[Val] = []
    elem: Type | None = None
    for item in items:
        value = value_of(unit, item, scope, hint or elem)
        if isinstance(value, Broken):
            return value
        joined = value.type if elem is None else join(elem, value.type)
        if joined is None:
            assert elem is not None
            unit.error(
                "wrong-type",
                item.span,
                f"this list holds {noun(elem)}, this is {noun(value.type)}",
                "put only things of one kind into a list",
            )
            return BROKEN
        elem = joined
        parts.append(value)
    if elem is None:
        elem = hint or NONE
    exprs: list[ir.Expr] = []
    for part, item in zip(parts, items, strict=True):
        expr = _as(unit, part, elem, item)
        if isinstance(expr, Broken):
            return BROKEN
        exprs.append(expr)
    if all(isinstance(expr, ir.Const) for expr in exprs):
        values = tuple(expr.value for expr in exprs if isinstance(expr, ir.Const))
        ascending = elem.is_scalar and list(values) == sorted(set(values))
        return Seq(ir.ConstSource(values), elem, len(values), ascending)
    return Seq(ir.ItemsSource(tuple(exprs)), elem, len(exprs))
