"""Boards: grids of squares and hexagons, tracks, maps of plates or points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from ludwright.program.world import World
from ludwright.scene import shapes
from ludwright.scene.figures import Figures, Piece
from ludwright.scene.lattice import lattice
from ludwright.scene.layout import apart, spread
from ludwright.scene.model import Item, Mark, Part, Shape, Text
from ludwright.scene.spaces import GroupView, SpaceView, neighbours
from ludwright.scene.words import cut, titled

CELL = 60.0
MARGIN = 26.0
PLATE = (132.0, 66.0)
STACK = 5  # pieces drawn one by one in the cell of a track
ROW = 12  # spaces in one row of a track
_TINTS = {-2: "minus2", -1: "minus", 0: "panel", 1: "plus", 2: "plus2"}
_CHEVRONS = {-2: "▼▼", -1: "▼", 0: "", 1: "▲", 2: "▲▲"}


def board(world: World, group: GroupView, figures: Figures, named: bool) -> Part:
    """One group of spaces; `named`: under a heading, where there are several."""
    if group.spotted:
        part = lattice(world, group, figures)
    elif group.shape == "track":
        part = _track(group, figures)
    elif group.shape == "hex" and group.placed:
        part = _grid(group, figures, hexagons=True)
    elif group.shape == "grid" and group.placed:
        part = _grid(group, figures, hexagons=False)
    elif group.placed:
        part = _points(world, group, figures)
    else:
        part = _plates(world, group, figures)
    if not named:
        return part
    heading = Text(titled(group.name), 0, 8, "label", "ink3", "start")
    items = (Item(f"heading:{group.name}", "tag", 0, 0, (heading,)), *part.at(0, 22))
    return Part(part.width, part.height + 22, items)


def space_item(space: SpaceView, x: float, y: float, marks: Sequence[Mark]) -> Item:
    said = [name if not value else f"{name} {value}" for name, value in space.values]
    name = ", ".join([space.title, *space.notes, *said])
    return Item(f"space:{space.name}", "space", x, y, tuple(marks), name, answers=(space.name,))


def piece_items(
    figures: Figures, space: SpaceView, places: Iterable[tuple[float, float]], radius: float,
    groups: Sequence[tuple[Piece, int]],
) -> Iterator[Item]:  # fmt: skip
    """Tokens at the places given for them."""
    for at, ((piece, count), (x, y)) in enumerate(zip(groups, places, strict=False)):
        name = figures.called(piece) + (f" × {count}" if count > 1 else "")
        own = str(piece.get("name") or "")
        yield Item(
            f"piece:{own}" if own else f"piece:{space.name}:{at}", "piece", x, y,
            figures.token(piece, radius, count), f"{name} on {space.title}",
            answers=(own,) if own else (),
        )  # fmt: skip


def around(count: int, gap: float) -> list[tuple[float, float]]:
    """Places for a few tokens in one cell: one in the middle, otherwise in rows of two."""
    if count == 1:
        return [(0.0, 0.0)]
    rows = -(-count // 2)
    return [((at % 2 - 0.5) * gap, (at // 2 - (rows - 1) / 2) * gap) for at in range(count)]


# -------------------------------------------------------------------------- grids


def _grid(group: GroupView, figures: Figures, hexagons: bool) -> Part:
    columns = max(space.column for space in group.spaces)
    rows = max(space.row for space in group.spaces)
    cell = CELL if max(columns, rows) <= 10 else max(30.0, CELL * 10 / max(columns, rows))
    step = cell * sqrt(3) / 2 if hexagons else cell
    slant = (rows - 1) * cell / 2 if hexagons else 0.0
    outline = shapes.regular(6, cell / sqrt(3)) if hexagons else shapes.box(cell, cell)
    items: list[Item] = []
    tokens: list[Item] = []
    for space in group.spaces:
        x = MARGIN + cell * (space.column - 0.5)
        x += (space.row - 1) * cell / 2 if hexagons else 0.0
        y = step * (rows - space.row) + (cell / sqrt(3) if hexagons else cell / 2)
        items.append(space_item(space, x, y, [Shape(outline, _tint(space), "line2", 0.8)]))
        tokens += _cell_tokens(space, x, y, cell, figures)
    height = step * (rows - 1) + (cell * 2 / sqrt(3) if hexagons else cell)
    labels = _edge_labels(group, cell, step, hexagons, height)
    width = MARGIN * 2 + cell * columns + slant
    return Part(width, height + 22, (*items, *tokens, *labels))


def _tint(space: SpaceView) -> str:
    return "shade" if space.shaded and not space.level else _TINTS[max(-2, min(2, space.level))]


def _cell_tokens(
    space: SpaceView, x: float, y: float, cell: float, figures: Figures
) -> Iterator[Item]:
    groups = figures.grouped(space.pieces)
    if groups:
        radius = cell * (0.37 if len(groups) == 1 else 0.2)
        places = [(x + dx, y + dy) for dx, dy in around(len(groups), cell * 0.44)]
        yield from piece_items(figures, space, places, radius, groups)
    elif space.values:
        text = " ".join(value or name for name, value in space.values)
        yield Item(f"value:{space.name}", "tag", x, y, (Text(text, style="big"),))


def _edge_labels(
    group: GroupView, cell: float, step: float, hexagons: bool, height: float
) -> Iterator[Item]:
    """Letters below and numbers at the left, where the names of the spaces are made of them."""
    names = {(space.column, space.row): space.name for space in group.spaces}
    columns, rows = (max(place[axis] for place in names) for axis in (0, 1))
    stems = {
        column: name.removesuffix(str(row))
        for (column, row), name in names.items()
        if name.endswith(str(row))
    }
    for column in range(1, columns + 1):
        text = stems.get(column, str(column)) or str(column)
        x = MARGIN + cell * (column - 0.5)
        mark = Text(text, 0, 0, "detail", "ink3")
        yield Item(f"column:{group.name}:{column}", "tag", x, height + 12, (mark,))
    if rows == 1:
        return
    for row in range(1, rows + 1):
        x = MARGIN / 2 + ((row - 1) * cell / 2 if hexagons else 0.0)
        y = step * (rows - row) + (cell / sqrt(3) if hexagons else cell / 2)
        mark = Text(str(row), 0, 0, "detail", "ink3")
        yield Item(f"row:{group.name}:{row}", "tag", x, y, (mark,))


# ------------------------------------------------------------------------- tracks


def _track(group: GroupView, figures: Figures) -> Part:
    """Cells in serpentine rows; pieces stand on each other."""
    spaces = group.spaces
    across = len(spaces) if len(spaces) <= ROW else -(-len(spaces) // -(-len(spaces) // ROW))
    width, gap, radius = 54.0, 6.0, 18.0
    deep = any(space.pieces for space in spaces)
    height = 2 * radius * STACK + 34 if deep else 84.0
    items: list[Item] = []
    tokens: list[Item] = []
    for at, space in enumerate(spaces):
        row, column = divmod(at, across)
        column = across - 1 - column if row % 2 else column
        x, y = column * (width + gap) + width / 2, row * (height + 26) + height / 2
        label = space.name.removeprefix(group.name) or space.name
        marks: list[Mark] = [
            Shape(shapes.box(width, height, 6), _tint(space), "line", 1),
            Text(label, 0, height / 2 - 12, "detail", "ink3"),
        ]
        items.append(space_item(space, x, y, marks))
        tokens += _stacked(space, x, y - height / 2 + 8 + radius, radius, figures)
    rows = -(-len(spaces) // across)
    size = (across * (width + gap) - gap, rows * (height + 26) - 26)
    return Part(*size, (*items, *tokens))


def _stacked(
    space: SpaceView, x: float, top: float, radius: float, figures: Figures
) -> Iterator[Item]:
    pieces = sorted(space.pieces, key=figures.order)
    groups = [(piece, 1) for piece in pieces]
    if len(groups) > STACK:
        groups = figures.grouped(pieces)
    places = [(x, top + at * 2 * radius) for at in range(STACK)]
    yield from piece_items(figures, space, places, radius - 1, groups)
    if not pieces and space.values:
        text = " ".join(value or name for name, value in space.values)
        yield Item(f"value:{space.name}", "tag", x, top + 8, (Text(text, style="big"),))


# --------------------------------------------------------------------------- maps


def _points(world: World, group: GroupView, figures: Figures) -> Part:
    """A map whose spaces say where they are: points joined by lines."""
    columns = max(space.column for space in group.spaces)
    rows = max(space.row for space in group.spaces)
    gap = min(84.0, max(56.0, 620.0 / max(columns, rows)))
    points = [
        ((space.column - 0.5) * gap, (rows - space.row + 0.5) * gap) for space in group.spaces
    ]
    items = list(_edges(neighbours(world, group.spaces), group, points, 1.4))
    tokens: list[Item] = []
    for space, (x, y) in zip(group.spaces, points, strict=True):
        marks: list[Mark] = [
            Shape(shapes.disc(gap * 0.3), _tint(space), "line2", 1),
            Text(space.name, 0, gap * 0.4, "detail", "ink3"),
        ]
        items.append(space_item(space, x, y, marks))
        tokens += _cell_tokens(space, x, y, gap * 0.74, figures)
    return Part(columns * gap, rows * gap + 8, (*items, *tokens))


def _plates(world: World, group: GroupView, figures: Figures) -> Part:
    """A map as plates with names, laid out so that neighbours stand together."""
    near = neighbours(world, group.spaces)
    wide, high = PLATE
    if any(near):
        raw = spread(near)
        points = apart([(x * wide * 1.45, y * high * 1.9) for x, y in raw], wide + 18, high + 26)
    else:
        across = max(1, min(6, round(sqrt(len(near) * 1.5))))
        points = [
            (at % across * (wide + 18), at // across * (high + 18)) for at in range(len(near))
        ]
    left, top = min(x for x, _ in points) - wide / 2, min(y for _, y in points) - high / 2
    points = [(x - left, y - top) for x, y in points]
    items = list(_edges(near, group, points, 1.2))
    for space, (x, y) in zip(group.spaces, points, strict=True):
        items += _plate(space, x, y, figures)
    return Part(
        max(x for x, _ in points) + wide / 2, max(y for _, y in points) + high / 2 + 8, tuple(items)
    )


def _plate(space: SpaceView, x: float, y: float, figures: Figures) -> Iterator[Item]:
    wide, high = PLATE
    chips = [name if not value else f"{name} {value}" for name, value in space.values]
    detail = " · ".join([*space.notes, *chips, *filter(None, [_CHEVRONS.get(space.level, "")])])
    marks: list[Mark] = [
        Shape(shapes.box(wide, high, 8), _tint(space), "line2", 1.4),
        Text(space.title, 0, -high / 2 + 14, "name", "ink"),
    ]
    if detail:
        marks.append(Text(cut(detail, 23), 0, -high / 2 + 30, "detail", "ink2"))
    yield space_item(space, x, y, marks)
    groups = figures.grouped(space.pieces)
    gap = min(26.0, (wide - 16) / max(1, len(groups)))
    places = [
        (x + (at - (len(groups) - 1) / 2) * gap, y + high / 2 - 15) for at in range(len(groups))
    ]
    yield from piece_items(figures, space, places, 10.5, groups)


def _edges(
    near: Sequence[Sequence[int]], group: GroupView, points: Sequence[tuple[float, float]],
    width: float,
) -> Iterator[Item]:  # fmt: skip
    for at, others in enumerate(near):
        for other in others:
            if other > at:
                (x, y), (ox, oy) = points[at], points[other]
                mark = Shape(shapes.line((0, 0), (ox - x, oy - y)), "none", "line2", width)
                names = group.spaces[at].name, group.spaces[other].name
                yield Item(f"edge:{names[0]}:{names[1]}", "edge", x, y, (mark,))
