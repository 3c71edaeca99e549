"""Where the spaces of a map are drawn, when the rulebook does not say.

Stress majorisation: every two spaces should be as far apart as there are steps between them. It
begins with a circle in the order of declaration, so the same map always looks the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt

Point = tuple[float, float]
Near = tuple[tuple[int, ...], ...]
ROUNDS = 200
TIDYING = 12  # times that every space is tried elsewhere
SWAPPED = 16  # spaces, of which every two are tried in each other's place
APART = 2  # steps between spaces that no way joins, besides the longest way there is


@lru_cache(64)
def placed(
    near: Near, given: tuple[tuple[int, int] | None, ...], sizes: tuple[Point, ...]
) -> list[Point]:
    """Middles of plates of these sizes: as given, and the others where they fit in between.

    Given points are in any scale. Without any, neighbours stand together, plates do not overlap,
    and lines cross each other and run behind plates as seldom as a search finds.
    """
    pinned = {at: point for at, point in enumerate(given) if point is not None}
    if len(pinned) == len(near):
        return _scaled([pinned[at] for at in range(len(near))], sizes)
    width, height = max(wide for wide, _ in sizes), max(high for _, high in sizes)
    raw = spread(near, _in_steps(near, pinned))
    points = [(x * width * 1.45, y * height * 2.0) for x, y in raw]
    points = apart(points, width + 18, height + 26)
    free = [at for at in range(len(near)) if at not in pinned]
    points = _swapped(near, points, free)
    return apart(_tidied(near, points, free, width, height), width + 14, height + 14)


def _scaled(points: Sequence[tuple[float, float]], sizes: Sequence[Point]) -> list[Point]:
    """As small as plates can stand without touching, in the given proportions."""
    factor = 0.0
    for one, (x, y) in enumerate(points):
        for other, (ox, oy) in enumerate(points[:one]):
            (wide, high), (other_wide, other_high) = sizes[one], sizes[other]
            width, height = (wide + other_wide) / 2 + 14, (high + other_high) / 2 + 14
            dx, dy = abs(x - ox), abs(y - oy)
            needed = min(width / dx if dx else 1e9, height / dy if dy else 1e9)
            factor = max(factor, needed if needed < 1e9 else 0.0)
    return [(x * (factor or 1.0), y * (factor or 1.0)) for x, y in points]


def _in_steps(near: Near, pinned: Mapping[int, tuple[int, int]]) -> dict[int, Point]:
    """Given points, scaled so that a step of the map is about one unit."""
    if len(pinned) < 2:
        return {}
    steps = _distances(near)
    pairs = [(one, other) for one in pinned for other in pinned if one < other]
    lengths = [hypot(pinned[a][0] - pinned[b][0], pinned[a][1] - pinned[b][1]) for a, b in pairs]
    total = sum(lengths)
    if not total:
        return {}
    factor = sum(steps[a][b] for a, b in pairs) / total
    return {at: (x * factor, y * factor) for at, (x, y) in pinned.items()}


def spread(
    neighbours: Sequence[Sequence[int]], pinned: Mapping[int, Point] | None = None
) -> list[Point]:
    """Places for the spaces, about one unit apart where they are adjacent; wider than high."""
    count = len(neighbours)
    if count < 2:
        return [(0.0, 0.0)] * count
    ideal = _distances(neighbours)
    radius = max(1.0, count / (2 * pi))
    points = [
        (radius * cos(2 * pi * at / count), radius * sin(2 * pi * at / count))
        for at in range(count)
    ]
    for at, point in (pinned or {}).items():
        points[at] = point
    for _ in range(ROUNDS):
        points = [
            point if pinned and at in pinned else _better(at, points, ideal[at])
            for at, point in enumerate(points)
        ]
    return points if pinned else _lying(points)


def _better(at: int, points: Sequence[Point], ideal: Sequence[float]) -> Point:
    """Where one space would like to be, as the others stand."""
    x, y = points[at]
    sum_x = sum_y = total = 0.0
    for other, (ox, oy) in enumerate(points):
        if other == at:
            continue
        wanted = ideal[other]
        weight = 1 / (wanted * wanted)
        apart = hypot(x - ox, y - oy) or 1e-6
        sum_x += weight * (ox + wanted * (x - ox) / apart)
        sum_y += weight * (oy + wanted * (y - oy) / apart)
        total += weight
    return sum_x / total, sum_y / total


def _distances(neighbours: Sequence[Sequence[int]]) -> list[list[float]]:
    """Steps between every two spaces, by breadth-first search."""
    found: list[list[float]] = []
    for start in range(len(neighbours)):
        steps = [-1.0] * len(neighbours)
        steps[start] = 0.0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in neighbours[here]:
                if steps[there] < 0:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        found.append(steps)
    far = max(map(max, found)) + APART
    return [[step if step >= 0 else far for step in row] for row in found]


def _lying(points: Sequence[Point]) -> list[Point]:
    """Turned so that the longest extent lies across."""
    count = len(points)
    mx, my = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    xx = sum((x - mx) ** 2 for x, _ in points)
    yy = sum((y - my) ** 2 for _, y in points)
    xy = sum((x - mx) * (y - my) for x, y in points)
    # the direction of the first principal axis
    gap = sqrt((xx - yy) ** 2 + 4 * xy * xy)
    if gap < 1e-9:
        return [(x - mx, y - my) for x, y in points]
    ax, ay = 2 * xy, yy - xx + gap
    if hypot(ax, ay) < 1e-9:
        ax, ay = (1.0, 0.0) if xx >= yy else (0.0, 1.0)
    size = hypot(ax, ay)
    c, s = ax / size, ay / size
    return [((x - mx) * c + (y - my) * s, (y - my) * c - (x - mx) * s) for x, y in points]


def apart(points: Sequence[Point], width: float, height: float) -> list[Point]:
    """Points pushed away from each other until plates of this size do not overlap."""
    found = list(points)
    for _ in range(200):
        touched = False
        for one in range(len(found)):
            for other in range(one):
                (x, y), (ox, oy) = found[one], found[other]
                over_x, over_y = width - abs(x - ox), height - abs(y - oy)
                if over_x <= 0.01 or over_y <= 0.01:
                    continue
                touched = True
                if over_x / width < over_y / height:
                    push = over_x / 2 * (1 if x >= ox else -1)
                    found[one], found[other] = (x + push, y), (ox - push, oy)
                else:
                    push = over_y / 2 * (1 if y >= oy else -1)
                    found[one], found[other] = (x, y + push), (ox, oy - push)
        if not touched:
            break
    return found


# ----------------------------------------------------------------------------- tidying


def _swapped(near: Near, points: Sequence[Point], free: Sequence[int]) -> list[Point]:
    """Spaces in each other's place, where fewer lines cross then: no small step leads there."""
    found = list(points)
    if len(free) > SWAPPED:
        return found
    least = crossings(near, found)
    while least:
        best, better = least, found
        for at, one in enumerate(free):
            for other in free[:at]:
                tried = [*found]
                tried[one], tried[other] = found[other], found[one]
                crossed = crossings(near, tried)
                if crossed < best:
                    best, better = crossed, tried
        if best == least:
            break
        found, least = better, best
    return found


