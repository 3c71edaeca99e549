"""Following a condition on a space for all spaces together: see `all_at_once`.

A neighbour in a known direction is a table, and the step there from all spaces of a set is a shift
of its bits. `any` is a union, `and` an intersection. The spaces of a ray are taken one after
another, for the spaces that still look along it. Directions that depend on what stands on the space
are taken one by one, each for the spaces that have it. What `c.piece.owner == me` has said of a
space is known in the conditions behind it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int
from ludwright.native.passes.masks import (
    NOTHING,
    Fact,
    Families,
    Family,
    Fixed,
    Holds,
    Mask,
    Moved,
)
from ludwright.native.passes.simple_sets import Sets
from ludwright.program.clauses import in_order

_MOST_ELEMENTS = 16  # of a source whose elements are taken one by one
_MOST_ROWS = 8  # of which a number chooses one

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "min": min, "max": max,
}  # fmt: skip
_TURNED: dict[ir.CompareOp, ir.CompareOp] = {
    "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip


Steps = tuple[int | None, ...]


class Unknown(Exception):
    """This cannot be said of all spaces together."""


@dataclass(frozen=True, slots=True)
class Alike:
    """The same for all spaces."""

    value: ir.Expr

    @property
    def number(self) -> int | None:
        constant = self.value.value if isinstance(self.value, ir.Const) else None
        return constant if isinstance(constant, int) else None


@dataclass(frozen=True, slots=True)
class Each:
    """Known for each space; None where it does not matter."""

    values: Steps


@dataclass(frozen=True, slots=True)
class Piece:
    """The piece on another space, or -1; `at` is known for each space."""

    at: Steps


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the piece on another space."""

    family: Family
    at: Steps


