"""The conditions of one loop of a comprehension, in the order in which they are tested."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ludwright.program.expressions import And, Expr, Filter, Or, Until


def in_order(
    clauses: Sequence[Filter | Until],
) -> tuple[list[Expr], Expr | None, list[Expr]]:
    """Filters in front of `until`, the `until`s as one, and the filters behind.

    A later `until` is asked only of what the filters between the two let through.
    """
    before: list[Expr] = []
    after: list[Expr] = []
    until: Expr | None = None
    for clause in clauses:
        if isinstance(clause, Until):
            until = clause.when if until is None else Or(until, reduce(And, [*after, clause.when]))
        elif until is None:
            before.append(clause.when)
        else:
            after.append(clause.when)
    return before, until, after
