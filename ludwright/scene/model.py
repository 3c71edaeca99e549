"""The scene: what is drawn, where, and what it stands for.

A scene holds only what one seat may see. Everything on it is an `Item`, which has a stable id, a
name for people who cannot see it, and marks: shapes and texts around its own origin. Colours are
names of tokens (see `colours`), so that the same scene serves light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Anchor = Literal["start", "middle", "end"]
Style = Literal["title", "name", "label", "detail", "number", "big", "card", "pip", "glyph"]
ItemKind = Literal["space", "zone", "piece", "edge", "tag"]


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline, as the text of an SVG path around the item's origin."""

    path: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dash: bool = False
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    x: float = 0.0
    y: float = 0.0
    style: Style = "label"
    fill: str = "ink"
    anchor: Anchor = "middle"
    scale: float = 1.0  # of its letters


Mark = Shape | Text


@dataclass(frozen=True, slots=True)
class Item:
    """Something on the table. `answers` are the values of decisions that it stands for."""

    id: str
    kind: ItemKind
    x: float
    y: float
    marks: tuple[Mark, ...]
    name: str = ""
    turn: float = 0.0  # degrees
    answers: tuple[str, ...] = ()
    row: str = ""  # of a card that is seen: the row of a table that tells of it
    holds: tuple[str, ...] = ()  # pieces that are seen to lie in it and are not drawn themselves

    def moved(self, x: float, y: float) -> Item:
        return Item(
            self.id, self.kind, self.x + x, self.y + y, self.marks, self.name, self.turn,
            self.answers, self.row, self.holds,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """Items that are laid out together, in a box from (0, 0) to (width, height)."""

    width: float
    height: float
    items: tuple[Item, ...] = ()

    def at(self, x: float, y: float) -> tuple[Item, ...]:
        if not x and not y:
            return self.items
        return tuple(item.moved(x, y) for item in self.items)


@dataclass(frozen=True, slots=True)
class Value:
    """A variable with its value; `most` is its upper bound, where it has one."""

    name: str
    text: str
    most: int | None = None
    dice: tuple[int, ...] = ()  # where it is what was rolled


@dataclass(frozen=True, slots=True)
class SeatPanel:
    name: str
    number: int  # in the order of declaration: decides its mark
    colour: str
    values: tuple[Value, ...] = ()
    to_act: bool = False
    is_viewer: bool = False
    rank: int | None = None  # once the game is over
    badges: tuple[str, ...] = ()
    faint: bool = False  # out of what is being played


@dataclass(frozen=True, slots=True)
class Scene:
    title: str
    width: float
    height: float
    items: tuple[Item, ...]
    seats: tuple[SeatPanel, ...] = ()
    values: tuple[Value, ...] = ()
    status: str = ""
    background: str = ""  # of the table, where the rulebook says so
    board: float = 0.0  # how far down the boards reach, where zones lie below them

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def beside(parts: Iterable[Part], gap: float) -> Part:
    """Parts in one row, centred on a common middle line."""
    parts = tuple(parts)
    height = max((part.height for part in parts), default=0.0)
    items: list[Item] = []
    x = 0.0
    for part in parts:
        items += part.at(x, (height - part.height) / 2)
        x += part.width + gap
    return Part(max(0.0, x - gap), height, tuple(items))


def below(parts: Iterable[Part], gap: float) -> Part:
    """Parts in one column, centred."""
    parts = tuple(part for part in parts if part.items)
    width = max((part.width for part in parts), default=0.0)
    items: list[Item] = []
    y = 0.0
    for part in parts:
        items += part.at((width - part.width) / 2, y)
        y += part.height + gap
    return Part(width, max(0.0, y - gap), tuple(items))


def folded(parts: Iterable[Part], width: float, gap: float) -> Part:
    """Parts in as many rows as the width needs."""
    rows: list[list[Part]] = []
    used = 0.0
    for part in parts:
        if not rows or used + part.width > width:
            rows.append([])
            used = 0.0
        rows[-1].append(part)
        used += part.width + gap
    return below((beside(row, gap) for row in rows), gap)
