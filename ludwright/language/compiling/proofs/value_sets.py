"""Which values an expression can have, as far as the text of the rulebook tells.

An abstract interpreter over sets of small numbers: pieces, places and seats are all small numbers,
so one domain serves for all of them. A set is an int whose bit `value + 1` is set (bit 0 is none);
`ANY` says that nothing is known. Locals and the contents of places are looked up in tables that the
caller fills; see `contents`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ludwright import program as ir
from ludwright.language.compiling.addresses import first_of, is_local
from ludwright.language.compiling.unit import Unit
from ludwright.program.types import Type

Values = int | None  # a set as bits; None: any value
ANY: Values = None
NOTHING = 1  # the set that holds only none
BEYOND = 1 << 15  # numbers from here on are not told apart
TRUTH = 0b110

# What registers hold that are bound inside an expression; under `~register`, what the elements of
# the collection in it can be.
Env = Mapping[int, Values]


def join(left: Values, right: Values) -> Values:
    return None if left is None or right is None else left | right


def among(values: Iterable[object]) -> Values:
    found = 0
    for value in values:
        if not isinstance(value, int) or not -1 <= value < BEYOND:
            return ANY
        found |= 2 << value if value >= 0 else NOTHING
    return found


def between(lo: int, hi: int) -> Values:
    if lo > hi:
        return 0
    if lo < -1 or hi >= BEYOND:
        return ANY
    return (1 << (hi + 2)) - (1 << (lo + 1))


def members(values: int) -> Iterator[int]:
    """The values of a set, without none."""
    bits = values >> 1
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@dataclass
class Possible:
    unit: Unit
    contents: list[int]  # per place: the pieces that can lie there
    scalars: dict[int, Values] = field(default_factory=dict)  # locals
    collections: dict[int, Values] = field(default_factory=dict)  # elements of locals
    known_calls: dict[tuple[int, tuple[Values, ...], bool], Values] = field(default_factory=dict)
    known_variables: dict[int, ir.Variable | None] = field(default_factory=dict)
    known_rows: dict[int, Values] = field(default_factory=dict)

    # ---------------------------------------------------------------- one value

    def value(self, expr: ir.Expr, env: Env) -> Values:
        match expr:
            case ir.Const(value=value):
                return among((value,))
            case ir.Load(addr=addr):
                return env[addr] if addr in env else self.cell(addr)
            case ir.LoadAt(addr=addr, index=index):
                return self.indexed(addr, self.value(index, env))
            case ir.Lookup(table=table, index=index, none=none):
                return self.looked_up(table, self.value(index, env), none)
            case ir.Select(then=then, other=other):
                return join(self.value(then, env), self.value(other, env))
            case ir.Bind(reg=reg, value=value, body=body):
                return self.value(body, {**env, **self.binding(reg, value, env)})
            case ir.CallFn(fn=fn, args=args):
                return self.called(fn, args, env, False)
            case ir.Aggregate(op="first" | "min" | "max", stream=stream, default=default):
                found = self.elements(stream, env)
                return found if default is None else join(found, self.value(default, env))
            case ir.ListItem(of=of):
                return self.elements(of, env)
            case ir.Present(seat=seat):
                return self.value(seat, env)
            case ir.Item(of=ir.MakeTuple(items=items), index=index):
                return self.value(items[index], env)
            case (
                ir.Compare()
                | ir.And()
                | ir.Or()
                | ir.Not()
                | ir.InSet()
                | ir.InStream()
                | ir.Aggregate(op="any" | "all" | "exists")
            ):
                return TRUTH
            case _:
                return ANY

    def cell(self, addr: int) -> Values:
        if is_local(addr):
            return self.scalars.get(first_of(addr), ANY)
        if addr in (ir.ACTIVE, ir.ACTOR):
            return self.seats()
        variable = self.variable(addr)
        return ANY if variable is None else _of_type(variable.type)

    def variable(self, addr: int) -> ir.Variable | None:
        """The declared variable that a cell belongs to."""
        if addr not in self.known_variables:
            self.known_variables[addr] = next(
                (
                    variable
                    for variable in self.unit.layout.variables
                    if 0 <= addr - variable.addr < variable.count * variable.type.width
                ),
                None,
            )
        return self.known_variables[addr]

    def indexed(self, addr: int, index: Values) -> Values:
        layout = self.unit.layout
        if addr == layout.piece_place:
            return self.where(index) | NOTHING
        if addr == layout.place_head:
            return self.lying_in(index) | NOTHING
        found = self.cell(addr)
        return join(found, NOTHING) if index is None or index & NOTHING else found

    def looked_up(self, table: int, index: Values, none: int) -> Values:
        values = self.unit.tables[table]
        if index is None:
            return among((*values, none))
        chosen = [values[at] for at in members(index) if at < len(values)]
        return among((*chosen, none) if index & NOTHING else chosen)

    def binding(self, reg: int, value: ir.Expr, env: Env) -> dict[int, Values]:
        return {reg: self.value(value, env), ~reg: self.elements(value, env)}

    def called(self, fn: int, args: tuple[ir.Expr, ...], env: Env, elements: bool) -> Values:
        function = self.unit.functions[fn]
        inner: dict[int, Values] = {}
        for param, arg in zip(function.params, args, strict=True):
            inner |= self.binding(param, arg, env)
        key = (fn, tuple(inner.values()), elements)
        if key not in self.known_calls:
            how = self.elements if elements else self.value
            self.known_calls[key] = how(function.body, inner)
        return self.known_calls[key]

    def seats(self) -> int:
        return (2 << len(self.unit.world.seats)) - 2

    def lying_in(self, places: Values) -> int:
        """The pieces that can lie in some of these places."""
        found = 0
        some = range(len(self.contents)) if places is None else members(places)
        for place in some:
            if place < len(self.contents):
                found |= self.contents[place]
        return found

    def where(self, pieces: Values) -> int:
        """The places in which some of these pieces can lie."""
        found = 0
        for place, inside in enumerate(self.contents):
            if inside and (pieces is None or inside & pieces & ~NOTHING):
                found |= 2 << place
        return found

    # -------------------------------------------------------------- collections

    def elements(self, node: ir.Source | ir.Expr, env: Env) -> Values:
        """What the elements of a stream, list or set can be."""
        match node:
            case ir.ConstSource(values=values):
                return among(values)
            case ir.RangeSource(lo=ir.Const(value=int(lo)), hi=ir.Const(value=int(hi))):
                return between(lo, hi)
            case ir.RowSource(table=table):
                if table not in self.known_rows:
                    rows = self.unit.rows[table]
                    self.known_rows[table] = among(value for row in rows for value in row)
                return self.known_rows[table]
            case ir.PiecesSource(place=place) | ir.DrawFrom(place=place):
                return self.lying_in(self.value(place, env))
            case ir.SetSource(of=ir.Const(value=int(bits)), lo=lo):
                return among(lo + bit for bit in members(bits << 1))
            case ir.SetSource(of=of) | ir.ListSource(of=of) | ir.Sorted(of=of):
                return self.elements(of, env)
            case ir.ItemsSource(items=items):
                return self.union([self.value(item, env) for item in items])
            case ir.ConcatSource(parts=parts):
                return self.union([self.elements(part, env) for part in parts])
            case ir.SelectSource(then=then, other=other):
                return join(self.elements(then, env), self.elements(other, env))
            case ir.Select(then=then, other=other):
                return join(self.elements(then, env), self.elements(other, env))
            case ir.BindSource(reg=reg, value=value, body=body):
                return self.elements(body, {**env, **self.binding(reg, value, env)})
            case ir.Bind(reg=reg, value=value, body=body):
                return self.elements(body, {**env, **self.binding(reg, value, env)})
            case ir.SeatsSource():
                return self.seats()
            case ir.Stream(clauses=clauses, head=head):
                return self.value(head, self.looped(clauses, env))
            case ir.MakeList(stream=stream) | ir.MakeSet(stream=stream):
                return self.elements(stream, env)
            case ir.SetOp(op="union", left=left, right=right):
                return join(self.elements(left, env), self.elements(right, env))
            case ir.SetOp(left=left):
                return self.elements(left, env)
            case ir.CallFn(fn=fn, args=args):
                return self.called(fn, args, env, True)
            case ir.Reach() | ir.Travel(gives="spaces" | "path"):
                return between(0, self.unit.world.space_count - 1)
            case ir.Const(value=tuple(values)):
                return among(values)
            case ir.Const(value=0):  # the empty set
                return 0
            case ir.Load(addr=addr) | ir.LoadWide(addr=addr):
                return env.get(~addr, ANY) if addr in env else self.collection(addr)
            case _:
                return ANY

    def union(self, sets: list[Values]) -> Values:
        found: Values = 0
        for values in sets:
            found = join(found, values)
        return found

    def collection(self, addr: int) -> Values:
        if is_local(addr):
            return self.collections.get(first_of(addr), ANY)
        variable = self.variable(addr)
        if variable is None or variable.type.kind not in ("list", "set"):
            return ANY
        return _of_type(variable.type.items[0])

    def looped(self, clauses: tuple[ir.Loop | ir.Filter | ir.Until, ...], env: Env) -> Env:
        inner = dict(env)
        for clause in clauses:
            if isinstance(clause, ir.Loop):
                inner.update(self.bound(clause, inner))
            elif isinstance(clause, ir.Filter):
                inner = self.narrowed(clause.when, inner)
        return inner

    def bound(self, loop: ir.Loop, env: Env) -> dict[int, Values]:
        if len(loop.regs) == 1:
            return {loop.regs[0]: self.elements(loop.source, env)}
        return dict.fromkeys(loop.regs, ANY)

    def narrowed(self, when: ir.Expr, env: dict[int, Values]) -> dict[int, Values]:
        """What registers can hold where a condition is true."""
        match when:
            case ir.And(left=left, right=right):
                return self.narrowed(right, self.narrowed(left, env))
            case ir.Compare(op=op, left=ir.Load(addr=addr), right=ir.Const(value=int(bound))):
                fitting = {
                    "==": between(bound, bound),
                    ">=": between(bound, BEYOND - 1),
                    ">": between(bound + 1, BEYOND - 1),
                    "<=": between(-1, bound),
                    "<": between(-1, bound - 1),
                }.get(op)
                return self.meet(addr, fitting, env)
            case ir.InStream(item=ir.Load(addr=addr), stream=stream):
                return self.meet(addr, self.elements(stream, env), env)
            case _:
                return env

    def meet(self, addr: int, fitting: Values, env: dict[int, Values]) -> dict[int, Values]:
        known = env.get(addr)
        if known is None or fitting is None:
            return env
        return {**env, addr: known & fitting}


def _of_type(type_: Type) -> Values:
    if not type_.is_scalar or type_.kind in ("none", "bool"):
        return ANY
    found = between(type_.lo, type_.hi)
    return join(found, NOTHING) if type_.optional else found
