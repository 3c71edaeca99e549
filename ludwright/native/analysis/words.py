"""Values as the words that native code reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright.native.analysis.shapes import Bits, Int, Lst, Shape, Tup


def flatten(value: object, shape: Shape, words: list[int]) -> None:
    """Add the words of one of the kernel's values to a list."""
    if isinstance(value, int):
        if isinstance(shape, Int):
            words.append(int(value))
        elif isinstance(shape, Bits):
            for word in range(shape.words):
                part = (value >> (64 * word)) & ((1 << 64) - 1)
                words.append(part - (1 << 64) if part >> 63 else part)
        else:
            words += [0] * shape.words
        return
    assert isinstance(value, tuple)
    if isinstance(shape, Tup):
        if shape.optional:
            words.append(1)
        for item, own in zip(value, shape.items, strict=True):
            flatten(item, own, words)
        return
    assert isinstance(shape, Lst)
    words.append(len(value))
    for item in value:
        assert shape.item is not None
        flatten(item, shape.item, words)
    words += [0] * ((shape.cap - len(value)) * shape.step)


def value_of(words: Sequence[int], shape: Shape) -> Any:
    """The kernel's value of some words."""
    if isinstance(shape, Int):
        return words[0]
    if isinstance(shape, Tup):
        if shape.optional and not words[0]:
            return -1
        return tuple(
            value_of(words[shape.offset(at) : shape.offset(at) + item.words], item)
            for at, item in enumerate(shape.items)
        )
    if isinstance(shape, Bits):
        return sum((word & (1 << 64) - 1) << 64 * at for at, word in enumerate(words))
    item = shape.item
    if item is None:
        return ()
    if isinstance(item, Int):
        return tuple(words[1 : 1 + words[0]])
    return tuple(
        value_of(words[1 + at * shape.step : 1 + (at + 1) * shape.step], item)
        for at in range(words[0])
    )


def values_of(words: Sequence[int], shape: Shape) -> list[Any]:
    """The kernel's values of words that follow one another."""
    step = shape.words
    return [value_of(words[at : at + step], shape) for at in range(0, len(words), step)]
