"""What is made of a stream in one pass: counts, sums, tests, extremes."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.native.analysis.shapes import I64_MAX, Int
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.branchless_loops import follow, planned
from ludwright.native.codegen.expressions.cheap import cheap
from ludwright.native.codegen.expressions.comparison import equal, order
from ludwright.native.codegen.expressions.comprehensions import stream_of_sets
from ludwright.native.codegen.expressions.known_ways import way_exists
from ludwright.native.codegen.expressions.set_loops import planned_set, tested_set, whole_set
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.values import Value, copied, number, read, temp, truth, write
from ludwright.native.passes.branchless import Plan
from ludwright.program import faults

_SHORT = 1 << 33  # numbers below it can be added as often as anything happens


def aggregate(b: Body, node: ir.Aggregate) -> Value:
    match node.op:
        case "count":
            return _count(b, node.stream)
        case "sum":
            return _sum(b, node)
        case "exists" | "any" | "all":
            return _test(b, node)
        case "first":
            return _first(b, node)
        case _:
            return _extreme(b, node)


def in_stream(b: Body, node: ir.InStream) -> Operand:
    f = b.f
    wanted = copied(b.expr(node.item), b.shape(node.item))
    slot = Var(f, init=wanted.i64()) if isinstance(wanted, Operand) else None
    if slot is not None and isinstance(node.stream, ir.RangeSource):
        low, high = Var(f, init=b.num(node.stream.lo)), b.num(node.stream.hi)
        return (slot.get() >= low.get()) & (slot.get() <= high)
    found = Var(f, "i1", 0)
    with f.block() as out:

        def take(value: Value) -> None:
            with f.if_(equal(slot.get() if slot is not None else wanted, value)):
                found.set(1)
                f.br(out)

        b.each(node.stream, take)
    return found.get()


def _count(b: Body, stream: ir.Source) -> Operand:
    total = Var(b.f, init=0)
    stream = b.opened(stream)
    bits = whole_set(b, stream)
    if bits is not None:
        return bits.count()
    plan = planned(b, stream, whole=True)
    if plan is not None:
        follow(b, plan, lambda keep, value: total.set(total.get() + keep.i64()))
    elif not stream_of_sets(b, stream, lambda plan: total.add(planned_set(b, plan).count())):
        b.each(stream, lambda value: total.add(1))
    return total.get()


def _sum(b: Body, node: ir.Aggregate) -> Operand:
    f = b.f
    total = Var(f, init=0)
    shape = b.element(node.stream)
    short = isinstance(shape, Int) and abs(shape.lo) < _SHORT and abs(shape.hi) < _SHORT
    error = f.errors.fault(faults.SUM_OVERFLOW, node.site)

    def take(value: Value) -> None:
        if short:
            total.add(number(value))
            return
        result, overflowed = f.checked("add", total.get(), number(value))
        f.check(~overflowed, error)
        total.set(result)

    b.each(node.stream, take)
    return total.get()


def _test(b: Body, node: ir.Aggregate) -> Operand:
    """exists, any, all: leave at the first element that decides."""
    f = b.f
    result = Var(f, "i1", node.op == "all")
    stream = b.opened(node.stream)
    way = way_exists(b, replace(node, stream=stream))
    if way is not None:
        return way
    bits = tested_set(b, node.op, stream)
    if bits is not None:
        return ~bits.some() if node.op == "all" else bits.some()
    plan = planned(b, stream)
    if plan is not None:
        follow(b, plan, lambda keep, value: result.set(_tested(node.op, result, keep, value)))
        return result.get()
    with f.block() as out:

        def take(value: Value) -> None:
            if node.op == "exists":
                result.set(1)
                f.br(out)
                return
            with f.if_(truth(value) if node.op == "any" else ~truth(value)):
                result.set(node.op == "any")
                f.br(out)

        b.each(stream, take)
    return result.get()


def _tested(op: str, result: Var, keep: Operand, value: Operand) -> Operand:
    """The result of a test after one more element, without branches."""
    if op == "exists":
        return result.get() | keep
    if op == "any":
        return result.get() | (keep & value.ne(0))
    return result.get() & (~keep | value.ne(0))


def _first(b: Body, node: ir.Aggregate) -> Value:
    f = b.f
    shape = b.shape(node)
    stream = b.opened(node.stream)
    if node.default is None or cheap(b, node.default):
        bits = whole_set(b, stream)
        if bits is not None:
            default = f.value(-1) if node.default is None else b.num(node.default)
            return f.select(bits.some(), bits.first(), default)
    plan = planned(b, stream) if isinstance(shape, Int) else None
    if plan is not None and plan.least_first and (node.default is None or cheap(b, node.default)):
        found = _lowest(b, plan)
        default = f.value(-1) if node.default is None else b.num(node.default)
        return f.select(found.eq(I64_MAX), default, found)
    slot = temp(f, shape)
    with f.block() as out:

        def take(value: Value) -> None:
            write(slot, shape, value)
            f.br(out)

        b.each(stream, take)
        write(slot, shape, f.value(-1) if node.default is None else b.expr(node.default))
    return read(slot, shape)


def _lowest(b: Body, plan: Plan) -> Operand:
    f = b.f
    least = Var(f, init=I64_MAX)

    def lower(keep: Operand, value: Operand) -> None:
        if plan.backwards:
            least.set(f.select(keep, value, least.get()))
        else:
            least.set(f.smin(least.get(), f.select(keep, value, I64_MAX)))

    follow(b, plan, lower)
    return least.get()


def _extreme(b: Body, node: ir.Aggregate) -> Value:
    f = b.f
    shape = b.shape(node)
    slot = temp(f, shape)
    some = Var(f, "i1", 0)

    def take(value: Value) -> None:
        with f.block() as worse:
            with f.if_(some.get()):
                best = read(slot, shape)
                if isinstance(value, Operand) and isinstance(best, Operand):
                    found = value.i64()
                    better = found < best if node.op == "min" else found > best
                else:
                    rank = order(value, best)
                    better = rank < 0 if node.op == "min" else rank > 0
                f.leave_unless(better, worse)
            some.set(1)
            write(slot, shape, value)

    b.each(node.stream, take)
    with f.if_(~some.get()):
        if node.default is not None:
            write(slot, shape, b.expr(node.default))
        else:
            f.br(f.fail(f.errors.refusal(faults.no_extremum(node.op), node.site)))
    return read(slot, shape)
