"""Arithmetic and comparison: types, estimates of ranges, and what a comparison proves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling import narrowing
from ludwright.language.compiling.expressions import attributes, presence
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    FAR,
    Broken,
    Val,
    compatible,
    constant_of,
    int_type,
    none_of,
    noun,
)
from ludwright.program.types import Type

LIMIT = 2**63


def apply(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right
        case "%":
            return left % right
        case "min":
            return min(left, right)
        case _:
            return max(left, right)


def arithmetic(unit: Unit, op: str, left: Val, right: Val, span: Span | None) -> Val | Broken:
    """Two ints; the result's bounds are estimated from theirs."""
    a, b = left.type, right.type
    known = _constants(left, right)
    if op in ("//", "%") and isinstance(right.expr, ir.Const) and right.expr.value == 0:
        unit.error(
            "division-by-zero",
            span,
            f"`{op} 0` has no result",
            "divide by something that is never 0",
        )
        return BROKEN
    if known is not None:
        value = apply(op, *known)
        if abs(value) >= LIMIT:
            unit.error(
                "number-too-large",
                span,
                "this number does not fit in 64 bits",
                "use smaller numbers",
            )
            return BROKEN
        return Val(ir.Const(value), int_type(value, value))
    corners: list[int]
    if op in ("+", "-", "*", "min", "max"):
        corners = [apply(op, x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    elif op == "%":
        corners = [0, b.hi - 1] if b.lo > 0 else [-FAR, FAR]
    elif b.lo > 0:
        corners = [apply(op, x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    else:
        corners = [-FAR, FAR]
    expr = ir.Arith(op, left.expr, right.expr, unit.site(span))  # type: ignore[arg-type]
    return Val(expr, int_type(min(corners), max(corners)))


def _constants(left: Val, right: Val) -> tuple[int, int] | None:
    if isinstance(left.expr, ir.Const) and isinstance(right.expr, ir.Const):
        a, b = left.expr.value, right.expr.value
        if isinstance(a, int) and isinstance(b, int):
            return a, b
    return None


def _same_kind(left: Type, right: Type) -> str:
    """What to compare instead."""
    for one, other in ((left, right), (right, left)):
        pieces = other.kind in ("list", "set") and other.items[0].kind == "piece"
        if one.kind == "piece" and pieces:
            return "for its kind write `….kind == KIND`, for one of several `… in …`"
    return "compare things of the same kind"


def compare(
    unit: Unit, node: tree.Binary, left: Val, right: Val, scope: Scope | None = None
) -> Val | Broken:
    op = node.op
    if not compatible(left.type, right.type):
        unit.error(
            "wrong-type",
            node.span,
            f"{noun(left.type)} is never equal to {noun(right.type)}"
            if op in ("==", "!=")
            else f"{noun(left.type)} and {noun(right.type)} have no order",
            _same_kind(left.type, right.type),
        )
        return BROKEN
    ordered = op not in ("==", "!=")
    for value, side in ((left, node.left), (right, node.right)):
        if ordered and (value.type.kind == "none" or isinstance(side, tree.NoneLit)):
            unit.error(
                "none-in-order",
                side.span,
                f"`none` cannot be compared with `{op}`",
                "compare with `== none` or `!= none`",
            )
            return BROKEN
        if ordered and value.type.kind not in ("int", "tuple", "list", "enum", "bool"):
            unit.error(
                "wrong-type",
                side.span,
                f"`{op}` compares numbers, this is {noun(value.type)}",
                "only `==` and `!=` compare such things",
            )
            return BROKEN
        if ordered and presence.holds_none(value.type):
            certain = replace(value.type, optional=False)
            presence.report(unit, value.type, certain, side.span, side, scope, around=node)
            return BROKEN
    first, second = presence.stated(unit, left, right.type), presence.stated(unit, right, left.type)
    if first is None or second is None:
        unit.error(
            "wrong-type",
            node.span,
            "there is a `none` in this, and nothing says of what type",
            "compare item by item",
        )
        return BROKEN
    if _never(op, left.type, right.type):
        unit.never.add(id(node))
    test = ir.Compare(op, first.expr, second.expr)  # type: ignore[arg-type]
    equal, unequal = _when_equal(unit, left, right, scope)
    some, nothing = _when_counted(unit, op, left.expr, right.expr)
    if op == "==":
        some, nothing = some | equal, nothing | unequal
    elif op == "!=":
        some, nothing = some | unequal, nothing | equal
    unit.narrowing.proving(test, if_true=some, if_false=nothing)
    return Val(fold(test, unit), BOOL)


def _never(op: str, left: Type, right: Type) -> bool:
    """Whether a comparison fails for all numbers of these ranges; of two constants it is meant."""
    if not (left.kind == right.kind == "int") or (left.lo == left.hi and right.lo == right.hi):
        return False
    match op:
        case ">" | ">=":
            return left.hi < right.lo or (op == ">" and left.hi == right.lo)
        case "<" | "<=":
            return left.lo > right.hi or (op == "<" and left.lo == right.hi)
        case "==":
            return left.lo > right.hi or left.hi < right.lo
    return False


def _when_equal(
    unit: Unit, left: Val, right: Val, scope: Scope | None
) -> tuple[narrowing.Facts, narrowing.Facts]:
    """What follows where two values are equal, and where they are not."""
    if not left.type.is_scalar or not right.type.is_scalar:
        return narrowing.NOTHING, narrowing.NOTHING
    for one, other in ((left, right), (right, left)):
        if constant_of(other) == none_of(one.type):
            return narrowing.NOTHING, unit.narrowing.there(one.expr)
    equal = narrowing.NOTHING
    if left.type.optional and not right.type.optional:
        equal = unit.narrowing.there(left.expr)
    elif right.type.optional and not left.type.optional:
        equal = unit.narrowing.there(right.expr)
    unequal = narrowing.NOTHING
    for one, other in ((left, right), (right, left)):
        number = constant_of(other)
        if number is not None:
            of_kind, of_others = when_of_kind(unit, one, [number], scope)
            equal, unequal = equal | of_kind, unequal | of_others
    return equal, unequal


def when_of_kind(
    unit: Unit, kind: Val, numbers: Sequence[int], scope: Scope | None
) -> tuple[narrowing.Facts, narrowing.Facts]:
    """What follows where the kind of a piece is one of these, and where it is another one; that
    says something only of a piece that is there."""
    if not attributes.is_kind_of_piece(kind):
        return narrowing.NOTHING, narrowing.NOTHING
    there, properties = unit.narrowing.there, attributes.properties_of_kinds
    others: list[int] = []
    if not kind.type.optional or (scope is not None and unit.knows(scope, kind.expr)):
        others = [at for at in range(len(unit.world.kinds)) if at not in numbers]
    return there(*properties(unit, kind, numbers)), there(*properties(unit, kind, others))


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _when_counted(
    unit: Unit, op: str, left: ir.Expr, right: ir.Expr
) -> tuple[narrowing.Facts, narrowing.Facts]:
    """`count(x) > 0`: there is an x; where it fails, the other way around."""
    if isinstance(left, ir.Const):
        left, right, op = right, left, _MIRRORED[op]
    counted = unit.narrowing.counted(left)
    if counted is None or not isinstance(right, ir.Const) or not isinstance(right.value, int):
        return narrowing.NOTHING, narrowing.NOTHING
    some = unit.narrowing.there(counted)
    number = right.value
    true = {">": number >= 0, ">=": number > 0, "==": number > 0, "!=": number == 0}
    false = {"<": number > 0, "<=": number >= 0, "==": number == 0}
    nothing = narrowing.NOTHING
    return (some if true.get(op) else nothing), (some if false.get(op) else nothing)
