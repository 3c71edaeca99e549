"""`for x in <constants> if <table of x> == <value>` without looking at every x.

The constants are sorted by their entry in the table once, when the code is written; the loop then
runs over those that match. Designers write such conditions all the time: the cells of a column,
the cards of a suit.

This relies on the first condition being that comparison, and on the value being cheap and unable to
fail: it is evaluated even where there is no constant to compare it with.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright import program as ir
from ludwright.program.nodes import walk

_WIDEST = 4096  # span of table entries that is indexed
_FEWEST = 4  # constants


@dataclass(frozen=True, slots=True)
class Index:
    """Constants by their entry in a table: those with entry low + i are groups[i]."""

    groups: tuple[tuple[int, ...], ...]
    low: int
    wanted: ir.Expr  # the entry that is looked for
    rest: list[ir.Expr]  # the conditions that are left


def conjuncts(node: ir.Expr) -> list[ir.Expr]:
    if isinstance(node, ir.And):
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def index_of(program: ir.Program, loop: ir.Loop, filters: list[ir.Expr]) -> Index | None:
    """The index for a loop whose first condition compares a table's entry."""
    if len(loop.regs) != 1 or not filters or not isinstance(loop.source, ir.ConstSource):
        return None
    numbers = [value for value in loop.source.values if isinstance(value, int)]
    if len(numbers) != len(loop.source.values) or len(numbers) < _FEWEST:
        return None
    first, *rest = [test for condition in filters for test in conjuncts(condition)]
    if not isinstance(first, ir.Compare) or first.op != "==":
        return None
    element = ir.Load(loop.regs[0])
    for key, wanted in ((first.left, first.right), (first.right, first.left)):
        if isinstance(key, ir.Lookup) and key.index == element and element not in walk(wanted):
            return _grouped(program, key, numbers, wanted, rest)
    return None


def _grouped(
    program: ir.Program, key: ir.Lookup, numbers: list[int], wanted: ir.Expr, rest: list[ir.Expr]
) -> Index | None:
    table = program.tables[key.table]
    if any(number >= len(table) for number in numbers):
        return None
    entries = [table[number] if number >= 0 else key.none for number in numbers]
    low, high = min(entries), max(entries)
    if high - low >= _WIDEST:
        return None
    groups: list[list[int]] = [[] for _ in range(high - low + 1)]
    for number, entry in zip(numbers, entries, strict=True):
        groups[entry - low].append(number)
    return Index(tuple(tuple(group) for group in groups), low, wanted, rest)
