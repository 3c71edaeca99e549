"""Asking whether a move has only its effects left: see `passes.effects_only`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.codegen.llvm.builder import Operand
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.passes.effects_only import WORD


def only_effects_left(module: Module, cells: Operand, pc: Operand) -> Operand:
    """Whether the move under way has only its effects left from an instruction on."""
    counting, f = module.counting, cells.f
    assert counting is not None
    signed = [mask - (1 << WORD) if mask >> (WORD - 1) else mask for mask in counting.masks]
    head = f.load(cells, ir.HEAD, "i32")
    word = f.load(module.table(f, signed, "i64"), pc * counting.words + (head >> 6))
    return ((word >> (head & (WORD - 1))) & 1).ne(0)
