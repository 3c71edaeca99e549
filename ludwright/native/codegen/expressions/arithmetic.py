"""Arithmetic: 64-bit numbers that never wrap around."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import I64_MAX, I64_MIN, Int
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.llvm.builder import Operand
from ludwright.program import faults

_NAMES = {"+": "add", "-": "sub", "*": "mul"}


def arith(b: Body, node: ir.Arith) -> Operand:
    f = b.f
    left, right = b.num(node.left), b.num(node.right)
    if node.op == "min":
        return f.smin(left, right)
    if node.op == "max":
        return f.smax(left, right)
    bounds = b.bounds(node.left), b.bounds(node.right)
    overflow = f.errors.fault(faults.OVERFLOW, node.site)
    if node.op in ("//", "%"):
        return _division(b, node, left, right, *bounds)
    if _fits(node.op, *bounds):
        return f.op(_NAMES[node.op], left, right)
    result, overflowed = f.checked(_NAMES[node.op], left, right)
    f.check(~overflowed, overflow)
    return result


def _fits(op: str, a: Int, b: Int) -> bool:
    """Whether no operands between these bounds overflow."""
    if op == "+":
        corners = [a.lo + b.lo, a.hi + b.hi]
    elif op == "-":
        corners = [a.lo - b.hi, a.hi - b.lo]
    else:
        corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return min(corners) >= I64_MIN and max(corners) <= I64_MAX


def _division(
    b: Body, node: ir.Arith, left: Operand, right: Operand, over: Int, by: Int
) -> Operand:  # fmt: skip
    """Rounded down, as in Python: the remainder has the sign of the divisor."""
    f, whole = b.f, node.op == "//"
    if by.lo <= 0 <= by.hi:
        error = f.errors.fault(faults.DIVISION, node.site)
        f.check(right.ne(0), error)
    if over.lo == I64_MIN and by.lo <= -1 <= by.hi:
        if whole:
            error = f.errors.fault(faults.OVERFLOW, node.site)
            f.check(~(left.eq(I64_MIN) & right.eq(-1)), error)
        else:
            right = f.select(right.eq(-1), 1, right)
    if over.lo >= 0 and by.lo > 0:
        return f.divide("udiv" if whole else "urem", left, right)
    remainder = f.divide("srem", left, right)
    wrong = remainder.ne(0) & ((remainder ^ right) < 0)
    if whole:
        return f.divide("sdiv", left, right) - wrong.i64()
    return remainder + f.select(wrong, right, 0)
