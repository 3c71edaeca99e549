"""One native function with a segment of a Program's instructions: what all of them need.

Every instruction has a label; jumps, calls and returns within the segment are jumps of the native
code. A function is entered at an instruction, with an answer to a choice, or at the offer of one:
see `entry`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.codegen.expressions.dispatch import new_body
from ludwright.native.codegen.instructions.near_retreat import NearRetreat
from ludwright.native.codegen.instructions.search_modes import Point, SearchMode, modes_of
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import Options
from ludwright.native.codegen.state.cells import encode
from ludwright.native.codegen.state.events import Events
from ludwright.native.codegen.state.facts import property_changed
from ludwright.native.codegen.state.values import Value, Wide
from ludwright.program.types import INT_MAX, Type

_LEAVE = Label("leave")
_FEW_CELLS = 4  # are cleared one by one


class Segment:
    """The instructions `first` .. `end` - 1 of a Program as one function."""

    def __init__(
        self, module: Module, options: Options, first: int, end: int, shared: Mapping[int, int],
        f: Function,
    ) -> None:  # fmt: skip
        self.module = module
        self.program = module.program
        self.options = options
        self.pieces = options.pieces
        self.first, self.end = first, end
        self.f = f
        self.body = new_body(module, f, shared)
        self.events = Events(module, f)
        # The answer that is being given, and by whom.
        self.seat = Var(f, init=0)
        self.given = Var(f, init=0)
        self.answer = Var(f, init=0)
        self.answer_at = Var(f, "ptr")
        self.silent = Var(f, init=0)  # 1: the answer was not asked for, only tested
        self._result = Var(f)
        self._logged = Var(f, init=0)
        self.complete = Label("complete")  # where a search leaves that has found what it seeks
        self.modes = modes_of(module)
        self.near_retreat = NearRetreat(module, f)

    @property
    def whole(self) -> bool:
        """Whether this is all of the Program."""
        return self.end - self.first == len(self.program.code)

    def code(self) -> list[tuple[int, ir.Instr]]:
        return list(enumerate(self.program.code[self.first : self.end], self.first))

    # -------------------------------------------------------------- labels

    def at(self, pc: int) -> Label:
        return Label(f"at.{pc}")

    def offer(self, pc: int) -> Label:
        return Label(f"offer.{pc}")

    def answered(self, pc: int) -> Label:
        """Where an instruction goes on with the answer, or the outcome, that it waited for."""
        return Label(f"answered.{pc}")

    def goto(self, pc: int) -> None:
        self.f.br(self.at(pc))

    def leave(self, result: Operand) -> Label:
        """The label that ends this function with a result."""
        self._result.set(result)
        return _LEAVE

    def place_ends(self) -> None:
        f = self.f
        f.place(self.complete)
        f.ret(layout.COMPLETE)
        f.place(_LEAVE)
        f.ret(self._result.get())

    # -------------------------------------------------------------- the log

    def log(self, amount: Operand | int = 1) -> None:
        """Count events; the cell is brought up to date where anyone can see it."""
        self._logged.add(amount)

    def write_log(self) -> None:
        f = self.f
        f.set_cell(ir.LOG, f.smin(f.cell(ir.LOG) + self._logged.get(), INT_MAX))
        self._logged.set(0)

    # ------------------------------------------------------------- searches

    def searched(self, *modes: SearchMode) -> Operand:
        """Whether the run is a search of one of some kinds."""
        f, mask = self.f, sum(mode.bit for mode in modes if mode in self.modes)
        return (f.ctx[layout.MODE] & mask).ne(0) if mask else f.false

    def search_ends(self, point: Point) -> Operand:
        """Whether the run is a search that ends at such a point."""
        return self.searched(*(mode for mode in self.modes if point in mode.ends_at))

    def leave_if_search_ends(self, point: Point) -> None:
        self.f.leave_if(self.search_ends(point), self.complete)

    def end_part(self, barrier: int) -> None:
        """What happened cannot be taken back."""
        before = self.f.ctx[layout.ENDED]
        self.f.ctx[layout.ENDED] = self.f.select(before.eq(0), barrier, before)

    # -------------------------------------------------------------- storing

    def clear(self, addr: int, count: int) -> None:
        f = self.f
        if count <= _FEW_CELLS:
            for cell in range(addr, addr + count):
                f.set_cell(cell, 0)
        else:
            f.zero(f.gep(f.state, addr, "i32"), 4 * count)

    def store(self, type_: Type, addr: int, value: Value) -> None:
        """Write a value to cells, or to a register."""
        if addr < self.program.cells:
            encode(self.f, type_, addr, value)
            property_changed(self.module, self.f, addr, None)
        else:
            self.body.put_register(addr, value)

    def answer_value(self, shape: Shape) -> Value:
        """The answer that is being given."""
        if isinstance(shape, Int):
            return self.answer.get()
        return Wide(self.answer_at.get(), shape)
