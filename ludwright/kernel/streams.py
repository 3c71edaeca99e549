"""Streams of the Program: lazy sequences, and what is made of them in one pass.

A source compiles to a function that gives an iterable: a ready sequence where one exists (ranges,
table rows, the pieces of a place), else a generator. The consumers that games use most run their
own loop over a single-loop comprehension instead of pulling from a generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from ludwright.kernel import program as ir
from ludwright.kernel.context import Cells, Fn, Refused
from ludwright.kernel.storage import set_members
from ludwright.kernel.types import NO_ENTITY

if TYPE_CHECKING:
    from ludwright.kernel.expressions import Expressions

_LIMIT = 1 << 63
_MISSING = object()

SourceFn = Callable[[Cells], Iterable[Any]]


@dataclass(slots=True)
class _Level:
    """One loop with the conditions that stand before the next loop."""

    regs: tuple[int, ...]  # empty: no loop, only conditions before the first one
    source: SourceFn | None
    before: Fn | None  # filters in front of `until`
    until: Fn | None
    after: Fn | None  # filters behind it


class Streams:
    """Compiles sources and aggregates; `Expressions` compiles the rest."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._table: dict[type[ir.Source], Callable[[Any], SourceFn]] = {
            ir.RangeSource: self._range,
            ir.ConstSource: self._const,
            ir.RowSource: self._row,
            ir.PiecesSource: self._pieces,
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

    def _expr(self, node: ir.Expr) -> Fn:
        return self._expressions.expr(node)

    # ------------------------------------------------------------ sources

    def _range(self, node: ir.RangeSource) -> SourceFn:
        lo, hi = node.lo, node.hi
        first = lo.value if isinstance(lo, ir.Const) else None
        last = hi.value if isinstance(hi, ir.Const) else None
        if isinstance(first, int) and isinstance(last, int):
            fixed = range(first, last + 1)
            return lambda S: fixed
        low, high = self._expr(lo), self._expr(hi)
        return lambda S: range(low(S), high(S) + 1)

    def _const(self, node: ir.ConstSource) -> SourceFn:
        values = node.values
        return lambda S: values

    def _row(self, node: ir.RowSource) -> SourceFn:
        table, index = self._expressions.program.rows[node.table], self._expr(node.index)
        outside = self._expressions.fault

        def row(S: Cells) -> Iterable[Any]:
            at = index(S)
            try:
                return table[at] if at >= 0 else ()
            except IndexError:
                reason = f"index {at} is outside 0..{len(table) - 1}"
                raise outside("range", node.site, reason) from None

        return row

    def _pieces(self, node: ir.PiecesSource) -> SourceFn:
        program = self._expressions.program
        head, following, place = program.place_head, program.piece_next, self._expr(node.place)
        count, outside = len(program.world.places), self._expressions.fault

        def pieces(S: Cells) -> Iterable[Any]:
            at = place(S)
            if at < 0:
                return ()
            if at >= count:
                raise outside("range", node.site, f"index {at} is outside 0..{count - 1}")
            piece = S[head + at]
            found: list[int] = []
            while piece >= 0:
                found.append(piece)
                piece = S[following + piece]
            return found

        return pieces

    def _set(self, node: ir.SetSource) -> SourceFn:
        of, lo = self._expr(node.of), node.lo
        return lambda S: set_members(of(S), lo)

    def _list(self, node: ir.ListSource) -> SourceFn:
        return self._expr(node.of)

    def _items(self, node: ir.ItemsSource) -> SourceFn:
        items = [self._expr(item) for item in node.items]
        return lambda S: (item(S) for item in items)

    def _concat(self, node: ir.ConcatSource) -> SourceFn:
        parts = [self.source(part) for part in node.parts]
        return lambda S: chain.from_iterable(part(S) for part in parts)

    def _select(self, node: ir.SelectSource) -> SourceFn:
        when, then, other = self._expr(node.when), self.source(node.then), self.source(node.other)
        return lambda S: then(S) if when(S) else other(S)

    def _bind(self, node: ir.BindSource) -> SourceFn:
        reg, value, body = node.reg, self._expr(node.value), self.source(node.body)

        def bind(S: Cells) -> Iterable[Any]:
            S[reg] = value(S)
            return body(S)

        return bind

    def _seats(self, node: ir.SeatsSource) -> SourceFn:
        if node.start is None:
            return lambda S: range(S[ir.PLAYERS])
        start, shift = self._expr(node.start), int(node.after)

        def seats(S: Cells) -> Iterable[Any]:
            count = S[ir.PLAYERS]
            first = start(S)
            if first < 0:
                return range(count)
            first = (first + shift) % count
            return chain(range(first, count), range(first))

        return seats

    def _combos(self, node: ir.CombosSource) -> SourceFn:
        of, size = self._expr(node.of), self._expr(node.size)

        def combos(S: Cells) -> Iterable[Any]:
            values = of(S)
            count = size(S)
            return combinations(values, count) if 0 <= count <= len(values) else ()

        return combos

    # ----------------------------------------------------- comprehensions

    def _levels(self, node: ir.Stream) -> list[_Level]:
        levels: list[_Level] = []
        for clause in node.clauses:
            if isinstance(clause, ir.Loop):
                source = self.source(clause.source)
                levels.append(_Level(clause.regs, source, None, None, None))
                continue
            if not levels:
                levels.append(_Level((), None, None, None, None))
            level = levels[-1]
            when = self._expr(clause.when)
            if isinstance(clause, ir.Until):
                level.until = when if level.until is None else _either(level.until, when)
            elif level.until is None:
                level.before = when if level.before is None else _both(level.before, when)
            else:
                level.after = when if level.after is None else _both(level.after, when)
        return levels

    def _stream(self, node: ir.Stream) -> SourceFn:
        head = self._expr(node.head)
        levels = self._levels(node)
        if not levels:
            return lambda S: (head(S),)
        simple = _simple(node, levels)
        if simple is not None:
            reg, source, when = simple
            if isinstance(node.head, ir.Load) and node.head.addr == reg:
                return source if when is None else _filtered(reg, source, when)
            return _mapped(reg, source, when, head)
        inner: SourceFn = lambda S: (head(S),)  # noqa: E731
        for level in reversed(levels):
            inner = _nest(level, inner)
        return inner

    # --------------------------------------------------------- aggregates

    def aggregate(self, node: ir.Aggregate) -> Fn:
        stream = node.stream
        if isinstance(stream, ir.Stream):
            levels = self._levels(stream)
            simple = _simple(stream, levels)
            counts = node.op in ("count", "exists")
            if counts and not isinstance(stream.head, ir.Load | ir.Const):
                pass  # an element is looked at even if it is only counted: that may fail
            elif simple is not None:
                fast = self._fast_aggregate(node, self._expr(stream.head), *simple)
                if fast is not None:
                    return fast
            elif counts and len(levels) == 1:
                fast = _counted_ray(stream, levels[0], node.op == "exists")
                if fast is not None:
                    return fast
        return self._slow_aggregate(node, self.source(stream))

    def _fast_aggregate(
        self, node: ir.Aggregate, head: Fn, reg: int, source: SourceFn, when: Fn | None
    ) -> Fn | None:
        if node.op == "count" and when is not None:

            def count(S: Cells) -> int:
                found = 0
                for value in source(S):
                    S[reg] = value
                    if when(S):
                        found += 1
                return found

            return count
        if node.op == "exists" and when is not None:

            def exists(S: Cells) -> bool:
                for value in source(S):
                    S[reg] = value
                    if when(S):
                        return True
                return False

            return exists
        if node.op == "any":
            test = head if when is None else _both(when, head)

            def any_(S: Cells) -> bool:
                for value in source(S):
                    S[reg] = value
                    if test(S):
                        return True
                return False

            return any_
        if node.op == "all":

            def all_(S: Cells) -> bool:
                for value in source(S):
                    S[reg] = value
                    if (when is None or when(S)) and not head(S):
                        return False
                return True

            return all_
        if node.op == "first":
            default = self._default(node)

            def first(S: Cells) -> Any:
                for value in source(S):
                    S[reg] = value
                    if when is None or when(S):
                        return head(S)
                return default(S)

            return first
        return None

    def _default(self, node: ir.Aggregate) -> Fn:
        if node.default is not None:
            return self._expr(node.default)
        if node.op == "first":
            return lambda S: NO_ENTITY
        site, op = node.site, node.op

        def refuse(S: Cells) -> Any:
            raise Refused(site, reason=f"there is no {op} of nothing")

        return refuse

    def _slow_aggregate(self, node: ir.Aggregate, source: SourceFn) -> Fn:
        op = node.op
        if op == "count":
            return lambda S: _count(source(S))
        if op == "sum":
            return self._sum(node, source)
        if op == "any":
            return lambda S: any(source(S))
        if op == "all":
            return lambda S: all(source(S))
        if op == "exists":
            return lambda S: next(iter(source(S)), _MISSING) is not _MISSING
        default = self._default(node)
        if op == "first":

            def first(S: Cells) -> Any:
                value = next(iter(source(S)), _MISSING)
                return default(S) if value is _MISSING else value

            return first
        best: Callable[..., Any] = min if op == "min" else max

        def extreme(S: Cells) -> Any:
            value = best(source(S), default=_MISSING)
            return default(S) if value is _MISSING else value

        return extreme

    def _sum(self, node: ir.Aggregate, source: SourceFn) -> Fn:
        def total(S: Cells) -> int:
            value: int = sum(source(S))
            if -_LIMIT <= value < _LIMIT:
                return value
            raise self._expressions.fault("overflow", node.site, "a sum left the 64-bit range")

        return total


