"""Expressions: names, types and code in one pass over the syntax tree."""

from __future__ import annotations

from dataclasses import replace

from ludwright.diagnostics import Span
from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.language import tree
from ludwright.language.compiling import attributes, names
from ludwright.language.compiling.arithmetic import arithmetic, compare, fold
from ludwright.language.compiling.unit import Local, Scope, Unit
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
    int_type,
    join,
    none_of,
    noun,
    piece_type,
    universe,
)
from ludwright.language.parsing.source import BROKEN as UNREADABLE


def expression(
    unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None
) -> Compiled:
    """Compile an expression to a value or a stream. `expect` only helps to tell names apart."""
    match node:
        case tree.IntLit(value=value):
            return int_const(value)
        case tree.BoolLit(value=flag):
            return const(int(flag), BOOL)
        case tree.NoneLit():
            return const(none_of(expect) if expect else -1, replace(expect, optional=True)
                         if expect else NONE)  # fmt: skip
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
            value = number(unit, arg, scope)
            if isinstance(value, Broken):
                return BROKEN
            return arithmetic(unit, "-", int_const(0), value, node.span)
        case tree.Binary():
            return _binary(unit, node, scope, expect)
        case tree.Cond(when=when, then=then, other=other):
            return _conditional(unit, node, when, then, other, scope, expect)
        case tree.TupleLit(items=items):
            return _tuple(unit, items, scope, expect)
        case tree.ListLit(items=items):
            return _list(unit, node, items, scope, expect)
        case tree.Comp():
            return comprehension(unit, node, scope)
        case _:
            raise AssertionError(f"unknown expression {node!r}")


# ------------------------------------------------------------- what is asked for


def value_of(
    unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None
) -> Val | Broken:
    """A single value; a stream becomes a list (or set where one is expected)."""
    return to_value(unit, expression(unit, node, scope, expect), node.span, expect)


def to_value(
    unit: Unit, compiled: Compiled, span: Span | None, expect: Type | None = None
) -> Val | Broken:
    if isinstance(compiled, Val | Broken):
        return compiled
    if isinstance(compiled, TableRef):
        unit.error(
            "table-as-value", span, f"`{compiled.name}` is a whole table",
            f"pick a row: `{compiled.name}[…]`",
        )  # fmt: skip
        return BROKEN
    if expect is not None and expect.kind == "set":
        return as_set(unit, compiled, expect.items[0], span)
    if compiled.cap > MAX_LIST:
        unit.error(
            "list-too-long", span,
            f"this list could have {compiled.cap} elements; {MAX_LIST} is the most",
            "filter it first, or use it only inside count, any, sum, …",
        )  # fmt: skip
        return BROKEN
    type_ = Type("list", items=(compiled.elem,), cap=max(1, compiled.cap))
    return Val(ir.MakeList(compiled.source, type_.cap, site=unit.site(span)), type_)


def as_set(unit: Unit, compiled: Seq, item: Type, span: Span | None) -> Val | Broken:
    bounds = universe(item)
    if bounds is None or not compiled.elem.is_scalar:
        unit.error("not-a-set", span, "this cannot be kept as a set", "use a list")
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
        return compiled.expr
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
    return check_type(unit, value, expect, node.span)


def check_type(unit: Unit, value: Val, expect: Type, span: Span | None) -> Val | Broken:
    if value.type.kind == "none" and expect.is_scalar:
        return Val(ir.Const(none_of(expect)), replace(expect, optional=True))
    if join(value.type, expect) is None:
        hint = None
        if expect.kind in ("seat", "place", "piece") and value.type.kind in ("list", "set"):
            hint = "take one of them: `first(…)`"
        unit.error(
            "wrong-type", span, f"{noun(expect)} is needed here, this is {noun(value.type)}", hint
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
                place is not None
                or any(p.order != "bag" for p in unit.world.places)
            )
            return Seq(
                ir.PiecesSource(expr), piece_type(unit.world),
                unit.world.piece_count, ascending=not ordered,
            )  # fmt: skip
        case Val(type=type_):
            unit.error(
                "not-a-collection", span,
                f"something to go through is needed here, this is {noun(type_)}",
                "write a list `[…]`, a range `a..b` or a comprehension `x for x in …`",
            )  # fmt: skip
            return BROKEN


# ------------------------------------------------------------------------ names


