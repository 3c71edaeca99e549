"""Who writes which expression and which source: the tables behind `Body`."""

from __future__ import annotations

from collections.abc import Mapping

from ludwright import program as ir
from ludwright.native.codegen.expressions import (
    aggregates,
    arithmetic,
    calls,
    collections,
    comprehensions,
    conditions,
    draws,
    loads,
    position_key,
    reach,
    sources,
    trail,
    travel,
)
from ludwright.native.codegen.expressions.body import Body, Writers
from ludwright.native.codegen.llvm.builder import Function
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.ticks import tick
from ludwright.native.codegen.state.values import Value, read, temp, write
from ludwright.program import faults


def new_body(module: Module, f: Function, shared: Mapping[int, int] | None = None) -> Body:
    """The body of a function that may contain any expression."""
    return Body(module, f, _WRITERS, shared)


def _bind(b: Body, node: ir.Bind) -> Value:
    b.put_register(node.reg, b.expr(node.value))
    return b.expr(node.body)


def _select(b: Body, node: ir.Select) -> Value:
    f, shape = b.f, b.shape(node)
    slot = temp(f, shape)
    with conditions.when(b, node.when):
        write(slot, shape, b.expr(node.then))
    with f.else_():
        write(slot, shape, b.expr(node.other))
    return read(slot, shape)


def _spend(b: Body, node: ir.Spend) -> Value:
    tick(b.f, node.site, node.ticks)
    return b.f.value(1)


def _present(b: Body, node: ir.Present) -> Value:
    f = b.f
    seat = b.num(node.seat)
    f.check(seat < b.num(node.players), f.errors.fault(faults.ABSENT, node.site))
    return seat


_WRITERS = Writers(
    expressions={
        ir.Const: loads.const,
        ir.Load: loads.load,
        ir.LoadWide: loads.load_wide,
        ir.LoadAt: loads.load_at,
        ir.Lookup: loads.lookup,
        ir.Arith: arithmetic.arith,
        ir.Compare: conditions.condition,
        ir.Not: conditions.condition,
        ir.InSet: conditions.condition,
        ir.And: conditions.logic,
        ir.Or: conditions.logic,
        ir.Select: _select,
        ir.Bind: _bind,
        ir.CallFn: calls.call,
        ir.Spend: _spend,
        ir.Present: _present,
        ir.MakeTuple: collections.make_tuple,
        ir.Item: collections.tuple_item,
        ir.MakeList: collections.make_list,
        ir.ListItem: collections.list_item,
        ir.Sorted: collections.sorted_list,
        ir.Group: collections.group,
        ir.MakeSet: collections.make_set,
        ir.SetOp: collections.set_op,
        ir.Length: collections.length_of,
        ir.Aggregate: aggregates.aggregate,
        ir.InStream: aggregates.in_stream,
        ir.Reach: reach.reach,
        ir.Travel: travel.travel,
        ir.Trail: trail.trail,
        ir.Times: position_key.times,
    },
    sources={
        ir.RangeSource: sources.range_source,
        ir.ConstSource: sources.const_source,
        ir.RowSource: sources.row_source,
        ir.PiecesSource: sources.pieces_source,
        ir.DrawFrom: draws.draw_source,
        ir.SetSource: sources.set_source,
        ir.ListSource: sources.list_source,
        ir.ItemsSource: sources.items_source,
        ir.ConcatSource: sources.concat_source,
        ir.SelectSource: sources.select_source,
        ir.BindSource: sources.bind_source,
        ir.SeatsSource: sources.seats_source,
        ir.CombosSource: sources.combos_source,
        ir.Stream: comprehensions.stream,
    },
)
