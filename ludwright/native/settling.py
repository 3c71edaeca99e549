"""Where a move only has its effects left; a count of moves does not carry them out."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.kernel.paths import settled
from ludwright.native.builder import F, V
from ludwright.native.module import Module

_WORD = 64


class Settling:
    """What `kernel.paths.settled` says, for generated code to ask."""

    def __init__(self, module: Module) -> None:
        program = module.program
        self._by_head = settled(program)
        self._words = len(program.heads) // _WORD + 1
        masks = [0] * (len(program.code) * self._words)
        for head, decided in enumerate(self._by_head, 1):
            for pc in decided:
                masks[pc * self._words + head // _WORD] |= 1 << head % _WORD
        signed = [mask - (1 << _WORD) if mask >> (_WORD - 1) else mask for mask in masks]
        self._table = module.table(signed, "i64")
        self._targets = _targets(program)

    def may_begin(self, pc: int) -> bool:
        """Whether a run can come here from where something is still open."""
        return any(
            pc in decided and (pc in self._targets or pc - 1 not in decided)
            for decided in self._by_head
        )

    def holds(self, f: F, cells: V, pc: V | int) -> V:
        """Whether the move under way has only its effects left from an instruction on."""
        head = f.load(cells, ir.HEAD, "i32")
        mask = f.load(V(f, self._table, "ptr"), f.value(pc) * self._words + (head >> 6))
        return ((mask >> (head & (_WORD - 1))) & 1).ne(0)


def _targets(program: ir.Program) -> set[int]:
    """Instructions that are come to from elsewhere than the one before."""
    found: set[int] = set()
    for pc, instr in enumerate(program.code):
        match instr:
            case ir.Jump(target=target) | ir.Branch(target=target):
                found.add(target)
            case ir.Switch(targets=targets, default=default):
                found.update(targets, (default,))
            case ir.CallProc(entry=entry):
                found.update((entry, pc + 1))
            case ir.Choose(choice=number) if (empty := program.choices[number].empty) is not None:
                found.add(empty)
            case _:
                pass
    return found
