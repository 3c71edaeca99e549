"""Outlines as texts of SVG paths, each around (0, 0)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import cos, pi, sin

Point = tuple[float, float]
SHAPES = 1024  # outlines that are kept: a scene has many of few


def number(value: float) -> str:
    """Short, and the same on every machine."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def polygon(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def line(start: Point, end: Point) -> str:
    return f"M{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}"


@lru_cache(SHAPES)
def disc(radius: float) -> str:
    r = number(radius)
    return f"M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1 -{r} 0Z"


@lru_cache(SHAPES)
def box(width: float, height: float, corner: float = 0.0) -> str:
    """A rectangle with its middle at the origin."""
    w, h, c = width / 2, height / 2, min(corner, width / 2, height / 2)
    if c == 0:
        return polygon([(-w, -h), (w, -h), (w, h), (-w, h)])
    r, across, down = number(c), number(width - 2 * c), number(height - 2 * c)
    return (
        f"M{number(c - w)} {number(-h)}h{across}a{r} {r} 0 0 1 {r} {r}v{down}"
        f"a{r} {r} 0 0 1 -{r} {r}h-{across}a{r} {r} 0 0 1 -{r} -{r}v-{down}a{r} {r} 0 0 1 {r} -{r}Z"
    )


@lru_cache(SHAPES)
def band(width: float, height: float, corner: float) -> str:
    """The head of a card, from (0, 0) down: round above, straight below."""
    w, r = number(width / 2), number(corner)
    across, down = number(width - 2 * corner), number(height - corner)
    arcs = f"a{r} {r} 0 0 1 {r} -{r}h{across}a{r} {r} 0 0 1 {r} {r}"
    return f"M-{w} {number(height)}v-{down}{arcs}v{down}Z"


@lru_cache(SHAPES)
def regular(corners: int, radius: float, turn: float = -90.0) -> str:
    return polygon(_around(corners, radius, turn))


def star(radius: float) -> str:
    outer, inner = _around(5, radius, -90), _around(5, radius * 0.42, -54)
    return polygon(point for pair in zip(outer, inner, strict=True) for point in pair)


def cross(radius: float) -> str:
    a, b = radius * 0.95, radius * 0.34
    half = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b)]
    return polygon([*half, *((-x, -y) for x, y in half)])


def pawn(radius: float) -> str:
    return scaled(_PAWN, radius / 10)


def drop(radius: float) -> str:
    return scaled(_DROP, radius / 10)


def _around(corners: int, radius: float, turn: float) -> list[Point]:
    angles = [(turn + 360 * at / corners) * pi / 180 for at in range(corners)]
    return [(radius * cos(angle), radius * sin(angle)) for angle in angles]


@lru_cache(SHAPES)
def seat_mark(seat: int, radius: float) -> str:
    """The mark of a seat: with its colour, always the same."""
    r = radius
    marks = (
        disc(r * 0.9), regular(3, r * 1.1), box(r * 1.7, r * 1.7, 1), regular(4, r * 1.1),
        regular(5, r), regular(6, r), cross(r), star(r * 1.1),
    )  # fmt: skip
    return marks[seat % len(marks)]


# What pieces look like, one for each value of the property that says what they are.
TOKENS = ("disc", "cube", "ringed", "hex", "pawn", "drop", "wedge", "bar")


@lru_cache(SHAPES)
def token(name: str, radius: float) -> str:
    r = radius
    match name:
        case "cube":
            return box(1.76 * r, 1.76 * r, 2)
        case "hex":
            return regular(6, r)
        case "pawn":
            return pawn(r)
        case "drop":
            return drop(r)
        case "wedge":
            return regular(3, r * 1.1)
        case "bar":
            return box(1.8 * r, 0.9 * r, 2)
        case _:
            return disc(r)


_PAWN = "M-4 -5A4.2 4.2 0 1 1 4 -5C4 -3 3 -2 1.6 -1.4L6 7V9H-6V7L-1.6 -1.4C-3 -2 -4 -3 -4 -5Z"
_DROP = "M0 -10C3.5 -4 8 -1 8 3A8 7 0 1 1 -8 3C-8 -1 -3.5 -4 0 -10Z"
_HEART = "M0 7C-9 0 -10 -4 -10 -7A5 5 0 0 1 0 -8A5 5 0 0 1 10 -7C10 -4 9 0 0 7Z"
_SPADE = (
    "M0 -9C9 -2 10 1 10 4A5 5 0 0 1 1.6 6.6L3.4 10H-3.4L-1.6 6.6A5 5 0 0 1 -10 4C-10 1 -9 -2 0 -9Z"
)
_CLUB = (
    "M-4.6 -4.5A4.7 4.7 0 1 1 4.6 -4.5A4.7 4.7 0 1 1 1.5 4.2L3.2 10H-3.2L-1.5 4.2"
    "A4.7 4.7 0 1 1 -4.6 -4.5Z"
)
_DIAMOND = "M0 -10L8 0L0 10L-8 0Z"
_SUITS_AS_CALLED = {
    spelling
    for word in ("clubs", "diamonds", "hearts", "spades")
    for spelling in (word, word[:-1], word[0])
}
# by the letter that games call a suit by: outline and colour
SUITS = {
    "c": (_CLUB, "black"), "d": (_DIAMOND, "red"), "h": (_HEART, "red"), "s": (_SPADE, "black"),
}  # fmt: skip
SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def suit_letter(suit: object) -> str:
    """The letter of a suit, however a rulebook calls it: `s`, `S`, `spade`, `spades`; else ""."""
    word = str(suit or "").lower()
    return word[:1] if word in _SUITS_AS_CALLED else ""


@lru_cache(SHAPES)
def scaled(path: str, factor: float, x: float = 0.0, y: float = 0.0) -> str:
    """A path of absolute commands, larger or smaller, with its origin at (x, y)."""
    out: list[str] = []
    for command, numbers in _commands(path):
        if command == "A":
            rx, ry, turn, large, sweep, px, py = numbers
            values = [
                rx * factor,
                ry * factor,
                turn,
                large,
                sweep,
                px * factor + x,
                py * factor + y,
            ]
        elif command in "HV":
            values = [numbers[0] * factor + (x if command == "H" else y)]
        else:
            values = [value * factor + (y if at % 2 else x) for at, value in enumerate(numbers)]
        out.append(command + " ".join(map(number, values)))
    return "".join(out)


@lru_cache(SHAPES)
def moved(path: str, x: float, y: float) -> str:
    """A path of this module with its origin at (x, y). All begin with one absolute `M`; boxes with
    round corners go on with relative commands, which a move leaves as they are."""
    out: list[str] = []
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(part) for part in rest.split()]
        match command:
            case "A":
                numbers[5:] = [numbers[5] + x, numbers[6] + y]
            case "H":
                numbers = [numbers[0] + x]
            case "V":
                numbers = [numbers[0] + y]
            case "M" | "L" | "C":
                numbers = [value + (y if at % 2 else x) for at, value in enumerate(numbers)]
        out.append(command + " ".join(map(number, numbers)))
    return "".join(out)


def _commands(path: str) -> list[tuple[str, list[float]]]:
    found = re.findall(r"([A-Z])([^A-Z]*)", path)
    return [(command, [float(part) for part in numbers.split()]) for command, numbers in found]
