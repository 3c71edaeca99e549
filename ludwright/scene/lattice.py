"""Boards drawn by the spots of their spaces: hexagons, rectangles of hexes, corners and sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from ludwright.program.world import World
from ludwright.scene import shapes
from ludwright.scene.figures import Figures
from ludwright.scene.model import Item, Mark, Part, Shape, Text
from ludwright.scene.spaces import GroupView, SpaceView

CELL = 60.0
EDGE = 14.0  # around everything
# Fills for the words that a board's spaces are told apart by, such as its terrain.
_FILLS = ("panel", "plus", "minus", "shade", "plus2", "minus2")


@dataclass(frozen=True)
class _Measure:
    """From spots to places in the picture."""

    cell: float
    left: int
    top: int
    hexagons: bool
    flat: bool = False  # they stand on a side

    @property
    def half(self) -> tuple[float, float]:
        """Half of a cell, across and up."""
        short, long = self.cell / 2, self.cell / sqrt(3) if self.hexagons else self.cell / 2
        return (long, short) if self.flat else (short, long)

    def at(self, spot: tuple[int, int]) -> tuple[float, float]:
        near, far = self.cell / 4, self.cell * sqrt(3) / 12 if self.hexagons else self.cell / 4
        across, up = (far, near) if self.flat else (near, far)
        x, y = (spot[0] - self.left) * across, (self.top - spot[1]) * up
        return EDGE + x + self.half[0], EDGE + y + self.half[1]

    @property
    def outline(self) -> str:
        if not self.hexagons:
            return shapes.box(self.cell, self.cell)
        return shapes.regular(6, self.cell / sqrt(3), 0.0 if self.flat else -90.0)


def lattice(world: World, group: GroupView, figures: Figures) -> Part:
    """A board with what belongs to it: cells first, then sides and corners, then the pieces."""
    cells = [world.spots[space.index] for space in group.spaces]
    across = (max(x for x, _ in cells) - min(x for x, _ in cells)) / 4 + 1
    hexagons = group.shape == "hex"
    size = CELL if across <= 10 else max(34.0, CELL * 10 / across)
    left, top = min(x for x, _ in cells), max(y for _, y in cells)
    measure = _Measure(size, left, top, hexagons, group.flat)
    items = [_cell(world, group, space, measure) for space in group.spaces]
    tokens = [t for space in group.spaces for t in _tokens(world, space, measure, figures, 0.3)]
    for part in sorted(group.parts, key=lambda part: part.shape, reverse=True):  # sides, corners
        for space in part.spaces:
            items.append(_part(world, part, space, measure))
            tokens += _tokens(world, space, measure, figures, 0.15)
    right, bottom = measure.at((max(x for x, _ in cells), min(y for _, y in cells)))
    wide, high = measure.half
    return Part(right + wide + EDGE, bottom + high + EDGE, (*items, *tokens))


def _cell(world: World, group: GroupView, space: SpaceView, measure: _Measure) -> Item:
    size = measure.cell
    marks: list[Mark] = [
        Shape(measure.outline, _fill(world, space), "line2", 0.8),
        Text(space.name.removeprefix(group.name), 0, -size * 0.32, "detail", "ink3"),
    ]
    if space.notes and not space.pieces:
        marks.append(Text(space.notes[0], 0, size * 0.3, "detail", "ink2"))
    return _space_item(world, space, measure, marks)


def _fill(world: World, space: SpaceView) -> str:
    if space.shaded:
        return "shade"
    for attribute in world.space_attributes.values():
        value = attribute.values[space.index]
        if attribute.type.kind == "enum" and isinstance(value, int) and value >= 0:
            return _FILLS[value % len(_FILLS)]
    return "panel"


def _part(world: World, group: GroupView, space: SpaceView, measure: _Measure) -> Item:
    """A corner is a small disc, a side a bar between its ends."""
    if group.shape == "corners":
        marks: list[Mark] = [Shape(shapes.disc(measure.cell * 0.09), "board", "line2", 0.8)]
        return _space_item(world, space, measure, marks)
    x, y = measure.at(world.spots[space.index])
    cx, cy = measure.at(world.spots[world.touching["cells"][space.index][0]])
    across, down = cx - x, cy - y  # towards the cell: the side itself is at right angles
    length = measure.cell * (0.19 if measure.hexagons else 0.34)
    far = sqrt(across * across + down * down) or 1.0
    end = (-down / far * length, across / far * length)
    line = shapes.line((-end[0], -end[1]), end)
    return _space_item(world, space, measure, [Shape(line, "none", "line2", measure.cell * 0.07)])


def _space_item(world: World, space: SpaceView, measure: _Measure, marks: list[Mark]) -> Item:
    x, y = measure.at(world.spots[space.index])
    said = [name if not value else f"{name} {value}" for name, value in space.values]
    name = ", ".join([space.title, *space.notes, *said])
    return Item(f"space:{space.name}", "space", x, y, tuple(marks), name, answers=(space.name,))


def _tokens(
    world: World, space: SpaceView, measure: _Measure, figures: Figures, part: float
) -> Iterator[Item]:
    """The pieces of a space side by side; without any, the values of its variables."""
    x, y = measure.at(world.spots[space.index])
    groups = figures.grouped(space.pieces)
    radius = measure.cell * (part if len(groups) < 2 else part * 0.62)
    for at, (piece, count) in enumerate(groups):
        own = str(piece.get("name") or "")
        name = figures.called(piece) + (f" × {count}" if count > 1 else "")
        yield Item(
            f"piece:{own}" if own else f"piece:{space.name}:{at}", "piece",
            x + (at - (len(groups) - 1) / 2) * 2 * radius, y, figures.token(piece, radius, count),
            f"{name} on {space.title}", answers=(own,) if own else (),
        )  # fmt: skip
    if not groups and space.values:
        text = " ".join(value or name for name, value in space.values)
        yield Item(f"value:{space.name}", "tag", x, y, (Text(text, style="big"),))
