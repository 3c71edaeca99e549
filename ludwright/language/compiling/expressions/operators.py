"""Operators: logic, comparison, membership, arithmetic, and sums of collections."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import names, presence
from ludwright.language.compiling.expressions.arithmetic import arithmetic, compare, when_of_kind
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.expressions.type_check import (
    as_set,
    condition,
    number,
    to_stream,
    to_value,
    untyped_none,
    value_of,
)
from ludwright.language.compiling.narrowing import NOTHING
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
    const,
    int_const,
    int_type,
    join,
    noun,
)
from ludwright.program.types import Type


def unary(unit: Unit, node: tree.Unary, scope: Scope, expect: Type | None) -> Compiled:
    if node.op == "not":
        return Val(ir.Not(condition(unit, node.arg, scope)), BOOL)
    negated = number(unit, node.arg, scope)
    if isinstance(negated, Broken):
        return BROKEN
    return arithmetic(unit, "-", int_const(0), negated, node.span)


def binary(unit: Unit, node: tree.Binary, scope: Scope, expect: Type | None) -> Compiled:
    match node.op:
        case "and" | "or":
            left = condition(unit, node.left, scope)
            reached = unit.narrowing.implied(left, node.op == "and")
            right = condition(unit, node.right, scope.assuming(reached))
            return Val(
                fold(ir.And(left, right) if node.op == "and" else ir.Or(left, right), unit), BOOL
            )
        case "in" | "not in":
            return _membership(unit, node, scope)
        case "..":
            low, high = number(unit, node.left, scope), number(unit, node.right, scope)
            if isinstance(low, Broken) or isinstance(high, Broken):
                return BROKEN
            type_ = int_type(min(low.type.lo, high.type.lo), max(low.type.hi, high.type.hi))
            cap = max(0, high.type.hi - low.type.lo + 1)
            source = ir.RangeSource(
                low.expr, high.expr, min(cap, ir.UNSTATED), unit.site(node.span)
            )
            return Seq(source, type_, cap, ascending=True)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _comparison(unit, node, scope)
        case "+" | "-" if expect is not None and expect.kind in ("set", "list"):
            return _collection_sum(unit, node, scope, expect)
        case _:
            first = expression(unit, node.left, scope, expect)
            if isinstance(first, Seq | TableRef) or (
                isinstance(first, Val) and first.type.kind in ("set", "list")
            ):
                return _collection_sum(unit, node, scope, expect, first)
            second = expression(unit, node.right, scope, expect)
            left_value = to_value(unit, first, node.left.span)
            right_value = to_value(unit, second, node.right.span)
            if isinstance(left_value, Broken) or isinstance(right_value, Broken):
                return BROKEN
            for value, side in ((left_value, node.left), (right_value, node.right)):
                if value.type.kind == "int" and not value.type.optional:
                    continue
                if value.type.kind == "int" and not isinstance(value.expr, ir.Const):
                    presence.report(unit, value.type, INT, side.span, side, scope)
                    return BROKEN
                unit.error(
                    "not-a-number",
                    side.span,
                    f"`{node.op}` needs numbers, this is {noun(value.type)}",
                    "`default(…, 0)` turns none into a number"
                    if value.type.optional or value.type.kind == "none"
                    else "use a number, for example one that belongs to it: `….points`",
                )
                return BROKEN
            return arithmetic(unit, node.op, left_value, right_value, node.span)


def _comparison(unit: Unit, node: tree.Binary, scope: Scope) -> Compiled:
    # A name on one side is told apart by the type of the other side.
    plain = (tree.Name, tree.NoneLit)
    if isinstance(node.left, plain) and not isinstance(node.right, plain):
        right = value_of(unit, node.right, scope)
        hint = right.type if isinstance(right, Val) else None
        left = value_of(unit, node.left, scope, hint)
    else:
        quiet = (
            isinstance(node.left, tree.Name)
            and len(names.candidates(unit, node.left.id)) > 1
            and scope.find(node.left.id) is None
        )
        left = (
            value_of(unit, node.left, scope, _peek(unit, node.right, scope))
            if quiet
            else value_of(unit, node.left, scope)
        )
        hint = left.type if isinstance(left, Val) else None
        right = value_of(unit, node.right, scope, hint)
    if isinstance(left, Broken) or isinstance(right, Broken):
        return BROKEN
    first, second = _as_members(unit, node, left, right), _as_members(unit, node, right, left)
    if isinstance(first, Broken) or isinstance(second, Broken):
        return BROKEN
    return compare(unit, node, first, second, scope)


def _as_members(unit: Unit, node: tree.Binary, value: Val, other: Val) -> Val | Broken:
    """A list beside a set is compared as a set: order and repeats do not count."""
    if value.type.kind != "list" or other.type.kind != "set":
        return value
    if join(value.type.items[0], other.type.items[0]) is None:
        return value
    members = to_stream(unit, value, node.span)
    if isinstance(members, Broken):
        return BROKEN
    return as_set(unit, members, other.type.items[0], node.span)


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
        if item.type.kind == "none":
            return const(int(node.op != "in"), BOOL)
        inside: ir.Expr = ir.InSet(item.expr, container.expr, container.type.items[0].lo)
        found = unit.narrowing.there(item.expr)
        outside = NOTHING
    else:
        sequence = to_stream(unit, container, node.right.span)
        if isinstance(sequence, Broken):
            return sequence
        if sequence.cap and join(sequence.elem, item.type) is None:
            return _no_member(unit, node, item, sequence.elem)
        stated = presence.stated(unit, item, sequence.elem) if sequence.cap else item
        members = presence.restated(unit, sequence, item.type)
        if stated is None or members is None:
            untyped_none(unit, node.span)
            return BROKEN
        inside = ir.InStream(stated.expr, members.source)
        found = unit.narrowing.there(members.source)
        if item.type.is_scalar and not members.elem.optional:
            found |= unit.narrowing.there(item.expr)
        of_kind, outside = when_of_kind(unit, item, _constants(members), scope)
        found |= of_kind
    unit.narrowing.proving(inside, if_true=found, if_false=outside)
    return Val(inside if node.op == "in" else ir.Not(inside), BOOL)


def _constants(sequence: Seq) -> list[int]:
    """The members of a collection that are known beforehand; none where some are not."""
    match sequence.source:
        case ir.ConstSource(values=values):
            known = [value for value in values if isinstance(value, int)]
            return known if len(known) == len(values) else []
        case ir.ItemsSource(items=items):
            return (
                [
                    item.value
                    for item in items
                    if isinstance(item, ir.Const) and isinstance(item.value, int)
                ]
                if all(isinstance(item, ir.Const) for item in items)
                else []
            )
        case _:
            return []


def _no_member(unit: Unit, node: tree.Binary, item: Val, elem: Type) -> Broken:
    unit.error(
        "wrong-type",
        node.span,
        f"this looks for {noun(item.type)}, and every member of the collection is {noun(elem)}",
        "look for something of the same kind, or compare the kind of piece: `x.kind == KIND`"
        if elem.kind == "piece"
        else "look for something of the same kind",
    )
    return BROKEN


def _collection_sum(
    unit: Unit,
    node: tree.Binary,
    scope: Scope,
    expect: Type | None,
    known: Compiled | None = None,
) -> Compiled:
    """`a + b` joins collections, `a - b` takes the members of b out of a."""
    # Compiling the left side again would double the work with every `+` in a row.
    left = known if known is not None else expression(unit, node.left, scope, expect)
    right = expression(unit, node.right, scope, expect)
    if isinstance(left, Val) and left.type.kind == "set":
        return _set_sum(unit, node, left, right)
    first = to_stream(unit, left, node.left.span)
    second = to_stream(unit, right, node.right.span)
    if isinstance(first, Broken) or isinstance(second, Broken):
        return BROKEN
    elem = join(first.elem, second.elem)
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
            f"a collection of {noun(first.elem)} and one of {noun(second.elem)} do not mix",
            "join only collections of the same kind",
        )
        return BROKEN
    if node.op == "+":
        joined = ir.ConcatSource((first.source, second.source))
        return Seq(joined, elem, first.cap + second.cap)
    if node.op != "-":
        unit.error(
            "not-a-number",
            node.span,
            f"`{node.op}` needs numbers, not collections",
            "`+` joins collections and `-` takes members out",
        )
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


def _set_sum(unit: Unit, node: tree.Binary, left: Val, right: Compiled) -> Compiled:
    """The same where `a` is a set: so is the result."""
    members = to_stream(unit, right, node.right.span)
    if isinstance(members, Broken):
        return members
    if join(members.elem, left.type.items[0]) is None and members.cap:
        return _no_member(unit, node, Val(ir.Const(0), members.elem), left.type.items[0])
    other = as_set(unit, members, left.type.items[0], node.right.span)
    if isinstance(other, Broken):
        return other
    if node.op == "+":
        return Val(ir.SetOp("union", left.expr, other.expr), left.type)
    return Val(ir.SetOp("minus", left.expr, other.expr), left.type)
