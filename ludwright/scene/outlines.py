"""Outlines from a rulebook: an SVG path of any size, fitted into a square around the origin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ludwright.scene.shapes import number

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_FLAG = re.compile("[01]")
_PARTS = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
Command = tuple[str, list[float]]


@lru_cache(512)
def fitted(path: str, size: float, x: float = 0.0, y: float = 0.0) -> str:
    """The path, as large as a square of this size holds it, with its middle at (x, y)."""
    commands = list(_absolute(path))
    points = [point for command in commands for point in _points(command)]
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
            yield follow, numbers[at : at + count]


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


def _points(command: Command) -> Iterator[tuple[float, float]]:
    """Points that enclose what a command draws, closely enough to centre it."""
    letter, values = command
    if letter == "A":
        yield values[5], values[6]
    else:
        yield from zip(values[::2], values[1::2], strict=True)


def _written(command: Command, factor: float, dx: float, dy: float) -> str:
    letter, values = command
    if letter == "A":
        rx, ry, turn, large, sweep, x, y = values
        values = [rx * factor, ry * factor, turn, large, sweep, x * factor + dx, y * factor + dy]
    else:
        values = [v * factor + (dy if at % 2 else dx) for at, v in enumerate(values)]
    return letter + " ".join(map(number, values))
