"""Drawing a game in text.

Everything here is a pure function from a `Scene` to lines of text, so that what a player sees can
be tested without a terminal. A scene holds only what one seat may see; `scene` makes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from unicodedata import east_asian_width

from ludwright.kernel.views.lattice import Written, lines_of

EMPTY = "."
SHORT = 8  # a track of no more spaces is drawn in one line
GAP = "  "
FOLDED = 3  # so many spaces of a map with nothing on them share one line


@dataclass(frozen=True, slots=True)
class Role:
    """What a bit of text is, for those who show it in colours."""

    what: str = ""  # "piece", "empty", "label", …
    owner: str = ""  # whose it is
    seat: int = 0  # and the number of that seat
    moved: bool = False  # something has just moved here


Paint = Callable[[str, Role], str]
"""Colours a text. The letters that are seen stay the same."""


def unpainted(text: str, role: Role) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Look:
    """How a table is shown to somebody."""

    paint: Paint = unpainted
    turned: bool = False  # the highest row at the bottom
    moved: frozenset[str] = frozenset()  # spaces where something has just moved
    seats: tuple[str, ...] = ()  # as people call them, in their order

    def role(self, space: SpaceView) -> Role:
        """Of what stands on a space: its owner's colour where all of it is one seat's."""
        owners = {piece.owner or "" for piece in space.pieces}
        owner = owners.pop() if len(owners) == 1 else ""
        what = "piece" if space.pieces or space.values else "empty"
        return self.of(what, owner, space.name in self.moved)

    def of(self, what: str, owner: str = "", moved: bool = False) -> Role:
        number = self.seats.index(owner) if owner in self.seats else 0
        return Role(what, owner, number, moved)

    def cell(self, text: str, width: int, role: Role) -> str:
        """A text with spaces behind it; only the text has colour."""
        return self.paint(text, role) + " " * (width - breadth(text))


def breadth(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


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


def draw_grid(group: GroupView, width: int = 100, look: Look | None = None) -> list[str]:
    """A grid with its coordinates; row 1 is at the bottom, as on a chess board, unless turned.

    A track that is wider than the terminal is folded into several strips. Of a wide map the edges
    with nothing on them are cropped first.
    """
    look = look or Look()
    at = {(space.column, space.row): space for space in group.spaces}
    labels = column_labels(group)
    texts = {place: cell_text(group, space) for place, space in at.items()}
    cell = max(map(breadth, [*texts.values(), *labels]), default=1)
    rows = range(max((space.row for space in group.spaces), default=0), 0, -1)
    shown = list(range(1, len(labels) + 1))
    margin = len(str(len(rows)))
    room = max(1, (width - margin - 1) // (cell + 1))
    lines: list[str] = []
    if len(shown) > room and len(rows) > 1:
        shown, cut = _cropped(group, shown)
        lines += cut
    if look.turned and not group.slanted:
        rows, shown = rows[::-1], shown[::-1]
    for first in range(0, len(shown), room):
        columns = shown[first : first + room]
        if first:
            lines.append("")
        for row in rows:
            shift = " " * ((cell + 1) // 2 * (row - 1)) if group.slanted else ""
            head = str(row).rjust(margin) if len(rows) > 1 else " " * margin
            cells = (_cell(look, at, texts, (column, row), cell) for column in columns)
            lines.append(f"{look.paint(head, Role('label'))} {shift}{' '.join(cells)}".rstrip())
        foot = " ".join(labels[column - 1].ljust(cell) for column in columns).rstrip()
        lines.append(f"{' ' * margin} {look.paint(foot, Role('label'))}".rstrip())
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
    return draw_map(replace(group, spaces=tuple(held), parts=()), width)


def _cell(
    look: Look,
    at: dict[tuple[int, int], SpaceView],
    texts: dict[tuple[int, int], str],
    place: tuple[int, int],
    width: int,
) -> str:
    space = at.get(place)
    return " " * width if space is None else look.cell(texts[place], width, look.role(space))


def _cropped(group: GroupView, columns: list[int]) -> tuple[list[int], list[str]]:
    """The columns between the first and the last with something on them, and a note."""
    used = {space.column for space in group.spaces if space.pieces or space.values}
    if not used:
        return columns, []
    kept = [column for column in columns if min(used) - 1 <= column <= max(used) + 1]
    if len(kept) == len(columns):
        return columns, []
    labels = column_labels(group)
    first, last = labels[kept[0] - 1], labels[kept[-1] - 1]
    return kept, [f"(columns {first} to {last}; on the others there is nothing)"]


def draw_track(group: GroupView, width: int = 100, look: Look | None = None) -> list[str]:
    """A track bent in the middle: away along the bottom, back along the top.

    Spaces that are called by a number (`pit3`) are labelled with it.
    """
    look = look or Look()
    spaces = group.spaces
    labels = [space.name.removeprefix(group.name) or space.name for space in spaces]
    texts = [cell_text(group, space) for space in spaces]
    cell = max(map(breadth, [*labels, *texts]))
    across = -(-len(spaces) // 2) if len(spaces) > SHORT else len(spaces)
    room = max(1, (width + 1) // (cell + 1))
    if across > room:
        columns = tuple(replace(space, column=at, row=1) for at, space in enumerate(spaces, 1))
        return draw_grid(replace(group, spaces=columns), width, look)
    painted = [
        look.cell(text, cell, look.role(space)) for text, space in zip(texts, spaces, strict=True)
    ]
    named = [look.cell(label, cell, Role("label")) for label in labels]

    def line(items: Iterable[str]) -> str:
        return " ".join(items).rstrip()

    away, back = slice(0, across), slice(None, across - 1, -1)
    lines = [line(painted[away]), line(named[away])]
    if across < len(spaces):
        missing = [" " * cell] * (2 * across - len(spaces))
        lines = [line(missing + named[back]), line(missing + painted[back]), "", *lines]
    return lines


def draw_map(group: GroupView, width: int = 100, look: Look | None = None) -> list[str]:
    """Spaces without coordinates as a table: space, pieces, variables. Empty ones are folded."""
    look = look or Look()
    empty = [space for space in group.spaces if not (space.pieces or space.values)]
    folded = empty if len(empty) >= FOLDED else []
    shown = [space for space in group.spaces if space not in folded]
    rows = [(_title(space), pile_names(space.pieces), pairs(space.values)) for space in shown]
    moved = {at + 1 for at, space in enumerate(shown) if space.name in look.moved}
    lines = [
        look.paint(line, Role("label" if at == 0 else "", moved=at in moved))
        for at, line in enumerate(table(("space", "pieces", "variables"), rows, width))
    ]
    if folded:
        lines += wrapped([f"nothing at: {_title(folded[0])}", *map(_title, folded[1:])], width)
    return lines


def _title(space: SpaceView) -> str:
    return space.title or space.name


def pile_names(pieces: Iterable[PieceView]) -> str:
    counts = Counter(
        piece.name if piece.owner is None else f"{piece.owner} {piece.name}" for piece in pieces
    )
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counts.items())


def pairs(values: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], width: int = 0) -> list[str]:
    """Aligned columns; a column that is empty in every row is left out.

    With a width, what does not fit goes on below, in the last column.
    """
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    if not used:
        return []
    lines = [[header[i] for i in used], *([row[i] for i in used] for row in rows)]
    widths = [max(breadth(line[i]) for line in lines) for i in range(len(used))]
    if width and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        lines = [part for line in lines for part in _folded_row(line, widths, width)]
        widths = [max(breadth(line[i]) for line in lines) for i in range(len(used))]
    return [
        GAP.join(
            cell + " " * (width - breadth(cell)) for cell, width in zip(line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]


def _folded_row(line: Sequence[str], widths: Sequence[int], width: int) -> list[list[str]]:
    """A row of a table as several: what is too long goes on below, in its own column."""
    room = max(12, (width - widths[0]) // max(1, len(line) - 1) - len(GAP))
    cells = [[line[0]], *(wrapped(cell.split(", "), room) or [""] for cell in line[1:])]
    height = max(map(len, cells))
    return [[cell[at] if at < len(cell) else "" for cell in cells] for at in range(height)]


def draw_zone(zone: ZoneView, width: int = 100) -> list[str]:
    names = pile_names(zone.pieces)
    parts = names.split(", ") if names else []
    if zone.hidden:
        parts.append(f"{zone.hidden} face down")
    first, *rest = wrapped([f"{zone.name}: {parts[0]}", *parts[1:]], width) if parts else [""]
    return [first, *(f"  {line}" for line in rest)]


def draw_zones(zones: Sequence[ZoneView], width: int = 100) -> list[str]:
    """A line for each that holds something, one for all that are empty."""
    empty = _by_zone([zone.name for zone in zones if not zone.count])
    lines = [line for zone in zones if zone.count for line in draw_zone(zone, width)]
    return [*lines, *wrapped([f"empty: {empty[0]}", *empty[1:]], width)] if empty else lines


def _by_zone(names: Sequence[str]) -> list[str]:
    """Zones of several seats in one: `played of North and East`."""
    owners: dict[str, list[str]] = {}
    for name in names:
        zone, _, owner = name.partition(" of ")
        owners.setdefault(zone, []).append(owner)
    return [
        f"{zone} of {' and '.join([', '.join(of[:-1]), of[-1]] if of[1:] else of)}"
        if of[-1]
        else zone
        for zone, of in owners.items()
    ]


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


def draw(scene: Scene, width: int = 100, look: Look | None = None) -> str:
    """The whole table as one seat sees it."""
    look = look or Look()
    blocks: list[list[str]] = []
    for group in scene.groups:
        lines = _group(group, width, look)
        if lines and (len(scene.groups) > 1 or group.track):
            lines.insert(0, f"{group.name}:")
        blocks.append(lines)
    blocks.append(wrapped((f"{sign} {meaning}" for sign, meaning in scene.legend), width))
    blocks.append(draw_zones(scene.zones, width))
    if scene.seats:
        names = list(dict.fromkeys(name for _, values in scene.seats for name, _ in values))
        rows = [[seat, *(dict(values).get(n, "") for n in names)] for seat, values in scene.seats]
        lines = table(["seat", *names], rows, width) if names else []
        blocks.append([_seat_line(look, line) for line in lines])
    blocks.append(wrapped((f"{name} {value}" for name, value in scene.values), width))
    kept = [[line for line in block if line or len(block) > 1] for block in blocks]
    return "\n\n".join("\n".join(block) for block in kept if block)


def _seat_line(look: Look, line: str) -> str:
    """The row of a seat, its name in its colour."""
    name = next((seat for seat in look.seats if line.startswith(f"{seat} ")), "")
    return look.paint(name, look.of("seat", name)) + line.removeprefix(name)


def _group(group: GroupView, width: int, look: Look) -> list[str]:
    if not (group.track or group.is_grid):
        return draw_map(group, width, look)
    if group.spotted:
        lines = draw_lattice(group, width)
    else:
        lines = draw_track(group, width, look) if group.track else draw_grid(group, width, look)
    if group.plain_value is not None:
        return [*lines, f"(numbers: {group.plain_value})"]
    return lines + [f"{s.name}: {pairs(s.values)}" for s in group.spaces if s.values]


def faces(scene: Scene, seat: str) -> bool:
    """Whether the pieces of a seat stand on the far side of a board: it sits there as well."""
    for group in scene.groups:
        if not group.is_grid or group.track or group.slanted:
            continue
        rows = [s.row for s in group.spaces if any(piece.owner == seat for piece in s.pieces)]
        others = [
            s.row
            for s in group.spaces
            if any(piece.owner not in (None, seat) for piece in s.pieces)
        ]
        if rows and others and min(rows) > max(others):
            return True
    return False
