"""Making sets of spaces as simple as they are.

A ray ends at the edge of a board, so the spaces that have a third space on it all have a second
one: `following` says that again in every condition along the ray. What a set holds at most, and
what it holds in any case, shows which of these conditions say nothing new. Fewer operations take
less time to play, and to compile.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce

from ludwright.native.passes.masks import NOTHING, Both, Either, Fixed, Mask, Moved, Others


@dataclass(frozen=True, slots=True)
class _About:
    """What is known of a set: the elements that it has in any case, those that it can have at most,
    and the sets whose common elements it has, by identity."""

    mask: Mask
    least: int
    most: int
    parts: frozenset[int]


class Sets:
    """Makes sets of elements below a size; at most `room` of them, then it raises `full`.

    Equal sets are one object, so they are compared by identity.
    """

    def __init__(self, size: int, room: int, full: type[Exception]) -> None:
        self._size, self._room, self._full = size, room, full
        self.whole = (1 << size) - 1
        self.everywhere = Fixed(self.whole)
        self._made: dict[object, Mask] = {}
        self._known: dict[int, _About] = {}
        self._narrowed: dict[tuple[int, int], Mask] = {}

    def fixed(self, holds: Callable[[int], bool]) -> Fixed:
        return Fixed(sum(1 << at for at in range(self._size) if holds(at)))

    # ------------------------------------------------------------ one object

    def made(self, mask: Mask) -> Mask:
        """The one object that equals a set that is made of no others."""
        return mask if id(mask) in self._known else self._once(mask, mask)

    def _once(self, key: object, mask: Mask) -> Mask:
        known = self._made.get(key)
        if known is None:
            self._room -= 1
            if self._room < 0:
                raise self._full
            known = self._made[key] = mask
            self._known[id(mask)] = _About(mask, *self._bounds(mask), self._parts(mask))
        return known

    def _pair(self, kind: type[Both] | type[Either], left: Mask, right: Mask) -> Mask:
        if left is right:
            return left
        one, two = sorted((id(left), id(right)))
        return self._once((kind, one, two), kind(left, right))

    def _bounds(self, mask: Mask) -> tuple[int, int]:
        known = self._known
        match mask:
            case Fixed(bits=bits):
                return bits, bits
            case Moved(steps=steps):
                return 0, reduce(operator.or_, (elements for _, elements in steps))
            case Both(left=left, right=right):
                one, two = known[id(left)], known[id(right)]
                return one.least & two.least, one.most & two.most
            case Either(left=left, right=right):
                one, two = known[id(left)], known[id(right)]
                return one.least | two.least, one.most | two.most
            case Others(of=of):
                inner = known[id(of)]
                return self.whole & ~inner.most, self.whole & ~inner.least
            case _:
                return 0, self.whole

    def _parts(self, mask: Mask) -> frozenset[int]:
        if not isinstance(mask, Both):
            return frozenset((id(mask),))
        return self._known[id(mask.left)].parts | self._known[id(mask.right)].parts

    # -------------------------------------------------------------- simplify

    def _within(self, mask: Mask, bits: int) -> Mask:
        """A set that is the same for some elements, and as simple as it can be."""
        known = self._known[id(mask)]
        if known.most & bits == 0:
            return self.made(NOTHING)
        if bits & ~known.least == 0:
            return self.made(self.everywhere)
        if bits == self.whole or not isinstance(mask, Both | Either | Others):
            return mask
        key = id(mask), bits
        if key not in self._narrowed:
            self._narrowed[key] = self._narrow(mask, bits)
        return self._narrowed[key]

    def _narrow(self, mask: Both | Either | Others, bits: int) -> Mask:
        if isinstance(mask, Others):
            return self.without(self._within(mask.of, bits))
        left, right = self._within(mask.left, bits), self._within(mask.right, bits)
        # neither decides alone, or the bounds of the whole would have said so
        full = self.everywhere if isinstance(mask, Both) else NOTHING
        if full in (left, right):
            return right if left == full else left
        return self._pair(type(mask), left, right)

    def _is_part(self, mask: Mask, of: Mask) -> bool:
        """Whether all elements of a set certainly belong to another one."""
        known, other = self._known[id(mask)], self._known[id(of)]
        unsaid = other.parts - known.parts
        return all(known.most & ~self._known[part].least == 0 for part in unsaid)

    # ------------------------------------------------------------ operations

    def both(self, left: Mask, right: Mask) -> Mask:
        left, right = self.made(left), self.made(right)
        left = self._within(left, self._known[id(right)].most)
        right = self._within(right, self._known[id(left)].most)
        if isinstance(left, Fixed) and isinstance(right, Fixed):
            return Fixed(left.bits & right.bits)
        if self._is_part(left, right):
            return left
        return right if self._is_part(right, left) else self._pair(Both, left, right)

    def either(self, left: Mask, right: Mask) -> Mask:
        left, right = self.made(left), self.made(right)
        if isinstance(left, Fixed) and isinstance(right, Fixed):
            return Fixed(left.bits | right.bits)
        if self._is_part(left, right):
            return right
        return left if self._is_part(right, left) else self._pair(Either, left, right)

    def without(self, mask: Mask) -> Mask:
        """All others."""
        if isinstance(mask, Fixed):
            return self.made(Fixed(self.whole & ~mask.bits))
        if isinstance(mask, Others):
            return mask.of
        mask = self.made(mask)
        return self._once((Others, id(mask)), Others(mask))

    def choice(self, when: Mask, then: Mask, other: Mask) -> Mask:
        return self.either(self.both(when, then), self.both(self.without(when), other))

    def union(self, masks: Iterable[Mask]) -> Mask:
        found: Mask = NOTHING
        for mask in masks:
            found = self.either(found, mask)
        return found

    def intersection(self, masks: Iterable[Mask]) -> Mask:
        found: Mask = self.everywhere
        for mask in masks:
            found = self.both(found, mask)
        return found

    def at_least(self, masks: Iterable[Mask], least: int) -> Mask:
        """The elements that belong to at least so many of some sets."""
        masks = list(masks)
        if least > len(masks):
            return NOTHING
        # by number of sets: the elements that belong to as many of those seen so far
        found: list[Mask] = [self.everywhere, *[NOTHING] * least]
        for mask in masks:
            for number in range(least, 0, -1):
                found[number] = self.either(found[number], self.both(found[number - 1], mask))
        return found[max(least, 0)]
