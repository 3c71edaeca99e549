"""States as the nodes of a tree keep them: a cell whose bounds fit into a byte takes one.

Most cells of most games do, so four times as many nodes fit into the same memory. The first cells,
which hold the generator and the log, are cleared in a node and fit too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ludwright.native.codegen.llvm.builder import Function, Operand

# A row of cells that are kept alike: the first, how many, and the bytes of each.
Row = tuple[int, int, int]
SHORT = 8  # rows of fewer cells are kept like those before them, if these are as wide


def rows(lows: Sequence[int], highs: Sequence[int]) -> list[Row]:
    """How the cells with these bounds are kept."""
    widths = [_bytes(low, high) for low, high in zip(lows, highs, strict=True)]
    found: list[Row] = []
    at = 0
    for width, group in groupby(widths):
        count = len(list(group))
        if found and count < SHORT and found[-1][2] >= width:
            first, before, wider = found.pop()
            found.append((first, before + count, wider))
        else:
            found.append((at, count, width))
        at += count
    return found


def _bytes(low: int, high: int) -> int:
    for width in (1, 2):
        most = 1 << 8 * width - 1
        if -most <= low and high < most:
            return width
    return 4


def kept_words(kept: Sequence[Row]) -> int:
    """Words of a state that is kept."""
    return (sum(count * width for _, count, width in kept) + 7) // 8


def keep(f: Function, kept: Sequence[Row], to: Operand, state: Operand) -> None:
    """Copy a state into a node."""
    _copy(f, kept, state, to, restores=False)


def restore(f: Function, kept: Sequence[Row], state: Operand, source: Operand) -> None:
    """Copy a node's state back."""
    _copy(f, kept, state, source, restores=True)


def _copy(
    f: Function, kept: Sequence[Row], state: Operand, node: Operand, *, restores: bool
) -> None:
    at = 0
    for first, count, width in kept:
        cells, narrow = f.gep(state, first, "i32"), f.gep(node, at, "i8")
        at += count * width
        if width == 4:
            f.copy(*((cells, narrow) if restores else (narrow, cells)), 4 * count)
            continue
        type_ = f"i{8 * width}"
        with f.for_range(0, count) as number:
            cell, place = f.gep(cells, number, "i32"), f.gep(narrow, number, type_)
            if restores:
                value = f.emit(f"load {type_}, ptr {place.text}, align 1", type_)
                value = f.emit(f"sext {type_} {value.text} to i32", "i32")
                f.do(f"store i32 {value.text}, ptr {cell.text}, align 4")
            else:
                value = f.emit(f"load i32, ptr {cell.text}, align 4", "i32")
                value = f.emit(f"trunc i32 {value.text} to {type_}", type_)
                f.do(f"store {type_} {value.text}, ptr {place.text}, align 1")