def _name(
    unit: Unit, node: tree.Expr, name: str, scope: Scope, expect: Type | None
) -> Compiled:
    if name == UNREADABLE:
        return BROKEN
    local = scope.find(name)
    if local is not None:
        return BROKEN if local.origin == "broken" else local.value
    if name in unit.declared_functions:
        from ludwright.language.compiling.calls import call

        return call(unit, tree.Call(name, span=node.span), scope, expect)
    if name in unit.world.zone_each and unit.world.zone_each[name]:
        unit.error(
            "zone-needs-seat", node.span, f"every seat has its own `{name}`",
            f"say whose: `{name}(actor)`",
        )  # fmt: skip
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
            assert local.addr is not None and local.type is not None
            seat = typed(unit, node.index, scope, names.seat_type(unit.world))
            if isinstance(seat, Broken):
                return seat
            return attributes.load_indexed(unit, local.addr, local.type, seat.expr,
                                           len(unit.world.seats), node.span)  # fmt: skip
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
                    "tuple-index", node.index.span,
                    f"a tuple of {len(type_.items)} is indexed by a constant from 0",
                    "or unpack it: `let a, b = …`",
                )  # fmt: skip
                return BROKEN
            return Val(ir.Item(of.expr, index), type_.items[index])
        case _:
            sequence = to_stream(unit, of, node.of.span)
            index_value = number(unit, node.index, scope)
            if isinstance(sequence, Broken) or isinstance(index_value, Broken):
                return BROKEN
            listed = to_value(unit, sequence, node.of.span)
            if isinstance(listed, Broken):
                return listed
            item = ir.ListItem(listed.expr, index_value.expr, unit.site(node.span))
            return Val(item, sequence.elem)


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
            "wrong-type", node.index.span,
            f"rows of `{name}` are numbered from 0; this is {noun(index.type)}", None,
        )  # fmt: skip
        return BROKEN
    # Checked by the lookup of a column; the row itself is its number.
    checked = ir.Lookup(unit.table(range(len(table.rows))), index.expr, -1, unit.site(node.span))
    return Val(fold(checked, unit), row_type)


# -------------------------------------------------------------------- operators


def _binary(unit: Unit, node: tree.Binary, scope: Scope, expect: Type | None) -> Compiled:
    match node.op:
        case "and" | "or":
            left = condition(unit, node.left, scope)
            right = condition(unit, node.right, scope)
            return Val(fold(ir.And(left, right) if node.op == "and" else ir.Or(left, right),
                            unit), BOOL)  # fmt: skip
        case "in" | "not in":
            return _membership(unit, node, scope)
        case "..":
            low, high = number(unit, node.left, scope), number(unit, node.right, scope)
            if isinstance(low, Broken) or isinstance(high, Broken):
                return BROKEN
            type_ = int_type(min(low.type.lo, high.type.lo), max(low.type.hi, high.type.hi))
            cap = max(0, high.type.hi - low.type.lo + 1)
            return Seq(ir.RangeSource(low.expr, high.expr), type_, cap, ascending=True)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _comparison(unit, node, scope)
        case "+" | "-" if expect is not None and expect.kind in ("set", "list"):
            return _collection_sum(unit, node, scope, expect)
        case _:
            first = expression(unit, node.left, scope, expect)
            if isinstance(first, Seq | TableRef) or (
                isinstance(first, Val) and first.type.kind in ("set", "list")
            ):
                return _collection_sum(unit, node, scope, expect)
            second = expression(unit, node.right, scope, expect)
            left_value = to_value(unit, first, node.left.span)
            right_value = to_value(unit, second, node.right.span)
            if isinstance(left_value, Broken) or isinstance(right_value, Broken):
                return BROKEN
            for value, side in ((left_value, node.left), (right_value, node.right)):
                if value.type.kind != "int" or (value.type.optional and _is_none(value)):
                    unit.error(
                        "not-a-number", side.span,
                        f"`{node.op}` needs numbers, this is {noun(value.type)}",
                        "`default(…, 0)` turns none into a number"
                        if value.type.optional or value.type.kind == "none" else None,
                    )  # fmt: skip
                    return BROKEN
            return arithmetic(unit, node.op, left_value, right_value, node.span)


def _is_none(value: Val) -> bool:
    return value.type.kind == "none"


def _comparison(unit: Unit, node: tree.Binary, scope: Scope) -> Compiled:
    # A name on one side is told apart by the type of the other side.
    plain = (tree.Name, tree.NoneLit)
    if isinstance(node.left, plain) and not isinstance(node.right, plain):
        right = value_of(unit, node.right, scope)
        hint = right.type if isinstance(right, Val) else None
        left = value_of(unit, node.left, scope, hint)
    else:
        quiet = isinstance(node.left, tree.Name) and len(
            names.candidates(unit, node.left.id)
        ) > 1 and scope.find(node.left.id) is None  # fmt: skip
        left = (
            value_of(unit, node.left, scope, _peek(unit, node.right, scope))
            if quiet
            else value_of(unit, node.left, scope)
        )
        hint = left.type if isinstance(left, Val) else None
        right = value_of(unit, node.right, scope, hint)
    if isinstance(left, Broken) or isinstance(right, Broken):
        return BROKEN
    return compare(unit, node, left, right)


