"""Numbers, `true`, `none`, tuples, lists, and the choice between two values."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.expressions.type_check import (
    condition,
    to_stream,
    untyped_none,
    value_of,
)
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    NONE,
    Broken,
    Compiled,
    Seq,
    TableRef,
    Val,
    const,
    int_const,
    join,
    none_of,
    noun,
)
from ludwright.program.types import NO_ENTITY, Type


def integer(unit: Unit, node: tree.IntLit, scope: Scope, expect: Type | None) -> Compiled:
    return int_const(node.value)


def boolean(unit: Unit, node: tree.BoolLit, scope: Scope, expect: Type | None) -> Compiled:
    return const(int(node.value), BOOL)


def none(unit: Unit, node: tree.NoneLit, scope: Scope, expect: Type | None) -> Compiled:
    if expect is None:
        return const(NO_ENTITY, NONE)
    return const(none_of(expect), replace(expect, optional=True))


def conditional(unit: Unit, node: tree.Cond, scope: Scope, expect: Type | None) -> Compiled:
    then, other = node.then, node.other
    test = condition(unit, node.when, scope)
    yes = expression(unit, then, scope.assuming(unit.narrowing.implied(test, True)), expect)
    hint = expect
    if hint is None and isinstance(yes, Val):
        hint = yes.type
    no = expression(unit, other, scope.assuming(unit.narrowing.implied(test, False)), hint)
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


def tuple_literal(unit: Unit, node: tree.TupleLit, scope: Scope, expect: Type | None) -> Compiled:
    parts: list[Val] = []
    for index, item in enumerate(node.items):
        hint = None
        if expect is not None and expect.kind == "tuple" and index < len(expect.items):
            hint = expect.items[index]
        value = value_of(unit, item, scope, hint)
        if isinstance(value, Broken):
            return value
        parts.append(value)
    type_ = Type("tuple", items=tuple(part.type for part in parts))
    return Val(ir.MakeTuple(tuple(part.expr for part in parts)), type_)


def list_literal(unit: Unit, node: tree.ListLit, scope: Scope, expect: Type | None) -> Compiled:
    items = node.items
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
