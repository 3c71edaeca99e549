"""Evaluates compiled expressions that depend on nothing that changes."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language.compiling.unit import Unit


def evaluate(expr: ir.Expr, unit: Unit) -> int | tuple[object, ...] | None:
    """The constant's value as the interpreter would hold it, or None if it is not constant."""
    match expr:
        case ir.Const(value=value):
            return value
        case ir.MakeTuple(items=items):
            parts = [evaluate(item, unit) for item in items]
            return None if None in parts else tuple(parts)
        case ir.MakeList(stream=stream):
            return _members(stream, unit)
        case ir.MakeSet(stream=stream, lo=lo):
            members = _members(stream, unit)
            if members is None:
                return None
            bits = 0
            for member in members:
                if isinstance(member, int):
                    bits |= 1 << (member - lo)
            return bits
        case _:
            return None


def _members(source: ir.Source, unit: Unit) -> tuple[object, ...] | None:
    match source:
        case ir.ConstSource(values=values):
            return values
        case ir.RangeSource(lo=low, hi=high):
            first, last = evaluate(low, unit), evaluate(high, unit)
            if isinstance(first, int) and isinstance(last, int):
                return tuple(range(first, last + 1))
            return None
        case ir.ItemsSource(items=items):
            parts = [evaluate(item, unit) for item in items]
            return None if None in parts else tuple(parts)
        case _:
            return None
