"""Reading cells, registers, tables and constants."""

from __future__ import annotations

from collections.abc import Sequence

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Lst, Shape
from ludwright.native.analysis.words import flatten
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.llvm.builder import Operand
from ludwright.native.codegen.llvm.module import is_narrow
from ludwright.native.codegen.state.cells import decode
from ludwright.native.codegen.state.values import Value, Wide, read, temp, write


def const(b: Body, node: ir.Const) -> Value:
    shape = b.shape(node)
    if isinstance(shape, Int):
        assert isinstance(node.value, int)
        return b.f.value(int(node.value))
    words: list[int] = []
    flatten(node.value, shape, words)
    return Wide(b.module.table(b.f, words, "i64"), shape)


def load(b: Body, node: ir.Load) -> Value:
    if node.addr >= b.program.cells:
        return b.get_register(node.addr)
    bounds = b.bounds(node)
    return b.f.value(bounds.lo) if bounds.lo == bounds.hi else b.f.cell(node.addr)


def load_wide(b: Body, node: ir.LoadWide) -> Value:
    f = b.f
    if node.addr >= b.program.cells:
        return b.get_register(node.addr)
    if node.index is None:
        return decode(f, node.type, node.addr)
    index, bounds = b.num(node.index), b.bounds(node.index)
    shape = b.shape(node)
    result = temp(f, shape)
    with f.if_(index < 0):
        for word in range(1 if isinstance(shape, Lst) else shape.words):
            f.store(result, word, 0)
    with f.else_():
        b.check_index(index, bounds, node.size, node.site)
        write(result, shape, decode(f, node.type, index * node.stride + node.addr))
    return read(result, shape)


def load_at(b: Body, node: ir.LoadAt) -> Operand:
    f = b.f
    index, bounds = b.num(node.index), b.bounds(node.index)
    b.check_index(index, bounds, node.size, node.site)
    if bounds.lo >= 0:
        return f.cell(index * node.stride + node.addr)
    # No branch: where there is no such cell, that of index 0 is read and not used.
    at = f.smax(index, 0)
    return f.select(index < 0, node.none, f.cell(at * node.stride + node.addr))


def lookup(b: Body, node: ir.Lookup) -> Operand:
    f = b.f
    values = b.program.tables[node.table]
    index, bounds = b.num(node.index), b.bounds(node.index)
    b.check_index(index, bounds, len(values), node.site)
    if not values:
        return f.value(node.none)
    none = node.none if bounds.lo == -1 and is_narrow([node.none]) else None
    if none is not None:
        index, bounds = index + 1, Int(0, bounds.hi + 1)
    table, type_ = b.module.lookup(f, node.table, none)
    if bounds.lo >= 0:
        return f.load(table, index, type_)
    return f.select(index < 0, node.none, f.load(table, f.smax(index, 0), type_))


class ConstantList:
    """Constants one after another in a table."""

    def __init__(self, b: Body, values: Sequence[object], shape: Shape) -> None:
        words: list[int] = []
        for value in values:
            flatten(value, shape, words)
        self._shape = shape
        self._type = "i32" if isinstance(shape, Int) and is_narrow(words) else "i64"
        self._table = b.module.table(b.f, words, self._type)

    def __getitem__(self, index: Operand) -> Value:
        if isinstance(self._shape, Int):
            return index.f.load(self._table, index, self._type)
        return Wide(index.f.gep(self._table, index * self._shape.words), self._shape)


class Rows:
    """Rows of constants in one table: the positions of a row, and the elements by position."""

    def __init__(self, b: Body, rows: Sequence[Sequence[object]], shape: Shape) -> None:
        starts = [0]
        values: list[object] = []
        for row in rows:
            values += row
            starts.append(len(values))
        self.elements = ConstantList(b, values, shape)
        self._starts = b.module.table(b.f, starts)

    def span(self, row: Operand) -> tuple[Operand, Operand]:
        f = row.f
        return f.load(self._starts, row, "i32"), f.load(self._starts, row + 1, "i32")
