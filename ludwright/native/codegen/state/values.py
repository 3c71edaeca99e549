"""Values in native code: numbers, and wide values (tuples, lists, large sets) as words in memory.

A number is an operand; a wide value is the address of its words. An expression writes its words to
a place of its own in the stack frame; registers copy what is put into them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.native.analysis.shapes import (
    Bits,
    Int,
    Lst,
    Shape,
    Tup,
    as_list,
    same_layout,
)
from ludwright.native.codegen.llvm.builder import Function, Operand
from ludwright.native.errors import NativeUnsupported


@dataclass(frozen=True, slots=True)
class Wide:
    ptr: Operand
    shape: Shape


Value = Operand | Wide


def temp(f: Function, shape: Shape) -> Operand:
    """Room for a value in the stack frame."""
    return f.array(max(1, shape.words))


def read(ptr: Operand, shape: Shape) -> Value:
    return ptr.f.load(ptr) if isinstance(shape, Int) else Wide(ptr, shape)


def number(value: Value) -> Operand:
    if isinstance(value, Wide):
        raise NativeUnsupported("a list or tuple where a number is needed")
    return value.i64()


def item(value: Wide, index: int) -> Value:
    """A part of a tuple."""
    assert isinstance(value.shape, Tup)
    at = value.ptr.f.gep(value.ptr, value.shape.offset(index))
    return read(at, value.shape.items[index])


def element_at(ptr: Operand, shape: Lst, index: Operand | int) -> Operand:
    """The address of an element of a list."""
    f = ptr.f
    return f.gep(f.gep(ptr, 1), f.value(index) * shape.step)


def element(value: Wide, index: Operand | int) -> Value:
    assert isinstance(value.shape, Lst)
    assert value.shape.item is not None
    return read(element_at(value.ptr, value.shape, index), value.shape.item)


def bit_of(words: Operand, index: Operand) -> Operand:
    """Whether a set of many words holds an element."""
    return ((words.f.load(words, index >> 6) >> (index & 63)) & 1).ne(0)


def add_bit(words: Operand, index: Operand, bit: Operand | int = 1) -> None:
    """Add an element to a set of many words; a `bit` of 0 adds nothing."""
    f, at = words.f, index >> 6
    f.store(words, at, f.load(words, at) | (f.value(bit) << (index & 63)))


# ------------------------------------------------------------------- copies


def write(to: Operand, shape: Shape, value: Value) -> None:
    """Put a value into words of a shape."""
    f = to.f
    if isinstance(value, Wide):
        _write_wide(to, shape, value)
    elif isinstance(shape, Int):
        f.store(to, 0, value.i64())
    elif isinstance(shape, Bits):
        f.store(to, 0, value.i64())
        for word in range(1, shape.words):
            f.store(to, word, 0)
    elif isinstance(shape, Tup) and shape.optional:
        for word in range(shape.words):  # only `none` comes as a number
            f.store(to, word, 0)
    else:
        raise NativeUnsupported("a list that may be none")


def _write_wide(to: Operand, shape: Shape, value: Wide) -> None:
    f, given = to.f, value.shape
    if isinstance(shape, Bits) and isinstance(given, Bits):
        for word in range(shape.words):
            f.store(to, word, f.load(value.ptr, word) if word < given.words else 0)
    elif isinstance(shape, Tup) and isinstance(given, Tup):
        if shape.optional:
            f.store(to, 0, f.load(value.ptr) if given.optional else 1)
        for index, own in enumerate(shape.items):
            write(f.gep(to, shape.offset(index)), own, item(value, index))
    elif isinstance(shape, Lst):
        _write_list(to, shape, value)
    else:
        raise NativeUnsupported("a value that changes its kind")


def _write_list(to: Operand, shape: Lst, value: Wide) -> None:
    f = to.f
    given = value.shape
    if isinstance(given, Tup):
        f.store(to, 0, len(given.items))
        for index in range(len(given.items)):
            assert shape.item is not None
            write(f.gep(to, 1 + index * shape.step), shape.item, item(value, index))
        return
    assert isinstance(given, Lst)
    length = f.load(value.ptr)
    f.store(to, 0, length)
    if given.item is None or shape.item is None:
        return
    if same_layout(given.item, shape.item):
        f.copy(f.gep(to, 1), f.gep(value.ptr, 1), length * (8 * shape.step))
        return
    with f.for_range(0, length) as at:
        write(element_at(to, shape, at), shape.item, element(value, at))


def copied(value: Value, shape: Shape) -> Value:
    """A copy that stays while the expression it came from is evaluated again."""
    if isinstance(value, Operand):
        return value
    ptr = temp(value.ptr.f, shape)
    write(ptr, shape, value)
    return Wide(ptr, shape)


def to_list(value: Value) -> Wide:
    """A value as a list."""
    if isinstance(value, Operand):
        raise NativeUnsupported("a number where a list is needed")
    if isinstance(value.shape, Lst):
        return value
    return _converted(value.ptr.f, as_list(value.shape), value)


def own_list(value: Value) -> Wide:
    """A copy of a value as a list."""
    listed = to_list(value)
    return _converted(listed.ptr.f, listed.shape, listed)


def to_bits(f: Function, value: Value, words: int) -> Wide:
    """A set in at least this many words."""
    if isinstance(value, Wide) and isinstance(value.shape, Bits) and value.shape.words >= words:
        return value
    return _converted(f, Bits(words), value)


def _converted(f: Function, shape: Shape, value: Value) -> Wide:
    ptr = temp(f, shape)
    write(ptr, shape, value)
    return Wide(ptr, shape)


# ---------------------------------------------------------------- questions


def truth(value: Value) -> Operand:
    """Whether a value counts as true: not 0, not empty."""
    if isinstance(value, Operand):
        return value if value.type == "i1" else value.ne(0)
    f, shape = value.ptr.f, value.shape
    if isinstance(shape, Lst):
        return f.load(value.ptr).ne(0)
    if isinstance(shape, Tup):
        return f.value(bool(shape.items or shape.optional), "i1")
    assert isinstance(shape, Bits)
    total = f.load(value.ptr)
    for word in range(1, shape.words):
        total = total | f.load(value.ptr, word)
    return total.ne(0)


def length(value: Value) -> Operand:
    """How many elements a set, a list or a tuple has."""
    if isinstance(value, Operand):
        return value.f.ctpop(value.i64())
    f = value.ptr.f
    if isinstance(value.shape, Lst):
        return f.load(value.ptr)
    if isinstance(value.shape, Tup):
        return f.value(len(value.shape.items))
    total = f.value(0)
    for word in range(value.shape.words):
        total = total + f.ctpop(f.load(value.ptr, word))
    return total
