"""What may be evaluated where the interpreter would not look at it."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.expressions.body import Body

_DEPTH = 4  # of nested operations that are cheap to evaluate in any case
_HOISTED_DEPTH = 8  # the same where it is done once for a whole loop


def cheap(b: Body, node: ir.Expr, depth: int = _DEPTH) -> bool:
    """Whether a number takes little to evaluate and cannot fail.

    Such an expression may be evaluated where the interpreter would not look at it.
    """
    if depth == 0:
        return False
    known = b.invariant_is_known(node)
    if known is not None:
        return known
    match node:
        case ir.Const(value=value):
            return isinstance(value, int)
        case ir.Load():
            return isinstance(b.shape(node), Int)
        case ir.LoadAt(index=index, size=size):
            return b.bounds(index).hi < size and cheap(b, index, depth - 1)
        case ir.Lookup(index=index, table=table):
            inside = b.bounds(index).hi < len(b.program.tables[table])
            return inside and cheap(b, index, depth - 1)
        case ir.Compare(left=left, right=right):
            numbers = isinstance(b.shape(left), Int) and isinstance(b.shape(right), Int)
            return numbers and cheap(b, left, depth - 1) and cheap(b, right, depth - 1)
        case ir.CallFn(fn=fn, args=args):
            table_ = b.module.tables.of(fn)
            total = table_ is not None and table_.total
            return total and all(cheap(b, arg, depth - 1) for arg in args)
        case ir.Not(arg=arg):
            return cheap(b, arg, depth - 1)
        case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
            return cheap(b, left, depth - 1) and cheap(b, right, depth - 1)
        case _:
            return False


def cheap_to_hoist(b: Body, node: ir.Expr) -> bool:
    """Whether a loop invariant is evaluated before the loop, even if the loop never needs it."""
    if isinstance(node, ir.CallFn) and all(cheap(b, arg) for arg in node.args):
        return cheap(b, b.program.functions[node.fn].body, _HOISTED_DEPTH)
    return cheap(b, node)
