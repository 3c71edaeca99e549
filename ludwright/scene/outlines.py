"""Outlines from a rulebook: an SVG path of any size, fitted into a square around the origin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import atan2, cos, pi, radians, sin, sqrt

from ludwright.scene.shapes import number

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_FLAG = re.compile("[01]")
_PARTS = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
ARC = 24  # points along an arc
Command = tuple[str, list[float]]


@lru_cache(512)
def fitted(path: str, size: float, x: float = 0.0, y: float = 0.0) -> str:
    """The path, as large as a square of this size holds it, with its middle at (x, y)."""
    commands = list(_absolute(path))
    points = list(_points(commands))
    if not points:
        return ""
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    top, bottom = min(p[1] for p in points), max(p[1] for p in points)
    factor = size / max(right - left, bottom - top, 1e-6)
    dx, dy = x - factor * (left + right) / 2, y - factor * (top + bottom) / 2
    return "".join(_written(command, factor, dx, dy) for command in commands)


def _commands(path: str) -> Iterator[Command]:
    """Each command with the numbers of one use; what follows `M` draws lines."""
    for letter, rest in _PARTS.findall(path):
        count = _COUNTS[letter.upper()]
        numbers = _numbers(rest, letter in "Aa")
        if count == 0:
            yield letter, []
        for at in range(0, len(numbers) - count + 1, count) if count else ():
            follow = {"M": "L", "m": "l"}.get(letter, letter) if at else letter
            yield str(follow), numbers[at : at + count]


def _numbers(text: str, arcs: bool) -> list[float]:
    """Numbers with or without gaps; in arcs, the fourth and the fifth are one digit each."""
    found: list[float] = []
    at = 0
    while at < len(text):
        flag = arcs and len(found) % 7 in (3, 4)
        one = _FLAG.match(text, at) if flag else _NUMBER.match(text, at)
        if one is None:
            at += 1
        else:
            found.append(float(one[0]))
            at = one.end()
    return found


def _absolute(path: str) -> Iterator[Command]:
    x = y = start_x = start_y = 0.0
    for letter, given in _commands(path):
        command, values = letter.upper(), list(given)
        if letter.islower():
            values = _moved(command, values, x, y)
        match command:
            case "Z":
                x, y = start_x, start_y
            case "H":
                x = values[0]
            case "V":
                y = values[0]
            case _:
                x, y = values[-2:]
        if command == "M":
            start_x, start_y = x, y
        if command in "HV":  # so that every command ends with a point
            command, values = "L", [x, y]
        yield command, values


def _moved(command: str, values: list[float], x: float, y: float) -> list[float]:
    match command:
        case "A":
            return [*values[:5], values[5] + x, values[6] + y]
        case "H":
            return [values[0] + x]
        case "V":
            return [values[0] + y]
        case _:
            return [value + (y if at % 2 else x) for at, value in enumerate(values)]


def _points(commands: Sequence[Command]) -> Iterator[tuple[float, float]]:
    """Points that enclose what is drawn, closely enough to centre it."""
    x = y = 0.0
    for letter, values in commands:
        if letter == "A":
            yield from _arc(x, y, values)
        else:
            yield from zip(values[::2], values[1::2], strict=True)
        if values:
            x, y = values[-2:]


def _arc(x: float, y: float, values: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Points along an arc, as SVG defines it; radii that are too small are enlarged."""
    rx, ry, turn, large, sweep, end_x, end_y = values
    yield end_x, end_y
    if not rx or not ry or (x, y) == (end_x, end_y):
        return
    c, s = cos(radians(turn)), sin(radians(turn))
    dx, dy = (x - end_x) / 2, (y - end_y) / 2
    px, py = (c * dx + s * dy) / abs(rx), (c * dy - s * dx) / abs(ry)  # on the unit circle
    size = px * px + py * py
    factor = sqrt(max(0.0, 1 / size - 1)) * (-1 if bool(large) == bool(sweep) else 1)
    enlarged = max(1.0, sqrt(size))
    ux, uy = factor * py / enlarged, -factor * px / enlarged
    first = atan2(py / enlarged - uy, px / enlarged - ux)
    last = atan2(-py / enlarged - uy, -px / enlarged - ux)
    if sweep and last < first:
        last += 2 * pi
    elif not sweep and last > first:
        last -= 2 * pi
    for at in range(ARC):
        angle = first + (last - first) * at / ARC
        ex, ey = (cos(angle) + ux) * abs(rx) * enlarged, (sin(angle) + uy) * abs(ry) * enlarged
        yield c * ex - s * ey + (x + end_x) / 2, s * ex + c * ey + (y + end_y) / 2


def _written(command: Command, factor: float, dx: float, dy: float) -> str:
    letter, values = command
    if letter == "A":
        rx, ry, turn, large, sweep, x, y = values
        values = [rx * factor, ry * factor, turn, large, sweep, x * factor + dx, y * factor + dy]
    else:
        values = [v * factor + (dy if at % 2 else dx) for at, v in enumerate(values)]
    return letter + " ".join(map(number, values))
