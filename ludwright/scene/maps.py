"""Maps: plates with names, joined by lines, where the rulebook or the layout puts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

from ludwright.program.world import World
from ludwright.scene import shapes
from ludwright.scene.cells import label_of, piece_items, space_item, tint
from ludwright.scene.colours import front
from ludwright.scene.figures import Figures, Piece
from ludwright.scene.land import Land, land_of
from ludwright.scene.layout import Point, placed
from ludwright.scene.letters import fitted
from ludwright.scene.letters import width as text_width
from ludwright.scene.looks import drawn, styled
from ludwright.scene.model import Item, Mark, Part, Shape, Text
from ludwright.scene.spaces import GroupView, SpaceView, neighbours

PLATE = (136.0, 70.0)
KNOT = 34.0  # a space drawn as a disc: a way, a station
MANY = 4  # neighbours; more are joined by fainter lines
CROWD = 80  # lines; beyond this all but those of the space one points at are faint
TOKEN = 10.0
ROOMY = 1.4  # times the width of a plate: words on land
_KINDS = ("square", "oval", "plate", "dashed")  # by the number of the kind
_CHEVRONS = {-2: "▼▼", -1: "▼", 0: "", 1: "▲", 2: "▲▲"}


def map_part(world: World, group: GroupView, figures: Figures) -> Part:
    near = neighbours(world, group.spaces)
    look = figures.looks.spaces(group.name)
    wide, high = (side * look.size / 100 for side in PLATE)
    kinds = tuple(styled(look.shape, s.attributes.get, at) for at, s in enumerate(group.spaces))
    sizes = tuple((KNOT, KNOT) if kind in ("disc", "way") else (wide, high) for kind in kinds)
    if any(near) or any(space.point for space in group.spaces):
        points = placed(tuple(map(tuple, near)), tuple(s.point for s in group.spaces), sizes)
    else:
        points = _rows(len(near), wide, high)
    left, top = min(x for x, _ in points) - wide / 2, min(y for _, y in points) - high / 2
    points = [(x - left, y - top) for x, y in points]
    land: Land | None = None
    if "region" in kinds:
        land = land_of(tuple(points), kinds, tuple(map(tuple, near)), sizes)
        items = list(_ground(land, group, points, figures))
    else:
        items = []
    items += edges(near, group, points, 1.3, land)
    spaces: list[tuple[int, Item]] = []
    pieces: list[Item] = []
    for at, (space, place, size) in enumerate(zip(group.spaces, points, sizes, strict=True)):
        outline = land.outlines.get(at, "") if land is not None else ""
        draw = _knot if size == (KNOT, KNOT) else _plate
        room = (size[0] * ROOMY, size[1]) if outline else size
        first, *rest = draw(group, space, at, place, room, figures, outline)
        spaces.append((0 if outline else 1, first))  # what stands on land is drawn over it
        pieces += rest
    items += [item for _, item in sorted(spaces, key=lambda one: one[0])] + pieces
    width, height = max(x for x, _ in points) + wide / 2, max(y for _, y in points) + high / 2
    return Part(width, height + 8, tuple(items))


def _rows(count: int, wide: float, high: float) -> list[Point]:
    """Spaces that nothing joins, side by side."""
    across = max(1, min(6, round(sqrt(count * 1.5))))
    return [(at % across * (wide + 18), at // across * (high + 18)) for at in range(count)]


def _ground(
    land: Land, group: GroupView, points: Sequence[Point], figures: Figures
) -> Iterator[Item]:
    """Regions, their borders, and the ways across them."""
    for at, outline in land.outlines.items():
        space = group.spaces[at]
        fill = tint(figures, group, replace(space, shaded=False), at)
        yield Item(f"ground:{space.name}", "tag", *points[at], (Shape(outline, fill, fill, 0.6),))
    lines = (
        Shape(land.borders, "none", "line2", 1.2),
        Shape(land.closed, "none", "ink3", 4, opacity=0.5),
        Shape(land.coast, "none", "line2", 2.4),
    )
    yield Item(f"borders:{group.name}", "tag", 0, 0, lines)
    for at, road in land.roads.items():
        fill = tint(figures, group, replace(group.spaces[at], shaded=False), at)
        marks = (Shape(road, "none", "ink2", 6.5), Shape(road, "none", fill, 4.2))
        yield Item(f"road:{group.spaces[at].name}", "tag", 0, 0, marks)


def edges(
    near: Sequence[Sequence[int]], group: GroupView, points: Sequence[Point], width: float,
    land: Land | None = None,
) -> Iterator[Item]:  # fmt: skip
    """Lines between neighbours. On land only those that no border and no way shows; the others
    appear when one points at a space."""
    crowded = sum(map(len, near)) / 2 > CROWD
    for at, others in enumerate(near):
        for other in others:
            if other > at:
                (x, y), (ox, oy) = points[at], points[other]
                faint = 0.5 if max(len(others), len(near[other])) > MANY else 1.0
                faint = 0.3 if crowded else faint
                if land is not None:
                    apart = {at, other} <= set(land.outlines) and (at, other) not in land.touching
                    faint = 0.35 if apart else 0.0
                way = shapes.line((0, 0), (ox - x, oy - y))
                mark = Shape(way, "none", "line2", width, dash=land is not None, opacity=faint)
                names = group.spaces[at].name, group.spaces[other].name
                yield Item(f"edge:{names[0]}:{names[1]}", "edge", x, y, (mark,))


# ------------------------------------------------------------------------ one plate


def _plate(
    group: GroupView,
    space: SpaceView,
    at: int,
    place: Point,
    size: tuple[float, float],
    figures: Figures,
    outline: str,
) -> Iterator[Item]:
    wide, high = size
    fill = tint(figures, group, replace(space, shaded=False), at)  # only squares are shaded
    look = figures.looks.spaces(group.name)
    ink = front(fill) if fill not in ("panel", "shade") else "ink"
    # a region is drawn below; here is what can be pointed at
    area = Shape(outline, "panel", opacity=0.0) if outline else None
    marks: list[Mark] = [area or _outline(group, space, at, size, fill, figures)]
    symbol = styled(look.symbol, space.attributes.get, at)
    arrows = _CHEVRONS.get(space.level, "")
    title = f"{label_of(figures, group, space, space.title)} {arrows}".rstrip()
    name = fitted(title, wide - (24 if symbol else 10), 8.0 if symbol else 0.0, -high / 2 + 14,
                  "name", ink)  # fmt: skip
    if symbol:
        half = text_width(name.text, "name") * name.scale / 2
        marks.append(drawn(symbol, 14, ink, -half - 4, -high / 2 + 14))
    marks.append(name)
    detail = _detail(space, look.label is None)
    if detail:
        marks.append(fitted(detail, wide - 10, 0, -high / 2 + 30, "detail", _second(ink)))
    yield space_item(space, *place, marks)
    yield from _pills(space, place, size, figures)


def _knot(
    group: GroupView,
    space: SpaceView,
    at: int,
    place: Point,
    size: tuple[float, float],
    figures: Figures,
    outline: str,
) -> Iterator[Item]:
    """A small disc with the first number that the space has; what stands there, below it."""
    fill = tint(figures, group, replace(space, shaded=False), at)
    numbers = (
        value for key, value in space.attributes.items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0
        and key not in ("column", "row", "index")
    )  # fmt: skip
    del outline
    symbol = styled(figures.looks.spaces(group.name).symbol, space.attributes.get, at)
    text = symbol or "".join(str(value) for value, _ in zip(numbers, range(1), strict=False))
    marks: list[Mark] = [Shape(shapes.disc(size[0] * 0.32), fill, "ink2", 1.4)]
    if text:
        marks.append(drawn(text, 13, "ink") if symbol else Text(text, 0, 0, "number", "ink"))
    chips = " ".join(name if not value else f"{name} {value}" for name, value in space.values)
    if chips:
        marks.append(Text(chips, 0, -size[1] / 2 - 1, "detail", "ink2"))
    yield space_item(space, *place, marks)
    yield from _pills(space, (place[0], place[1] + 8), (PLATE[0] * 0.6, size[1]), figures)


def _second(ink: str) -> str:
    return "ink2" if ink == "ink" else ink


def _detail(space: SpaceView, notes: bool) -> str:
    chips = [name if not value else f"{name} {value}" for name, value in space.values]
    return " · ".join([*(space.notes if notes else ()), *chips])


def _outline(
    group: GroupView, space: SpaceView, at: int, size: tuple[float, float], fill: str,
    figures: Figures,
) -> Shape:  # fmt: skip
    """The shape of a plate: as the rulebook says, else one for each kind of space."""
    wide, high = size
    kinds = {other.kind for other in group.spaces}
    usual = _KINDS[space.kind % len(_KINDS)] if len(kinds) > 1 else "plate"
    match styled(figures.looks.spaces(group.name).shape, space.attributes.get, at) or usual:
        case "square":
            return Shape(shapes.box(wide, high, 4), fill, "ink2", 2.2)
        case "oval":
            return Shape(shapes.box(wide, high, high / 2), fill, "line2", 1.4)
        case "dashed":
            return Shape(shapes.box(wide, high, 10), fill, "ink2", 1.4, dash=True)
        case "disc":
            return Shape(shapes.disc(high * 0.62), fill, "line2", 1.4)
        case "none":
            return Shape(shapes.box(wide, high, 8), fill, "none")
        case _:
            return Shape(shapes.box(wide, high, 12), fill, "line2", 1.4)


def _pills(
    space: SpaceView, place: Point, size: tuple[float, float], figures: Figures
) -> Iterator[Item]:
    """One pill for each owner of pieces: their mark, then a token for each kind with its number."""
    groups = figures.grouped(space.pieces)
    owners = list(dict.fromkeys(figures.owner(piece) for piece, _ in groups))
    pills = [[one for one in groups if figures.owner(one[0]) == owner] for owner in owners]
    gap = 2.3 * TOKEN
    widths = [gap * len(pill) + (20 if owner is not None else 4) for owner, pill in
              zip(owners, pills, strict=True)]  # fmt: skip
    squeeze = min(1.0, (size[0] - 6) / max(1.0, sum(widths) + 4 * (len(widths) - 1)))
    x = place[0] - (sum(widths) + 4 * (len(widths) - 1)) * squeeze / 2
    y = place[1] + size[1] / 2 - 15
    for owner, pill, width in zip(owners, pills, widths, strict=True):
        yield from _pill(space, owner, pill, (x, y), width * squeeze, squeeze, figures)
        x += (width + 4) * squeeze


def _pill(
    space: SpaceView, owner: int | None, pieces: Sequence[tuple[Piece, int]], at: Point,
    width: float, squeeze: float, figures: Figures,
) -> Iterator[Item]:  # fmt: skip
    x, y = at
    radius = TOKEN * max(0.6, squeeze)
    step = 2.3 * TOKEN * squeeze
    first = x + (20 if owner is not None else 4) * squeeze + step / 2 - 2
    if owner is not None:
        colour = figures.colour(owner)
        marks: list[Mark] = [
            Shape(shapes.box(width, 2 * radius + 6, 6), "panel", colour, 1.6),
            Shape(shapes.moved(shapes.seat_mark(owner, 4.5 * squeeze), 10 * squeeze - width / 2, 0),
                  colour, "outline", 0.6),
        ]  # fmt: skip
        yield Item(f"pill:{space.name}:{owner}", "tag", x + width / 2, y, tuple(marks))
    places = [(first + number * step, y) for number in range(len(pieces))]
    named = f"{space.name}:{owner}"
    yield from piece_items(figures, space, places, radius, pieces, named)
