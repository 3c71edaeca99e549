"""Texts at spots of a lattice, as lines: boards of hexes, and corners and sides of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd


@dataclass(frozen=True, slots=True)
class Written:
    """A text whose middle is at a spot; `y` grows upwards."""

    x: int
    y: int
    text: str


def lines_of(texts: Sequence[Written], width: int) -> list[str] | None:
    """One line for every `y` there is, the highest first; None if that is too wide."""
    if not texts:
        return []
    rows: dict[int, list[Written]] = {}
    for text in texts:
        rows.setdefault(text.y, []).append(text)
    unit = gcd(*(text.x - texts[0].x for text in texts)) or 1
    width_of = _characters(rows.values(), unit)

    def start(text: Written) -> int:
        return (text.x - texts[0].x) // unit * width_of - len(text.text) // 2

    left = min(map(start, texts))
    lines: list[str] = []
    for y in sorted(rows, reverse=True):
        line = ""
        for text in sorted(rows[y], key=start):
            line = line.ljust(start(text) - left) + text.text
        lines.append(line)
    return lines if max(map(len, lines)) <= width else None


def _characters(rows: Iterable[Sequence[Written]], unit: int) -> int:
    """How many there are to one unit across: no text touches the next one in its line."""
    needed = 1
    for row in rows:
        ordered = sorted(row, key=lambda text: text.x)
        for one, two in pairwise(ordered):
            apart = (two.x - one.x) // unit
            needed = max(needed, -(-(max(len(one.text), len(two.text)) + 1) // apart))
    return needed


def bar(side: tuple[int, int], cell: tuple[int, int]) -> str:
    """How an empty side looks, by where one of its cells lies."""
    across, up = cell[0] - side[0], cell[1] - side[1]
    if across == 0:
        return "--"
    if up == 0:
        return "|"
    return "\\" if across * up > 0 else "/"
