"""Drawing a game in text.

Everything here is a pure function from a `Scene` to lines of text, so that what a player sees can
be tested without a terminal. A scene holds only what one seat may see; `scene` makes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ludwright.kernel.views.lattice import Written, lines_of

EMPTY = "."
SHORT = 8  # a track of no more spaces is drawn in one line
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
    title: str = ""  # what people call it
    spot: tuple[int, int] = (0, 0)  # where it lies on a board with corners, sides or hexes
    blank: str = ""  # how it looks with nothing on it


@dataclass(frozen=True, slots=True)
class GroupView:
    name: str
    spaces: tuple[SpaceView, ...]
    slanted: bool = False  # a board of hexagons: every row starts half a cell further right
    track: bool = False  # spaces in one line, the next after the one before
    spotted: bool = False  # drawn by the spots of its spaces
    parts: tuple[GroupView, ...] = ()  # its corners and sides, drawn with it

    @property
    def is_grid(self) -> bool:
        return all(space.column > 0 and space.row > 0 for space in self.spaces)

    @property
    def plain_value(self) -> str | None:
        """The variable whose values are shown in the cells: the only one there is to see."""
        names = {name for space in self.spaces for name, _ in space.values}
        crowded = any(space.pieces for space in self.spaces)
        return names.pop() if len(names) == 1 and not crowded else None


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


def cell_text(group: GroupView, space: SpaceView) -> str:
    """What is on a space: pieces, or the one number that matters there."""
    if group.plain_value is not None:
        return " ".join(value for _, value in space.values) or EMPTY
    return pile(space.pieces) or EMPTY


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
    texts = {place: cell_text(group, space) for place, space in at.items()}
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


def draw_lattice(group: GroupView, width: int = 100) -> list[str]:
    """A board of hexes, or one with corners and sides: every space at its spot."""
    everything = [(group, space) for space in group.spaces]
    everything += [(part, space) for part in group.parts for space in part.spaces]
    texts = [
        Written(*space.spot, space.blank if of == EMPTY else of)
        for part, space in everything
        if (of := cell_text(part, space))
    ]
    lines = lines_of(texts, width)
    if lines is not None:
        return lines
    held = [space for _, space in everything if space.pieces or space.values]
    return draw_map(replace(group, spaces=tuple(held), parts=()))


def draw_track(group: GroupView, width: int = 100) -> list[str]:
    """A track bent in the middle: away along the bottom, back along the top.

    Spaces that are called by a number (`pit3`) are labelled with it.
    """
    spaces = group.spaces
    labels = [space.name.removeprefix(group.name) or space.name for space in spaces]
    texts = [cell_text(group, space) for space in spaces]
    cell = max(map(len, [*labels, *texts]))
    across = -(-len(spaces) // 2) if len(spaces) > SHORT else len(spaces)
    room = max(1, (width + 1) // (cell + 1))
    if across > room:
        columns = tuple(replace(space, column=at, row=1) for at, space in enumerate(spaces, 1))
        return draw_grid(replace(group, spaces=columns), width)

    def line(items: Iterable[str]) -> str:
        return " ".join(item.ljust(cell) for item in items).rstrip()

    away, back = slice(0, across), slice(None, across - 1, -1)
    lines = [line(texts[away]), line(labels[away])]
    if across < len(spaces):
        missing = [""] * (2 * across - len(spaces))
        lines = [line(missing + labels[back]), line(missing + texts[back]), "", *lines]
    return lines


def draw_map(group: GroupView) -> list[str]:
    """Spaces without coordinates as a table: space, pieces, variables."""
    rows = [
        (space.title or space.name, pile_names(space.pieces), pairs(space.values))
        for space in group.spaces
    ]
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
    return f"{zone.name}: {', '.join(parts)}"


def draw_zones(zones: Sequence[ZoneView]) -> list[str]:
    """A line for each that holds something, one for all that are empty."""
    empty = [zone.name for zone in zones if not zone.count]
    lines = [draw_zone(zone) for zone in zones if zone.count]
    return [*lines, f"empty: {', '.join(empty)}"] if empty else lines


def wrapped(entries: Iterable[str], width: int) -> list[str]:
    """Entries with commas between, in lines that fit; no entry is broken."""
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + len(entry) + 3 <= width:
            lines[-1] += f", {entry}"
        else:
            if lines:
                lines[-1] += ","
            lines.append(entry)
    return lines


def draw(scene: Scene, width: int = 100) -> str:
    """The whole table as one seat sees it."""
    blocks: list[list[str]] = []
    for group in scene.groups:
        lines = _group(group, width)
        if lines and (len(scene.groups) > 1 or group.track):
            lines.insert(0, f"{group.name}:")
        blocks.append(lines)
    blocks.append(wrapped((f"{sign} {meaning}" for sign, meaning in scene.legend), width))
    blocks.append(draw_zones(scene.zones))
    if scene.seats:
        names = list(dict.fromkeys(name for _, values in scene.seats for name, _ in values))
        rows = [[seat, *(dict(values).get(n, "") for n in names)] for seat, values in scene.seats]
        blocks.append(table(["seat", *names], rows) if names else [])
    blocks.append(wrapped((f"{name} {value}" for name, value in scene.values), width))
    kept = [[line for line in block if line or len(block) > 1] for block in blocks]
    return "\n\n".join("\n".join(block) for block in kept if block)


def _group(group: GroupView, width: int) -> list[str]:
    if not (group.track or group.is_grid):
        return draw_map(group)
    if group.spotted:
        lines = draw_lattice(group, width)
    else:
        lines = draw_track(group, width) if group.track else draw_grid(group, width)
    if group.plain_value is not None:
        return [*lines, f"(numbers: {group.plain_value})"]
    return lines + [f"{s.name}: {pairs(s.values)}" for s in group.spaces if s.values]
