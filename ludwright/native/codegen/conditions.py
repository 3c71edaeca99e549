"""Conditions: as one bit where they are cheap, as jumps where they are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.body import Body
from ludwright.native.codegen.builder import Label, Operand, Var
from ludwright.native.codegen.comparison import equal, order
from ludwright.native.codegen.values import Wide, truth
from ludwright.native.errors import NativeUnsupported

_DEPTH = 4  # of nested operations that are cheap to evaluate in any case
_HOISTED_DEPTH = 8  # the same where it is done once for a whole loop
_ICMP = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


def condition(b: Body, node: ir.Expr) -> Operand:
    """A condition as one bit, without branches where it is cheap."""
    f = b.f
    match node:
        case ir.Compare():
            return _compare(b, node)
        case ir.Not(arg=arg):
            return ~condition(b, arg)
        case ir.InSet():
            return _in_set(b, node)
        case ir.And(left=left, right=right) if speculates(b, right):
            return condition(b, left) & condition(b, right)
        case ir.Or(left=left, right=right) if speculates(b, right):
            return condition(b, left) | condition(b, right)
        case ir.And() | ir.Or():
            result = Var(f, "i1")
            with when(b, node):
                result.set(1)
            with f.else_():
                result.set(0)
            return result.get()
        case _:
            return truth(b.expr(node))


def goto(b: Body, node: ir.Expr, then: Label, other: Label) -> None:
    """Jump to one of two labels."""
    f = b.f
    match node:
        case ir.Not(arg=arg):
            goto(b, arg, other, then)
        case ir.And(left=left, right=right):
            go = f.label()
            goto(b, left, go, other)
            f.place(go)
            goto(b, right, then, other)
        case ir.Or(left=left, right=right):
            go = f.label()
            goto(b, left, then, go)
            f.place(go)
            goto(b, right, then, other)
        case ir.Bind(reg=reg, value=value, body=body):
            b.put_register(reg, b.expr(value))
            goto(b, body, then, other)
        case _:
            f.branch(condition(b, node), then, other)


@contextmanager
def when(b: Body, node: ir.Expr) -> Iterator[None]:
    """`Function.if_` for an expression; `else_` may follow."""
    then, after = b.f.label(), b.f.label()
    goto(b, node, then, after)
    with b.f.arm(then, after):
        yield


def leave_unless_all(b: Body, nodes: Iterable[ir.Expr], out: Label) -> None:
    for node in nodes:
        go = b.f.label()
        goto(b, node, go, out)
        b.f.place(go)


def logic(b: Body, node: ir.And | ir.Or) -> Operand:
    """`and` and `or` give one of their operands, as Python does."""
    f = b.f
    left, right = b.shape(node.left), b.shape(node.right)
    if not isinstance(left, Int) or not isinstance(right, Int):
        raise NativeUnsupported("`and` or `or` of values that are no conditions")
    if left.lo >= 0 and left.hi <= 1 and right.lo >= 0 and right.hi <= 1:
        return condition(b, node)
    first = b.num(node.left)
    result = Var(f, init=first)
    with f.if_(first.ne(0) if isinstance(node, ir.And) else first.eq(0)):
        result.set(b.num(node.right))
    return result.get()


def _compare(b: Body, node: ir.Compare) -> Operand:
    left, right = b.expr(node.left), b.expr(node.right)
    if isinstance(left, Operand) and isinstance(right, Operand):
        return b.f.icmp(_ICMP[node.op], left.i64(), right.i64())
    if node.op == "==":
        return equal(left, right)
    if node.op == "!=":
        return ~equal(left, right)
    return b.f.icmp(_ICMP[node.op], order(left, right), 0)


def _in_set(b: Body, node: ir.InSet) -> Operand:
    f = b.f
    offset = b.num(node.item) - node.lo
    members = b.expr(node.of)
    size = 64 * members.shape.words if isinstance(members, Wide) else 64
    inside = offset.below(size)
    at = f.select(inside, offset, 0)
    if isinstance(members, Operand):
        return inside & ((members.i64() >> at) & 1).ne(0)
    word = f.load(members.ptr, at >> 6)
    return inside & ((word >> (at & 63)) & 1).ne(0)


# -------------------------------------------------------------- speculation


def speculates(b: Body, *nodes: ir.Expr) -> bool:
    """Whether expressions are evaluated instead of branching around them."""
    return b.module.uses("speculation") and all(cheap(b, node) for node in nodes)


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
