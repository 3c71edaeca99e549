"""The epochs for which memoised results hold: see `passes.memoize`."""

from __future__ import annotations

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Operand, Words
from ludwright.native.codegen.llvm.module import Module


def next_epoch(module: Module, f: Function) -> None:
    """From here on no result found so far holds any more."""
    if module.memo:
        f.ctx[layout.EPOCH] = f.ctx[layout.EPOCH] + 1


def results_belong_to(module: Module, context: Words, cells: Operand) -> None:
    """The results in a context were found for these cells as they are now; null: for none."""
    if module.memo:
        context[layout.MEMO_CELLS] = cells


def expect_results_of(module: Module, context: Words, cells: Operand) -> None:
    """These cells are about to be read; results that belong to others no longer hold."""
    if module.memo:
        f = cells.f
        with f.if_(context[layout.MEMO_CELLS].ne(cells)):
            context[layout.EPOCH] = context[layout.EPOCH] + 1
