"""Folding of constants: what is known already is computed once, before anyone plays."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language.compiling.unit import Unit


def fold(expr: ir.Expr, unit: Unit) -> ir.Expr:
    """The same expression, or its value."""
    match expr:
        case ir.Compare(op=op, left=ir.Const(value=a), right=ir.Const(value=b)) if isinstance(
            a, int
        ) and isinstance(b, int):
            results = {
                "==": a == b,
                "!=": a != b,
                "<": a < b,
                "<=": a <= b,
                ">": a > b,
                ">=": a >= b,
            }
            return ir.Const(int(results[op]))
        case ir.And(left=ir.Const(value=a), right=right):
            return right if a else ir.Const(0)
        case ir.And(left=left, right=ir.Const(value=1)):
            return left
        case ir.Or(left=ir.Const(value=a), right=right):
            return ir.Const(1) if a else right
        case ir.Or(left=left, right=ir.Const(value=0)):
            return left
        case ir.Select(when=ir.Const(value=a), then=then, other=other):
            return then if a else other
        case ir.Lookup(table=table, index=ir.Const(value=a), none=none) if isinstance(a, int):
            values = unit.tables[table]
            if a < 0:
                return ir.Const(none)
            return ir.Const(values[a]) if a < len(values) else expr
        case _:
            return expr
