"""Expressions of the Program as Python closures over the run's list.

Each node is compiled once; afterwards evaluating it is a call, and nothing looks at the tree again.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, cast

from ludwright import program as ir
from ludwright.kernel.interpreter.operators import arithmetic, compare
from ludwright.kernel.interpreter.run import Fn, Memory, fault, spend
from ludwright.kernel.interpreter.streams import Streams
from ludwright.kernel.interpreter.travels import Travels
from ludwright.program import faults
from ludwright.program.cells import decoder
from ludwright.program.position_key import position_key
from ludwright.program.types import NO_ENTITY


class Expressions:
    """Compiles the expressions of one Program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.streams = Streams(program, self.expr)
        self._travels = Travels(program, self.expr, self.streams.source)
        self._functions: dict[int, Fn] = {}
        self._table: dict[type[ir.Expr], Callable[[Any], Fn]] = {
            ir.Const: self._const,
            ir.Load: self._load,
            ir.LoadWide: self._load_wide,
            ir.LoadAt: self._load_at,
            ir.Lookup: self._lookup,
            ir.Arith: self._arith,
            ir.Compare: self._compare,
            ir.And: self._and,
            ir.Or: self._or,
            ir.Not: self._not,
            ir.Select: self._select,
            ir.Bind: self._bind,
            ir.CallFn: self._call,
            ir.MakeTuple: self._make_tuple,
            ir.Item: self._item,
            ir.ListItem: self._list_item,
            ir.Length: self._length,
            ir.MakeList: self._make_list,
            ir.MakeSet: self._make_set,
            ir.SetOp: self._set_op,
            ir.InSet: self._in_set,
            ir.InStream: self._in_stream,
            ir.Sorted: self._sorted,
            ir.Group: self._group,
            ir.Reach: self._travels.reach,
            ir.Travel: self._travels.travel,
            ir.Trail: self._travels.trail,
            ir.Aggregate: self.streams.aggregate,
            ir.Times: self._times,
            ir.Spend: self._spend,
            ir.Present: self._present,
        }

    def expr(self, node: ir.Expr) -> Fn:
        return self._table[type(node)](node)

    def fault(self, trouble: faults.Trouble, site: int) -> Exception:
        return fault(self.program, trouble, site)

    def _spend(self, node: ir.Spend) -> Fn:
        program, ticks, site = self.program, node.ticks, node.site

        def spent(memory: Memory) -> int:
            spend(program, memory, ticks, site)
            return 1

        return spent

    def _present(self, node: ir.Present) -> Fn:
        seat_of, players, site = self.expr(node.seat), self.expr(node.players), node.site

        def present(memory: Memory) -> Any:
            seat = seat_of(memory)
            if seat < players(memory):
                return seat
            raise self.fault(faults.ABSENT, site)

        return present

    # ------------------------------------------------------------- leaves

    def _const(self, node: ir.Const) -> Fn:
        value = node.value
        return lambda memory: value

    def _load(self, node: ir.Load) -> Fn:
        addr = node.addr
        return lambda memory: memory[addr]

    def _load_wide(self, node: ir.LoadWide) -> Fn:
        addr, read = node.addr, decoder(node.type)
        if addr >= self.program.cells:
            return lambda memory: memory[addr]
        if node.index is None:
            return lambda memory: read(memory, addr)
        missing: Any = {"set": 0, "list": ()}.get(node.type.kind, NO_ENTITY)
        return self._indexed(
            node.index, node.size, missing, node.site,
            lambda memory, at: read(memory, addr + at * node.stride),
        )  # fmt: skip

    def _load_at(self, node: ir.LoadAt) -> Fn:
        addr, stride = node.addr, node.stride
        return self._indexed(
            node.index,
            node.size,
            node.none,
            node.site,
            lambda memory, at: memory[addr + at * stride],
        )

    def _lookup(self, node: ir.Lookup) -> Fn:
        table = self.program.tables[node.table]
        return self._indexed(
            node.index, len(table), node.none, node.site, lambda memory, at: table[at]
        )

    def _indexed(
        self, index: ir.Expr, size: int, none: Any, site: int, read: Callable[[Memory, int], Any]
    ) -> Fn:
        """The element at an index: `none` where the index is none, a fault beyond the last."""
        index_of = self.expr(index)

        def element(memory: Memory) -> Any:
            at = index_of(memory)
            if 0 <= at < size:
                return read(memory, at)
            if at < 0:
                return none
            raise self.fault(faults.index_outside(at, size - 1), site)

        return element

    # ---------------------------------------------------------- operators

    def _arith(self, node: ir.Arith) -> Fn:
        return arithmetic(self.program, node, self.expr(node.left), self.expr(node.right))

    def _compare(self, node: ir.Compare) -> Fn:
        return compare(node, self.expr(node.left), self.expr(node.right))

    def _and(self, node: ir.And) -> Fn:
        left, right = self.expr(node.left), self.expr(node.right)
        return lambda memory: left(memory) and right(memory)

    def _or(self, node: ir.Or) -> Fn:
        left, right = self.expr(node.left), self.expr(node.right)
        return lambda memory: left(memory) or right(memory)

    def _not(self, node: ir.Not) -> Fn:
        arg = self.expr(node.arg)
        return lambda memory: not arg(memory)

    def _select(self, node: ir.Select) -> Fn:
        when, then, other = self.expr(node.when), self.expr(node.then), self.expr(node.other)
        return lambda memory: then(memory) if when(memory) else other(memory)

    def _bind(self, node: ir.Bind) -> Fn:
        reg, value, body = node.reg, self.expr(node.value), self.expr(node.body)

        def bind(memory: Memory) -> Any:
            memory[reg] = value(memory)
            return body(memory)

        return bind

    def _function(self, index: int) -> Fn:
        if index not in self._functions:
            self._functions[index] = self.expr(self.program.functions[index].body)
        return self._functions[index]

    def _call(self, node: ir.CallFn) -> Fn:
        body = self._function(node.fn)
        regs = self.program.functions[node.fn].params
        args = [self.expr(arg) for arg in node.args]

        def call(memory: Memory) -> Any:
            values = [arg(memory) for arg in args]
            for register, value in zip(regs, values, strict=True):
                memory[register] = value
            return body(memory)

        return call

    # --------------------------------------------------- tuples and lists

    def _make_tuple(self, node: ir.MakeTuple) -> Fn:
        items = [self.expr(item) for item in node.items]
        return lambda memory: tuple([item(memory) for item in items])

    def _item(self, node: ir.Item) -> Fn:
        of, index = self.expr(node.of), node.index

        def item(memory: Memory) -> Any:
            value = of(memory)
            return value[index] if isinstance(value, tuple) else NO_ENTITY

        return item

    def _list_item(self, node: ir.ListItem) -> Fn:
        of, index, site = self.expr(node.of), self.expr(node.index), node.site

        def list_item(memory: Memory) -> Any:
            values = of(memory)
            at = index(memory)
            if 0 <= at < len(values):
                return values[at]
            raise self.fault(faults.item_outside(at, len(values)), site)

        return list_item

    def _length(self, node: ir.Length) -> Fn:
        of = self.expr(node.of)
        if node.of_set:
            return lambda memory: cast(int, of(memory)).bit_count()
        return lambda memory: len(of(memory))

    def _make_list(self, node: ir.MakeList) -> Fn:
        source, cap, site = self.streams.source(node.stream), node.cap, node.site
        distinct = node.distinct

        # A stream may be long: no more elements are kept than fit.
        def make_list(memory: Memory) -> tuple[Any, ...]:
            elements = iter(source(memory))
            values = tuple(islice(elements, cap + 1))
            if len(values) > cap:
                length = len(values) + sum(1 for _ in elements)
                raise self.fault(faults.list_too_long(length, cap), site)
            return values

        def make_distinct(memory: Memory) -> tuple[Any, ...]:
            found: dict[Any, None] = {}
            for value in source(memory):
                if len(found) <= cap:
                    found[value] = None
            if len(found) > cap:
                raise self.fault(faults.too_many_values(cap), site)
            return tuple(found)

        return make_distinct if distinct else make_list

    def _make_set(self, node: ir.MakeSet) -> Fn:
        source, lo, hi, site = self.streams.source(node.stream), node.lo, node.hi, node.site

        def make_set(memory: Memory) -> int:
            bits = 0
            for value in source(memory):
                if not lo <= value <= hi:
                    raise self.fault(faults.not_in_set(value, lo, hi), site)
                bits |= 1 << (value - lo)
            return bits

        return make_set

    def _set_op(self, node: ir.SetOp) -> Fn:
        left, right = self.expr(node.left), self.expr(node.right)
        if node.op == "union":
            return lambda memory: left(memory) | right(memory)
        if node.op == "minus":
            return lambda memory: left(memory) & ~right(memory)
        return lambda memory: left(memory) & right(memory)

    def _in_set(self, node: ir.InSet) -> Fn:
        item, of, lo = self.expr(node.item), self.expr(node.of), node.lo

        def in_set(memory: Memory) -> bool:
            offset: int = item(memory) - lo
            bits: int = of(memory)
            return offset >= 0 and bits >> offset & 1 == 1

        return in_set

    def _in_stream(self, node: ir.InStream) -> Fn:
        item, source = self.expr(node.item), self.streams.source(node.stream)

        def in_stream(memory: Memory) -> bool:
            wanted = item(memory)
            return wanted in source(memory)

        return in_stream

    def _sorted(self, node: ir.Sorted) -> Fn:
        of, descending = self.expr(node.of), node.descending
        return lambda memory: tuple(sorted(of(memory), reverse=descending))

    def _group(self, node: ir.Group) -> Fn:
        source, cap, site = self.streams.source(node.stream), node.cap, node.site

        def group(memory: Memory) -> tuple[Any, ...]:
            counts: dict[Any, int] = {}
            for key in source(memory):
                if len(counts) <= cap:
                    counts[key] = counts.get(key, 0) + 1
            if len(counts) > cap:
                raise self.fault(faults.too_many_groups(cap), site)
            return tuple(sorted(counts.items()))

        return group

    def _times(self, node: ir.Times) -> Fn:
        history = self.program.histories[node.history]
        values = [self.expr(value) for value in history.values]
        addr, keep = history.addr, history.keep

        def times(memory: Memory) -> int:
            low, high = position_key([value(memory) for value in values])
            end = addr + 1 + 2 * min(memory[addr], keep)
            return sum(
                1 for at in range(addr + 1, end, 2) if memory[at] == low and memory[at + 1] == high
            )

        return times