def _count(values: Iterable[Any]) -> int:
    if isinstance(values, list | tuple | range):
        return len(values)
    return sum(1 for _ in values)


def _both(left: Fn, right: Fn) -> Fn:
    return lambda S: left(S) and right(S)


def _either(left: Fn, right: Fn) -> Fn:
    return lambda S: left(S) or right(S)


def _simple(node: ir.Stream, levels: list[_Level]) -> tuple[int, SourceFn, Fn | None] | None:
    """(register, source, condition) of a comprehension with one loop over plain values."""
    if len(levels) != 1:
        return None
    level = levels[0]
    if level.source is None or level.until is not None or len(level.regs) != 1:
        return None
    return level.regs[0], level.source, level.before


def _counted_ray(node: ir.Stream, level: _Level, first_is_enough: bool) -> Fn | None:
    """Elements of a loop with `until`: along a ray up to the first hit, with or without it."""
    source, before, until, after = level.source, level.before, level.until, level.after
    if source is None or until is None or len(level.regs) != 1:
        return None
    reg = level.regs[0]
    if before is None and _keeps_the_rest(node):

        def count_before(S: Cells) -> int:
            found = 0
            for value in source(S):
                S[reg] = value
                if until(S):
                    break
                found += 1
            return found

        return count_before

    def count(S: Cells) -> int:
        found = 0
        for value in source(S):
            S[reg] = value
            if before is not None and not before(S):
                continue
            last = until(S)
            if after is None or after(S):
                found += 1
                if first_is_enough:
                    break
            if last:
                break
        return found

    return count