def _peek(unit: Unit, node: tree.Expr, scope: Scope) -> Type | None:
    local = scope.find(node.id) if isinstance(node, tree.Name) else None
    if local is not None and isinstance(local.value, Val):
        return local.value.type
    if isinstance(node, tree.Name) and node.id in unit.layout.globals:
        return unit.layout.globals[node.id].variable.type
    return None


def _membership(unit: Unit, node: tree.Binary, scope: Scope) -> Compiled:
    item = value_of(unit, node.left, scope)
    if isinstance(item, Broken):
        return item
    hint = Type("list", items=(item.type,), cap=MAX_LIST)
    container = expression(unit, node.right, scope, hint)
    if isinstance(container, Val) and container.type.kind == "set":
        if join(container.type.items[0], item.type) is None:
            return _no_member(unit, node, item, container.type.items[0])
        inside: ir.Expr = ir.InSet(item.expr, container.expr, container.type.items[0].lo)
    else:
        sequence = to_stream(unit, container, node.right.span)
        if isinstance(sequence, Broken):
            return sequence
        if sequence.cap and join(sequence.elem, item.type) is None:
            return _no_member(unit, node, item, sequence.elem)
        inside = ir.InStream(item.expr, sequence.source)
    return Val(inside if node.op == "in" else ir.Not(inside), BOOL)


def _no_member(unit: Unit, node: tree.Binary, item: Val, elem: Type) -> Broken:
    unit.error(
        "wrong-type", node.span,
        f"{noun(item.type)} can never be in a collection of {noun(elem)}", None,
    )  # fmt: skip
    return BROKEN


def _collection_sum(
    unit: Unit, node: tree.Binary, scope: Scope, expect: Type | None
) -> Compiled:
    """`a + b` joins collections, `a - b` takes the members of b out of a."""
    left = expression(unit, node.left, scope, expect)
    right = expression(unit, node.right, scope, expect)
    if isinstance(left, Val) and left.type.kind == "set":
        members = to_stream(unit, right, node.right.span)
        if isinstance(members, Broken):
            return members
        if join(members.elem, left.type.items[0]) is None and members.cap:
            return _no_member(unit, node, Val(ir.Const(0), members.elem), left.type.items[0])
        other = as_set(unit, members, left.type.items[0], node.right.span)
        if isinstance(other, Broken):
            return other
        op = "union" if node.op == "+" else "minus"
        return Val(ir.SetOp(op, left.expr, other.expr), left.type)
    first = to_stream(unit, left, node.left.span)
    second = to_stream(unit, right, node.right.span)
    if isinstance(first, Broken) or isinstance(second, Broken):
        return BROKEN
    elem = join(first.elem, second.elem)
    if elem is None:
        unit.error(
            "wrong-type", node.span,
            f"a collection of {noun(first.elem)} and one of {noun(second.elem)} do not mix", None,
        )  # fmt: skip
        return BROKEN
    if node.op == "+":
        joined = ir.ConcatSource((first.source, second.source))
        return Seq(joined, elem, first.cap + second.cap)
    if node.op != "-":
        unit.error("not-a-number", node.span, f"`{node.op}` needs numbers, not collections", None)
        return BROKEN
    reg = unit.register()
    rest = ir.Stream(
        (
            ir.Loop((reg,), first.source),
            ir.Filter(ir.Not(ir.InStream(ir.Load(reg), second.source))),
        ),
        ir.Load(reg),
    )
    return Seq(rest, first.elem, first.cap, first.ascending)


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
    yes = expression(unit, then, scope, expect)
    hint = expect
    if hint is None and isinstance(yes, Val):
        hint = yes.type
    no = expression(unit, other, scope, hint)
    if isinstance(yes, Broken) or isinstance(no, Broken):
        return BROKEN
    if isinstance(yes, Seq | TableRef) or isinstance(no, Seq | TableRef):
        first, second = to_stream(unit, yes, then.span), to_stream(unit, no, other.span)
        if isinstance(first, Broken) or isinstance(second, Broken):
            return BROKEN
        elem = join(first.elem, second.elem) if first.cap and second.cap else (
            first.elem if first.cap else second.elem
        )  # fmt: skip
        if elem is None:
            unit.error(
                "wrong-type", node.span,
                f"one branch gives {noun(first.elem)}, the other {noun(second.elem)}", None,
            )  # fmt: skip
            return BROKEN
        return Seq(
            ir.SelectSource(test, first.source, second.source), elem,
            max(first.cap, second.cap), first.ascending and second.ascending,
        )  # fmt: skip
    type_ = join(yes.type, no.type)
    if type_ is None:
        unit.error(
            "wrong-type", node.span,
            f"one branch gives {noun(yes.type)}, the other {noun(no.type)}", None,
        )  # fmt: skip
        return BROKEN
    return Val(
        fold(ir.Select(test, _as(yes, type_), _as(no, type_)), unit), type_
    )


