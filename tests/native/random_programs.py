"""Random Programs made of every kind of expression, to run on both engines.

Everything is well typed: numbers, conditions, small and large sets, lists and pairs. Ranges are
small, so that faults and refusals happen often enough to be compared too.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from ludwright import program as ir
from ludwright.program.types import Type
from tests.kernel.assembler import Assembler, const, load

SMALL, LARGE, CAP = 20, 90, 6
LOWEST = {6: 0, SMALL: 0, LARGE: -7}  # the first member that a set of so many can have
NUMBER = Type("int", lo=-(10**6), hi=10**6)
SMALL_SET = Type("set", items=(Type("int", lo=0, hi=SMALL - 1),))
LARGE_SET = Type("set", items=(Type("int", lo=LOWEST[LARGE], hi=LOWEST[LARGE] + LARGE - 1),))
LIST = Type("list", items=(NUMBER,), cap=CAP)
PAIR = Type("tuple", items=(NUMBER, NUMBER))
PAIRS = Type("list", items=(PAIR,), cap=CAP)
TYPES = (NUMBER, SMALL_SET, LARGE_SET, LIST, PAIR, PAIRS)

_REGISTER = 1_000_000_000


class Writer:
    """Writes expressions of a wanted kind."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.asm = Assembler(seats=("a", "b", "c"), spaces=tuple("uvwxyz"))
        self.asm.registers = 20_000
        self.asm.rows.append(((1, 2), (0, 2), (0, 1), (4,), (3,), ()))
        self.asm.tables.append(tuple(self.dice.randrange(-3, 9) for _ in range(7)))
        self.numbers = self.asm.cells(4, 3)
        self.array = self.asm.cells(8, 2)
        self._next = 0
        self._bound: list[int] = []

    def register(self) -> int:
        self._next += 1
        return _REGISTER + self._next

    def _pick(self, *ways: Callable[[], ir.Expr]) -> ir.Expr:
        return self.dice.choice(ways)()

    # -- numbers and conditions

    def number(self, depth: int) -> ir.Expr:
        d = depth - 1
        if depth <= 0:
            return self._pick(
                lambda: const(self.dice.randrange(-3, 12)),
                lambda: load(self.numbers + self.dice.randrange(4)),
                lambda: load(self.dice.choice(self._bound)) if self._bound else const(1),
            )
        op = self.dice.choice(("+", "-", "*", "//", "%", "min", "max"))
        return self._pick(
            lambda: self.number(0),
            lambda: ir.Arith(op, self.number(d), self.number(d), 0),  # type: ignore[arg-type]
            lambda: ir.LoadAt(self.array, self.number(d), 8, -1, 1, 0),
            lambda: ir.Lookup(0, self.number(d), -1, 0),
            lambda: ir.Select(self.condition(d), self.number(d), self.number(d)),
            lambda: ir.Present(self.number(d), self.number(0), 0),
            lambda: self._binding(self.number(d), lambda: self.number(d)),
            lambda: ir.Item(self.pair(d), self.dice.randrange(2)),
            lambda: ir.ListItem(self.list(d), self.number(d), 0),
            lambda: ir.Length(self.list(d)),
            lambda: ir.Length(self.set(d, self.dice.choice((SMALL, LARGE))), of_set=True),
            lambda: ir.Aggregate("count", self.stream(d)),
            lambda: ir.Aggregate("sum", self.stream(d), site=0),
            lambda: ir.Aggregate(
                self.dice.choice(("min", "max", "first")), self.stream(d),
                self.number(0) if self.dice.random() < 0.6 else None, 0,
            ),
        )  # fmt: skip

    def _binding(self, value: ir.Expr, body: Callable[[], ir.Expr]) -> ir.Expr:
        register = self.register()
        self._bound.append(register)
        made = ir.Bind(register, value, body())
        self._bound.remove(register)
        return made

    def condition(self, depth: int) -> ir.Expr:
        d = depth - 1
        op = self.dice.choice(("==", "!=", "<", "<=", ">", ">="))
        if depth <= 0:
            return ir.Compare(op, self.number(0), self.number(0))  # type: ignore[arg-type]
        kind = self.dice.choice((self.number, self.pair, self.list))
        any_ = self.dice.choice(("any", "all", "exists"))
        size = self.dice.choice((SMALL, LARGE))
        return self._pick(
            lambda: ir.Compare(op, kind(d), kind(d)),  # type: ignore[arg-type]
            lambda: ir.And(self.condition(d), self.condition(d)),
            lambda: ir.Or(self.condition(d), self.condition(d)),
            lambda: ir.Not(self.condition(d)),
            lambda: ir.InSet(self.number(d), self.set(d, size), LOWEST[size]),
            lambda: ir.InStream(self.number(d), self.stream(d)),
            lambda: ir.Aggregate(any_, self.conditions(d)),  # type: ignore[arg-type]
            lambda: ir.Compare(op, self.set(d, LARGE), self.set(d, SMALL)),  # type: ignore[arg-type]
            lambda: ir.Not(self.wide(d)),
        )  # fmt: skip

    # -- wide values

    def wide(self, depth: int) -> ir.Expr:
        """Whatever is no number; as a condition it holds unless it is empty."""
        return self._pick(
            lambda: self.set(depth, SMALL), lambda: self.set(depth, LARGE),
            lambda: self.high(depth), lambda: self.list(depth), lambda: self.pair(depth),
        )  # fmt: skip

    def high(self, depth: int) -> ir.Expr:
        """A set whose members, if any, are beyond the first machine word."""
        members = self.dice.choice((0, 1 << LARGE - 1, 1 << 64))
        return ir.SetOp("both", self.set(depth, LARGE), const(members))

    def pair(self, depth: int) -> ir.Expr:
        d = depth - 1
        if depth <= 0:
            return const((self.dice.randrange(3), self.dice.randrange(3)))
        return self._pick(
            lambda: ir.MakeTuple((self.number(d), self.number(d))),
            lambda: ir.Select(self.condition(d), self.pair(d), self.pair(d)),
            lambda: ir.Aggregate("max", self.pairs(d), const((0, 0))),
            lambda: ir.ListItem(self.list_of_pairs(d), self.number(0), 0),
        )

    def set(self, depth: int, size: int) -> ir.Expr:
        d = depth - 1
        if depth <= 0:
            return const(self.dice.getrandbits(size))
        op = self.dice.choice(("union", "minus", "both"))
        return self._pick(
            lambda: ir.MakeSet(self.stream(d), LOWEST[size], LOWEST[size] + size - 1, 0),
            lambda: ir.SetOp(op, self.set(d, size), self.set(d, size)),  # type: ignore[arg-type]
            lambda: ir.Select(self.condition(d), self.set(d, size), self.set(d, size)),
            lambda: ir.SetOp("both", self.reach(d), const((1 << size) - 1)),
        )

    def reach(self, depth: int) -> ir.Expr:
        over = self.set(depth - 1, 6) if self.dice.random() < 0.5 else None
        steps = self.number(0) if self.dice.random() < 0.5 else None
        starts = ir.ItemsSource((const(self.dice.randrange(6)), const(self.dice.randrange(-1, 6))))
        return ir.Reach(starts, over, steps, 0)

    def list(self, depth: int) -> ir.Expr:
        d = depth - 1
        if depth <= 0:
            return const(tuple(self.dice.randrange(5) for _ in range(self.dice.randrange(4))))
        return self._pick(
            lambda: ir.MakeList(self.stream(d), CAP, self.dice.random() < 0.5, 0),
            lambda: ir.Sorted(self.list(d), self.dice.random() < 0.5),
            lambda: ir.Select(self.condition(d), self.list(d), self.list(d)),
            lambda: ir.Aggregate(
                "first", ir.CombosSource(self.list(d), const(self.dice.randrange(3))), const(())
            ),
        )

    def list_of_pairs(self, depth: int) -> ir.Expr:
        d = depth - 1
        return self._pick(
            lambda: ir.Group(self.stream(d), CAP),
            lambda: ir.MakeList(self.pairs(d), CAP, self.dice.random() < 0.5, 0),
            lambda: ir.Sorted(ir.MakeList(self.pairs(d), CAP, False, 0)),
        )

    # -- streams

    def stream(self, depth: int) -> ir.Source:
        d = depth - 1
        low, size = self.dice.randrange(-1, 4), self.dice.choice((SMALL, LARGE))
        ways: list[Callable[[], ir.Source]] = [
            lambda: ir.RangeSource(const(low), const(low + self.dice.randrange(6))),
            lambda: ir.ConstSource(tuple(self.dice.randrange(9) for _ in range(4))),
            lambda: ir.RowSource(0, const(self.dice.randrange(-1, 6))),
            lambda: ir.SeatsSource(self.dice.choice((None, self.number(0))), bool(low % 2)),
        ]
        if depth > 0:
            ways += [
                lambda: ir.RangeSource(self.number(0), const(low + 3)),
                lambda: ir.SetSource(self.set(d, size), LOWEST[size]),
                lambda: ir.ListSource(self.list(d)),
                lambda: ir.ItemsSource((self.number(d), self.number(d), self.number(0))),
                lambda: ir.ConcatSource((self.stream(d), self.stream(d))),
                lambda: ir.SelectSource(self.condition(d), self.stream(d), self.stream(d)),
                lambda: self._comprehension(d, lambda: self.number(d)),
                lambda: self._comprehension(d, lambda: self.number(d)),
            ]
        return self.dice.choice(ways)()

    def conditions(self, depth: int) -> ir.Source:
        return self._comprehension(depth, lambda: self.condition(depth - 1))

    def pairs(self, depth: int) -> ir.Source:
        return self._comprehension(
            depth, lambda: ir.MakeTuple((self.number(depth - 1), self.number(0)))
        )

    def _comprehension(self, depth: int, head: Callable[[], ir.Expr]) -> ir.Stream:
        clauses: list[ir.Loop | ir.Filter | ir.Until] = []
        bound: list[int] = []
        for _ in range(self.dice.choice((1, 1, 2))):
            register = self.register()
            clauses.append(ir.Loop((register,), self.stream(depth - 1)))
            self._bound.append(register)
            bound.append(register)
            for _ in range(self.dice.randrange(3)):
                kind = self.dice.choice((ir.Filter, ir.Filter, ir.Until))
                clauses.append(kind(self.condition(depth - 1)))
        made = ir.Stream(tuple(clauses), head())
        for register in bound:
            self._bound.remove(register)
        return made

    # -- programs

    def value(self, type_: Type, depth: int) -> ir.Expr:
        if type_ is NUMBER:
            return self.number(depth)
        if type_ in (SMALL_SET, LARGE_SET):
            return self.set(depth, SMALL if type_ is SMALL_SET else LARGE)
        if type_ is LIST:
            return self.list(depth)
        return self.pair(depth) if type_ is PAIR else self.list_of_pairs(depth)

    def program(self, stores: int, depth: int) -> ir.Program:
        """One choice per store: which of the values is computed and stored."""
        asm = self.asm
        asm.mark("start")
        labels: list[ir.Label] = []
        places: list[tuple[int, Type]] = []
        for number in range(stores):
            type_ = self.dice.choice(TYPES)
            places.append((asm.cells(type_.width), type_))
            labels.append(ir.Label(f"store {number}"))
        result = asm.cells(1)
        asm.emit(ir.Emit("again"))
        label = Type("label", name="stores", hi=stores - 1)
        asm.choose("which", const(0), result, label, kind="labels", labels=tuple(labels))
        asm.emit(ir.Switch(
            load(result), tuple(asm.at(f"store {n}") for n in range(stores)), asm.at("start"),
        ))  # fmt: skip
        for number, (addr, type_) in enumerate(places):
            asm.mark(f"store {number}")
            asm.emit(ir.Store(addr, self.value(type_, depth), type_, site=0))
            asm.emit(ir.Jump(asm.at("start")))
        return asm.program()
