"""Value types of the Program, and how many state cells a value of each takes."""

from __future__ import annotations

from typing import Literal

from ludwright.quick_records import dataclass

Kind = Literal[
    "bool", "int", "enum", "seat", "place", "piece", "row", "direction", "label",
    "none", "tuple", "list", "set",
]  # fmt: skip

Overflow = Literal["clamp", "refuse", "fault"]  # of a number that leaves its range

NO_ENTITY = -1  # `none` for every indexed type (seat, place, piece, row, enum, direction, bool)
NO_INT = -(2**31)  # `none` for an optional int
INT_MIN = -(2**31) + 1
INT_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Type:
    """One class for all types.

    name:  the enum's, table's, piece kind's, space group's or label set's name ("" = any)
    lo,hi: inclusive bounds of an int; for indexed types the first and last index used
    items: element types of a tuple; items[0] of a list or set
    cap:   the most elements of a list
    """

    kind: Kind
    name: str = ""
    lo: int = 0
    hi: int = 0
    items: tuple[Type, ...] = ()
    cap: int = 0
    optional: bool = False

    @property
    def none(self) -> int:
        return NO_INT if self.kind == "int" else NO_ENTITY

    @property
    def is_scalar(self) -> bool:
        return self.kind not in ("tuple", "list", "set")

    @property
    def holds_pieces(self) -> bool:
        return self.kind == "piece" or any(item.holds_pieces for item in self.items)

    @property
    def width(self) -> int:
        """State cells a stored value takes."""
        if self.kind == "tuple":
            return sum(item.width for item in self.items)
        if self.kind == "list":
            return 1 + self.cap * self.items[0].width
        if self.kind == "set":
            return (self.items[0].hi - self.items[0].lo) // 31 + 1
        return 1


# In the interpreter a scalar is an int; a tuple or list is a tuple of values; a set is an int
# whose bit (value - items[0].lo) is on. In state cells: a tuple is its items one after another;
# a list is its length, then its items, then zeros; a set is 31 bits per cell, lowest first.
