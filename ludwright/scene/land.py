"""Land: regions that fill a map up to its coast, and ways that run between places.

Every point of the land belongs to the region whose point is nearest; a place that stands on the
land, such as a city, adds the land around it to the nearest region next to it. Where two regions
touch without being adjacent, their border is marked as closed, so that the map does not lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

from ludwright.scene.layout import Near, Point
from ludwright.scene.shapes import line, number, polygon

SHORE = 14.0  # land around what stands outermost
BEYOND = 0.75  # how far a way goes on that leads to no second place
SAME = 0.6  # corners that are nearer than this are one
# of a plate, cut off: the coast has no sharp corners
_CORNERS = ((-1, -0.4), (-0.6, -1), (0.6, -1), (1, -0.4), (1, 0.4), (0.6, 1), (-0.6, 1), (-1, 0.4))
_Corner = tuple[Point, int]  # a corner, and the site behind the edge that begins there; -1: sea


@dataclass(frozen=True)
class Land:
    outlines: dict[int, str]  # of each region, around its point
    touching: frozenset[tuple[int, int]]  # regions with a border, the lower number first
    borders: str
    closed: str  # borders that cannot be crossed
    coast: str
    roads: dict[int, str]  # of each way


@lru_cache(32)
def land_of(
    points: tuple[Point, ...], kinds: tuple[str, ...], near: Near, sizes: tuple[Point, ...]
) -> Land:
    """`kinds`: the shape of each space; those that are neither region nor way are places."""
    regions = [at for at, kind in enumerate(kinds) if kind == "region"]
    sites = [(points[at], at) for at in regions]
    for at, kind in enumerate(kinds):
        around = [other for other in near[at] if kinds[other] == "region"]
        if kind not in ("region", "way") and around:
            owner = min(around, key=lambda other: (_far(points[at], points[other]), other))
            sites.append((points[at], owner))
    shore = _shore(points, sizes, [at for at, kind in enumerate(kinds) if kind != "way"])
    cells = [_cell(number, sites, shore) for number in range(len(sites))]
    owners = [owner for _, owner in sites]
    edges: list[tuple[int, int, Point, Point]] = []
    for owner, cell in zip(owners, cells, strict=True):
        for (start, behind), (end, _) in zip(cell, [*cell[1:], cell[0]], strict=True):
            edges.append((owner, owners[behind] if behind >= 0 else -1, start, end))
    inland = [edge for edge in edges if edge[0] < edge[1]]
    adjacent = {(a, b) for a, others in enumerate(near) for b in others}
    return Land(
        {at: _outline(at, edges, points[at]) for at in regions},
        frozenset((a, b) for a, b, start, end in inland if _far(start, end) > SAME),
        "".join(line(p, q) for a, b, p, q in inland if (a, b) in adjacent),
        "".join(line(p, q) for a, b, p, q in inland if (a, b) not in adjacent),
        "".join(line(p, q) for _, b, p, q in edges if b < 0),
        {at: _road(at, points, kinds, near) for at, kind in enumerate(kinds) if kind == "way"},
    )


def _far(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


# --------------------------------------------------------------------------- regions


def _shore(points: Sequence[Point], sizes: Sequence[Point], of: Iterable[int]) -> list[Point]:
    """The outermost corners of all that stands on land."""
    corners = sorted(
        (x + across * (wide / 2 + SHORE), y + down * (high / 2 + SHORE))
        for (x, y), (wide, high) in ((points[at], sizes[at]) for at in of)
        for across, down in _CORNERS
    )

    def half(ordered: Iterable[Point]) -> list[Point]:
        hull: list[Point] = []
        for point in ordered:
            while len(hull) > 1 and _turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        return hull[:-1]

    return [*half(corners), *half(reversed(corners))]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cell(number: int, sites: Sequence[tuple[Point, int]], shore: Sequence[Point]) -> list[_Corner]:
    """The land that is nearer to a site than to all others."""
    here = sites[number][0]
    cell: list[_Corner] = [(corner, -1) for corner in shore]
    for other, (there, _) in enumerate(sites):
        if other != number and there != here:
            cell = _cut(cell, here, there, other)
    return cell


def _cut(cell: Sequence[_Corner], here: Point, there: Point, behind: int) -> list[_Corner]:
    """What is left of a cell on this side of the middle line to another site."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    middle = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)

    def beyond(point: Point) -> float:
        return (point[0] - middle[0]) * dx + (point[1] - middle[1]) * dy

    found: list[_Corner] = []
    for at, (start, label) in enumerate(cell):
        end = cell[(at + 1) % len(cell)][0]
        first, second = beyond(start), beyond(end)
        if first <= 0:
            found.append((start, label))
        if (first <= 0) != (second <= 0):
            part = first / (first - second)
            cross = (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
            found.append((cross, behind if first <= 0 else label))
    return found


def _outline(region: int, edges: Sequence[tuple[int, int, Point, Point]], origin: Point) -> str:
    """The edges of a region's cells that lead out of it, one after the other."""
    left = [(p, q) for owner, behind, p, q in edges if owner == region and behind != region]
    left = [(p, q) for p, q in left if _far(p, q) > 1e-6]
    path = ""
    while left:
        start, here = left.pop(0)
        corners = [start, here]
        while left:
            following = min(left, key=lambda edge: _far(edge[0], here))
            if _far(following[0], here) > SAME:
                break
            left.remove(following)
            here = following[1]
            corners.append(here)
        path += polygon((x - origin[0], y - origin[1]) for x, y in corners[:-1])
    return path


# ------------------------------------------------------------------------------ ways


def _road(at: int, points: Sequence[Point], kinds: Sequence[str], near: Near) -> str:
    """From a way's own point to the places it joins, and to the ways it meets."""
    here = points[at]
    ends = [points[other] for other in near[at] if kinds[other] not in ("region", "way")]
    meets = [points[other] for other in near[at] if kinds[other] == "way"]
    if len(ends) == 2:
        (x, y), (ox, oy) = ends
        turn = (2 * here[0] - (x + ox) / 2, 2 * here[1] - (y + oy) / 2)
        x1, y1, x2, y2, x3, y3 = map(number, (x, y, *turn, ox, oy))
        bent = f"M{x1} {y1}Q{x2} {y2} {x3} {y3}"
        return bent + "".join(line(here, _midway(here, other)) for other in meets)
    if len(ends) == 1 and not meets:
        (x, y) = ends[0]
        ends.append((here[0] + BEYOND * (here[0] - x), here[1] + BEYOND * (here[1] - y)))
    return "".join(line(here, end) for end in [*ends, *(_midway(here, other) for other in meets)])


def _midway(one: Point, other: Point) -> Point:
    return ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