def _tidied(
    near: Near, points: Sequence[Point], free: Sequence[int], width: float, height: float
) -> list[Point]:
    """Spaces tried a little elsewhere, one at a time, as long as that makes the map clearer."""
    found = list(points)
    edges = [(a, b) for a, others in enumerate(near) for b in others if a < b]
    step = (width * 0.7, height * 0.9)
    ways = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]
    for _ in range(TIDYING):
        better = False
        for at in free:
            best, least = found[at], _clutter(at, found[at], found, edges, width, height)
            if not least:
                continue
            x, y = found[at]
            for dx, dy in ways:
                tried = (x + dx * step[0], y + dy * step[1])
                cost = _clutter(at, tried, found, edges, width, height)
                if cost < least - 1e-6:
                    best, least, better = tried, cost, True
            found[at] = best
        if not better:
            break
    return found


def _clutter(
    at: int, here: Point, points: Sequence[Point], edges: Sequence[tuple[int, int]],
    width: float, height: float,
) -> float:  # fmt: skip
    """How much is wrong with one space standing here: plates that touch, lines that cross or run
    behind a plate; and, weighing little, long lines."""

    def place(one: int) -> Point:
        return here if one == at else points[one]

    cost = 0.0
    for one, (x, y) in enumerate(points):
        if one != at and abs(x - here[0]) < width + 14 and abs(y - here[1]) < height + 14:
            cost += 20
    for a, b in edges:
        p, q = place(a), place(b)
        if at in (a, b):
            cost += 0.2 * hypot(p[0] - q[0], p[1] - q[1]) / width
            cost += sum(
                _behind(p, q, point, width, height)
                for one, point in enumerate(points)
                if one not in (a, b)
            )
            cost += sum(
                3.0 for c, d in edges if not {a, b} & {c, d} and _cross(p, q, place(c), place(d))
            )
        else:
            cost += _behind(p, q, here, width, height)
    return cost


def _behind(p: Point, q: Point, plate: Point, width: float, height: float) -> float:
    """Whether a line runs behind a plate."""
    (x, y), (dx, dy) = p, (q[0] - p[0], q[1] - p[1])
    length = dx * dx + dy * dy
    if not length:
        return 0.0
    t = max(0.0, min(1.0, ((plate[0] - x) * dx + (plate[1] - y) * dy) / length))
    nearest = (x + t * dx, y + t * dy)
    inside = (
        abs(nearest[0] - plate[0]) < width / 2 + 4 and abs(nearest[1] - plate[1]) < height / 2 + 4
    )
    return 4.0 if inside else 0.0


def _cross(p: Point, q: Point, r: Point, s: Point) -> bool:
    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def crossings(near: Sequence[Sequence[int]], points: Sequence[Point]) -> int:
    """How many pairs of lines cross."""
    edges = [(a, b) for a, others in enumerate(near) for b in others if a < b]
    return sum(
        not {a, b} & {c, d} and _cross(points[a], points[b], points[c], points[d])
        for one, (a, b) in enumerate(edges)
        for c, d in edges[:one]
    )