@dataclass(frozen=True, slots=True)
class Cases:
    """Every space belongs to one case."""

    all: tuple[tuple[Mask, Known], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """To how many of some sets a space belongs."""

    sets: tuple[Mask, ...]


Clause = ir.Loop | ir.Filter | ir.Until
Known = Alike | Each | Piece | Property | Cases | Tally
Items = list[tuple[Mask, Known]]  # the elements of a source, each with the spaces that have it


@dataclass(frozen=True, slots=True)
class _Names:
    """What is known where an expression is evaluated: the registers, and properties that all
    spaces have alike which get here."""

    registers: Mapping[int, Known] = field(default_factory=dict)
    properties: Mapping[Property, Alike] = field(default_factory=dict)

    def put(self, register: int, value: Known) -> _Names:
        return replace(self, registers={**self.registers, register: value})


class Following:
    """Follows the conditions of one comprehension; `room` bounds the sets that are made."""

    def __init__(self, program: ir.Program, shapes: Inference, kept: Families, room: int) -> None:
        self._program, self._shapes, self._kept = program, shapes, kept
        self.sets = Sets(kept.spaces, room, Unknown)
        self.alike: list[ir.Expr] = []  # what is evaluated once for all spaces
        self._facts: dict[tuple[Property, ir.Expr], Mask] = {}

    def conditions(
        self, registers: Iterable[int], binds: Iterable[tuple[int, ir.Expr]],
        tests: Iterable[ir.Expr], deeper: tuple[Clause, ...],
    ) -> list[Mask]:  # fmt: skip
        """The spaces that pass each test, and for which the clauses behind have any element."""
        names = _Names()
        for register in registers:
            names = names.put(register, Each(tuple(range(self._kept.spaces))))
        for register, value in binds:
            names = names.put(register, self._value(value, names))
        found = []
        for test in tests:
            mask, names = self._condition(test, names)
            found.append(mask)
        if deeper:
            found.append(self._any(ir.Stream(deeper, ir.Const(0)), names))
        return found

    # ---------------------------------------------------------- conditions

    def _condition(self, node: ir.Expr, names: _Names) -> tuple[Mask, _Names]:
        """The spaces where a condition holds, and what is known of them."""
        sets = self.sets
        match node:
            case ir.And(left=left, right=right):
                one, names = self._condition(left, names)
                two, names = self._condition(right, names)
                return sets.both(one, two), names
            case ir.Or(left=left, right=right):
                either = (self._condition(part, names)[0] for part in (left, right))
                return sets.either(*either), names
            case ir.Not(arg=arg):
                return sets.without(self._condition(arg, names)[0]), names
            case ir.Select(when=when, then=then, other=other):
                masks = (self._condition(part, names)[0] for part in (when, then, other))
                return sets.choice(*masks), names
            case ir.Bind(reg=reg, value=value, body=body):
                return self._condition(body, names.put(reg, self._value(value, names)))
            case ir.CallFn(fn=fn, args=args):
                body = self._program.functions[fn].body
                return self._condition(body, self._called(fn, args, names))[0], names
            case ir.Compare(op=op, left=left, right=right):
                values = self._value(left, names), self._value(right, names)
                return self._compared(op, *values), _learned(op, *values, names)
            case ir.Aggregate(op="exists", stream=stream):
                return self._any(stream, names), names
            case ir.Aggregate(op="any" | "all" as op, stream=ir.Stream(clauses, head)):
                test = head if op == "any" else ir.Not(head)
                found = self._any(ir.Stream((*clauses, ir.Filter(test)), ir.Const(0)), names)
                return (found if op == "any" else sets.without(found)), names
            case _:
                return self._compared("!=", self._value(node, names), Alike(ir.Const(0))), names

    def _compared(self, op: ir.CompareOp, left: Known, right: Known) -> Mask:
        """The spaces where a comparison holds."""
        sets = self.sets
        if isinstance(left, Cases):
            return sets.union(
                sets.both(mask, self._compared(op, one, right)) for mask, one in left.all
            )
        if isinstance(right, Cases | Property | Piece | Tally) and isinstance(left, Alike | Each):
            return self._compared(_TURNED[op], right, left)
        match left, right:
            case Alike(), Alike() if left.number is None or right.number is None:
                if op in ("==", "!=") and not self._can_be_equal(left, right):
                    return NOTHING if op == "==" else sets.everywhere
                return Holds(ir.Compare(op, left.value, right.value))
            case (Each() | Alike(), Each() | Alike()):
                pairs = self._pairs(left, right)
                holds = [pair is not None and _COMPARED[op](*pair) for pair in pairs]
                return sets.fixed(lambda space: holds[space])
            case Piece(), Alike() if right.number == -1 and op in ("==", "!="):
                nowhere = Property(Family("free"), left.at)
                free = sets.either(self._fact(nowhere, None), self._beyond(left.at))
                return free if op == "==" else sets.without(free)
            case Property(), Alike() if op in ("==", "!="):
                equal = self._has(left, right)
                return equal if op == "==" else sets.without(equal)
            case Property(), _:
                return self._compared(op, self._by_value(left), right)
            case Tally(sets=masks), Alike(number=int() as most) if op in (">=", ">", "<", "<="):
                least = sets.at_least(masks, most + (op in (">", "<=")))
                return least if op in (">=", ">") else sets.without(least)
            case _:
                raise Unknown

    def _can_be_equal(self, left: Alike, right: Alike) -> bool:
        one, two = self._shapes.of(left.value), self._shapes.of(right.value)
        if not isinstance(one, Int) or not isinstance(two, Int):
            return True
        return one.lo <= two.hi and two.lo <= one.hi

    def _fact(self, of: Property, value: ir.Expr | None) -> Mask:
        """The spaces whose step leads to a member of a fact."""
        steps: dict[int, int] = {}
        for space, to in enumerate(of.at):
            if to is not None and to >= 0:
                steps[to - space] = steps.get(to - space, 0) | 1 << space
        fact = Fact(of.family, value)
        if steps == {0: self.sets.whole}:
            return fact
        return self.sets.made(Moved(fact, tuple(sorted(steps.items())))) if steps else NOTHING

    def _beyond(self, at: Steps) -> Fixed:
        """The spaces from which there is no step."""
        return self.sets.fixed(lambda space: at[space] == -1)

    def _has(self, left: Property, right: Alike) -> Mask:
        """The spaces where a property is a value. Where there is no piece it is that of none."""
        key = left, right.value
        if key not in self._facts:
            self._facts[key] = self._found_with(left, right)
        return self._facts[key]

    def _found_with(self, left: Property, right: Alike) -> Mask:
        sets, none = self.sets, left.family.none
        found, beyond = self._fact(left, right.value), self._beyond(left.at)
        bounds = self._shapes.of(right.value)
        if not isinstance(bounds, Int):
            raise Unknown
        if right.number == none:
            return sets.either(found, beyond)
        if bounds.lo <= none <= bounds.hi and beyond.bits:
            missing = Holds(ir.Compare("==", right.value, ir.Const(none)))
            return sets.either(found, sets.both(beyond, missing))
        return found

    def _by_value(self, left: Property) -> Cases:
        bounds = self._kept.bounds(left.family)
        values = [Alike(ir.Const(value)) for value in range(bounds.lo, bounds.hi + 1)]
        return Cases(tuple((self._has(left, value), value) for value in values))

    def _each(self, value: Each | Alike) -> Steps:
        if isinstance(value, Each):
            return value.values
        if value.number is None:
            raise Unknown
        return (value.number,) * self._kept.spaces

    def _pairs(self, left: Each | Alike, right: Each | Alike) -> list[tuple[int, int] | None]:
        """Two numbers for each space; None where they do not matter."""
        both = zip(self._each(left), self._each(right), strict=True)
        return [None if one is None or two is None else (one, two) for one, two in both]

    # -------------------------------------------------------------- values

    def _value(self, node: ir.Expr, names: _Names) -> Known:
        match node:
            case ir.Const():
                return Alike(node)
            case ir.Load(addr=addr):
                return names.registers.get(addr) or self._once(node)
            case ir.LoadAt(index=index) | ir.Lookup(index=index):
                return self._looked_up(node, self._value(index, names), names)
            case ir.Arith(op="+" | "-" | "*" | "min" | "max" as op, left=left, right=right):
                return self._computed(op, self._value(left, names), self._value(right, names))
            case ir.Bind(reg=reg, value=value, body=body):
                return self._value(body, names.put(reg, self._value(value, names)))
            case ir.CallFn(fn=fn, args=args):
                values = [self._value(arg, names) for arg in args]
                same = tuple(value.value for value in values if isinstance(value, Alike))
                if len(same) == len(values):
                    return self._once(ir.CallFn(fn, same))
                return self._value(self._program.functions[fn].body, self._called(fn, args, names))
            case ir.Select(when=when, then=then, other=other):
                mask = self._condition(when, names)[0]
                return Cases(((mask, self._value(then, names)),
                              (self.sets.without(mask), self._value(other, names))))  # fmt: skip
            case ir.Aggregate(op="count", stream=stream):
                return Tally(tuple(mask for mask, _ in self._items(stream, names)))
            case ir.Aggregate(op="first", stream=stream, default=default):
                return self._first(stream, default, names)
            case _:
                raise Unknown

    def _once(self, node: ir.Expr) -> Alike:
        self.alike.append(node)
        return Alike(node)

    def _called(self, fn: int, args: Sequence[ir.Expr], names: _Names) -> _Names:
        values = [self._value(arg, names) for arg in args]
        for register, value in zip(self._program.functions[fn].params, values, strict=True):
            names = names.put(register, value)
        return names

    def _looked_up(self, node: ir.LoadAt | ir.Lookup, index: Known, names: _Names) -> Known:
        """An entry of a table, what stands on a space, a property of a piece."""
        if isinstance(index, Property):
            index = self._by_value(index)
        match index:
            case Cases(all=cases):
                return Cases(
                    tuple((mask, self._looked_up(node, one, names)) for mask, one in cases)
                )
            case Alike(number=int() as number) if number < 0:
                return Alike(ir.Const(node.none))
            case Alike(value=value) if index.number is None or isinstance(node, ir.LoadAt):
                return self._once(replace(node, index=value))
            case Piece(at=at):
                family = self._kept.of_piece(node)
                if family is None:
                    raise Unknown
                own = Property(family, at)
                return names.properties.get(own, own)
            case Each() | Alike() if isinstance(node, ir.Lookup):
                entries = (node.none, *self._program.tables[node.table])
                return _picked(entries, index, self._each(index))
            case Each(values=values) if isinstance(node, ir.LoadAt):
                heads = ir.LoadAt(self._program.place_head, node.index, node.size, -1)
                if replace(node, site=-1) != heads or _highest(values) >= self._kept.spaces:
                    raise Unknown
                return Piece(tuple(None if at is None else max(at, -1) for at in values))
            case _:
                raise Unknown

    def _computed(self, op: str, left: Known, right: Known) -> Known:
        if isinstance(left, Tally) and isinstance(right, Tally) and op == "+":
            return Tally((*left.sets, *right.sets))
        if not isinstance(left, Each | Alike) or not isinstance(right, Each | Alike):
            raise Unknown
        pairs = self._pairs(left, right)
        found = tuple(None if pair is None else _COMPUTED[op](*pair) for pair in pairs)
        alike = isinstance(left, Alike) and isinstance(right, Alike)
        return Alike(ir.Const(found[0] or 0)) if alike else Each(found)

    def _first(self, stream: ir.Source, default: ir.Expr | None, names: _Names) -> Cases:
        sets = self.sets
        left: Mask = sets.everywhere
        cases: Items = []
        for mask, value in self._items(stream, names):
            cases.append((sets.both(left, mask), value))
            left = sets.both(left, sets.without(mask))
        if default is None:
            raise Unknown
        return Cases((*cases, (left, self._value(default, names))))

    # ------------------------------------------------------------- sources

    def _any(self, source: ir.Source, names: _Names) -> Mask:
        """The spaces for which a source has an element, whatever that is."""
        while isinstance(source, ir.BindSource):
            names = names.put(source.reg, self._value(source.value, names))
            source = source.body
        if not isinstance(source, ir.Stream):
            return self.sets.union(mask for mask, _ in self._items(source, names, ordered=False))
        if not isinstance(source.head, ir.Load | ir.Const):
            raise Unknown  # it may fail
        return self._any_left(source.clauses, names)

    def _any_left(self, clauses: Sequence[Clause], names: _Names) -> Mask:
        """The spaces for which the clauses of a comprehension let anything through."""
        sets = self.sets
        if not clauses:
            return sets.everywhere
        if isinstance(clauses[0], ir.Filter):
            mask, names = self._condition(clauses[0].when, names)
            return mask if mask == NOTHING else sets.both(mask, self._any_left(clauses[1:], names))
        level = _Level.of(clauses)
        found: Mask = NOTHING
        for mask, inside in self._elements(level, names, ordered=False):
            found = sets.either(found, sets.both(mask, self._any_left(level.rest, inside)))
        return found

    def _items(self, source: ir.Source, names: _Names, *, ordered: bool = True) -> Items:
        """The elements of a source; equal ones are joined where their order does not matter."""
        sets = self.sets
        found: Items
        match source:
            case ir.BindSource(reg=reg, value=value, body=body):
                names = names.put(reg, self._value(value, names))
                return self._items(body, names, ordered=ordered)
            case ir.ConstSource(values=values):
                numbers = [value for value in values if isinstance(value, int)]
                if len(numbers) < len(values) or len(values) > _MOST_ELEMENTS:
                    raise Unknown
                return [(sets.everywhere, Alike(ir.Const(value))) for value in numbers]
            case ir.ItemsSource(items=items):
                return [(sets.everywhere, self._value(item, names)) for item in items]
            case ir.RowSource(table=table, index=index):
                found = self._row(self._program.rows[table], self._value(index, names))
            case ir.SelectSource(when=when, then=then, other=other):
                mask = self._condition(when, names)[0]
                chosen = ((mask, then), (sets.without(mask), other))
                found = [
                    (sets.both(where, own), value)
                    for where, part in chosen
                    if where != NOTHING
                    for own, value in self._items(part, names, ordered=ordered)
                ]
            case ir.Stream(clauses=clauses, head=head):
                found = []
                self._stream(clauses, head, names, sets.everywhere, ordered, found)
            case _:
                raise Unknown
        return found if ordered else self._joined(found)

    def _joined(self, items: Items) -> Items:
        found: dict[Known, Mask] = {}
        for mask, value in items:
            if isinstance(value, Cases | Tally):
                return items
            found[value] = self.sets.either(found.get(value, NOTHING), mask)
        return [(mask, value) for value, mask in found.items()]

    def _row(self, rows: Sequence[tuple[object, ...]], index: Known) -> Items:
        """The elements of a row that is known for each space, or chosen by a number."""
        sets = self.sets
        if isinstance(index, Property):
            index = self._by_value(index)
        match index:
            case Each(values=values):
                if _highest(values) >= len(rows):
                    raise Unknown
                own = [() if at is None or at < 0 else rows[at] for at in values]
                every = [
                    tuple(_number(row[at]) if len(row) > at else None for row in own)
                    for at in range(max(map(len, own)))
                ]
                return [(sets.fixed(_is_there(each)), Each(each)) for each in every]
            case Cases(all=cases):
                return [
                    (sets.both(mask, own), value)
                    for mask, one in cases
                    for own, value in self._row(rows, one)
                ]
            case Alike(number=int() as number):
                row = rows[number] if 0 <= number < len(rows) else ()
                return [(sets.everywhere, Alike(ir.Const(_number(each)))) for each in row]
            case Alike(value=value) if len(rows) <= _MOST_ROWS:
                bounds = self._shapes.of(value)
                if not isinstance(bounds, Int) or bounds.hi >= len(rows):
                    raise Unknown
                return [
                    (Holds(ir.Compare("==", value, ir.Const(number))),
                     Alike(ir.Const(_number(each))))
                    for number, row in enumerate(rows)
                    for each in row
                ]  # fmt: skip
            case _:
                raise Unknown

    def _stream(
        self, clauses: Sequence[Clause], head: ir.Expr, names: _Names, where: Mask,
        ordered: bool, to: Items,
    ) -> None:  # fmt: skip
        """The elements of a comprehension for some spaces."""
        sets = self.sets
        if where == NOTHING:
            return
        if not clauses:
            to.append((where, self._value(head, names)))
            return
        if isinstance(clauses[0], ir.Filter):
            mask, names = self._condition(clauses[0].when, names)
            self._stream(clauses[1:], head, names, sets.both(where, mask), ordered, to)
            return
        level = _Level.of(clauses)
        for mask, inside in self._elements(level, names, ordered=ordered):
            self._stream(level.rest, head, inside, sets.both(where, mask), ordered, to)

    def _elements(
        self, level: _Level, names: _Names, *, ordered: bool
    ) -> Iterator[tuple[Mask, _Names]]:
        """The elements of a loop that its conditions let through, in its register."""
        sets = self.sets
        before, until, after = level.conditions
        going: Mask = sets.everywhere
        keep_order = ordered or until is not None
        for mask, value in self._items(level.loop.source, names, ordered=keep_order):
            inside = names.put(level.loop.regs[0], value)
            here, inside = self._passed(before, inside, mask)
            last = NOTHING if until is None else self._condition(until, inside)[0]
            last = sets.both(here, last)
            here, inside = self._passed(after, inside, sets.both(going, here))
            if here != NOTHING:
                yield here, inside
            going = sets.both(going, sets.without(last))

    def _passed(self, tests: Iterable[ir.Expr], names: _Names, where: Mask) -> tuple[Mask, _Names]:
        for test in tests:
            mask, names = self._condition(test, names)
            where = self.sets.both(where, mask)
        return where, names


@dataclass(frozen=True, slots=True)
class _Level:
    """One loop of a comprehension with its conditions, and what lies inside."""

    loop: ir.Loop
    conditions: tuple[list[ir.Expr], ir.Expr | None, list[ir.Expr]]
    rest: Sequence[Clause]

    @classmethod
    def of(cls, clauses: Sequence[Clause]) -> _Level:
        loop, own = clauses[0], []
        if not isinstance(loop, ir.Loop) or len(loop.regs) != 1:
            raise Unknown
        for clause in clauses[1:]:
            if isinstance(clause, ir.Loop):
                break
            own.append(clause)
        return cls(loop, in_order(own), clauses[1 + len(own) :])


def _picked(entries: Sequence[int], index: Each | Alike, values: Steps) -> Each | Alike:
    """Entries of a table, behind that for none."""
    if _highest(values) + 1 >= len(entries):
        raise Unknown
    found = tuple(None if at is None else entries[max(at, -1) + 1] for at in values)
    return Each(found) if isinstance(index, Each) else Alike(ir.Const(found[0] or 0))


def _highest(values: Steps) -> int:
    return max((value for value in values if value is not None), default=-1)


def _is_there(values: Steps) -> Callable[[int], bool]:
    return lambda space: values[space] is not None


def _learned(op: str, left: Known, right: Known, names: _Names) -> _Names:
    """What is known where a comparison holds."""
    if op != "==":
        return names
    for one, two in ((left, right), (right, left)):
        if isinstance(one, Property) and isinstance(two, Alike):
            return replace(names, properties={**names.properties, one: two})
    return names


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise Unknown
    return value
