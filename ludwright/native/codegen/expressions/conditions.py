"""Conditions: as one bit where they are cheap, as jumps where they are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.comparison import equal, order
from ludwright.native.codegen.expressions.set_loops import first_is, line_test
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.values import Wide, truth
from ludwright.native.errors import NativeUnsupported

_ICMP = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


def condition(b: Body, node: ir.Expr) -> Operand:
    """A condition as one bit."""
    f = b.f
    on_line = line_test(b, node)
    if on_line is not None:
        return on_line
    match node:
        case ir.Compare():
            return _compare(b, node)
        case ir.Not(arg=arg):
            return ~condition(b, arg)
        case ir.InSet():
            return _in_set(b, node)
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
    on_line = line_test(b, node)
    if on_line is not None:
        f.branch(on_line, then, other)
        return
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
    if node.op in ("==", "!="):
        found = first_is(b, node)
        if found is not None:
            return found
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
