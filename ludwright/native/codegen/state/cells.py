"""Values in the cells of a state: read and written as the types of the Program say."""

from __future__ import annotations

from ludwright.native.analysis.shapes import Bits, Int, Lst, Tup, of_type
from ludwright.native.codegen.llvm.builder import Function, Operand
from ludwright.native.codegen.state.values import (
    Value,
    Wide,
    element,
    element_at,
    item,
    number,
    temp,
    to_list,
)
from ludwright.program.types import Type

_BITS = 31  # of a set in one cell
_MASK = (1 << _BITS) - 1


def decode(f: Function, type_: Type, at: Operand | int) -> Value:
    """A value of this type from the cells at an address."""
    if type_.is_scalar:
        return f.cell(at)
    shape = of_type(type_)
    if isinstance(shape, Int):
        return _decode_small_set(f, type_.width, at)
    ptr = temp(f, shape)
    _decode(type_, f.value(at), ptr)
    return Wide(ptr, shape)


def _decode_small_set(f: Function, width: int, at: Operand | int) -> Operand:
    bits = f.cell(at)
    for cell in range(1, width):
        bits = bits | (f.cell(f.value(at) + cell) << (_BITS * cell))
    return bits


def _decode(type_: Type, at: Operand, to: Operand) -> None:
    f = to.f
    shape = of_type(type_)
    if isinstance(shape, Int):
        f.store(to, 0, number(decode(f, type_, at)))
    elif isinstance(shape, Bits):
        for word in range(shape.words):
            f.store(to, word, _word_of_cells(type_.width, at, word))
    elif isinstance(shape, Tup):
        _decode_tuple(type_, shape, at, to)
    else:
        inner = type_.items[0]
        length = f.smax(f.smin(f.cell(at), type_.cap), 0)
        f.store(to, 0, length)
        with f.for_range(0, length) as index:
            _decode(inner, at + index * inner.width + 1, element_at(to, shape, index))


def _decode_tuple(type_: Type, shape: Tup, at: Operand, to: Operand) -> None:
    f = to.f
    with f.block() as done:
        if shape.optional:
            for word in range(shape.words):
                f.store(to, word, 0)
            f.leave_if(f.cell(at).eq(_absent(type_)), done)
            f.store(to, 0, 1)
        offset = 0
        for index, inner in enumerate(type_.items):
            _decode(inner, at + offset, f.gep(to, shape.offset(index)))
            offset += inner.width


def _absent(type_: Type) -> int:
    """What the first cell of a tuple holds that is not there."""
    return type_.items[0].none if type_.items else -1


def _word_of_cells(width: int, at: Operand, word: int) -> Operand:
    """Bits 64 * word .. 64 * word + 63 of a set that lies in cells of 31 bits."""
    f = at.f
    total = f.value(0)
    for cell in range(width):
        shift = _BITS * cell - 64 * word
        if -_BITS < shift < 64:
            part = f.cell(at + cell)
            total = total | (part << shift if shift >= 0 else part >> -shift)
    return total


def encode(f: Function, type_: Type, at: Operand | int, value: Value) -> None:
    """Write a value to the cells of a type at an address."""
    where = f.value(at)
    shape = of_type(type_)
    if type_.is_scalar:
        f.set_cell(where, number(value))
    elif isinstance(shape, (Int, Bits)):
        for cell in range(type_.width):
            f.set_cell(where + cell, bits_from(f, value, _BITS * cell))
    elif isinstance(shape, Tup):
        _encode_tuple(type_, where, value)
    else:
        _encode_list(type_, where, to_list(value))


def bits_from(f: Function, value: Value, first: int) -> Operand:
    """31 bits of a set, from one of its bits on."""
    if isinstance(value, Operand):
        return (value.i64() >> first) & _MASK if first < 64 else f.value(0)
    word, shift = divmod(first, 64)
    part = f.load(value.ptr, word) >> shift if word < value.shape.words else f.value(0)
    if shift > 64 - _BITS and word + 1 < value.shape.words:
        part = part | (f.load(value.ptr, word + 1) << (64 - shift))
    return part & _MASK


def _encode_tuple(type_: Type, at: Operand, value: Value) -> None:
    f = at.f
    if isinstance(value, Operand):
        _encode_absent(type_, at)
        return
    given = value.shape
    assert isinstance(given, Tup)
    if not given.optional:
        _encode_items(type_, at, value)
        return
    with f.if_(f.load(value.ptr).ne(0)):
        _encode_items(type_, at, value)
    with f.else_():
        _encode_absent(type_, at)


def _encode_absent(type_: Type, at: Operand) -> None:
    f = at.f
    f.set_cell(at, _absent(type_))
    for cell in range(1, type_.width):
        f.set_cell(at + cell, 0)


def _encode_items(type_: Type, at: Operand, value: Wide) -> None:
    offset = 0
    for index, inner in enumerate(type_.items):
        encode(at.f, inner, at + offset, item(value, index))
        offset += inner.width


def _encode_list(type_: Type, at: Operand, value: Wide) -> None:
    f = at.f
    inner = type_.items[0]
    assert isinstance(value.shape, Lst)
    length = f.load(value.ptr)
    f.set_cell(at, length)
    if value.shape.item is not None:
        with f.for_range(0, length) as index:
            encode(f, inner, at + index * inner.width + 1, element(value, index))
    rest = f.gep(f.state, at + length * inner.width + 1, "i32")
    f.zero(rest, (f.value(type_.cap) - length) * (4 * inner.width))
