"""Where the spaces of a map are drawn, when the rulebook does not say.

Stress majorisation: every two spaces should be as far apart as there are steps between them. It
begins with a circle in the order of declaration, so the same map always looks the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import cos, hypot, pi, sin, sqrt

Point = tuple[float, float]
ROUNDS = 200
APART = 2  # steps between spaces that no way joins, besides the longest way there is


def spread(neighbours: Sequence[Sequence[int]]) -> list[Point]:
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
    for _ in range(ROUNDS):
        points = [_better(at, points, ideal[at]) for at in range(count)]
    return _lying(points)


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
