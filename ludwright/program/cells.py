"""How a value of each type lies in state cells, as a pair of functions.

Scalars take one cell. A tuple is its items one after another; a list its length, its items, then
zeros; a set 31 bits per cell. `none` of an optional tuple is marked in its first cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludwright.program.types import NO_ENTITY, Type

Cells = list[Any]
Decode = Callable[[Cells, int], Any]
Encode = Callable[[Cells, int, Any], None]

_BITS = 31
_MASK = (1 << _BITS) - 1


def decoder(type_: Type) -> Decode:
    """A function that reads a value of this type from an address."""
    if type_.kind == "set":
        return _decode_set(type_.width)
    if type_.kind == "tuple":
        return _decode_tuple(type_)
    if type_.kind == "list":
        return _decode_list(type_)
    return lambda cells, at: cells[at]


def encoder(type_: Type) -> Encode:
    """A function that writes a value of this type at an address."""
    if type_.kind == "set":
        return _encode_set(type_.width)
    if type_.kind == "tuple":
        return _encode_tuple(type_)
    if type_.kind == "list":
        return _encode_list(type_)
    return _encode_scalar


def holds(cells: Sequence[int], at: int, type_: Type) -> bool:
    """Whether the cells at an address are a value of this type, as `encoder` writes it."""
    if type_.kind == "set":
        return _holds_set(cells[at : at + type_.width], type_.items[0])
    if type_.kind == "tuple":
        return _holds_tuple(cells, at, type_)
    if type_.kind == "list":
        item, count = type_.items[0], cells[at]
        first, end = at + 1, at + type_.width
        return (
            0 <= count <= type_.cap
            and all(holds(cells, first + n * item.width, item) for n in range(count))
            and not any(cells[first + count * item.width : end])
        )
    value = cells[at]
    return type_.lo <= value <= type_.hi or (type_.optional and value == type_.none)


def _holds_set(words: Sequence[int], item: Type) -> bool:
    left = item.hi - item.lo + 1  # members that are not yet in a word
    for word in words:
        if not 0 <= word < 1 << min(_BITS, left):
            return False
        left -= _BITS
    return True


def _holds_tuple(cells: Sequence[int], at: int, type_: Type) -> bool:
    if type_.optional and cells[at] == (type_.items[0].none if type_.items else NO_ENTITY):
        return True
    return all(holds(cells, at + offset, item) for offset, item in _parts(type_))


def _encode_scalar(cells: Cells, at: int, value: Any) -> None:
    cells[at] = int(value)


def _decode_set(width: int) -> Decode:
    if width == 1:
        return lambda cells, at: cells[at]

    def decode(cells: Cells, at: int) -> int:
        bits = 0
        for cell in reversed(cells[at : at + width]):
            bits = (bits << _BITS) | cell
        return bits

    return decode


def _encode_set(width: int) -> Encode:
    if width == 1:
        return _encode_scalar

    def encode(cells: Cells, at: int, value: Any) -> None:
        for offset in range(width):
            cells[at + offset] = value & _MASK
            value >>= _BITS

    return encode


def _parts(type_: Type) -> list[tuple[int, Type]]:
    offset = 0
    parts: list[tuple[int, Type]] = []
    for item in type_.items:
        parts.append((offset, item))
        offset += item.width
    return parts


def _decode_tuple(type_: Type) -> Decode:
    readers = [(offset, decoder(item)) for offset, item in _parts(type_)]
    if not type_.optional or not type_.items:
        return lambda cells, at: tuple(read(cells, at + offset) for offset, read in readers)
    missing = type_.items[0].none

    def decode(cells: Cells, at: int) -> Any:
        if cells[at] == missing:
            return NO_ENTITY
        return tuple(read(cells, at + offset) for offset, read in readers)

    return decode


def _encode_tuple(type_: Type) -> Encode:
    writers = [(offset, encoder(item)) for offset, item in _parts(type_)]
    width = type_.width
    missing = type_.items[0].none if type_.items else NO_ENTITY

    def encode(cells: Cells, at: int, value: Any) -> None:
        if not isinstance(value, tuple):
            cells[at : at + width] = [missing] + [0] * (width - 1)
            return
        for (offset, write), item in zip(writers, value, strict=True):
            write(cells, at + offset, item)

    return encode


def _decode_list(type_: Type) -> Decode:
    item = type_.items[0]
    width = item.width
    if width == 1:
        return lambda cells, at: tuple(cells[at + 1 : at + 1 + cells[at]])
    read = decoder(item)

    def decode(cells: Cells, at: int) -> tuple[Any, ...]:
        return tuple(read(cells, at + 1 + i * width) for i in range(cells[at]))

    return decode


def _encode_list(type_: Type) -> Encode:
    item = type_.items[0]
    width, cap = item.width, type_.cap
    write = encoder(item)

    def encode(cells: Cells, at: int, value: Any) -> None:
        count = len(value)
        cells[at] = count
        if width == 1:
            cells[at + 1 : at + 1 + cap] = [*map(int, value), *([0] * (cap - count))]
            return
        for i, element in enumerate(value):
            write(cells, at + 1 + i * width, element)
        rest = (cap - count) * width
        cells[at + 1 + count * width : at + 1 + cap * width] = [0] * rest

    return encode


def set_members(bits: int, lo: int) -> list[int]:
    """The elements of a set, ascending."""
    if bits < 0:
        raise ValueError("this is not a set")  # only in cells that no play has left behind
    members: list[int] = []
    offset = lo - 1
    while bits:
        low = bits & -bits
        members.append(offset + low.bit_length())
        bits ^= low
    return members
