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
    at = 0
    for first, count, width in kept:
        source, target = f.gep(state, first, "i32"), f.gep(to, at, "i8")
        at += count * width
        if width == 4:
            f.copy(target, source, 4 * count)
            continue
        narrow = f"i{8 * width}"
        with f.for_range(0, count) as number:
            cell = f.gep(source, number, "i32")
            value = f.emit(f"load i32, ptr {cell.text}, align 4", "i32")
            value = f.emit(f"trunc i32 {value.text} to {narrow}", narrow)
            place = f.gep(target, number, narrow)
            f.do(f"store {narrow} {value.text}, ptr {place.text}, align 1")


def restore(f: Function, kept: Sequence[Row], state: Operand, source: Operand) -> None:
    """Copy a node's state back."""
    at = 0
    for first, count, width in kept:
        target, begin = f.gep(state, first, "i32"), f.gep(source, at, "i8")
        at += count * width
        if width == 4:
            f.copy(target, begin, 4 * count)
            continue
        narrow = f"i{8 * width}"
        with f.for_range(0, count) as number:
            place = f.gep(begin, number, narrow)
            value = f.emit(f"load {narrow}, ptr {place.text}, align 1", narrow)
            value = f.emit(f"sext {narrow} {value.text} to i32", "i32")
            cell = f.gep(target, number, "i32")
            f.do(f"store i32 {value.text}, ptr {cell.text}, align 4")
