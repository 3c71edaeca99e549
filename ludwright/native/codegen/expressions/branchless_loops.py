"""Loops without branches, as `passes.branchless` plans them."""

from __future__ import annotations

from collections.abc import Callable

from ludwright import program as ir
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.cheap import cheap
from ludwright.native.codegen.expressions.conditions import condition
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.passes.branchless import Plan, plan
from ludwright.native.passes.index_lookup import Index, index_of

Take = Callable[[Operand, Operand], None]  # gets whether an element belongs, and its value


def planned(b: Body, stream: ir.Source, whole: bool = False) -> Plan | None:
    """How to write a stream without branches, if that pays; `whole`: it is never left early."""
    if not b.module.uses("branchless"):
        return None

    def index(loop: ir.Loop, filters: list[ir.Expr]) -> Index | None:
        return index_of(b.program, loop, filters) if b.module.uses("index_lookup") else None

    return plan(stream, lambda node: cheap(b, node), index, whole)


def follow(b: Body, plan: Plan, take: Take) -> None:
    f = b.f
    if plan.index is not None:
        _follow_index(b, plan, plan.index, take)
        return
    first, last = plan.values[0], plan.values[-1]
    with f.for_range(0, len(plan.values)) as at:
        offset = at * plan.step
        _element(b, plan, f.value(last) - offset if plan.backwards else offset + first, take)


def _follow_index(b: Body, plan: Plan, index: Index, take: Take) -> None:
    f = b.f
    size = len(index.groups[0])
    at = b.num(index.wanted) - index.low
    with f.if_(at.below(len(index.groups))):
        table = b.module.table(f, [value for group in index.groups for value in group])
        last = Var(f, init=at * size + (size - 1))
        with f.for_range(0, size) as number:
            _element(b, plan, f.load(table, last.get() - number, "i32"), take)


def _element(b: Body, plan: Plan, value: Operand, take: Take) -> None:
    b.put_register(plan.register, value)
    keep = b.f.true
    for filter_ in plan.filters:
        keep = keep & condition(b, filter_)
    take(keep, b.num(plan.head))
