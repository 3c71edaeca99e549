"""`for x in <constants> if <table of x> == <value>` without looking at every x.

The constants are sorted by their entry in the table once, when the code is written; the loop then
runs over those that match. Designers write such conditions all the time: the cells of a column,
the cards of a suit.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import inside

_WIDEST = 4096  # span of table entries that is indexed


@dataclass(frozen=True, slots=True)
class Indexed:
    """Constants by their entry in a table: those with entry low + i are groups[i]."""

    groups: tuple[tuple[int, ...], ...]
    low: int
    wanted: ir.Expr  # the entry that is looked for
    rest: list[ir.Expr]  # the conditions that are left


def conjuncts(node: ir.Expr) -> list[ir.Expr]:
    if isinstance(node, ir.And):
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def mentions(node: object, register: int) -> bool:
    return any(isinstance(item, ir.Load) and item.addr == register for item in inside(node))


def indexed(program: ir.Program, loop: ir.Loop, filters: list[ir.Expr]) -> Indexed | None:
    """The index for a loop whose first condition compares a table's entry."""
    if len(loop.regs) != 1 or not filters or not isinstance(loop.source, ir.ConstSource):
        return None
    values = loop.source.values
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) != len(values) or len(values) < 4:
        return None
    tests = [test for condition in filters for test in conjuncts(condition)]
    first = tests[0]
    if not isinstance(first, ir.Compare) or first.op != "==":
        return None
    register = loop.regs[0]
    for key, wanted in ((first.left, first.right), (first.right, first.left)):
        if (
            isinstance(key, ir.Lookup)
            and key.index == ir.Load(register)
            and not mentions(wanted, register)
        ):
            return _grouped(program, key, numbers, wanted, tests[1:])
    return None


def _grouped(
    program: ir.Program, key: ir.Lookup, numbers: list[int], wanted: ir.Expr, rest: list[ir.Expr]
) -> Indexed | None:
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
    return Indexed(tuple(tuple(group) for group in groups), low, wanted, rest)