def _keeps_the_rest(node: ir.Stream) -> bool:
    """`until c if not c`: everything before the hit, so that one test is enough."""
    if len(node.clauses) != 3:
        return False
    _, stop, keep = node.clauses
    return (
        isinstance(stop, ir.Until)
        and isinstance(keep, ir.Filter)
        and keep.when == ir.Not(stop.when)
    )


def _filtered(reg: int, source: SourceFn, when: Fn) -> SourceFn:
    def stream(S: Cells) -> Iterator[Any]:
        for value in source(S):
            S[reg] = value
            if when(S):
                yield value

    return stream


def _mapped(reg: int, source: SourceFn, when: Fn | None, head: Fn) -> SourceFn:
    def stream(S: Cells) -> Iterator[Any]:
        for value in source(S):
            S[reg] = value
            if when is None or when(S):
                yield head(S)

    return stream


def _nest(level: _Level, inner: SourceFn) -> SourceFn:
    """A level around the elements of what is inside it."""
    source, before, until, after = level.source, level.before, level.until, level.after
    if source is None:

        def guard(S: Cells) -> Iterator[Any]:
            if (before is None or before(S)) and (after is None or after(S)):
                yield from inner(S)

        return guard
    regs = level.regs
    if len(regs) == 1 and until is None:
        reg = regs[0]

        def loop(S: Cells) -> Iterator[Any]:
            for value in source(S):
                S[reg] = value
                if before is None or before(S):
                    yield from inner(S)

        return loop

    def general(S: Cells) -> Iterator[Any]:
        for value in source(S):
            if len(regs) == 1:
                S[regs[0]] = value
            else:
                for register, item in zip(regs, value, strict=True):
                    S[register] = item
            if before is not None and not before(S):
                continue
            last = until is not None and until(S)
            if after is None or after(S):
                yield from inner(S)
            if last:
                return

    return general
