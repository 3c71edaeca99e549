"""`Travel`: going from space to space for the least cost.

Where every step costs the same, spaces are met in the order in which they were found, as in
`reach`. Otherwise the cheapest of those that have been found and not left is looked for each time;
there are few of them at a time, so a plain list is quicker than a heap.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Lst, Tup, of_members
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.comprehensions import hoisting
from ludwright.native.codegen.expressions.conditions import leave_unless_all
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.values import (
    Value,
    Wide,
    add_bit,
    bit_of,
    element_at,
    number,
    temp,
)
from ludwright.program import faults
from ludwright.program.faults import FIRST_NUMBER
from ludwright.program.types import INT_MAX, NO_INT

_NUMBERS = 15  # bits for the number of a space in the order of finding, below its cost


def travel(b: Body, node: ir.Travel) -> Value:
    return _Travel(b, node).value()


class _Travel:
    """The code of one search, and what it keeps for each space."""

    def __init__(self, b: Body, node: ir.Travel) -> None:
        self.b, self.node, self.f = b, node, b.f
        f, spaces = b.f, max(1, node.spaces)
        self.words = of_members(spaces).words  # of a set of spaces, as others read it
        self.seen = self._bits()  # found, with a cost
        self.settled = self._bits() if node.costed else self.seen
        self.costs, self.came = f.array(spaces), f.array(spaces)
        self.open = f.array(spaces)  # found and not yet settled; without costs: all, in order
        self.first, self.filled = Var(f, init=0), Var(f, init=0)
        self.keys = f.array(spaces) if node.costed else None
        self.found = Var(f, init=0)  # how many there are
        self.order = f.array(spaces) if node.costed else self.open
        self.done = Var(f, init=0)  # how many are settled

    def _bits(self) -> Operand:
        bits = self.f.array(self.words)
        for word in range(self.words):
            self.f.store(bits, word, 0)
        return bits

    # --------------------------------------------------------------------- the search

    def value(self) -> Value:
        b, f, node = self.b, self.f, self.node

        def start(value: Value) -> None:
            space = number(value)
            with f.if_(space.below(node.spaces)):
                self._add(space, f.value(0), f.value(-1))

        b.each(node.starts, start)
        limit = Var(f, init=b.num(node.within)) if node.within is not None else None
        goal = Var(f, init=b.num(node.goal) if node.goal is not None else -1)
        reached = Var(f, init=0)  # the goal is
        clauses, head = node.ways.clauses[1:], node.ways.head
        with (
            hoisting(b, (clauses, head, node.halts), (self._register(node.ways),)),
            f.loop() as out,
        ):
            space = self._settle(out)
            with f.if_(space.eq(goal.get())):
                reached.set(1)
                f.br(out)
            with f.block() as stay:
                cost = Var(f, init=f.load(self.costs, space))
                if limit is not None and not node.costed:
                    f.leave_if(cost.get().eq(limit.get()), stay)
                self._stay_if_halted(space, stay)
                b.put_register(self._register(node.ways), space)
                self._go_on(space, cost, limit)
        return self._result(goal, reached)

    @staticmethod
    def _register(stream: ir.Stream) -> int:
        first = stream.clauses[0]
        assert isinstance(first, ir.Loop)
        return first.regs[0]

    def _stay_if_halted(self, space: Operand, stay: Label) -> None:
        halts = self.node.halts
        if halts is None:
            return
        f = self.f
        with f.block() as on:
            f.leave_if(f.load(self.came, space) < 0, on)
            self.b.put_register(self._register(halts), space)
            tests = [clause.when for clause in halts.clauses if isinstance(clause, ir.Filter)]
            leave_unless_all(self.b, tests, on)
            f.br(stay)

    def _go_on(self, space: Operand, cost: Var, limit: Var | None) -> None:
        """All steps from a space."""
        b, f, node = self.b, self.f, self.node
        assert isinstance(node.ways.head, ir.MakeTuple)
        to_node, cost_node = node.ways.head.items
        error = f.errors.fault(faults.bad_cost(FIRST_NUMBER), node.site)

        def step(value: Value) -> None:
            to = number(value)
            with f.block() as skip:
                f.leave_unless(to.below(node.spaces), skip)
                f.leave_if(bit_of(self.settled, to), skip)
                total = cost.get() + 1
                if node.costed:
                    price = b.num(cost_node)
                    f.leave_if(price.eq(NO_INT), skip)
                    room = f.value(INT_MAX) - cost.get()
                    f.check((price >= 0) & (price <= room), error, price)
                    total = cost.get() + price
                if limit is not None:
                    f.leave_if(total > limit.get(), skip)
                self._add(to, total, space)

        b.each(ir.Stream(node.ways.clauses[1:], to_node), step)

    def _add(self, space: Operand, cost: Operand, came: Operand) -> None:
        """A space is found, or found to cost less."""
        f = self.f
        with f.block() as no_better:
            with f.if_(bit_of(self.seen, space)):
                if self.keys is None:
                    f.br(no_better)
                else:
                    f.leave_unless(cost < f.load(self.costs, space), no_better)
                    known = f.load(self.keys, space) & ((1 << _NUMBERS) - 1)
                    f.store(self.keys, space, (cost << _NUMBERS) | known)
            with f.else_():
                add_bit(self.seen, space)
                f.store(self.open, self.filled.get(), space)
                self.filled.add(1)
                if self.keys is not None:
                    f.store(self.keys, space, (cost << _NUMBERS) | self.found.get())
                    self.found.add(1)
            f.store(self.costs, space, cost)
            f.store(self.came, space, came)

    def _settle(self, out: Label) -> Operand:
        """The next space; leaves where there is none."""
        f = self.f
        if self.keys is None:
            at = self.first.get()
            f.leave_unless(at < self.filled.get(), out)
            self.first.set(at + 1)
            self.done.set(at + 1)
            return f.load(self.open, at)
        f.leave_unless(self.filled.get() > 0, out)
        best, least = Var(f, init=0), Var(f, init=f.load(self.keys, f.load(self.open)))
        with f.for_range(1, self.filled.get()) as at:
            key = f.load(self.keys, f.load(self.open, at))
            with f.if_(key < least.get()):
                least.set(key)
                best.set(at)
        space = f.load(self.open, best.get())
        self.filled.add(-1)
        f.store(self.open, best.get(), f.load(self.open, self.filled.get()))
        add_bit(self.settled, space)
        f.store(self.order, self.done.get(), space)
        self.done.add(1)
        return space

    # --------------------------------------------------------------------- what it gives

    def _result(self, goal: Var, reached: Var) -> Value:
        f, shape = self.f, self.b.shape(self.node)
        if self.node.gives == "spaces":
            return f.load(self.seen) if isinstance(shape, Int) else Wide(self.seen, shape)
        if self.node.gives == "cost":
            cost = Var(f, init=NO_INT)
            with f.if_(reached.get().ne(0)):
                cost.set(f.load(self.costs, goal.get()))
            return cost.get()
        assert isinstance(shape, Lst)
        slot = temp(f, shape)
        if self.node.gives == "path":
            self._write_path(slot, goal, reached)
        else:
            self._write_costs(slot, shape)
        return Wide(slot, shape)

    def _write_path(self, slot: Operand, goal: Var, reached: Var) -> None:
        f = self.f
        f.store(slot, 0, 0)
        with f.if_(reached.get().ne(0)):
            length, at = Var(f, init=0), Var(f, init=goal.get())
            with f.while_(lambda: at.get() >= 0):
                length.add(1)
                at.set(f.load(self.came, at.get()))
            f.store(slot, 0, length.get())
            at.set(goal.get())
            with f.while_(lambda: at.get() >= 0):
                f.store(slot, length.get(), at.get())
                length.add(-1)
                at.set(f.load(self.came, at.get()))

    def _write_costs(self, slot: Operand, shape: Lst) -> None:
        f = self.f
        assert isinstance(shape.item, Tup)
        f.store(slot, 0, self.done.get())
        with f.for_range(0, self.done.get()) as at:
            space, pair = f.load(self.order, at), element_at(slot, shape, at)
            f.store(pair, shape.item.offset(0), space)
            f.store(pair, shape.item.offset(1), f.load(self.costs, space))
