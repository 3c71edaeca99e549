"""Whether there is a way: see `passes.known_ways`."""

from __future__ import annotations

from functools import reduce

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.cheap import cheap
from ludwright.native.codegen.expressions.reach import beginning
from ludwright.native.codegen.expressions.set_loops import Bits, space_sets
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.values import to_bits
from ludwright.native.passes.known_ways import KEPT, Way, way_of


def way_exists(b: Body, node: ir.Aggregate) -> Operand | None:
    """The answer to a test that asks for a way; None if it asks for something else."""
    module = b.module
    if not (module.uses("known_ways") and module.uses("flood_shifts")):
        return None
    way = way_of(b.program, module.sets, node, lambda expr: _sure(b, expr))
    if way is None or module.sets.words_of(False) != way.shifts.words:
        return None
    return _Question(b, way).answer()


def _sure(b: Body, node: ir.Expr) -> bool:
    """Whether a number cannot fail, and takes little beside a flood."""
    match node:
        case ir.CallFn(fn=fn, args=args) if all(cheap(b, arg) for arg in args):
            return cheap(b, node) or _sure(b, b.program.functions[fn].body)
        case ir.Select(when=when, then=then, other=other):
            return all(_sure(b, part) for part in (when, then, other))
        case _:
            return cheap(b, node)


class _Question:
    def __init__(self, b: Body, way: Way) -> None:
        self.b, self.f, self.way = b, b.f, way
        self.words = way.shifts.words
        self.kind = f"i{64 * self.words}"
        f = self.f
        self.starts = beginning(b, way.reach, self.words, way.spaces)
        every = f.value((1 << way.spaces) - 1, self.kind)
        over = way.reach.over
        self.over = every if over is None else self._load(to_bits(f, b.expr(over), self.words).ptr)
        self.ends = reduce(Operand.__and__, space_sets(b, way.ends))

    def answer(self) -> Operand:
        f = self.f
        found = Var(f, "i1", 0)
        with f.block() as out:
            f.leave_if(self.starts.eq(0), out)
            kept = self._kept()
            path, first = self._load(kept), self._load(f.gep(kept, self.words))
            leads = ((path | first) & self.ends).ne(0)
            found.set((first & self.starts).ne(0) & (path & (self.over ^ -1)).eq(0) & leads)
            f.leave_if(found.get(), out)
            self._flood(kept, found, out)
        return found.get()

    def _kept(self) -> Operand:
        """Where a way from here is kept: its spaces but the first, then the first."""
        f, module = self.f, self.b.module
        at = layout.SLOTS + module.memo.words + 2 * module.sets.words + module.way_words
        module.way_words += KEPT * 2 * self.words
        first = Bits(self.starts, f.value(0)).first()
        slot = (first ^ (first >> 4)) & (KEPT - 1)  # starts across the board from each other differ
        return f.gep(f.context, slot * (2 * self.words) + at)

    def _flood(self, kept: Operand, found: Var, out: Label) -> None:
        """Step by step to the first end; then back, to keep the way."""
        f = self.f
        steps = f.array((self.way.spaces + 1) * self.words)
        here, count = Var(f, self.kind, self.starts), Var(f, init=0)
        with f.loop() as met:
            self._store(f.gep(steps, count.get() * self.words), here.get())
            f.leave_if((here.get() & self.ends).ne(0), met)
            before = here.get()
            here.set(before | (self._stepped(before, forward=True) & self.over))
            f.leave_if(here.get().eq(before), out)
            count.add(1)
        found.set(1)
        space, path = Var(f, self.kind, _one_of(here.get() & self.ends)), Var(f, self.kind, 0)
        with f.while_(lambda: count.get() > 0):
            path.set(path.get() | space.get())
            count.add(-1)
            earlier = self._load(f.gep(steps, count.get() * self.words))
            space.set(_one_of(self._stepped(space.get(), forward=False) & earlier))
        self._store(kept, path.get())
        self._store(f.gep(kept, self.words), space.get())

    def _stepped(self, spaces: Operand, *, forward: bool) -> Operand:
        """Where one step leads from a set, or where one comes from."""
        found = self.f.value(0, self.kind)
        for distance, there in self.way.shifts.steps.items():
            mask = self.f.value(there, self.kind)
            near = (
                _shifted(spaces & mask, distance) if forward else _shifted(spaces, -distance) & mask
            )
            found = found | near
        return found

    def _load(self, at: Operand) -> Operand:
        return self.f.emit(f"load {self.kind}, ptr {at.text}, align 8", self.kind)

    def _store(self, at: Operand, value: Operand) -> None:
        self.f.do(f"store {self.kind} {value.text}, ptr {at.text}, align 8")


def _shifted(spaces: Operand, distance: int) -> Operand:
    return spaces << distance if distance > 0 else spaces >> -distance


def _one_of(spaces: Operand) -> Operand:
    """The lowest of a set, as a set."""
    return spaces & ((spaces ^ -1) + 1)
