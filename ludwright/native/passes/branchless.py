"""Short loops without branches.

A branch that ends a loop early is mispredicted about once per loop, which costs more than looking
at a few dozen cells. So a loop over constants looks at all of them, and each condition becomes a
number that is added, or selects, instead of being jumped over.

This relies on conditions and head being cheap and unable to fail: they are also evaluated for
elements that the interpreter would never come to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ludwright import program as ir
from ludwright.native.passes.index_lookup import Index

_ONE_CELL = 64  # elements that are all looked at, where each takes one cell
_FEW = 9  # the same where each takes more than that
_ALL = 4096  # the same where all must be looked at anyway


@dataclass(frozen=True, slots=True)
class Plan:
    """A loop that can be written without branches."""

    register: int
    filters: list[ir.Expr]
    head: ir.Expr
    values: list[int]  # at equal distances, or unused where there is an index
    index: Index | None
    backwards: bool  # the last element comes first

    @property
    def step(self) -> int:
        return self.values[1] - self.values[0] if len(self.values) > 1 else 1

    @property
    def least_first(self) -> bool:
        """Whether the first element of the stream is also its lowest."""
        return self.head == ir.Load(self.register) and self.values == sorted(self.values)


def constants_of(source: ir.Source) -> list[int] | None:
    """The numbers a source gives, if they are known."""
    match source:
        case ir.ConstSource(values=values):
            numbers = [int(value) for value in values if isinstance(value, int)]
            return numbers if len(numbers) == len(values) else None
        case ir.RangeSource(lo=ir.Const(value=int(low)), hi=ir.Const(value=int(high))):
            return list(range(low, high + 1)) if high - low < _ALL else None
        case _:
            return None


def plan(
    stream: ir.Source,
    cheap: Callable[[ir.Expr], bool],
    index_of: Callable[[ir.Loop, list[ir.Expr]], Index | None],
    whole: bool = False,
) -> Plan | None:
    """How to look at all elements of a stream without a branch, if that pays.

    `whole`: all of them have to be looked at in any case.
    """
    match stream:
        case ir.Stream(clauses=(ir.Loop(regs=(register,)) as loop, *rest), head=head):
            values = constants_of(loop.source)
        case _:
            return None
    filters = [clause.when for clause in rest if isinstance(clause, ir.Filter)]
    if len(filters) != len(rest) or not values or not cheap(head):
        return None
    index = index_of(loop, filters)
    if index is not None and cheap(index.wanted):
        size = len(index.groups[0])
        equal = all(len(group) == size for group in index.groups)
        if not equal or size > _FEW or not all(map(cheap, index.rest)):
            return None
        return Plan(register, index.rest, head, values, index, True)
    if len(values) > (_ALL if whole else _ONE_CELL) or not all(map(cheap, filters)):
        return None
    few = len(values) <= _FEW
    if not few and not whole and not all(_one_cell(test, register) for test in (*filters, head)):
        return None
    found = Plan(register, filters, head, values, None, few)
    if found.step == 0 or any(two - one != found.step for one, two in pairwise(values)):
        return None
    return found


def _one_cell(node: ir.Expr, register: int) -> bool:
    """Reads nothing but cells and tables at the element itself."""
    match node:
        case ir.Const() | ir.Load():
            return True
        case ir.LoadAt(index=index) | ir.Lookup(index=index):
            return index == ir.Load(register)
        case ir.Compare(left=left, right=right) | ir.And(left=left, right=right):
            return _one_cell(left, register) and _one_cell(right, register)
        case ir.Not(arg=arg):
            return _one_cell(arg, register)
        case _:
            return False
