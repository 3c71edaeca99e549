"""Seats around a table: each with its name, its values and its zones; in the middle what belongs to
all. Who looks sits at the bottom, and play goes round with the clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import cos, pi, sin

from ludwright.scene import shapes
from ludwright.scene.figures import Figures
from ludwright.scene.letters import cut, width
from ludwright.scene.looks import drawn
from ludwright.scene.model import Item, Mark, Part, SeatPanel, Shape, Text, below

PLATE = (156.0, 48.0)
GAP = 14.0
TUCKED = -6.0  # cards stick out behind the plate
FELT = (0.86, 0.8)  # of the way to the seats
LARGER = 1.06  # how much the ring grows while seats overlap
FAINT = 0.55  # how much is left of the colours of a seat that is out
GROWING = 40  # times at most: what lies between a seat and the middle moves with the seat


@dataclass(frozen=True)
class Place:
    """A seat at the table: its plate, what lies before it, and what it has put in the middle."""

    seat: str
    panel: SeatPanel
    zones: Part
    offered: Part


@dataclass(frozen=True)
class _Box:
    x: float  # its middle
    y: float
    width: float
    height: float

    def overlaps(self, other: _Box, gap: float = GAP) -> bool:
        return (
            abs(self.x - other.x) < (self.width + other.width) / 2 + gap
            and abs(self.y - other.y) < (self.height + other.height) / 2 + gap
        )


def ring(places: Sequence[Place], middle: Part, figures: Figures, acting: bool) -> Part:
    """The first place is at the bottom. `acting`: whether the one who looks can act."""
    clusters = [cluster(place, at == 0 and acting, figures) for at, place in enumerate(places)]
    centre = _Box(0, 0, middle.width, middle.height)
    radius = (max(250.0, middle.width / 2 + 40), max(130.0, middle.height / 2 + 30))
    boxes, offered = _seated(places, clusters, radius)
    for _ in range(GROWING):
        shown = [centre, *boxes, *(box for box in offered if box.width)]
        if not any(one.overlaps(other) for one, other in combinations(shown, 2)):
            break
        radius = (radius[0] * LARGER, radius[1] * LARGER)
        boxes, offered = _seated(places, clusters, radius)
    items = [_felt(radius), *_put(middle, centre)]
    for place, box in zip(places, offered, strict=True):
        items += _put(place.offered, box)
    for part, box in zip(clusters, boxes, strict=True):
        items += _put(part, box)
    rim = _Box(0, 0, 2 * radius[0] * FELT[0], 2 * radius[1] * FELT[1])
    return _framed(items, [centre, rim, *boxes, *offered])


def _seated(
    places: Sequence[Place], clusters: Sequence[Part], radius: tuple[float, float]
) -> tuple[list[_Box], list[_Box]]:
    """Where the seats are on a ring, and what they have put in the middle."""
    boxes = [_box(part, at, len(clusters), radius) for at, part in enumerate(clusters)]
    return boxes, [_offer(place, box) for place, box in zip(places, boxes, strict=True)]


def _box(part: Part, at: int, count: int, radius: tuple[float, float]) -> _Box:
    """Where a seat is: its inner edge stands on the ring."""
    angle = pi / 2 + 2 * pi * at / count
    x, y = radius[0] * cos(angle), radius[1] * sin(angle)
    return _Box(x + cos(angle) * part.width / 2, y + sin(angle) * part.height / 2,
                part.width, part.height)  # fmt: skip


def _offer(place: Place, box: _Box) -> _Box:
    """What a seat has put in the middle lies between it and the middle."""
    part = place.offered
    reach = max(abs(box.x) / 1.0, abs(box.y), 1.0)
    x = box.x - box.x / reach * min(reach, (box.width + part.width) / 2 + GAP + 2)
    y = box.y - box.y / reach * min(reach, (box.height + part.height) / 2 + GAP + 2)
    return _Box(x, y, part.width, part.height)


def _felt(radius: tuple[float, float]) -> Item:
    width, height = 2 * radius[0] * FELT[0], 2 * radius[1] * FELT[1]
    shape = Shape(shapes.box(width, height, height / 2), "felt", "line", 1)
    return Item("felt", "tag", 0, 0, (shape,))


def _put(part: Part, box: _Box) -> tuple[Item, ...]:
    return part.at(box.x - part.width / 2, box.y - part.height / 2)


def _framed(items: Sequence[Item], boxes: Sequence[_Box]) -> Part:
    left = min(box.x - box.width / 2 for box in boxes)
    right = max(box.x + box.width / 2 for box in boxes)
    top = min(box.y - box.height / 2 for box in boxes)
    bottom = max(box.y + box.height / 2 for box in boxes)
    return Part(right - left, bottom - top, Part(0, 0, tuple(items)).at(-left, -top))


# ------------------------------------------------------------------------- one seat


def cluster(place: Place, acting: bool, figures: Figures) -> Part:
    """A seat with its cards behind it; `acting`: it is the one who looks, and can act."""
    plate = Part(*PLATE, (_plate(place, acting, figures),))
    return below([part for part in (place.zones, plate) if part.items], TUCKED)


def _plate(place: Place, acting: bool, figures: Figures) -> Item:
    wide, high = PLATE
    panel = place.panel
    edge, width = ("act", 2.5) if acting else ("ink2", 1.6) if panel.to_act else ("line2", 1)
    marks: list[Mark] = [Shape(shapes.box(wide, high, 8), "panel", edge, width)]
    marks += _sign(place, -wide / 2 + 18, -9, figures)
    marks += _words(panel, wide)
    marks += _badges(panel, wide / 2, high / 2)
    if panel.faint:
        marks = [_fainter(mark) for mark in marks]
    said = ", ".join(f"{value.name} {value.text}" for value in panel.values)
    name = f"{panel.name}: {said}" if said else panel.name
    return Item(f"plate:{place.seat}", "tag", wide / 2, high / 2, tuple(marks), name,
                answers=(place.seat,))  # fmt: skip


def _badges(panel: SeatPanel, right: float, bottom: float) -> Iterator[Mark]:
    """On the lower edge, from the right."""
    for at, badge in enumerate(panel.badges):
        x = right - 20 - 24 * at
        yield Shape(shapes.moved(shapes.disc(10), x, bottom), "ink2", "panel", 1.5)
        yield Text(badge, x, bottom, "detail", "panel", scale=1 if len(badge) == 1 else 0.8)


def _fainter(mark: Mark) -> Mark:
    """Of a seat that is out of what is being played."""
    if isinstance(mark, Text):
        return replace(mark, fill="ink3")
    return replace(mark, opacity=FAINT)


def _sign(place: Place, x: float, y: float, figures: Figures) -> Iterator[Mark]:
    symbol = figures.looks.seat_symbols.get(place.seat)
    if symbol:
        yield drawn(symbol, 15, "ink", x, y)
    else:
        mark = shapes.moved(shapes.seat_mark(place.panel.number, 6.5), x, y)
        yield Shape(mark, place.panel.colour, "outline", 0.8)


def _words(panel: SeatPanel, wide: float) -> Iterator[Mark]:
    """The name and the first value; below them what the seat does, and its other values."""
    values, left, right = panel.values, -wide / 2 + 32, wide / 2 - 12
    first = cut(values[0].text, (right - left) / 2, "number") if values else ""
    room = right - left - (width(first, "number") + 8 if first else 0)
    yield Text(cut(panel.name, room), left, -9, "label", "ink", "start")
    if first:
        yield Text(first, right, -9, "number", "ink", "end")
    note = "won" if panel.rank == 1 else f"rank {panel.rank}" if panel.rank else ""
    rest = [f"{value.name} {value.text}" for value in values[1:]]
    said = list(filter(None, [note or ("to decide" if panel.to_act else ""), *rest]))
    while len(said) > 1 and width(" · ".join(said), "detail") > right - left:
        said.pop()  # the panel at the side has them all
    text = cut(" · ".join(said), right - left, "detail")
    yield Text(text, left, 10, "detail", "ink2", "start")
    room = right - left - width(text, "detail") - 12
    if values and width(values[0].name, "detail") <= room:
        yield Text(values[0].name, right, 10, "detail", "ink3", "end")
