"""The World: everything a game declares that never changes while it is played.

Seats, places, directions, pieces, enums and tables as plain indexed data, with the names that
people use for them. Spaces come first among the places, so a space and a zone are both simply a
place; pieces are numbered kind by kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludwright.program.types import Overflow, Type

# A constant of the declarations: a scalar index, or a tuple of them (a list-valued column).
Constant = int | tuple[int, ...]


@dataclass(frozen=True)
class Attribute:
    """One constant property of each member of a universe: `type` of `values[index]`."""

    type: Type
    values: tuple[Constant, ...]


@dataclass(frozen=True)
class Place:
    name: str  # "e4", "hand:white", "deck"
    zone: str | None  # the zone's name, None for a space
    owner: int = -1  # the seat a per-seat zone belongs to
    order: str = "bag"
    see: str = "all"
    kinds: tuple[str, ...] = ()  # `of:`, the kinds of pieces it is for; all when empty

    def takes(self, kind: PieceKind) -> bool:
        """Whether pieces of a kind may lie here."""
        return not self.kinds or kind.name in self.kinds


@dataclass(frozen=True)
class Property:
    """A changeable or fixed property of a kind of piece; `initial` per piece of that kind."""

    name: str
    type: Type
    fixed: bool
    initial: tuple[int, ...]
    overflow: Overflow = "fault"  # of a number outside of its range


@dataclass(frozen=True)
class PieceKind:
    name: str
    first: int
    count: int
    properties: tuple[Property, ...]  # `owner` is one of them where the kind has owners
    names: tuple[str, ...]  # what a person calls each piece
    individual: bool = False

    @property
    def pieces(self) -> range:
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class Table:
    name: str
    rows: tuple[str, ...]  # names ("" where a row has none)
    columns: Mapping[str, Attribute]
    keyed: bool = False


@dataclass(frozen=True)
class World:
    seats: tuple[str, ...] = ()
    min_players: int = 1
    parameters: Mapping[str, int | bool] = field(default_factory=dict)
    enums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seat_attributes: Mapping[str, Attribute] = field(default_factory=dict)

    places: tuple[Place, ...] = ()
    space_count: int = 0
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    zones: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # one place, or several
    zone_each: Mapping[str, bool] = field(default_factory=dict)  # per seat?
    zone_index: Mapping[str, Type] = field(default_factory=dict)  # per member of what
    space_attributes: Mapping[str, Attribute] = field(default_factory=dict)

    directions: tuple[str, ...] = ()
    steps: tuple[tuple[int, ...], ...] = ()  # steps[direction][space] = space or -1
    adjacent: tuple[tuple[int, ...], ...] = ()  # per space, ascending
    near: tuple[tuple[int, ...], ...] = ()  # per space: the neighbours in all directions
    coordinates: tuple[tuple[int, int], ...] = ()  # per space: (column, row) from 1, or (0, 0)
    spots: tuple[tuple[int, int], ...] = ()  # per space: where it is drawn on a board, or (0, 0)
    # "cells", "corners", "sides": per space, which of them it touches; only where there are some
    touching: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    # by group and sign: the spaces that have it in the drawing of the board
    marked: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)

    kinds: tuple[PieceKind, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)

    @property
    def piece_count(self) -> int:
        return sum(kind.count for kind in self.kinds)

    @property
    def allowed_players(self) -> str:
        """How many can play, in words: `2`, or `2 to 4`."""
        most = len(self.seats)
        return f"{most}" if self.min_players == most else f"{self.min_players} to {most}"

    def column_and_row(self, space: int) -> tuple[int, int]:
        """Where a space is drawn; a map may say so itself, with properties `column` and `row`."""
        if space < len(self.coordinates) and self.coordinates[space] != (0, 0):
            return self.coordinates[space]
        column, row = (self.space_attributes.get(name) for name in ("column", "row"))
        if column is None or row is None or {column.type.kind, row.type.kind} != {"int"}:
            return (0, 0)
        across, up = column.values[space], row.values[space]
        if isinstance(across, int) and isinstance(up, int) and across > 0 and up > 0:
            return across, up
        return (0, 0)
