"""Comprehensions as nested loops: `head for x in source if condition until condition`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Lst, Tup
from ludwright.native.codegen.expressions.body import Body, Take
from ludwright.native.codegen.expressions.cheap import cheap, cheap_to_hoist
from ludwright.native.codegen.expressions.conditions import condition, goto, leave_unless_all
from ludwright.native.codegen.expressions.loads import Rows
from ludwright.native.codegen.expressions.set_loops import planned_set, set_plan, whole_plan
from ludwright.native.codegen.llvm.builder import Label, Var
from ludwright.native.codegen.state.values import Value, Wide, element, item
from ludwright.native.passes.index_lookup import Index, index_of
from ludwright.native.passes.loop_invariants import invariant_parts
from ludwright.native.passes.space_sets import Plan
from ludwright.program.clauses import in_order

_Level = tuple[ir.Loop | None, list[ir.Filter | ir.Until]]


TakeSet = Callable[[Plan], None]  # writes what is done with all elements of the innermost loop


def stream(b: Body, node: ir.Stream, take: Take) -> None:
    _level(b, _levels(node), node.head, take, None)


def stream_of_sets(b: Body, node: ir.Source, take: TakeSet) -> bool:
    """A stream whose innermost loop is a set; False, and nothing is written, if it is none."""
    if not isinstance(node, ir.Stream) or not b.module.sets:
        return False
    levels = _levels(node)
    loop, clauses = levels[-1] if levels else (None, [])
    plan = None if loop is None else set_plan(b, loop, clauses)
    if plan is None or plan.rest or node.head != ir.Load(plan.register):
        whole = whole_plan(b, node)
        if whole is not None:
            take(whole)
        return whole is not None
    _level(b, levels, node.head, lambda value: None, take)
    return True


def _levels(node: ir.Stream) -> list[_Level]:
    levels: list[_Level] = []
    for clause in node.clauses:
        if isinstance(clause, ir.Loop):
            levels.append((clause, []))
            continue
        if not levels:
            levels.append((None, []))
        levels[-1][1].append(clause)
    return levels


def _level(
    b: Body, levels: Sequence[_Level], head: ir.Expr, take: Take, take_set: TakeSet | None
) -> None:  # fmt: skip
    """One loop with its conditions, and all that lies inside."""
    if not levels:
        take(b.expr(head))
        return
    (loop, clauses), *deeper = levels

    def inside() -> None:
        _level(b, deeper, head, take, take_set)

    if loop is None:
        with b.f.block() as out:
            filters = [clause.when for clause in clauses if isinstance(clause, ir.Filter)]
            leave_unless_all(b, filters, out)
            inside()
        return
    with hoisting(b, (*clauses, *((inner, *tests) for inner, tests in deeper), head), loop.regs):
        plan = set_plan(b, loop, clauses)
        if plan is None:
            _loop(b, loop, clauses, inside)
        elif take_set is None or deeper:
            _members(b, loop, plan, inside)
        else:
            take_set(plan)


def _loop(
    b: Body, loop: ir.Loop, clauses: Sequence[ir.Filter | ir.Until], inside: Callable[[], None]
) -> None:
    f = b.f
    before, until, after = in_order(clauses)
    index = index_of(b.program, loop, before) if b.module.uses("index_lookup") else None
    if index is not None and cheap(b, index.wanted):
        before = index.rest
    else:
        index = None

    def one(value: Value) -> None:
        assign(b, loop, value)
        with f.block() as following:
            leave_unless_all(b, before, following)
            _until(b, until, after, inside, over, following)

    with f.block() as over:
        if index is None:
            b.each(loop.source, one)
        else:
            _matching(b, index, one)


def _members(b: Body, loop: ir.Loop, plan: Plan, inside: Callable[[], None]) -> None:
    """A loop over a set."""

    def one(value: Value) -> None:
        assign(b, loop, value)
        with b.f.block() as following:
            leave_unless_all(b, plan.rest, following)
            inside()

    planned_set(b, plan).each(one)


def _until(
    b: Body, until: ir.Expr | None, after: list[ir.Expr], inside: Callable[[], None], over: Label,
    following: Label,
) -> None:  # fmt: skip
    """What is done with one element, and whether it is the last: then the loop is `over`."""
    f = b.f
    if until is None:
        leave_unless_all(b, after, following)
        inside()
    elif after == [ir.Not(until)]:  # everything up to the hit, without it
        go = f.label()
        goto(b, until, over, go)
        f.place(go)
        inside()
    else:
        last = Var(f, "i1", condition(b, until))
        with f.block() as skipped:
            leave_unless_all(b, after, skipped)
            inside()
        f.leave_if(last.get(), over)


@contextmanager
def hoisting(b: Body, parts: tuple[object, ...], own: tuple[int, ...]) -> Iterator[None]:
    """Around a loop whose registers are `own`: its invariants are evaluated at most once."""
    found = invariant_parts(parts, own) if b.module.uses("loop_invariants") else []
    numbers = [
        node
        for node in found
        if isinstance(b.shape(node), Int) and not b.module.counted_work.within(node)
    ]
    with b.invariants(numbers, lambda node: cheap_to_hoist(b, node)):
        yield


def _matching(b: Body, index: Index, take: Take) -> None:
    """The constants of an index that match."""
    f = b.f
    with f.block() as out:
        at = b.num(index.wanted) - index.low
        f.leave_unless(at.below(len(index.groups)), out)
        table = Rows(b, index.groups, Int())
        with f.for_range(*table.span(at)) as where:
            take(table.elements[where])


def assign(b: Body, loop: ir.Loop, value: Value) -> None:
    """Put an element into the registers of a loop."""
    if len(loop.regs) == 1:
        b.put_register(loop.regs[0], value)
        return
    assert isinstance(value, Wide)
    for index, register in enumerate(loop.regs):
        if isinstance(value.shape, Tup):
            b.put_register(register, item(value, index))
        else:
            assert isinstance(value.shape, Lst)
            b.put_register(register, element(value, index))
