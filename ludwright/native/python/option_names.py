"""What the answers of a choice are called outside, where that can be looked up.

Values made of several words, and pieces that differ only in their properties, are left to the
kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.views.naming import OUT_OF_GAME, Values


@dataclass(frozen=True, slots=True)
class Naming:
    """How one choice names its answers."""

    names: tuple[Any, ...] | None = None  # by answer; None: there is no such list
    answers: Mapping[Any, int] | None = None  # and back: every name stands for one answer
    numbers: bool = False  # answers are called by what they are; they may be a range
    # pieces by kind and place: by row of the piece (see `piece_rows`) and place, out of game first
    pieces: tuple[str, ...] | None = None


def piece_rows(program: ir.Program) -> list[int]:
    """Pieces of a kind are called alike and share a row; an individual has a row of its own."""
    rows: list[int] = []
    count = 0
    for kind in program.world.kinds:
        for _ in kind.pieces:
            rows.append(count)
            count += kind.individual
        count += not kind.individual
    return rows


def piece_names(program: ir.Program, values: Values) -> tuple[str, ...]:
    """The names of all rows, one after another."""
    world = program.world
    places = (OUT_OF_GAME, *(place.name for place in world.places))
    names: list[str] = []
    known = -1
    for piece, row in enumerate(piece_rows(program)):
        if row == known:
            continue
        known = row
        kind = values.piece_kinds[piece]
        if kind.individual:
            names += [values.piece_names[piece]] * len(places)
        else:
            names += [f"{kind.name}@{place}" for place in places]
    return tuple(names)


def naming(
    choice: ir.Choice, values: Values, classes: PieceClasses, pieces: tuple[str, ...]
) -> Naming:
    """`pieces` are the program's `piece_names`."""
    names: tuple[Any, ...] = ()
    if choice.kind == "labels":
        names = tuple(label.name for label in choice.labels)
    elif choice.type.kind == "int":
        return Naming(numbers=True)
    elif choice.type.kind == "piece" and classes.any_alike:
        return Naming(pieces=pieces)
    elif choice.type.kind == "bool":
        names = (False, True)
    elif choice.type.is_scalar and choice.type.kind != "none":
        names = values.names(choice.type)
    if not names or len(set(names)) != len(names) or STOP in names:
        return Naming()
    return Naming(names, {name: at for at, name in enumerate(names)})
