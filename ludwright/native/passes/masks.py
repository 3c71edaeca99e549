"""Sets of spaces, or of pieces, as expressions over facts.

`codegen.expressions.set_loops` writes them as operations on words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int

_MOST_VALUES = 8  # of a property


@dataclass(frozen=True, slots=True)
class Family:
    """Facts that are kept together: one set for each value.

    free: spaces without a piece. several: spaces with more than one. away: pieces that lie nowhere.
    cells, table: spaces by a property of their first piece, which is a cell or a table's entry at
    the number of the piece.
    """

    kind: Literal["free", "several", "away", "cells", "table"]
    at: int = 0  # the first cell, or the number of the table
    none: int = 0  # the value where there is no piece

    @property
    def of_pieces(self) -> bool:
        return self.kind == "away"


@dataclass(frozen=True, slots=True)
class Fact:
    """The elements of a family with a value; None: of one that is a single set."""

    family: Family
    value: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """The elements whose entry in a table is a value."""

    table: int
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Only:
    """The element that a value is, if it is one."""

    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Both:
    left: Mask
    right: Mask


@dataclass(frozen=True, slots=True)
class Either:
    left: Mask
    right: Mask


@dataclass(frozen=True, slots=True)
class Others:
    """All elements that are not in a set."""

    of: Mask


@dataclass(frozen=True, slots=True)
class Fixed:
    """A set that never changes."""

    bits: int


@dataclass(frozen=True, slots=True)
class Holds:
    """All elements where a condition holds that is the same for all of them; else none."""

    when: ir.Expr


@dataclass(frozen=True, slots=True)
class Moved:
    """The elements from which a step leads into a set.

    `steps`: by how much the number of an element grows, with the elements for which it does so.
    """

    of: Fact
    steps: tuple[tuple[int, int], ...]


Mask = Fact | Entry | Only | Both | Either | Others | Fixed | Holds | Moved

NOTHING = Fixed(0)


def others(mask: Mask) -> Mask:
    return mask.of if isinstance(mask, Others) else Others(mask)


def parts(masks: Iterable[Mask | None]) -> Iterator[Mask]:
    """The masks and everything they are made of; what is shared once."""
    seen: set[int] = set()
    stack = list(masks)
    while stack:
        mask = stack.pop()
        if mask is None or id(mask) in seen:
            continue
        seen.add(id(mask))
        yield mask
        stack += made_of(mask)


def made_of(mask: Mask) -> tuple[Mask, ...]:
    """The sets that a set is made of."""
    match mask:
        case Both(left=left, right=right) | Either(left=left, right=right):
            return left, right
        case Others(of=of) | Moved(of=of):
            return (of,)
        case _:
            return ()


def families(masks: Iterable[Mask | None]) -> list[Family]:
    """The families of facts that sets are made of."""
    found = {part.family: None for part in parts(masks) if isinstance(part, Fact)}
    return list(found)


class Families:
    """Of which properties of pieces a Program can keep facts."""

    def __init__(self, program: ir.Program, shapes: Inference) -> None:
        self._program = program
        self._shapes = shapes
        self.spaces = sum(1 for place in program.world.places if place.zone is None)
        self.pieces = program.world.piece_count

    def bounds(self, family: Family) -> Int:
        """Of the values of a family."""
        if family.kind == "cells":
            one = self._shapes.of(ir.LoadAt(family.at, ir.Const(0), self.pieces, family.none))
            found = one if isinstance(one, Int) else Int()
        elif family.kind == "table":
            entries = self._program.tables[family.at]
            found = Int(min(entries, default=0), max(entries, default=0))
        else:
            return Int(0, 0)
        return Int(min(found.lo, family.none), max(found.hi, family.none))

    def can_be_kept(self, family: Family) -> bool:
        """Whether there are facts for the few values of a property that every piece has."""
        bounds = self.bounds(family)
        known = family.kind == "table" or family.at in self._properties
        return known and bounds.hi - bounds.lo < _MOST_VALUES

    def of_piece(self, node: ir.LoadAt | ir.Lookup) -> Family | None:
        """The family of a property of pieces; the index of the node is a piece."""
        if isinstance(node, ir.Lookup):
            family = Family("table", node.table, node.none)
        elif node.stride == 1 and node.size == self.pieces:
            family = Family("cells", node.addr, node.none)
        else:
            return None
        return family if self.can_be_kept(family) else None

    @cached_property
    def _properties(self) -> frozenset[int]:
        """The first cells of properties that every piece has, in one cell each."""
        return frozenset(
            variable.addr
            for variable in self._program.variables
            if variable.scope == "piece"
            and variable.count == self.pieces
            and variable.type.is_scalar
        )
