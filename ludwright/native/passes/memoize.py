"""Memoised functions: results that are asked for again before anything has changed.

A rulebook says "where my king stands" or "my farthest checker" in the middle of a condition, and
the condition is tested for every option. A function that loops over more than the seats, has few
possible arguments and is called inside a loop keeps its results in the context. They hold for one
*epoch*, which ends where a run begins or an instruction may have changed a cell that such a
function reads.

This relies on `Memo.changed`: every instruction that can write one of those cells begins an epoch.
An instruction it does not know is taken to write all of them. Functions that count their work, or
read a history, are not memoised.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.native import layout
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int
from ludwright.native.passes.constant_tables import ConstantTables
from ludwright.program.nodes import children, walk

_MOST_RESULTS = 64  # of one function
# `Times` reads cells that are not tracked here; `Spend` has to be done every time.
_EXCLUDED = (ir.Times, ir.Spend)
_WRITE_NO_CELLS = (ir.Jump, ir.Branch, ir.Switch, ir.Tick, ir.Require, ir.Emit, ir.Say)


class _Repeated:
    """The functions that are called inside a loop with arguments that it does not change."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._seen: set[tuple[int, frozenset[int]]] = set()
        self.functions: set[int] = set()
        for root in (program.code, program.choices, *(f.body for f in program.functions)):
            self._visit(root, None)

    def _visit(self, node: object, varying: frozenset[int] | None) -> None:
        """`varying`: registers that the loops around a node change; None: there is no loop."""
        if isinstance(node, ir.Stream):
            self._visit_loop(node, varying)
        else:
            if isinstance(node, ir.CallFn) and varying is not None:
                self._visit_call(node, varying)
            if isinstance(node, ir.Bind | ir.BindSource) and varying is not None:
                varying |= {node.reg} if self._varies(node.value, varying) else set()
            for part in children(node):
                self._visit(part, varying)

    def _visit_loop(self, node: ir.Stream, varying: frozenset[int] | None) -> None:
        for clause in node.clauses:
            self._visit(clause.source if isinstance(clause, ir.Loop) else clause.when, varying)
            if isinstance(clause, ir.Loop):
                varying = (varying or frozenset()).union(clause.regs)
        self._visit(node.head, varying)

    def _visit_call(self, call: ir.CallFn, varying: frozenset[int]) -> None:
        changing = [self._varies(argument, varying) for argument in call.args]
        if not any(changing):
            self.functions.add(call.fn)
        function = self._program.functions[call.fn]
        params = zip(function.params, changing, strict=True)
        inner = frozenset(register for register, changes in params if changes)
        if (call.fn, inner) not in self._seen:
            self._seen.add((call.fn, inner))
            self._visit(function.body, inner)

    @staticmethod
    def _varies(node: object, varying: frozenset[int]) -> bool:
        return any(isinstance(load, ir.Load) and load.addr in varying for load in walk(node))


class Memo:
    """Which functions of a Program are memoised, and where their results lie."""

    def __init__(
        self, program: ir.Program, shapes: Inference, tables: ConstantTables, on: bool = True
    ) -> None:
        self._program = program
        self._shapes = shapes
        self._places: dict[int, int] = {}
        self.words = 0  # in the context, behind its slots: (epoch, result) of each argument
        for number in sorted(_Repeated(program).functions) if on else ():
            if tables.of(number) is None and self._is_costly(number) and self._is_tracked(number):
                size = self._size(number)
                if 0 < size <= _MOST_RESULTS:
                    self._places[number] = layout.SLOTS + self.words
                    self.words += 2 * size

    def place(self, number: int) -> int:
        """The word of the context at which the results of a function begin."""
        return self._places[number]

    def __bool__(self) -> bool:
        return bool(self._places)

    def __contains__(self, number: int) -> bool:
        return number in self._places

    # ---------------------------------------------------------- which ones

    def _below(self, number: int) -> set[int]:
        """A function and all that it calls."""
        found, stack = {number}, [number]
        while stack:
            body = self._program.functions[stack.pop()].body
            new = {node.fn for node in walk(body) if isinstance(node, ir.CallFn)} - found
            found |= new
            stack += new
        return found

    def _nodes(self, number: int) -> Iterable[object]:
        for function in self._below(number):
            yield from walk(self._program.functions[function].body)

    def _is_costly(self, number: int) -> bool:
        """Whether it loops over more than the seats: those are fewer than a memo is worth."""
        return any(
            isinstance(node, ir.Travel)
            or (isinstance(node, ir.Loop) and not isinstance(node.source, ir.SeatsSource))
            for node in self._nodes(number)
        )

    def _is_tracked(self, number: int) -> bool:
        return not any(isinstance(node, _EXCLUDED) for node in self._nodes(number))

    def bounds(self, number: int) -> list[Int]:
        """Of the arguments that are numbers."""
        params = self._program.functions[number].params
        known = [self._shapes.registers.get(register) for register in params]
        return [shape for shape in known if isinstance(shape, Int)]

    def _size(self, number: int) -> int:
        """How many results there can be; 0 if not all arguments and results are numbers."""
        function, bounds = self._program.functions[number], self.bounds(number)
        if len(bounds) < len(function.params) or not isinstance(
            self._shapes.of(function.body), Int
        ):
            return 0
        return prod(max(0, b.hi - b.lo + 1) for b in bounds)

    # ----------------------------------------------------------- the epoch

    @cached_property
    def _reads(self) -> set[int]:
        """Cells that results depend on, besides those that only moving pieces changes."""
        found: set[int] = set()
        for node in (node for number in self._places for node in self._nodes(number)):
            match node:
                case ir.Load(addr=addr):
                    found.add(addr)
                case ir.LoadAt(addr=addr, size=size, stride=stride):
                    found.update(range(addr, addr + size * stride))
                case ir.LoadWide(addr=addr, type=type_, size=size, stride=stride):
                    found.update(range(addr, addr + max(1, size) * max(stride, type_.width)))
                case _:
                    pass
        # registers that a function reads are bound inside it
        return {cell for cell in found if cell < self._program.cells}

    @cached_property
    def changed(self) -> frozenset[int]:
        """Instructions before which a new epoch begins."""
        found: set[int] = set()
        for pc, instr in enumerate(self._program.code):
            if self and self._may_change(instr):
                found.add(pc + 1)
                if isinstance(instr, ir.Choose):
                    empty = self._program.choices[instr.choice].empty
                    found |= set() if empty is None else {empty}
        return frozenset(found)

    def _may_change(self, instr: ir.Instr) -> bool:
        match instr:
            case ir.Store(addr=addr, index=None, type=type_):
                written: Iterable[int] = range(addr, addr + type_.width)
            case ir.Store(addr=addr, size=size, stride=stride, type=type_):
                written = range(addr, addr + size * max(stride, type_.width))
            case ir.Zero(ranges=ranges):
                written = [cell for addr, count in ranges for cell in range(addr, addr + count)]
            case ir.CallProc(ret=ret) | ir.Return(ret=ret):
                written = (ret,)
            case ir.BestBegin(addr=addr, type=type_) | ir.BestEnd(addr=addr, type=type_):
                written = range(addr, addr + type_.width)
            case ir.Choose(choice=number):
                choice = self._program.choices[number]
                seats = len(self._program.world.seats) if choice.together else 1
                results = range(choice.result, choice.result + seats * choice.result_type.width)
                written = {*range(ir.HEADER), *results, choice.answered}
            case ir.HeadEnter() | ir.HeadExit():
                written = range(ir.HEADER)
            case _:
                return not isinstance(instr, _WRITE_NO_CELLS)
        return not self._reads.isdisjoint(written)
