"""Expressions of the Program as Python closures over the run's list.

Each node is compiled once; afterwards evaluating it is a call, and nothing looks at the tree again.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, cast

from ludwright.kernel import program as ir
from ludwright.kernel.comparing import arithmetic, compare
from ludwright.kernel.context import TICKS, Cells, Fn, fault, too_much
from ludwright.kernel.hashing import position_key
from ludwright.kernel.storage import decoder
from ludwright.kernel.streams import Streams
from ludwright.kernel.types import NO_ENTITY


class Expressions:
    """Compiles the expressions of one Program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.streams = Streams(self)
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
            ir.Reach: self._reach,
            ir.Aggregate: self.streams.aggregate,
            ir.Times: self._times,
            ir.Spend: self._spend,
        }

    def expr(self, node: ir.Expr) -> Fn:
        return self._table[type(node)](node)

    def fault(self, code: str, site: int, reason: str) -> Exception:
        return fault(self.program, code, site, reason)

    def _spend(self, node: ir.Spend) -> Fn:
        program, ticks, site = self.program, node.ticks, node.site

        def spend(S: Cells) -> int:
            S[TICKS] -= ticks
            if S[TICKS] < 0:
                raise too_much(program, site)
            return 1

        return spend

    # ------------------------------------------------------------- leaves

    def _const(self, node: ir.Const) -> Fn:
        value = node.value
        return lambda S: value

    def _load(self, node: ir.Load) -> Fn:
        addr = node.addr
        return lambda S: S[addr]

    def _load_wide(self, node: ir.LoadWide) -> Fn:
        addr, read = node.addr, decoder(node.type)
        if addr >= self.program.cells:
            return lambda S: S[addr]
        if node.index is None:
            return lambda S: read(S, addr)
        index, stride, size, site = self.expr(node.index), node.stride, node.size, node.site
        missing: Any = {"set": 0, "list": ()}.get(node.type.kind, NO_ENTITY)

        def load(S: Cells) -> Any:
            at = index(S)
            if 0 <= at < size:
                return read(S, addr + at * stride)
            if at < 0:
                return missing
            raise self.fault("range", site, f"index {at} is outside 0..{size - 1}")

        return load

    def _load_at(self, node: ir.LoadAt) -> Fn:
        addr, size, stride, none, site = node.addr, node.size, node.stride, node.none, node.site

        def outside(at: int) -> Exception:
            return self.fault("range", site, f"index {at} is outside 0..{size - 1}")

        if isinstance(node.index, ir.Load) and stride == 1:
            cell = node.index.addr

            def load_cell(S: Cells) -> Any:
                at = S[cell]
                if 0 <= at < size:
                    return S[addr + at]
                if at < 0:
                    return none
                raise outside(at)

            return load_cell
        inner = node.index
        if (
            isinstance(inner, ir.LoadAt)
            and isinstance(inner.index, ir.Load)
            and inner.stride == stride == 1
        ):
            return self._load_through(node, inner, inner.index.addr)
        index = self.expr(node.index)

        def load(S: Cells) -> Any:
            at = index(S)
            if 0 <= at < size:
                return S[addr + at * stride]
            if at < 0:
                return none
            raise outside(at)

        return load

    def _load_through(self, node: ir.LoadAt, inner: ir.LoadAt, cell: int) -> Fn:
        """An array indexed by another: the owner of the piece on a space, and the like."""
        addr, size, none, site = node.addr, node.size, node.none, node.site
        first, first_size, first_none = inner.addr, inner.size, inner.none

        def load(S: Cells) -> Any:
            at = S[cell]
            if 0 <= at < first_size:
                at = S[first + at]
            elif at < 0:
                at = first_none
            else:
                raise self.fault("range", inner.site, f"index {at} is outside 0..{first_size - 1}")
            if 0 <= at < size:
                return S[addr + at]
            if at < 0:
                return none
            raise self.fault("range", site, f"index {at} is outside 0..{size - 1}")

        return load

    def _lookup(self, node: ir.Lookup) -> Fn:
        table, none, site = self.program.tables[node.table], node.none, node.site
        size = len(table)
        index = self.expr(node.index)

        def outside(at: int) -> Exception:
            return self.fault("range", site, f"index {at} is outside 0..{size - 1}")

        if isinstance(node.index, ir.Load):
            cell = node.index.addr

            def lookup_cell(S: Cells) -> Any:
                at = S[cell]
                if 0 <= at < size:
                    return table[at]
                if at < 0:
                    return none
                raise outside(at)

            return lookup_cell

        def lookup(S: Cells) -> Any:
            at = index(S)
            if 0 <= at < size:
                return table[at]
            if at < 0:
                return none
            raise outside(at)

        return lookup

    # ---------------------------------------------------------- operators

    def _arith(self, node: ir.Arith) -> Fn:
        return arithmetic(self.program, node, self.expr(node.left), self.expr(node.right))

    def _compare(self, node: ir.Compare) -> Fn:
        return compare(node.op, node, self.expr(node.left), self.expr(node.right))

    def _and(self, node: ir.And) -> Fn:
        left, right = self.expr(node.left), self.expr(node.right)
        return lambda S: left(S) and right(S)

    def _or(self, node: ir.Or) -> Fn:
        left, right = self.expr(node.left), self.expr(node.right)
        return lambda S: left(S) or right(S)

    def _not(self, node: ir.Not) -> Fn:
        arg = self.expr(node.arg)
        return lambda S: not arg(S)

    def _select(self, node: ir.Select) -> Fn:
        when, then, other = self.expr(node.when), self.expr(node.then), self.expr(node.other)
        return lambda S: then(S) if when(S) else other(S)

    def _bind(self, node: ir.Bind) -> Fn:
        reg, value, body = node.reg, self.expr(node.value), self.expr(node.body)

        def bind(S: Cells) -> Any:
            S[reg] = value(S)
            return body(S)

        return bind

    def _function(self, index: int) -> Fn:
        if index not in self._functions:
            self._functions[index] = self.expr(self.program.functions[index].body)
        return self._functions[index]

    def _call(self, node: ir.CallFn) -> Fn:
        body = self._function(node.fn)
        regs = self.program.functions[node.fn].params
        args = [self.expr(arg) for arg in node.args]
        if not args:
            return body
        if len(args) == 1:
            (reg,), (arg,) = regs, args

            def call_one(S: Cells) -> Any:
                S[reg] = arg(S)
                return body(S)

            return call_one

        def call(S: Cells) -> Any:
            values = [arg(S) for arg in args]
            for register, value in zip(regs, values, strict=True):
                S[register] = value
            return body(S)

        return call

    # --------------------------------------------------- tuples and lists

    def _make_tuple(self, node: ir.MakeTuple) -> Fn:
        items = [self.expr(item) for item in node.items]
        if len(items) == 2:
            first, second = items
            return lambda S: (first(S), second(S))
        return lambda S: tuple([item(S) for item in items])

    def _item(self, node: ir.Item) -> Fn:
        of, index = self.expr(node.of), node.index

        def item(S: Cells) -> Any:
            value = of(S)
            return value[index] if isinstance(value, tuple) else NO_ENTITY

        return item

    def _list_item(self, node: ir.ListItem) -> Fn:
        of, index, site = self.expr(node.of), self.expr(node.index), node.site

        def list_item(S: Cells) -> Any:
            values = of(S)
            at = index(S)
            if 0 <= at < len(values):
                return values[at]
            raise self.fault("range", site, f"item {at} of a list of {len(values)}")

        return list_item

    def _length(self, node: ir.Length) -> Fn:
        of = self.expr(node.of)
        if node.of_set:
            return lambda S: cast(int, of(S)).bit_count()
        return lambda S: len(of(S))

    def _make_list(self, node: ir.MakeList) -> Fn:
        source, cap, site = self.streams.source(node.stream), node.cap, node.site
        distinct = node.distinct

        # However many elements there are, no more are kept than fit.
        def make_list(S: Cells) -> tuple[Any, ...]:
            elements = iter(source(S))
            values = tuple(islice(elements, cap + 1))
            if len(values) > cap:
                length = len(values) + sum(1 for _ in elements)
                raise self.fault("range", site, f"a list of {length} where {cap} fit")
            return values

        def make_distinct(S: Cells) -> tuple[Any, ...]:
            found: dict[Any, None] = {}
            for value in source(S):
                if len(found) <= cap:
                    found[value] = None
            if len(found) > cap:
                raise self.fault("range", site, f"more than {cap} different values")
            return tuple(found)

        return make_distinct if distinct else make_list

    def _make_set(self, node: ir.MakeSet) -> Fn:
        source, lo, hi, site = self.streams.source(node.stream), node.lo, node.hi, node.site

        def make_set(S: Cells) -> int:
            bits = 0
            for value in source(S):
                if not lo <= value <= hi:
                    raise self.fault("range", site, f"{value} is outside the set's {lo}..{hi}")
                bits |= 1 << (value - lo)
            return bits

        return make_set

    def _set_op(self, node: ir.SetOp) -> Fn:
        left, right = self.expr(node.left), self.expr(node.right)
        if node.op == "union":
            return lambda S: left(S) | right(S)
        if node.op == "minus":
            return lambda S: left(S) & ~right(S)
        return lambda S: left(S) & right(S)

    def _in_set(self, node: ir.InSet) -> Fn:
        item, of, lo = self.expr(node.item), self.expr(node.of), node.lo

        def in_set(S: Cells) -> bool:
            offset: int = item(S) - lo
            bits: int = of(S)
            return offset >= 0 and bits >> offset & 1 == 1

        return in_set

    def _in_stream(self, node: ir.InStream) -> Fn:
        item, source = self.expr(node.item), self.streams.source(node.stream)
        if isinstance(node.stream, ir.ConstSource):
            values = frozenset(node.stream.values)
            return lambda S: item(S) in values

        def in_stream(S: Cells) -> bool:
            wanted = item(S)
            return wanted in source(S)

        return in_stream

    def _sorted(self, node: ir.Sorted) -> Fn:
        of, descending = self.expr(node.of), node.descending
        return lambda S: tuple(sorted(of(S), reverse=descending))

    def _group(self, node: ir.Group) -> Fn:
        source, cap, site = self.streams.source(node.stream), node.cap, node.site

        def group(S: Cells) -> tuple[Any, ...]:
            counts: dict[Any, int] = {}
            for key in source(S):
                if len(counts) <= cap:
                    counts[key] = counts.get(key, 0) + 1
            if len(counts) > cap:
                raise self.fault("range", site, f"more than {cap} groups")
            return tuple(sorted(counts.items()))

        return group

    def _reach(self, node: ir.Reach) -> Fn:
        starts = self.streams.source(node.starts)
        over = self.expr(node.over) if node.over is not None else None
        steps = self.expr(node.steps) if node.steps is not None else None
        neighbours = cast(tuple[tuple[int, ...], ...], self.program.rows[node.table])

        def reach(S: Cells) -> int:
            frontier = [space for space in starts(S) if space >= 0]
            allowed = over(S) if over is not None else -1
            left = steps(S) if steps is not None else -1
            seen = 0
            for space in frontier:
                seen |= 1 << space
            while frontier and left != 0:
                left -= 1
                found: list[int] = []
                for space in frontier:
                    for near in neighbours[space]:
                        bit = 1 << near
                        if allowed & bit and not seen & bit:
                            seen |= bit
                            found.append(near)
                frontier = found
            return seen

        return reach

    def _times(self, node: ir.Times) -> Fn:
        history = self.program.histories[node.history]
        values = [self.expr(value) for value in history.values]
        addr, keep = history.addr, history.keep

        def times(S: Cells) -> int:
            low, high = position_key([value(S) for value in values])
            end = addr + 1 + 2 * min(S[addr], keep)
            if low not in S[addr + 1 : end : 2]:
                return 0
            return sum(1 for at in range(addr + 1, end, 2) if S[at] == low and S[at + 1] == high)

        return times