def _as(value: Val, type_: Type) -> ir.Expr:
    """`none` is another number where an int is meant."""
    if value.type.kind == "none":
        return ir.Const(none_of(type_))
    return value.expr


def _tuple(
    unit: Unit, items: tuple[tree.Expr, ...], scope: Scope, expect: Type | None
) -> Compiled:
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
        return comprehension(unit, items[0], scope)
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
                "wrong-type", item.span,
                f"this list holds {noun(elem)}, this is {noun(value.type)}", None,
            )  # fmt: skip
            return BROKEN
        elem = joined
        parts.append(value)
    if elem is None:
        elem = hint or NONE
    exprs = tuple(_as(part, elem) for part in parts)
    if all(isinstance(expr, ir.Const) for expr in exprs):
        values = tuple(expr.value for expr in exprs if isinstance(expr, ir.Const))
        ascending = elem.is_scalar and list(values) == sorted(set(values))  # type: ignore[type-var]
        return Seq(ir.ConstSource(values), elem, len(values), ascending)
    return Seq(ir.ItemsSource(exprs), elem, len(exprs))


# --------------------------------------------------------------- comprehensions


def declare_loop(
    unit: Unit, names_: tuple[str, ...], elem: Type, scope: Scope, span: Span | None
) -> tuple[int, ...] | None:
    """Registers for the loop's names: one for the element, or one for each item of a tuple."""
    if len(names_) == 1:
        reg = unit.register()
        declare(unit, scope, names_[0], Local(Val(ir.Load(reg), elem), origin="generator"), span)
        return (reg,)
    if elem.kind != "tuple" or len(elem.items) != len(names_):
        unit.error(
            "unpack", span,
            f"{len(names_)} names for {noun(elem)}"
            + (f" of {len(elem.items)}" if elem.kind == "tuple" else ""), None,
        )  # fmt: skip
        for name in names_:
            scope.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
        return None
    regs: list[int] = []
    for name, item in zip(names_, elem.items, strict=True):
        reg = unit.register()
        regs.append(reg)
        declare(unit, scope, name, Local(Val(ir.Load(reg), item), origin="generator"), span)
    return tuple(regs)


def declare(unit: Unit, scope: Scope, name: str, local: Local, span: Span | None) -> None:
    """Bind a name; one that is already taken may not be bound again (no shadowing)."""
    taken = "a local name" if scope.find(name) is not None else names.is_declared(unit, name)
    if taken is not None and name != "_":
        unit.error(
            "shadowing", span, f"`{name}` is already {taken}", f"use another name, e.g. `{name}2`"
        )
    scope.names[name] = local


def comprehension(unit: Unit, node: tree.Comp, scope: Scope) -> Compiled:
    inner = scope.inner()
    clauses: list[ir.Loop | ir.Filter | ir.Until] = []
    cap, loops, ascending, broken = 1, 0, False, False
    first_reg = -1
    for clause in node.clauses:
        match clause:
            case tree.For(names=names_, source=source_node):
                source = stream(unit, source_node, inner)
                if isinstance(source, Broken):
                    broken = True
                    for name in names_:
                        inner.names[name] = Local(Val(ir.Const(0), NONE), origin="broken")
                    continue
                loops += 1
                regs = declare_loop(unit, names_, source.elem, inner, clause.span)
                if regs is None:
                    broken = True
                    continue
                ascending = source.ascending and loops == 1
                first_reg = regs[0]
                cap = min(cap * source.cap, 2**40)
                clauses.append(ir.Loop(regs, source.source))
            case tree.If(when=when):
                if not broken:
                    clauses.append(ir.Filter(condition(unit, when, inner)))
            case tree.Until(when=when):
                if not broken:
                    clauses.append(ir.Until(condition(unit, when, inner)))
    if broken:
        return BROKEN
    head = value_of(unit, node.head, inner)
    if isinstance(head, Broken):
        return head
    same = isinstance(head.expr, ir.Load) and head.expr.addr == first_reg
    if same and len(clauses) == 1 and isinstance(clauses[0], ir.Loop):
        # `x for x in A` is A
        return Seq(clauses[0].source, head.type, cap, ascending)
    if head.type.kind in ("list", "set"):
        unit.error(
            "nested-list", node.head.span, "a list cannot hold lists or sets",
            "use a tuple, or flatten it with a second `for`",
        )  # fmt: skip
        return BROKEN
    return Seq(ir.Stream(tuple(clauses), head.expr), head.type, cap, ascending and same)
