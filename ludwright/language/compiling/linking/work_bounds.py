"""How much work an expression can be: an upper bound, in nodes evaluated.

Expressions are bounded, since every collection is, but the bound may be enormous: loops in loops
over wide ranges, functions that call others twice each. A walk over all expressions of a Program
finds such bounds. What a caller wants done where a loop, or a function, can be more than a
`threshold`, it is asked for there (`exceeds`): to charge it with ticks, or to tell the author. From
then on that loop or function counts as no work, so that what is around it is judged by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb
from operator import is_
from typing import Any

from ludwright import program as ir
from ludwright.language.compiling.values import MAX_LIST
from ludwright.program.nodes import parts_of
from ludwright.program.types import Type
from ludwright.quick_records import dataclass

ENDLESS = 1 << 62  # no bound is larger
_STEPS_OF_SORTING = 12  # per element: the logarithm of MAX_LIST

# Gets the work of one pass or call, how often it can be done, and where it stands in the rulebook;
# gives what is to be evaluated in each pass, or None.
Exceeds = Callable[[int, int, int], ir.Spend | None]


@dataclass(frozen=True, slots=True)
class _Size:
    """Of a stream: how many elements it can have, and the work to make them all."""

    count: int
    work: int


class Work:
    """Walks over expressions of one Program; each comes back as it is to be evaluated."""

    def __init__(
        self, program: ir.Program, function_site: Callable[[str], int], threshold: int,
        exceeds: Exceeds, only_stated: bool = False,
    ) -> None:  # fmt: skip
        """`only_stated`: judge by what a rulebook says, not by what may lie in places and lists."""
        self._program = program
        self._site_of = function_site
        self._threshold, self._exceeds, self._only_stated = threshold, exceeds, only_stated
        self._lengths: dict[int, int] = {}  # register: the most elements of the list or set in it
        self._known: dict[int, tuple[object, Any, int]] = {}
        self._totals: dict[int, tuple[object, int]] = {}
        self.registers = program.cells + program.registers  # the next one that is free
        self.functions: list[ir.Function] = []
        self.function_work: list[int] = []
        for function in program.functions:  # each comes after those that it calls
            self._add_function(function)

    def _add_function(self, function: ir.Function) -> None:
        for register, type_ in zip(function.params, function.param_types, strict=False):
            self._lengths[register] = _most_in(type_)
        site = self._site_of(function.name)
        body, work = self.expr(function.body, site)
        if work > self._threshold:
            spend = self._exceeds(work, 1, site)
            if spend is not None:
                body = ir.Bind(self._register(), spend, body)
            work = 1
        self.functions.append(function if body is function.body else replace(function, body=body))
        self.function_work.append(work)

    def _register(self) -> int:
        self.registers += 1
        return self.registers - 1

    # -------------------------------------------------------- expressions

    def total(self, root: Any) -> int:
        """The work of a whole instruction or choice, which may be asked for again."""
        known = self._totals.get(id(root))
        if known is None:  # it is kept too: no other can then have its number
            known = self._totals[id(root)] = (root, self.of(root)[1])
        return known[1]

    def of(self, item: Any, site: int = -1) -> tuple[Any, int]:
        """An instruction, a choice, or anything with expressions in it, and its work."""
        if isinstance(item, ir.Expr):
            return self.expr(item, site)
        if isinstance(item, ir.Source):
            return self._consumed(item, site)
        if isinstance(item, tuple):
            work, parts = 0, []
            for part in item:
                new, more = self.of(part, site)
                parts.append(new)
                work += more
            return (item if all(map(is_, parts, item)) else tuple(parts)), work
        if parts_of(type(item)) is None:
            return item, 0
        return self._record(item, _nearest(item, site))

    def expr(self, node: ir.Expr, site: int) -> tuple[Any, int]:
        known = self._known.get(id(node))
        if known is None:
            found, work = self._expr(node, _nearest(node, site))
            # the node is kept too: no other can then have its number
            known = self._known[id(node)] = (node, found, min(work, ENDLESS))
        return known[1], known[2]

    def _expr(self, node: ir.Expr, site: int) -> tuple[Any, int]:
        match node:
            case ir.Const() | ir.Load() | ir.Bind(value=ir.Spend()):
                return node, 1  # a body that is charged costs no more
            case ir.Bind(reg=reg, value=value):
                self._lengths[reg] = self._length(value)
            case ir.Times(history=history):
                past = self._program.histories[history]
                return node, past.keep + self.of(past.values, site)[1]
            case _:
                pass
        found, work = self._record(node, site)
        match node:
            case ir.CallFn(fn=fn):
                work += self.function_work[fn]
            case ir.Reach(table=table):
                work += sum(map(len, self._program.rows[table]))
            case ir.Sorted(of=of):
                work += _STEPS_OF_SORTING * self._length(of)
            case _:
                pass
        return found, work

    def _record(self, item: Any, site: int) -> tuple[Any, int]:
        work, changed = 1, {}
        tests_membership = isinstance(item, ir.InStream)
        is_value = isinstance(item, ir.Expr)
        for name in parts_of(type(item)) or ():
            old = getattr(item, name)
            # What is chosen or drawn from a range, or may be in it, is not looked for one by one.
            if isinstance(old, ir.RangeSource) and (tests_membership or not is_value):
                continue
            new, more = self.of(old, site)
            work += more
            if new is not old:
                changed[name] = new
        return (replace(item, **changed) if changed else item), min(work, ENDLESS)

    def _length(self, node: ir.Expr) -> int:
        """The most elements of a list or set."""
        match node:
            case ir.MakeList(cap=cap) | ir.Group(cap=cap):
                return cap
            case ir.Travel(spaces=spaces):
                return spaces
            case ir.MakeSet(lo=lo, hi=hi):
                return max(0, hi - lo + 1)
            case ir.LoadWide(type=type_):
                return _most_in(type_)
            case ir.CallFn(fn=fn):
                return _most_in(self._program.functions[fn].type)
            case ir.Load(addr=addr):
                return self._lengths.get(addr, MAX_LIST)
            case ir.SetOp(op="minus", left=left) | ir.Sorted(of=left):
                return self._length(left)
            case ir.SetOp(left=left, right=right):
                return max(self._length(left), self._length(right))
            case ir.Const(value=tuple() as values):
                return len(values)
            case ir.Const(value=int(bits)):
                return bits.bit_count()
            case _:
                return MAX_LIST

    # ------------------------------------------------------------ streams

    def _consumed(self, node: ir.Source, site: int) -> tuple[Any, int]:
        """A stream whose elements are taken by something else than a loop, and its work."""
        site = _nearest(node, site)
        found, size = self._source(node, site)
        if size.count <= self._threshold or isinstance(node, ir.Stream):
            return found, size.work
        spend = self._exceeds(1, size.count, site)
        if spend is not None:
            register = self._register()
            clauses = (ir.Loop((register,), found), ir.Filter(spend))
            found = ir.Stream(clauses, ir.Load(register))
        return found, 1

    def _source(self, node: ir.Source, site: int) -> tuple[Any, _Size]:
        found, count, work = self._sized(node, site)
        return found, _Size(min(count, ENDLESS), min(work, ENDLESS))

    def _sized(self, node: ir.Source, site: int) -> tuple[Any, int, int]:
        match node:
            case ir.Stream():
                return self._stream(node, site)
            case ir.ConcatSource(parts=parts):
                made = [self._source(part, site) for part in parts]
                joined = ir.ConcatSource(tuple(part for part, _ in made))
                sizes = [size for _, size in made]
                return joined, sum(s.count for s in sizes), sum(s.work for s in sizes)
            case ir.SelectSource(when=when, then=then, other=other):
                test, work = self.expr(when, site)
                (yes, one), (no, two) = self._source(then, site), self._source(other, site)
                select = ir.SelectSource(test, yes, no)
                return select, max(one.count, two.count), work + max(one.work, two.work)
            case ir.BindSource(reg=reg, value=value, body=body):
                self._lengths[reg] = self._length(value)
                given, work = self.expr(value, site)
                inner, size = self._source(body, site)
                return ir.BindSource(reg, given, inner), size.count, work + size.work
            case _:
                found, work = self._record(node, site)
                count = self._count(node)
                return found, count, work + count

    def _count(self, node: ir.Source) -> int:
        """The most elements of a source that is no stream of streams."""
        world = self._program.world
        match node:
            case ir.RangeSource() | ir.ConstSource():
                found = stated(node)
                return found if found is not None else 1 if self._only_stated else ENDLESS
            case ir.RowSource(table=table):
                return max(map(len, self._program.rows[table]), default=0)
            case ir.ItemsSource(items=items):
                return len(items)
            case ir.SeatsSource():
                return len(world.seats)
            case _ if self._only_stated:
                return 1
            case ir.PiecesSource() | ir.DrawFrom():
                return world.piece_count
            case ir.SetSource(of=of) | ir.ListSource(of=of):
                return self._length(of)
            case ir.CombosSource(of=of, size=size):
                return _combinations(self._length(of), size)
            case _:
                raise AssertionError(f"the source {type(node).__name__}")

    def _stream(self, node: ir.Stream, site: int) -> tuple[ir.Stream, int, int]:
        """Loops one in another, judged from the inside to the outside."""
        made: list[tuple[Any, _Size]] = []
        for clause in node.clauses:
            if isinstance(clause, ir.Loop):
                source, size = self._source(clause.source, _nearest(clause, site))
                made.append((_with(clause, "source", source), size))
            else:
                when, work = self.expr(clause.when, site)
                made.append((_with(clause, "when", when), _Size(1, work)))
        head, inner = self.expr(node.head, site)
        count, clauses = 1, []
        for clause, size in reversed(made):
            count *= size.count
            if not isinstance(clause, ir.Loop):
                clauses.append(clause)
                inner += size.work
                continue
            passes = min(size.count * (1 + inner), ENDLESS)
            charged = clauses and _charges(clauses[-1])
            if charged:
                inner = 1
            elif passes <= self._threshold:
                inner = size.work + passes
            else:
                spend = self._exceeds(1 + inner, size.count, _nearest(clause, site))
                clauses += [] if spend is None else [ir.Filter(spend)]
                inner = 1
            clauses.append(clause)
        new = tuple(reversed(clauses))
        if head is node.head and len(new) == len(node.clauses) and all(map(is_, new, node.clauses)):
            return node, count, inner
        return ir.Stream(new, head), count, inner


def stated(source: ir.Source) -> int | None:
    """The most elements that a collection written in the rulebook has; None if that is not said."""
    match source:
        case ir.ConstSource(values=values):
            return len(values)
        case ir.RangeSource(lo=ir.Const(value=int(low)), hi=ir.Const(value=int(high))):
            return max(0, high - low + 1)
        case ir.RangeSource(most=most) if most < ir.UNSTATED:
            return most
        case _:
            return None


def _nearest(node: object, site: int) -> int:
    """Where a node stands: its own place, or else that of what it is in."""
    own: int = getattr(node, "site", -1)
    return own if own >= 0 else site


def _with(clause: Any, name: str, value: object) -> Any:
    return clause if getattr(clause, name) is value else replace(clause, **{name: value})


def _charges(clause: Any) -> bool:
    return isinstance(clause, ir.Filter) and isinstance(clause.when, ir.Spend)


def _most_in(type_: Type) -> int:
    if type_.kind == "list":
        return type_.cap
    if type_.kind == "set":
        return type_.items[0].hi - type_.items[0].lo + 1
    return MAX_LIST


def _combinations(of: int, size: ir.Expr) -> int:
    if isinstance(size, ir.Const) and isinstance(size.value, int):
        return comb(of, size.value) if 0 <= size.value <= of else 0
    return 1 << min(of, 62)
