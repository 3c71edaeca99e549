"""Comparison and arithmetic as closures, with the shapes that games use most spelled out.

A closure that reads a cell itself instead of calling another closure saves a third of the time of
a comparison, and comparisons are most of what a rulebook does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.context import Cells, Fn, fault

_LIMIT = 1 << 63


def compare(op: ir.CompareOp, node: ir.Compare, left: Fn, right: Fn) -> Fn:
    """`left op right`, specialised for cells and constants."""
    if isinstance(node.right, ir.Const):
        value = node.right.value
        if isinstance(node.left, ir.Load):
            return _CELL_CONST[op](node.left.addr, value)
        return _ANY_CONST[op](left, value)
    if isinstance(node.right, ir.Load):
        if isinstance(node.left, ir.Load):
            return _CELL_CELL[op](node.left.addr, node.right.addr)
        return _ANY_CELL[op](left, node.right.addr)
    return _ANY_ANY[op](left, right)


_CELL_CONST: dict[str, Callable[[int, Any], Fn]] = {
    "==": lambda a, c: lambda S: S[a] == c,
    "!=": lambda a, c: lambda S: S[a] != c,
    "<": lambda a, c: lambda S: S[a] < c,
    "<=": lambda a, c: lambda S: S[a] <= c,
    ">": lambda a, c: lambda S: S[a] > c,
    ">=": lambda a, c: lambda S: S[a] >= c,
}
_CELL_CELL: dict[str, Callable[[int, int], Fn]] = {
    "==": lambda a, b: lambda S: S[a] == S[b],
    "!=": lambda a, b: lambda S: S[a] != S[b],
    "<": lambda a, b: lambda S: S[a] < S[b],
    "<=": lambda a, b: lambda S: S[a] <= S[b],
    ">": lambda a, b: lambda S: S[a] > S[b],
    ">=": lambda a, b: lambda S: S[a] >= S[b],
}
_ANY_CONST: dict[str, Callable[[Fn, Any], Fn]] = {
    "==": lambda f, c: lambda S: f(S) == c,
    "!=": lambda f, c: lambda S: f(S) != c,
    "<": lambda f, c: lambda S: f(S) < c,
    "<=": lambda f, c: lambda S: f(S) <= c,
    ">": lambda f, c: lambda S: f(S) > c,
    ">=": lambda f, c: lambda S: f(S) >= c,
}
_ANY_CELL: dict[str, Callable[[Fn, int], Fn]] = {
    "==": lambda f, b: lambda S: f(S) == S[b],
    "!=": lambda f, b: lambda S: f(S) != S[b],
    "<": lambda f, b: lambda S: f(S) < S[b],
    "<=": lambda f, b: lambda S: f(S) <= S[b],
    ">": lambda f, b: lambda S: f(S) > S[b],
    ">=": lambda f, b: lambda S: f(S) >= S[b],
}
_ANY_ANY: dict[str, Callable[[Fn, Fn], Fn]] = {
    "==": lambda f, g: lambda S: f(S) == g(S),
    "!=": lambda f, g: lambda S: f(S) != g(S),
    "<": lambda f, g: lambda S: f(S) < g(S),
    "<=": lambda f, g: lambda S: f(S) <= g(S),
    ">": lambda f, g: lambda S: f(S) > g(S),
    ">=": lambda f, g: lambda S: f(S) >= g(S),
}


def arithmetic(program: ir.Program, node: ir.Arith, left: Fn, right: Fn) -> Fn:
    """64-bit arithmetic; sums of cells cannot overflow, so only deeper ones are checked."""
    op, site = node.op, node.site
    if op in ("//", "%"):
        return _division(program, op, site, left, right)
    if op == "min":
        return lambda S: min(left(S), right(S))
    if op == "max":
        return lambda S: max(left(S), right(S))
    plain = op != "*" and _is_narrow(program, node.left) and _is_narrow(program, node.right)
    if not plain:
        if op == "+" and isinstance(node.left, ir.Load) and isinstance(node.right, ir.Const):
            return _cell_plus(program, site, node.left.addr, node.right.value)
        return _checked(program, op, site, left, right)
    if isinstance(node.right, ir.Const) and isinstance(node.right.value, int):
        value = node.right.value if op == "+" else -node.right.value
        if isinstance(node.left, ir.Load):
            cell = node.left.addr
            return lambda S: S[cell] + value
        return lambda S: left(S) + value
    if op == "+":
        return lambda S: left(S) + right(S)
    return lambda S: left(S) - right(S)


def _is_narrow(program: ir.Program, node: ir.Expr) -> bool:
    """Certainly a 32-bit value: a constant, or something read from a cell or a table."""
    if isinstance(node, ir.Load):
        return node.addr < program.cells
    if isinstance(node, ir.Const):
        return isinstance(node.value, int) and abs(node.value) < _LIMIT >> 2
    if isinstance(node, ir.Aggregate):
        return node.op == "count"
    return isinstance(node, ir.LoadAt | ir.Lookup | ir.Length)


def _cell_plus(program: ir.Program, site: int, cell: int, number: Any) -> Fn:
    """A register and a constant: how rows of a table are found."""

    def add(S: Cells) -> int:
        value: int = S[cell] + number
        if -_LIMIT <= value < _LIMIT:
            return value
        raise fault(program, "overflow", site, "a number left the 64-bit range")

    return add


def _checked(program: ir.Program, op: str, site: int, left: Fn, right: Fn) -> Fn:
    def overflow() -> Exception:
        return fault(program, "overflow", site, "a number left the 64-bit range")

    def add(S: Cells) -> int:
        value: int = left(S) + right(S)
        if -_LIMIT <= value < _LIMIT:
            return value
        raise overflow()

    def subtract(S: Cells) -> int:
        value: int = left(S) - right(S)
        if -_LIMIT <= value < _LIMIT:
            return value
        raise overflow()

    def multiply(S: Cells) -> int:
        value: int = left(S) * right(S)
        if -_LIMIT <= value < _LIMIT:
            return value
        raise overflow()

    return {"+": add, "-": subtract, "*": multiply}[op]


def _division(program: ir.Program, op: str, site: int, left: Fn, right: Fn) -> Fn:
    def divide(S: Cells) -> int:
        above: int = left(S)
        below: int = right(S)
        if below == 0:
            raise fault(program, "division", site, "division by zero")
        if below == -1 and above == -_LIMIT:
            raise fault(program, "overflow", site, "a number left the 64-bit range")
        return above // below

    def remainder(S: Cells) -> int:
        above: int = left(S)
        below: int = right(S)
        if below == 0:
            raise fault(program, "division", site, "division by zero")
        return above % below

    return divide if op == "//" else remainder
