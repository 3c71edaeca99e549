"""Boards: grids of squares and hexagons, tracks, and points joined by lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

from ludwright.program.world import World
from ludwright.scene import shapes
from ludwright.scene.cells import cell_tokens, label_of, piece_items, space_item, tint
from ludwright.scene.colours import front
from ludwright.scene.figures import Figures
from ludwright.scene.lattice import lattice
from ludwright.scene.looks import drawn, styled
from ludwright.scene.maps import edges, map_part
from ludwright.scene.model import Item, Mark, Part, Shape, Text
from ludwright.scene.spaces import GroupView, SpaceView, neighbours
from ludwright.scene.words import titled

CELL = 60.0
GAPPED = 1000.0  # the lines of a board with rows between its squares share this
MARGIN = 26.0
STACK = 5  # pieces drawn one by one in the cell of a track
ROW = 12  # spaces in one row of a track


def board(world: World, group: GroupView, figures: Figures, named: bool) -> Part:
    """One group of spaces; `named`: under a heading, where there are several."""
    between = figures.looks.spaces(group.name).between
    if group.spotted:
        part = lattice(world, group, figures)
    elif group.shape == "track":
        part = _track(group, figures)
    elif group.shape == "hex" and group.placed:
        part = _grid(group, figures, hexagons=True)
    elif group.shape == "grid" and group.placed and between < 100:
        part = _gapped(group, figures, between / 100)
    elif group.shape == "grid" and group.placed:
        part = _grid(group, figures, hexagons=False)
    elif group.placed:
        part = _points(world, group, figures)
    else:
        part = map_part(world, group, figures)
    if not named:
        return part
    heading = Text(titled(group.name), 0, 8, "label", "ink3", "start")
    items = (Item(f"heading:{group.name}", "tag", 0, 0, (heading,)), *part.at(0, 22))
    return Part(part.width, part.height + 22, items)


# -------------------------------------------------------------------------- grids


def _grid(group: GroupView, figures: Figures, hexagons: bool) -> Part:
    columns = max(space.column for space in group.spaces)
    rows = max(space.row for space in group.spaces)
    look = figures.looks.spaces(group.name)
    usual = CELL * look.size / 100
    cell = usual if max(columns, rows) <= 10 else max(30.0, usual * 10 / max(columns, rows))
    step = cell * sqrt(3) / 2 if hexagons else cell
    slant = (rows - 1) * cell / 2 if hexagons else 0.0
    items: list[Item] = []
    tokens: list[Item] = []
    for at, space in enumerate(group.spaces):
        x = MARGIN + cell * (space.column - 0.5)
        x += (space.row - 1) * cell / 2 if hexagons else 0.0
        y = step * (rows - space.row) + (cell / sqrt(3) if hexagons else cell / 2)

        def draw(space: SpaceView = space, at: int = at, x: float = x, y: float = y) -> list[Item]:
            marks = list(_cell(group, space, at, cell, hexagons, figures))
            there = cell_tokens(space, x, y, cell, figures, hexagons)
            return [space_item(space, x, y, marks), *there]

        drawn_cell = figures.kept((group.name, at, space.changing), draw)
        items.append(drawn_cell[0])
        tokens += drawn_cell[1:]
    height = step * (rows - 1) + (cell * 2 / sqrt(3) if hexagons else cell)
    labels = _edge_labels(group, cell, step, hexagons, height) if look.label != "" else ()
    width = MARGIN * 2 + cell * columns + slant
    return Part(width, height + 22, (*items, *tokens, *labels))


def _gapped(group: GroupView, figures: Figures, narrow: float) -> Part:
    """A grid in which every second column and row lies between squares."""
    columns = max(space.column for space in group.spaces)
    rows = max(space.row for space in group.spaces)
    cell = GAPPED * figures.looks.spaces(group.name).size / 100 / max(columns, rows)

    def reach(line: int) -> tuple[float, float]:
        """Where a column or row begins, and how wide it is."""
        before = (line // 2) * cell + ((line - 1) // 2) * cell * narrow
        return before, cell if line % 2 else cell * narrow

    items: list[Item] = []
    tokens: list[Item] = []
    bottom = sum(reach(rows))
    for at, space in enumerate(group.spaces):
        (left, wide), (low, high) = reach(space.column), reach(space.row)
        x, y = MARGIN + left + wide / 2, bottom - low - high / 2
        fill = tint(figures, group, space, at)
        outline = Shape(shapes.box(wide, high, 4 if wide == high == cell else 0), fill)
        items.append(space_item(space, x, y, [outline]))
        tokens += cell_tokens(space, x, y, min(wide, high), figures, size=(wide, high))
    names = {(space.column, space.row): space.name for space in group.spaces}
    for line in range(1, max(columns, rows) + 1, 2):
        (start, wide), row = reach(line), Text(str(line), 0, 0, "detail", "ink3")
        column = replace(row, text=names.get((line, 1), "").removesuffix("1") or str(line))
        if line <= columns:
            x = MARGIN + start + wide / 2
            tokens.append(Item(f"column:{group.name}:{line}", "tag", x, bottom + 12, (column,)))
        if line <= rows:
            y = bottom - start - wide / 2
            tokens.append(Item(f"row:{group.name}:{line}", "tag", MARGIN / 2, y, (row,)))
    return Part(MARGIN * 2 + sum(reach(columns)), bottom + 22, (*items, *tokens))


def _cell(
    group: GroupView, space: SpaceView, at: int, cell: float, hexagons: bool, figures: Figures
) -> Iterator[Mark]:
    look = figures.looks.spaces(group.name)
    fill = tint(figures, group, space, at)
    outline = shapes.regular(6, cell / sqrt(3)) if hexagons else shapes.box(cell, cell)
    shape = styled(look.shape, space.attributes.get, at)
    if shape == "crossing":
        yield Shape(outline, fill)
        yield Shape(_lines_at(group, space, cell / 2), "none", "ink2", 1)
    elif shape == "disc":  # holes in a board
        under = look.colour.text if look.colour is not None else ""
        yield Shape(outline, fill, fill if under else "line2", 0.8)
        yield Shape(shapes.disc(cell * 0.41), "board", "line2", 0.8)
    else:
        # cells of different colours need no lines between them
        one = look.colour is None or bool(look.colour.text)
        plain = one or bool(space.level) or hexagons
        yield Shape(outline, fill, "line2" if plain else fill, 0.8)
    symbol = styled(look.symbol, space.attributes.get, at)
    if symbol:
        yield drawn(symbol, cell * 0.5, "ink3")
    if look.label:
        text = label_of(figures, group, space, "")
        yield Text(text, -cell / 2 + 5, -cell / 2 + 9, "detail", "ink3", "start")


def _lines_at(group: GroupView, space: SpaceView, half: float) -> str:
    """The two lines that cross in a space; at the edge of the board they end there."""
    columns = [other.column for other in group.spaces]
    rows = [other.row for other in group.spaces]
    left = 0.0 if space.column == min(columns) else -half
    right = 0.0 if space.column == max(columns) else half
    up = 0.0 if space.row == max(rows) else -half
    down = 0.0 if space.row == min(rows) else half
    return shapes.line((left, 0), (right, 0)) + shapes.line((0, up), (0, down))


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
    rows = -(-len(spaces) // ROW)
    across = -(-len(spaces) // rows)
    size = figures.looks.spaces(group.name).size / 100
    width, radius = 54.0 * size, 18.0 * size
    wedges = _wedged(group, figures)
    gap = 0.0 if wedges else 6.0
    deep = any(space.pieces for space in spaces)
    height = 2 * radius * STACK + 34 if deep else 84.0 * size
    between = 44.0 if wedges else 26.0
    items: list[Item] = []
    tokens: list[Item] = []
    if wedges:
        items.append(_tray(across * width, rows * (height + between) - between))
    for at, space in enumerate(spaces):
        row, column = divmod(at, across)
        column = across - 1 - column if row % 2 else column
        x, y = column * (width + gap) + width / 2, row * (height + between) + height / 2
        upward = wedges and row % 2 == 1  # the lower row points up, and fills from below
        marks = _track_cell(group, space, at, (width, height), wedges, upward, figures)
        items.append(space_item(space, x, y, list(marks)))
        start = y + height / 2 - 8 - radius if upward else y - height / 2 + 8 + radius
        ink = "ink" if wedges else _ink_on(tint(figures, group, space, at))
        tokens += _stacked(space, x, start, radius, -1 if upward else 1, figures, ink)
    return Part(
        across * (width + gap) - gap, rows * (height + between) - between, (*items, *tokens)
    )


def _wedged(group: GroupView, figures: Figures) -> bool:
    shape = figures.looks.spaces(group.name).shape
    return shape is not None and shape.text == "wedge"


def _tray(width: float, height: float) -> Item:
    """What wedges lie on."""
    mark = Shape(shapes.box(width + 20, height + 20, 10), "panel", "line2", 1.4)
    return Item("tray", "tag", width / 2, height / 2, (mark,))


def _track_cell(
    group: GroupView, space: SpaceView, at: int, size: tuple[float, float], wedges: bool,
    upward: bool, figures: Figures,
) -> Iterator[Mark]:  # fmt: skip
    width, height = size
    fill = tint(figures, group, space, at)
    foot = (height / 2) * (1 if upward else -1)
    text = label_of(figures, group, space, space.name.removeprefix(group.name) or space.name)
    if wedges:
        # the whole column can be clicked; the wedge lies in it
        yield Shape(shapes.box(width, height), "none")
        tip = (0.0, foot - 0.86 * height * (1 if upward else -1))
        yield Shape(shapes.polygon([(-width / 2 + 2, foot), (width / 2 - 2, foot), tip]), fill)
        yield Text(text, 0, -foot + (10 if upward else -10), "detail", "ink3")
        return
    shape = styled(figures.looks.spaces(group.name).shape, space.attributes.get, at)
    corner = min(width, height) / 2 if shape in ("oval", "disc") else 6
    yield Shape(shapes.box(width, height, corner), fill, "line2" if shape else "line", 1)
    ink = _ink_on(fill)
    yield Text(text, 0, height / 2 - 12, "detail", "ink3" if ink == "ink" else ink)


def _stacked(
    space: SpaceView, x: float, start: float, radius: float, way: int, figures: Figures, ink: str
) -> Iterator[Item]:
    pieces = sorted(space.pieces, key=figures.order)
    groups = [(piece, 1) for piece in pieces]
    if len(groups) > STACK:
        groups = figures.grouped(pieces)
    places = [(x, start + way * at * 2 * radius) for at in range(STACK)]
    yield from piece_items(figures, space, places, radius - 1, groups)
    if not pieces and space.values:
        text = " ".join(value or name for name, value in space.values)
        mark = Text(text, style="big", fill=ink)
        yield Item(f"value:{space.name}", "tag", x, start + way * 8, (mark,))


def _ink_on(fill: str) -> str:
    """What can be read on the tint of a space."""
    return "ink" if fill in ("panel", "shade") else front(fill)


# -------------------------------------------------------------------------- points


def _points(world: World, group: GroupView, figures: Figures) -> Part:
    """A map whose spaces have a column and a row: points joined by lines."""
    columns = max(space.column for space in group.spaces)
    rows = max(space.row for space in group.spaces)
    size = figures.looks.spaces(group.name).size / 100
    gap = min(84.0, max(56.0, 620.0 / max(columns, rows))) * size
    points = [
        ((space.column - 0.5) * gap, (rows - space.row + 0.5) * gap) for space in group.spaces
    ]
    items = list(edges(neighbours(world, group.spaces), group, points, 1.8))
    tokens: list[Item] = []
    for at, (space, (x, y)) in enumerate(zip(group.spaces, points, strict=True)):
        # a small knot that marks the point, inside a larger disc that can be clicked
        marks: list[Mark] = [
            Shape(shapes.disc(gap * 0.3), "none"),
            Shape(shapes.disc(gap * 0.12), tint(figures, group, space, at), "line2", 1.4),
            Text(label_of(figures, group, space, space.name), gap * 0.3, gap * 0.34, "detail",
                 "ink3"),
        ]  # fmt: skip
        items.append(space_item(space, x, y, marks))
        tokens += cell_tokens(space, x, y, gap * 0.74, figures)
    return Part(columns * gap, rows * gap + 8, (*items, *tokens))
