"""Streams of the Program: lazy sequences, and aggregates over them.

A source compiles to a function that gives an iterable: a ready sequence where one exists (ranges,
table rows, the pieces of a place), else a generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Fn, Memory, Refused, fault
from ludwright.program import faults
from ludwright.program.cells import set_members
from ludwright.program.clauses import in_order
from ludwright.program.types import NO_ENTITY

_LIMIT = 1 << 63
_MISSING = object()

SourceFn = Callable[[Memory], Iterable[Any]]


@dataclass(slots=True)
class _Level:
    """One loop with the conditions that stand before the next loop."""

    loop: ir.Loop | None  # None: no loop, only conditions before the first one
    before: list[ir.Expr]  # filters in front of `until`
    until: ir.Expr | None
    after: list[ir.Expr]  # filters behind it


class Streams:
    """Compiles sources and aggregates; `expr` compiles the expressions in them."""

    def __init__(self, program: ir.Program, expr: Callable[[ir.Expr], Fn]) -> None:
        self._program = program
        self._expr = expr
        self._table: dict[type[ir.Source], Callable[[Any], SourceFn]] = {
            ir.RangeSource: self._range,
            ir.ConstSource: self._const,
            ir.RowSource: self._row,
            ir.PiecesSource: self._pieces,
            ir.DrawFrom: self._draw_from,
            ir.SetSource: self._set,
            ir.ListSource: self._list,
            ir.ItemsSource: self._items,
            ir.ConcatSource: self._concat,
            ir.SelectSource: self._select,
            ir.BindSource: self._bind,
            ir.SeatsSource: self._seats,
            ir.CombosSource: self._combos,
            ir.Stream: self._stream,
        }

    def source(self, node: ir.Source) -> SourceFn:
        return self._table[type(node)](node)

    # ------------------------------------------------------------ sources

    def _range(self, node: ir.RangeSource) -> SourceFn:
        low, high = self._expr(node.lo), self._expr(node.hi)
        return lambda memory: range(low(memory), high(memory) + 1)

    def _const(self, node: ir.ConstSource) -> SourceFn:
        values = node.values
        return lambda memory: values

    def _row(self, node: ir.RowSource) -> SourceFn:
        table, index = self._program.rows[node.table], self._expr(node.index)

        def row(memory: Memory) -> Iterable[Any]:
            at = index(memory)
            if at >= len(table):
                raise self._outside(node.site, at, len(table))
            return table[at] if at >= 0 else ()

        return row

    def _pieces(self, node: ir.PiecesSource | ir.DrawFrom) -> SourceFn:
        program, place = self._program, self._expr(node.place)
        head, following, count = program.place_head, program.piece_next, len(program.world.places)

        def pieces(memory: Memory) -> Iterable[Any]:
            at = place(memory)
            if at >= count:
                raise self._outside(node.site, at, count)
            found: list[int] = []
            piece = memory[head + at] if at >= 0 else -1
            while piece >= 0:
                found.append(piece)
                piece = memory[following + piece]
            return found

        return pieces

    def _draw_from(self, node: ir.DrawFrom) -> SourceFn:
        program, place, pieces_in = self._program, self._expr(node.place), self._pieces(node)
        orders = tuple(each.order for each in program.world.places)
        tops, bottoms = program.deck_top, program.deck_bottom

        def draw_from(memory: Memory) -> Iterable[Any]:
            pieces, at = list(pieces_in(memory)), place(memory)
            if not pieces or orders[at] == "bag":
                return pieces
            unordered = 0
            if orders[at] == "deck" and not memory[tops[at]]:
                unordered = len(pieces) - memory[bottoms[at]]
            return pieces[: max(1, unordered)]

        return draw_from

    def _outside(self, site: int, at: int, size: int) -> Exception:
        return fault(self._program, faults.index_outside(at, size - 1), site)

    def _set(self, node: ir.SetSource) -> SourceFn:
        of, lo = self._expr(node.of), node.lo
        return lambda memory: set_members(of(memory), lo)

    def _list(self, node: ir.ListSource) -> SourceFn:
        return self._expr(node.of)

    def _items(self, node: ir.ItemsSource) -> SourceFn:
        items = [self._expr(item) for item in node.items]
        return lambda memory: (item(memory) for item in items)

    def _concat(self, node: ir.ConcatSource) -> SourceFn:
        parts = [self.source(part) for part in node.parts]
        return lambda memory: chain.from_iterable(part(memory) for part in parts)

    def _select(self, node: ir.SelectSource) -> SourceFn:
        when, then, other = self._expr(node.when), self.source(node.then), self.source(node.other)
        return lambda memory: then(memory) if when(memory) else other(memory)

    def _bind(self, node: ir.BindSource) -> SourceFn:
        reg, value, body = node.reg, self._expr(node.value), self.source(node.body)

        def bind(memory: Memory) -> Iterable[Any]:
            memory[reg] = value(memory)
            return body(memory)

        return bind

    def _seats(self, node: ir.SeatsSource) -> SourceFn:
        start = self._expr(node.start) if node.start is not None else None
        shift = int(node.after)

        def seats(memory: Memory) -> Iterable[Any]:
            count = memory[ir.PLAYERS]
            first = start(memory) if start is not None else -1
            if first < 0:
                return range(count)
            first = (first + shift) % count
            return chain(range(first, count), range(first))

        return seats

    def _combos(self, node: ir.CombosSource) -> SourceFn:
        of, size = self._expr(node.of), self._expr(node.size)

        def combos(memory: Memory) -> Iterable[Any]:
            values = of(memory)
            count = size(memory)
            return combinations(values, count) if 0 <= count <= len(values) else ()

        return combos

    # ----------------------------------------------------- comprehensions

    def _stream(self, node: ir.Stream) -> SourceFn:
        head = self._expr(node.head)
        elements: SourceFn = lambda memory: (head(memory),)  # noqa: E731
        for level in reversed(_levels(node)):
            elements = self._nested(level, elements)
        return elements

    def _nested(self, level: _Level, inner: SourceFn) -> SourceFn:
        """The elements of a level: a loop around whatever is inside it."""
        before, after = self._all(level.before), self._all(level.after)
        if level.loop is None:
            return lambda memory: inner(memory) if before(memory) and after(memory) else ()
        regs, source = level.loop.regs, self.source(level.loop.source)
        until = self._expr(level.until) if level.until is not None else lambda memory: False
        # `until c if not c` takes all before the first hit. The condition is tested once.
        up_to_the_hit = level.until is not None and level.after == [ir.Not(level.until)]

        def elements(memory: Memory) -> Iterator[Any]:
            for value in source(memory):
                if len(regs) == 1:
                    memory[regs[0]] = value
                else:
                    for register, item in zip(regs, value, strict=True):
                        memory[register] = item
                if not before(memory):
                    continue
                last = until(memory)
                if not last if up_to_the_hit else after(memory):
                    yield from inner(memory)
                if last:
                    return

        return elements

    def _all(self, conditions: list[ir.Expr]) -> Fn:
        return self._expr(reduce(ir.And, conditions)) if conditions else lambda memory: True

    # --------------------------------------------------------- aggregates

    def aggregate(self, node: ir.Aggregate) -> Fn:
        source, default = self.source(node.stream), self._default(node)

        def or_default(memory: Memory, value: Any) -> Any:
            return default(memory) if value is _MISSING else value

        match node.op:
            case "count":
                return lambda memory: _count(source(memory))
            case "sum":
                return self._sum(node, source)
            case "any":
                return lambda memory: any(source(memory))
            case "all":
                return lambda memory: all(source(memory))
            case "exists":
                return lambda memory: next(iter(source(memory)), _MISSING) is not _MISSING
            case "first":
                return lambda memory: or_default(memory, next(iter(source(memory)), _MISSING))
            case "min":
                return lambda memory: or_default(memory, min(source(memory), default=_MISSING))
            case "max":
                return lambda memory: or_default(memory, max(source(memory), default=_MISSING))

    def _default(self, node: ir.Aggregate) -> Fn:
        """The value of an aggregate over nothing."""
        if node.default is not None:
            return self._expr(node.default)
        if node.op == "first":
            return lambda memory: NO_ENTITY
        site, op = node.site, node.op

        def refuse(memory: Memory) -> Any:
            raise Refused(faults.no_extremum(op), site)

        return refuse

    def _sum(self, node: ir.Aggregate, source: SourceFn) -> Fn:
        def total(memory: Memory) -> int:
            value: int = sum(source(memory))
            if -_LIMIT <= value < _LIMIT:
                return value
            raise fault(self._program, faults.SUM_OVERFLOW, node.site)

        return total


def _count(values: Iterable[Any]) -> int:
    if isinstance(values, list | tuple | range):
        return len(values)
    return sum(1 for _ in values)


def _levels(node: ir.Stream) -> list[_Level]:
    loops: list[tuple[ir.Loop | None, list[ir.Filter | ir.Until]]] = []
    for clause in node.clauses:
        if isinstance(clause, ir.Loop):
            loops.append((clause, []))
        elif not loops:
            loops.append((None, [clause]))
        else:
            loops[-1][1].append(clause)
    return [_Level(loop, *in_order(clauses)) for loop, clauses in loops]
