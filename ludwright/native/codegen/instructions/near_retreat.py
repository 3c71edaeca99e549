"""Coming back to the choice just before: see `passes.near_retreat`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.instructions.retreats import can_retreat, refuse, refused_at
from ludwright.native.codegen.llvm.builder import Function, Label, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.passes.near_retreat import follows_on

_SLOTS = (layout.POLICY, layout.DECISIONS, layout.MOVES, layout.LEVEL)
_CELLS = (ir.LOG, ir.ANSWERED)


class NearRetreat:
    """How a function comes back from one choice to the one before."""

    def __init__(self, module: Module, f: Function) -> None:
        self._module, self._f = module, f
        plays = module.searches and not (module.events or module.counting or module.has_best)
        self._on = plays and module.uses("near_retreat") and module.uses("open_answers")
        self._slots = [Var(f, init=0) for _ in _SLOTS] if self._on else []
        self._cells = [Var(f, init=0) for _ in _CELLS] if self._on else []
        # 1: the answer was given without a test, and play has just left or reached the choice
        self._left = Var(f, init=0) if self._on else None
        self._here = Var(f, init=0) if self._on else None

    def _leads(self, pc: int) -> bool:
        code = self._module.program.code
        return self._on and pc + 1 < len(code) and follows_on(self._module.program, pc + 1)

    def note(self, pc: int) -> None:
        """Random play is about to answer a choice."""
        if self._leads(pc):
            for kept, slot in zip(self._slots, _SLOTS, strict=True):
                kept.set(self._f.ctx[slot])
            for kept, cell in zip(self._cells, _CELLS, strict=True):
                kept.set(self._f.cell(cell))

    def answered(self, pc: int) -> None:
        """It has: without a test, if there is one more such answer."""
        if self._leads(pc):
            assert self._left is not None
            level = self._slots[_SLOTS.index(layout.LEVEL)].get()
            self._left.set(self._f.ctx[layout.LEVEL].eq(level + 1).i64())

    def arrive(self, pc: int) -> None:
        """Play comes to a choice from the instruction before it."""
        if self._on and follows_on(self._module.program, pc):
            assert self._left is not None
            assert self._here is not None
            self._here.set(self._left.get())
            self._left.set(0)

    def go_back(self, pc: int, before: Label) -> None:
        """Nothing to choose: leaves, if another answer can be given to the choice before."""
        if not (self._on and follows_on(self._module.program, pc)):
            return
        assert self._here is not None
        f = self._f
        with f.if_(self._here.get().ne(0) & can_retreat(f)):
            refuse(f, f.ctx[layout.LEVEL], 0)
            for kept, slot in zip(self._slots, _SLOTS, strict=True):
                f.ctx[slot] = kept.get()
            for kept, cell in zip(self._cells, _CELLS, strict=True):
                f.set_cell(cell, kept.get())
            level = f.ctx[layout.LEVEL]
            refuse(f, level, refused_at(f, level) + 1)
            f.ctx[layout.RETREATS] = f.ctx[layout.RETREATS] + 1
            f.br(before)
