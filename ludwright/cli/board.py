"""Drawing a game in text.

Everything here is a pure function from a `Scene` to lines of text, so that what a player sees can
be tested without a terminal. A scene holds only what one seat may see; `cli.scene` makes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

EMPTY = "."
GAP = "  "


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as its viewer sees it: what it is called, whose it is, and its short sign."""

    name: str
    owner: str | None
    sign: str


@dataclass(frozen=True, slots=True)
class SpaceView:
    name: str
    column: int = 0  # from 1; 0 where the space has no place in a grid
    row: int = 0
    pieces: tuple[PieceView, ...] = ()
    values: tuple[tuple[str, str], ...] = ()  # variables and markers of the space


@dataclass(frozen=True, slots=True)
class GroupView:
    name: str
    spaces: tuple[SpaceView, ...]
    slanted: bool = False  # a board of hexagons: every row starts half a cell further right

    @property
    def is_grid(self) -> bool:
        return all(space.column > 0 and space.row > 0 for space in self.spaces)


@dataclass(frozen=True, slots=True)
class ZoneView:
    name: str
    count: int
    pieces: tuple[PieceView, ...] = ()
    hidden: int = 0  # how many of the pieces the viewer does not see


@dataclass(frozen=True, slots=True)
class Scene:
    groups: tuple[GroupView, ...] = ()
    zones: tuple[ZoneView, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    seats: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()  # seat, its variables
    legend: tuple[tuple[str, str], ...] = ()  # sign, meaning


def letters(words: Sequence[str]) -> dict[str, str]:
    """One letter per word, all different: the initial where possible.

    Of two words with the same initial the shorter keeps it (king k, knight n), since the longer
    one has more letters to fall back on. Words beyond the alphabet get numbers.
    """
    chosen: dict[str, str] = {}
    for word in sorted(dict.fromkeys(words), key=len):
        own = [letter for letter in word.lower() if letter.isalpha()]
        spare = [chr(code) for code in range(ord("a"), ord("z") + 1)]
        taken = set(chosen.values())
        free = (letter for letter in own + spare if letter not in taken)
        chosen[word] = next(free, str(len(chosen)))
    return {word: chosen[word] for word in dict.fromkeys(words)}


def pile(pieces: Iterable[PieceView]) -> str:
    """The signs of the pieces on one space: `K`, `3w`, `2w b`."""
    counts = Counter(piece.sign for piece in pieces)
    return " ".join(sign if n == 1 else f"{n}{sign}" for sign, n in counts.items())


def column_labels(group: GroupView) -> list[str]:
    """`a b c` where the spaces are called a1, a2, …; otherwise the columns' numbers."""
    labels: dict[int, set[str]] = {}
    for space in group.spaces:
        stem = space.name.removesuffix(str(space.row))
        labels.setdefault(space.column, set()).add(stem if stem != space.name else "")
    width = max(labels, default=0)
    named = [labels.get(column, {str(column)}) for column in range(1, width + 1)]
    if all(len(stems) == 1 and "" not in stems for stems in named):
        return [next(iter(stems)) for stems in named]
    return [str(column) for column in range(1, width + 1)]


def draw_grid(group: GroupView, width: int = 100) -> list[str]:
    """A grid with its coordinates; row 1 is at the bottom, as on a chess board.

    A track that is wider than the terminal is folded into several strips.
    """
    at = {(space.column, space.row): space for space in group.spaces}
    labels = column_labels(group)
    rows = max((space.row for space in group.spaces), default=0)
    texts = {place: pile(space.pieces) or EMPTY for place, space in at.items()}
    cell = max((len(text) for text in [*texts.values(), *labels]), default=1)
    margin = len(str(rows))
    shown_rows = rows > 1
    room = max(1, (width - margin - 1) // (cell + 1))
    lines: list[str] = []
    for first in range(1, len(labels) + 1, room):
        columns = range(first, min(first + room, len(labels) + 1))
        if lines:
            lines.append("")
        for row in range(rows, 0, -1):
            shift = " " * ((cell + 1) // 2 * (row - 1)) if group.slanted else ""
            head = str(row).rjust(margin) if shown_rows else " " * margin
            body = " ".join(texts.get((column, row), "").ljust(cell) for column in columns)
            lines.append(f"{head} {shift}{body}".rstrip())
        foot = " ".join(labels[column - 1].ljust(cell) for column in columns)
        lines.append(f"{' ' * margin} {foot}".rstrip())
    return lines


def draw_map(group: GroupView) -> list[str]:
    """Spaces without coordinates as a table: space, pieces, variables."""
    rows = [(space.name, pile_names(space.pieces), pairs(space.values)) for space in group.spaces]
    return table(("space", "pieces", "variables"), rows)


def pile_names(pieces: Iterable[PieceView]) -> str:
    counts = Counter(
        piece.name if piece.owner is None else f"{piece.owner} {piece.name}" for piece in pieces
    )
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counts.items())


def pairs(values: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns; a column that is empty in every row is left out."""
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    if not used:
        return []
    lines = [[header[i] for i in used], *([row[i] for i in used] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(used))]
    return [
        GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def draw_zone(zone: ZoneView) -> str:
    parts = [name for name in [pile_names(zone.pieces)] if name]
    if zone.hidden:
        parts.append(f"{zone.hidden} face down")
    return f"{zone.name}: {', '.join(parts) or 'empty'}"


def draw(scene: Scene, width: int = 100) -> str:
    """The whole table as one seat sees it."""
    blocks: list[list[str]] = []
    for group in scene.groups:
        lines = draw_grid(group, width) if group.is_grid else draw_map(group)
        if group.is_grid:
            lines += [f"{s.name}: {pairs(s.values)}" for s in group.spaces if s.values]
        if lines and len(scene.groups) > 1:
            lines.insert(0, f"{group.name}:")
        blocks.append(lines)
    blocks.append([pairs(scene.legend)])
    blocks.append([draw_zone(zone) for zone in scene.zones])
    if scene.seats:
        names = list(dict.fromkeys(name for _, values in scene.seats for name, _ in values))
        rows = [[seat, *(dict(values).get(n, "") for n in names)] for seat, values in scene.seats]
        blocks.append(table(["seat", *names], rows) if names else [])
    blocks.append([pairs(scene.values)])
    kept = [[line for line in block if line or len(block) > 1] for block in blocks]
    return "\n\n".join("\n".join(block) for block in kept if block)
