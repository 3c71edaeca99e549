"""Where the cells of boards, their corners and their sides lie.

Every space of a board has a spot on a fine lattice. Neighbouring cells of a grid are 4 apart. A
hexagon has its corners at the top and at the bottom; cells beside each other are 4 apart, and rows
6. One with a flat top is the same lying on its side. What touches what, and in which direction,
follows from the spots alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

Spot = tuple[int, int]
Form = Literal["rhombus", "rectangle", "hexagon"]
Touching = Literal["cells", "corners", "sides"]

COMPASS: dict[str, Spot] = {  # (columns east, rows north)
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}


class Cells(NamedTuple):
    """A kind of cells: how far the next ones are, and where corners and sides lie."""

    steps: Mapping[str, Spot]
    corners: Mapping[str, Spot]
    sides: Mapping[str, tuple[Spot, Spot, Spot]]  # the middle, and the corners at both ends


SQUARES = Cells(
    steps={name: (4 * east, 4 * north) for name, (east, north) in COMPASS.items()},
    corners={"ne": (2, 2), "se": (2, -2), "sw": (-2, -2), "nw": (-2, 2)},
    sides={
        "n": ((0, 2), (-2, 2), (2, 2)), "e": ((2, 0), (2, -2), (2, 2)),
        "s": ((0, -2), (-2, -2), (2, -2)), "w": ((-2, 0), (-2, -2), (-2, 2)),
    },
)  # fmt: skip
HEXES = Cells(
    steps={
        "northeast": (2, 6), "east": (4, 0), "southeast": (2, -6),
        "southwest": (-2, -6), "west": (-4, 0), "northwest": (-2, 6),
    },
    corners={
        "n": (0, 4), "ne": (2, 2), "se": (2, -2), "s": (0, -4), "sw": (-2, -2), "nw": (-2, 2),
    },
    sides={
        "ne": ((1, 3), (0, 4), (2, 2)), "e": ((2, 0), (2, 2), (2, -2)),
        "se": ((1, -3), (2, -2), (0, -4)), "sw": ((-1, -3), (0, -4), (-2, -2)),
        "w": ((-2, 0), (-2, -2), (-2, 2)), "nw": ((-1, 3), (-2, 2), (0, 4)),
    },
)  # fmt: skip

FLAT_HEXES = Cells(
    steps={
        "north": (0, 4), "northeast": (6, 2), "southeast": (6, -2),
        "south": (0, -4), "southwest": (-6, -2), "northwest": (-6, 2),
    },
    corners={
        "ne": (2, 2), "e": (4, 0), "se": (2, -2), "sw": (-2, -2), "w": (-4, 0), "nw": (-2, 2),
    },
    sides={
        "n": ((0, 2), (-2, 2), (2, 2)), "ne": ((3, 1), (2, 2), (4, 0)),
        "se": ((3, -1), (4, 0), (2, -2)), "s": ((0, -2), (2, -2), (-2, -2)),
        "sw": ((-3, -1), (-2, -2), (-4, 0)), "nw": ((-3, 1), (-4, 0), (-2, 2)),
    },
)  # fmt: skip


def hex_cells(form: Form, size: tuple[int, ...]) -> list[Spot]:
    """Columns and rows of a board of hexes, row by row from the lowest."""
    if form == "hexagon":
        side = size[0]
        across = range(1, 2 * side)
        return [(c, r) for r in across for c in across if side < c + r < 3 * side]
    columns, rows = size
    return [(c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)]


def square_spot(column: int, row: int) -> Spot:
    return 4 * column, 4 * row


def hex_spot(form: Form, flat: bool, column: int, row: int) -> Spot:
    """In a rectangle every second row starts half a cell further right, else every row does.

    Of hexes with flat tops, it is every second column that starts half a cell higher.
    """
    if flat:
        up, across = hex_spot(form, False, row, column)
        return across, up
    shift = 2 * ((row - 1) % 2) if form == "rectangle" else 2 * (row - 1)
    return 4 * column + shift, 6 * row


def direction(origin: Spot, target: Spot) -> str:
    """Where one thing that touches another lies: one of the eight directions."""
    across, up = (_sign(there - here) for here, there in zip(origin, target, strict=True))
    return next(name for name, offset in COMPASS.items() if offset == (across, up))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Parts:
    """The corners, or the sides, of the cells of a board, and which cells they touch."""

    def __init__(self, cells: Cells, spots: Mapping[int, Spot], of: Literal["corners", "sides"]):
        offsets: dict[str, Spot] = (
            dict(cells.corners) if of == "corners" else {n: s[0] for n, s in cells.sides.items()}
        )
        found: dict[Spot, list[tuple[int, str]]] = {}
        for cell, spot in spots.items():
            for name, offset in offsets.items():
                found.setdefault(_moved(spot, offset), []).append((cell, name))
        # row by row from the lowest, each from the left
        self.touching = {spot: found[spot] for spot in sorted(found, key=lambda at: at[::-1])}

    def names(self, group: str, cell_names: list[str]) -> list[str]:
        """`corner_b2_ne`: by the first cell that it touches."""
        return [
            f"{group}_{cell_names[cell]}_{where}"
            for cell, where in (min(cells) for cells in self.touching.values())
        ]


def ends(cells: Cells, spots: Iterable[Spot]) -> dict[Spot, tuple[Spot, Spot]]:
    """The two corners of every side."""
    return {
        _moved(spot, middle): (_moved(spot, one), _moved(spot, other))
        for spot in spots
        for middle, one, other in cells.sides.values()
    }


def _moved(spot: Spot, offset: Spot) -> Spot:
    return spot[0] + offset[0], spot[1] + offset[1]
