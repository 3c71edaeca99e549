"""Shapes: what native code must know of the values of registers and expressions.

The Program does not give them types. A shape says how many words a value takes and, for a number,
between which bounds it lies. `shape_inference` finds the shapes of a Program.
"""

from __future__ import annotations

from functools import reduce

from ludwright.native.errors import NativeUnsupported
from ludwright.program.types import Type
from ludwright.quick_records import dataclass

I64_MIN, I64_MAX = -(1 << 63), (1 << 63) - 1
SMALL_SET = 62  # sets of at most this many bits are plain numbers


@dataclass(frozen=True, slots=True)
class Int:
    lo: int = I64_MIN
    hi: int = I64_MAX

    @property
    def words(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class Bits:
    """A set too large for one number."""

    words: int


@dataclass(frozen=True, slots=True)
class Tup:
    """Items one after another; an optional one has a word in front that is 0 for none."""

    items: tuple[Shape, ...]
    optional: bool = False

    @property
    def words(self) -> int:
        return self.optional + sum(item.words for item in self.items)

    def offset(self, index: int) -> int:
        return self.optional + sum(item.words for item in self.items[:index])


@dataclass(frozen=True, slots=True)
class Lst:
    """The number of elements, then room for `cap` of them."""

    cap: int
    item: Shape | None  # None: unknown, because the list is always empty

    @property
    def words(self) -> int:
        return 1 + self.cap * (self.item.words if self.item is not None else 0)

    @property
    def step(self) -> int:
        return self.item.words if self.item is not None else 0


Shape = Int | Bits | Tup | Lst
NONE = Int(-1, -1)
NOTHING = Int(1, 0)  # no value yet: no number lies between these bounds
BOOL = Int(0, 1)
CELL = Int(-(1 << 31), (1 << 31) - 1)


def of_type(type_: Type) -> Shape:
    """The shape of a value that is read from cells of this type."""
    if type_.kind == "set":
        return of_bits(31 * type_.width)
    if type_.kind == "tuple":
        return Tup(tuple(of_type(item) for item in type_.items), type_.optional)
    if type_.kind == "list":
        return Lst(type_.cap, of_type(type_.items[0]))
    return CELL


def of_bits(bits: int) -> Shape:
    if bits <= SMALL_SET:
        return Int(0, (1 << bits) - 1)
    return Bits((bits + 63) // 64)


def of_members(count: int) -> Shape:
    """A set of some of `count` things."""
    return of_bits(count if count <= SMALL_SET else 31 * ((count - 1) // 31 + 1))


def of_constant(value: object) -> Shape:
    if isinstance(value, int):
        if I64_MIN <= value <= I64_MAX:
            return Int(int(value), int(value))
        if value > 0:
            return Bits((value.bit_length() + 63) // 64)
        raise NativeUnsupported(f"the number {value}")
    if isinstance(value, tuple):
        return Tup(tuple(of_constant(item) for item in value))
    raise NativeUnsupported(f"a constant {value!r}")


def as_list(shape: Shape) -> Lst:
    """A constant tuple may stand for a list."""
    if shape == NOTHING:
        return Lst(0, None)
    if isinstance(shape, Lst):
        return shape
    if isinstance(shape, Tup) and not shape.optional:
        return Lst(len(shape.items), join_all(shape.items))
    raise NativeUnsupported("a list that may be none")


def join_all(shapes: tuple[Shape, ...]) -> Shape | None:
    return reduce(join_some, shapes, None)


def join_some(left: Shape | None, right: Shape | None) -> Shape | None:
    if left is None or right is None:
        return right if left is None else left
    return join(left, right)


def join(left: Shape, right: Shape) -> Shape:
    """A shape that holds the values of both."""
    if right in (left, NOTHING):
        return left
    if left == NOTHING:
        return right
    if isinstance(left, Int):
        if isinstance(right, Int):
            return Int(min(left.lo, right.lo), max(left.hi, right.hi))
        return _with_int(right)
    if isinstance(right, Int):
        return _with_int(left)
    if isinstance(left, Bits) and isinstance(right, Bits):
        return Bits(max(left.words, right.words))
    if isinstance(left, Bits) or isinstance(right, Bits):
        raise NativeUnsupported("a value that is now a set, now something else")
    if isinstance(left, Tup) and isinstance(right, Tup) and len(left.items) == len(right.items):
        items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
        return Tup(items, left.optional or right.optional)
    one, two = as_list(left), as_list(right)
    return Lst(max(one.cap, two.cap), join_some(one.item, two.item))


def laid_out(shape: Shape, like: Shape) -> Shape:
    """A shape with the common layout of two shapes and the bounds of the first."""
    if isinstance(shape, Int) and isinstance(like, Int):
        return shape
    if isinstance(shape, Tup) and isinstance(like, Tup) and len(shape.items) == len(like.items):
        items = tuple(laid_out(a, b) for a, b in zip(shape.items, like.items, strict=True))
        return Tup(items, shape.optional or like.optional)
    if isinstance(shape, Lst) and isinstance(like, Lst):
        if shape.item is None or like.item is None:
            return join(shape, like)
        return Lst(max(shape.cap, like.cap), laid_out(shape.item, like.item))
    return join(shape, like)


def _with_int(shape: Shape) -> Shape:
    if isinstance(shape, Tup):
        return Tup(shape.items, True)
    if isinstance(shape, Bits):
        return shape
    raise NativeUnsupported("a list that may be none")


def widened(shape: Shape) -> Shape:
    """The same layout without bounds. Widening makes the inference end."""
    if isinstance(shape, Int):
        return Int()
    if isinstance(shape, Tup):
        return Tup(tuple(widened(item) for item in shape.items), shape.optional)
    if isinstance(shape, Lst):
        return Lst(shape.cap, widened(shape.item) if shape.item is not None else None)
    return shape


def same_layout(left: Shape, right: Shape) -> bool:
    """Whether the words of one shape can be copied to the other as they are."""
    if isinstance(left, Int) or isinstance(right, Int):
        return isinstance(left, Int) and isinstance(right, Int)
    if isinstance(left, Tup) and isinstance(right, Tup):
        return (
            left.optional == right.optional
            and len(left.items) == len(right.items)
            and all(same_layout(a, b) for a, b in zip(left.items, right.items, strict=True))
        )
    if isinstance(left, Lst) and isinstance(right, Lst):
        if left.item is None or right.item is None:
            return left.cap == right.cap and left.item == right.item
        return left.cap == right.cap and same_layout(left.item, right.item)
    return isinstance(left, Bits) and left == right


def readable_as(given: Shape, wanted: Shape) -> bool:
    """Whether the words of one shape can be read as those of another; lists may differ in room."""
    if isinstance(given, Lst) and isinstance(wanted, Lst):
        if given.item is None or wanted.item is None:
            return False
        return same_layout(given.item, wanted.item)
    return same_layout(given, wanted)
