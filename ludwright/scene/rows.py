"""What the table behind a kind of pieces says of them: whose a piece is, and what it is.

Pieces made from the rows of a table (`each: Force`) have no owner of their own. Where the table
has a column of seats, that says whose they are; where it has a column of words, what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludwright.program.world import Attribute, PieceKind, World


@dataclass(frozen=True)
class RowsOf:
    """The rows of one kind, by their name."""

    owners: Mapping[str, int] = field(default_factory=dict)  # the number of a seat
    whats: Mapping[str, str] = field(default_factory=dict)
    words: Sequence[str] = ()  # everything that such a piece can be


def rows_of(world: World, kind: PieceKind) -> RowsOf:
    row = next((prop for prop in kind.properties if prop.type.kind == "row"), None)
    table = world.tables.get(row.type.name) if row is not None else None
    if table is None:
        return RowsOf()
    seats = _column(table.columns, "seat")
    what = _column(table.columns, "enum")
    if seats is None:
        return RowsOf()
    owners = {
        name: value
        for name, value in zip(table.rows, seats.values, strict=True)
        if isinstance(value, int) and value >= 0
    }
    if what is None:
        return RowsOf(owners)
    words = world.enums.get(what.type.name, ())
    whats = {
        name: words[value]
        for name, value in zip(table.rows, what.values, strict=True)
        if isinstance(value, int) and 0 <= value < len(words)
    }
    return RowsOf(owners, whats, words)


def _column(columns: Mapping[str, Attribute], kind: str) -> Attribute | None:
    """The only column with values of this kind; of several, none says it."""
    found = [column for column in columns.values() if column.type.kind == kind]
    return found[0] if len(found) == 1 else None
