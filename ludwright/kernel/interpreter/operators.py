"""Comparison and arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Fn, Memory, fault
from ludwright.program import faults

_LIMIT = 1 << 63

_COMPARISONS: Mapping[ir.CompareOp, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: Mapping[ir.ArithOp, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
}


def compare(node: ir.Compare, left: Fn, right: Fn) -> Fn:
    holds = _COMPARISONS[node.op]
    return lambda memory: holds(left(memory), right(memory))


def arithmetic(program: ir.Program, node: ir.Arith, left: Fn, right: Fn) -> Fn:
    """64-bit arithmetic: what leaves that range is a fault, and so is a division by zero."""
    op, site, compute = node.op, node.site, _ARITHMETIC[node.op]

    def computed(memory: Memory) -> Any:
        one, two = left(memory), right(memory)
        if two == 0 and op in ("//", "%"):
            raise fault(program, faults.DIVISION, site)
        value = compute(one, two)
        if op not in ("min", "max") and not -_LIMIT <= value < _LIMIT:
            raise fault(program, faults.OVERFLOW, site)
        return value

    return computed
