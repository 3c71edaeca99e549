"""Spaces: boards, tracks and maps, with their names, directions and neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import SpaceGroup, SpaceItem
from ludwright.language.parsing.source import BROKEN as UNREADABLE
from ludwright.language.tree import Name
from ludwright.language.world import lattices
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.language.world.lattices import COMPASS, Cells, Spot, Touching
from ludwright.language.world.values import suggest

MAX_PLACES = 20_000
MAX_DIRECTIONS = 64
MAX_REPORTS = 20  # of unknown neighbours in one group, before they are only counted

ALONG_TRACK = ("forward", "backward")
OPPOSITE = {
    "north": "south",
    "northeast": "southwest",
    "east": "west",
    "southeast": "northwest",
    "south": "north",
    "southwest": "northeast",
    "west": "east",
    "northwest": "southeast",
    "forward": "backward",
    "backward": "forward",
}
_ADJACENT_DIRECTIONS = {
    "orthogonal": ("north", "east", "south", "west"),
    "diagonal": ("northeast", "southeast", "southwest", "northwest"),
    "all": tuple(COMPASS),
}


@dataclass
class SpaceLayout:
    """All spaces of a game, in order."""

    names: list[str] = field(default_factory=list)
    coordinates: list[tuple[int, int]] = field(default_factory=list)
    groups: dict[str, tuple[int, ...]] = field(default_factory=dict)
    items: dict[int, SpaceItem] = field(default_factory=dict)  # the spaces declared one by one
    directions: tuple[str, ...] = ()
    steps: dict[str, dict[int, int]] = field(default_factory=dict)
    neighbours: list[set[int]] = field(default_factory=list)
    has_grid: bool = False
    spots: dict[int, Spot] = field(default_factory=dict)  # of cells, corners and sides
    # which cells, corners and sides touch a space; only of boards that have corners or sides
    touching: dict[Touching, dict[int, set[int]]] = field(default_factory=dict)
    marked: dict[str, dict[str, list[int]]] = field(default_factory=dict)  # by group and sign

    def steps_table(self) -> tuple[tuple[int, ...], ...]:
        spaces = range(len(self.names))
        rows = (self.steps.get(direction, {}) for direction in self.directions)
        return tuple(tuple(row.get(space, -1) for space in spaces) for row in rows)

    def adjacent_table(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(sorted(found)) for found in self.neighbours)

    def spots_table(self) -> tuple[Spot, ...]:
        return tuple(self.spots.get(space, (0, 0)) for space in range(len(self.names)))

    def touching_tables(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        spaces = range(len(self.names))
        return {
            what: tuple(tuple(sorted(rows.get(space, ()))) for space in spaces)
            for what, rows in self.touching.items()
        }

    def near_table(self) -> tuple[tuple[int, ...], ...]:
        near = [set(found) for found in self.neighbours]
        for row in self.steps.values():
            for space, target in row.items():
                if target != space:
                    near[space].add(target)
        return tuple(tuple(sorted(found)) for found in near)


def build_spaces(
    groups: tuple[SpaceGroup, ...], constants: ConstantEvaluator, diagnostics: Diagnostics
) -> SpaceLayout:
    return _LayoutBuilder(constants, diagnostics).build(groups)


class _LayoutBuilder:
    def __init__(self, constants: ConstantEvaluator, diagnostics: Diagnostics) -> None:
        self._constants = constants
        self._diagnostics = diagnostics
        self._layout = SpaceLayout()
        self._group_of: list[str] = []
        self._cells: dict[str, tuple[Cells, dict[int, Spot]]] = {}  # of the boards so far
        self._parts: dict[tuple[str, str], dict[Spot, int]] = {}  # corners, sides of a board

    def build(self, groups: tuple[SpaceGroup, ...]) -> SpaceLayout:
        layout = self._layout
        layout.directions = self._directions(groups)
        built: list[SpaceGroup] = []
        for group in groups:
            if group.name in layout.groups:
                self._diagnostics.error(
                    "name-clash", group.span, f"the spaces `{group.name}` are declared twice",
                    "rename one of the groups",
                )  # fmt: skip
                continue
            first = len(layout.names)
            self._add_group(group)
            layout.groups[group.name] = tuple(range(first, len(layout.names)))
            built.append(group)
        layout.neighbours = [set() for _ in layout.names]
        for group in built:
            self._connect(group)
        for board in self._cells:
            self._join_parts(board)
        return layout

    # ------------------------------------------------------------------- names

    def _add_group(self, group: SpaceGroup) -> None:
        if group.shape == "list":
            self._add_items(group)
            return
        if group.shape in ("corners", "sides"):
            self._add_parts(group, group.shape)
            return
        size = self._size(group)
        if size is None:
            return
        if group.shape == "track":
            self._add(group, [f"{group.name}{number}" for number in range(1, size[0] + 1)])
            return
        self._layout.has_grid = True
        coordinates = self._drawn(group, self._kept(group, _all_cells(group, size)))
        if group.names == "numbers":
            names = [f"{group.name}{number}" for number in range(1, len(coordinates) + 1)]
        else:
            columns = max((column for column, _ in coordinates), default=0)
            letters = [_column_letters(column) for column in range(1, columns + 1)]
            names = [f"{letters[column - 1]}{row}" for column, row in coordinates]
        if not names:
            self._diagnostics.error(
                "empty-declaration", group.span,
                f"no cell of `{group.name}` is kept", "make it larger, or keep more of it",
            )  # fmt: skip
        self._add(group, names, coordinates)

    def _kept(self, group: SpaceGroup, cells: list[Spot]) -> list[Spot]:
        """The cells that `keep` keeps."""
        dark = group.keep == "dark"
        if group.keep != "all":  # a1 is dark
            cells = [cell for cell in cells if (sum(cell) % 2 == 0) == dark]
        if group.keep_if is None:
            return cells
        now: Spot = (0, 0)
        constants = self._constants.reading(
            lambda _, name: now[0] if name == "column" else now[1] if name == "row" else None,
            lambda: ["column", "row"],
        )
        kept: list[Spot] = []
        for now in cells:
            value = constants.evaluate(group.keep_if, here="it")
            if value is None:
                return kept
            if not isinstance(value, bool):
                self._diagnostics.error(
                    "type-mismatch", group.keep_if.span or group.span,
                    "`keep` is a condition about the space `it`",
                    "write for example `keep: it.column + it.row <= 8`",
                )  # fmt: skip
                return kept
            if value:
                kept.append(now)
        return kept

    def _drawn(self, group: SpaceGroup, cells: list[Spot]) -> list[Spot]:
        """The cells that the drawing of a board does not leave out, and which sign each has."""
        if not group.layout:
            return cells
        rows = [row.split(" ") for row in group.layout]
        by_row: dict[int, list[Spot]] = {}
        for cell in cells:
            by_row.setdefault(cell[1], []).append(cell)
        numbers = sorted(by_row, reverse=True)
        if len(numbers) != len(rows):
            self._diagnostics.error(
                "bad-size", group.span,
                f"`{group.name}` has {len(numbers)} rows, its drawing has {len(rows)}",
                "draw one line for every row, the highest first",
            )  # fmt: skip
            return cells
        signs: dict[Spot, str] = {}
        for number, row in zip(numbers, rows, strict=True):
            if len(row) != len(by_row[number]):
                self._diagnostics.error(
                    "bad-size", group.span,
                    f"row {number} of `{group.name}` has {len(by_row[number])} spaces, its "
                    f"drawing has {len(row)} signs: `{' '.join(row)}`",
                    "draw one sign for every space, from left to right; one that means `none` "
                    "leaves a space out",
                )  # fmt: skip
                return cells
            signs.update(zip(by_row[number], row, strict=True))
        left_out = {mark.sign for mark in group.legend if mark.left_out}
        kept = [cell for cell in cells if signs[cell] not in left_out]
        marked = self._layout.marked.setdefault(group.name, {})
        for at, cell in enumerate(kept, len(self._layout.names)):
            marked.setdefault(signs[cell], []).append(at)
        return kept

    def _add_parts(self, group: SpaceGroup, of: Literal["corners", "sides"]) -> None:
        board = self._cells.get(group.base)
        if board is None:
            self._diagnostics.error(
                "unknown-space", group.span,
                f"`{group.name}` are the {of} of `{group.base}`, but there is no such board above",
                suggest(group.base, self._cells, "declare a `grid`, `hex` or `hexagon` before it"),
            )  # fmt: skip
            return
        if (group.base, of) in self._parts:
            self._diagnostics.error(
                "name-clash", group.span,
                f"the {of} of `{group.base}` are declared twice", "keep one of the groups",
            )  # fmt: skip
            return
        cells, spots = board
        parts = lattices.Parts(cells, spots, of)
        if not self._room_for(group, len(parts.touching)):
            return
        first = len(self._layout.names)
        self._add(group, parts.names(group.name, self._layout.names))
        own = {spot: first + at for at, spot in enumerate(parts.touching)}
        self._parts[group.base, of] = own
        self._layout.spots.update((space, spot) for spot, space in own.items())
        for spot, space in own.items():
            for cell, _ in parts.touching[spot]:
                self._touch(of, cell, space)
                self._touch("cells", space, cell)

    def _add_items(self, group: SpaceGroup) -> None:
        if not group.items:
            self._diagnostics.error(
                "empty-declaration", group.span, f"`{group.name}` has no spaces",
                "list its spaces, or give it a `grid:`, `hex:` or `track:`",
            )  # fmt: skip
        if not self._room_for(group, len(group.items)):
            return
        first = len(self._layout.names)
        self._layout.items.update(enumerate(group.items, first))
        self._add(group, [item.name for item in group.items])

    def _add(
        self, group: SpaceGroup, names: list[str], coordinates: list[tuple[int, int]] | None = None
    ) -> None:
        layout = self._layout
        self._report_repeats(group, names)
        if coordinates is not None:
            spots = dict(enumerate((_spot(group, at) for at in coordinates), len(layout.names)))
            layout.spots.update(spots)
            squares = group.shape == "grid"
            self._cells[group.name] = (lattices.SQUARES if squares else _hexes(group), spots)
        layout.names += names
        layout.coordinates += coordinates or [(0, 0)] * len(names)
        self._group_of += [group.name] * len(names)

    def _report_repeats(self, group: SpaceGroup, names: list[str]) -> None:
        """One diagnostic for all names that occur before: two boards may share thousands."""
        counts = Counter(names)
        earlier = dict(zip(self._layout.names, self._group_of, strict=True))
        repeated = [name for name, times in counts.items() if times > 1 or name in earlier]
        if not repeated:
            return
        name = repeated[0]
        more = f" (and {len(repeated) - 1} more)" if len(repeated) > 1 else ""
        where = f"`{earlier[name]}` and `{group.name}`" if name in earlier else f"`{group.name}`"
        span = next((item.span for item in reversed(group.items) if item.name == name), None)
        self._diagnostics.error(
            "name-clash", span or group.span,
            f"the name `{name}`{more} belongs to two spaces, in {where}",
            "write `names: numbers` in one of the groups"
            if group.shape in ("grid", "hex")
            else "rename one of them",
        )  # fmt: skip

    def _size(self, group: SpaceGroup) -> tuple[int, ...] | None:
        needed = 1 if group.shape == "track" or group.form == "hexagon" else 2
        example = {"track": "track: 24", "hex": "hex: [8, 8]"}.get(group.shape, "grid: [8, 8]")
        if group.form == "hexagon":
            example = "hexagon: 3"
        if group.size == (Name(UNREADABLE),):
            return None  # which has been told
        if len(group.size) != needed:
            self._diagnostics.error(
                "bad-size", group.span,
                f"the {group.shape} `{group.name}` needs {needed} number(s) for its size, "
                f"not {len(group.size)}",
                f"write for example `{example}`",
            )  # fmt: skip
            return None
        size: list[int] = []
        for expr in group.size:
            value = self._constants.integer(expr, f"the size of `{group.name}`")
            if value is None:
                return None
            if value < 1:
                self._diagnostics.error(
                    "bad-size", expr.span or group.span,
                    f"the size of `{group.name}` is {value}, but must be at least 1",
                    f"write for example `{example}`",
                )  # fmt: skip
                return None
            size.append(value)
        total = size[0] if needed == 1 else size[0] * size[1]
        if group.form == "hexagon":
            total = 3 * size[0] * (size[0] - 1) + 1
        return tuple(size) if self._room_for(group, total) else None

    def _room_for(self, group: SpaceGroup, count: int) -> bool:
        if len(self._layout.names) + count <= MAX_PLACES:
            return True
        self._diagnostics.error(
            "too-large", group.span,
            f"`{group.name}` would bring the game to {len(self._layout.names) + count} spaces; "
            f"at most {MAX_PLACES} are allowed",
            "make it smaller",
        )  # fmt: skip
        return False

    # -------------------------------------------------------------- connections

    def _connect(self, group: SpaceGroup) -> None:
        members = self._layout.groups[group.name]
        if group.shape == "grid":
            self._connect_cells(group, _ADJACENT_DIRECTIONS[group.adjacency])
        elif group.shape == "hex":
            self._connect_cells(group, tuple(_hexes(group).steps))
        elif group.shape == "track":
            self._connect_track(members, group.loop)
        elif group.shape == "list":
            self._connect_map(group, members)

    def _connect_cells(self, group: SpaceGroup, adjacent: tuple[str, ...]) -> None:
        layout = self._layout
        cells, spots = self._cells.get(group.name, (lattices.SQUARES, {}))
        at = {spot: space for space, spot in spots.items()}
        for direction, (east, north) in cells.steps.items():
            row = layout.steps.setdefault(direction, {})
            for (across, up), space in at.items():
                target = at.get((across + east, up + north))
                if target is not None:
                    row[space] = target
                    if direction in adjacent:
                        layout.neighbours[space].add(target)

    def _touch(self, what: Touching, space: int, other: int) -> None:
        if space != other:
            self._layout.touching.setdefault(what, {}).setdefault(space, set()).add(other)

    def _join_parts(self, board: str) -> None:
        """Corners and sides of a board: which of them meet, and in which direction they lie."""
        cells, spots = self._cells[board]
        corners, sides = (self._parts.get((board, of), {}) for of in ("corners", "sides"))
        meeting: dict[Spot, list[Spot]] = {}
        for side, both in lattices.ends(cells, spots.values()).items():
            for corner, other in (both, both[::-1]):
                meeting.setdefault(corner, []).append(side)
                if corners:
                    self._touch("corners", corners[corner], corners[other])
                if corners and sides:
                    self._touch("corners", sides[side], corners[corner])
                    self._touch("sides", corners[corner], sides[side])
        for met in meeting.values() if sides else ():
            for side in met:
                for other in met:
                    self._touch("sides", sides[side], sides[other])
        self._neighbours_of_parts(corners.values(), "sides" if sides else "corners")
        self._neighbours_of_parts(sides.values(), "corners" if corners else "sides")

    def _neighbours_of_parts(self, parts: Iterable[int], what: Touching) -> None:
        """Neighbours are what meets; steps lead to that, and to the cells."""
        layout = self._layout
        for space in parts:
            layout.neighbours[space] |= layout.touching.get(what, {}).get(space, set())
            for other in layout.neighbours[space] | layout.touching["cells"].get(space, set()):
                towards = lattices.direction(layout.spots[space], layout.spots[other])
                layout.steps.setdefault(towards, {}).setdefault(space, other)

    def _connect_track(self, members: tuple[int, ...], loop: bool) -> None:
        layout = self._layout
        pairs = list(pairwise(members))
        if loop and members:
            pairs.append((members[-1], members[0]))
        forward, backward = (layout.steps.setdefault(name, {}) for name in ALONG_TRACK)
        for origin, target in pairs:
            forward[origin] = target
            backward[target] = origin
            if origin != target:
                layout.neighbours[origin].add(target)
                layout.neighbours[target].add(origin)

    def _connect_map(self, group: SpaceGroup, members: tuple[int, ...]) -> None:
        layout = self._layout
        index: dict[str, int] = {}
        for space, name in enumerate(layout.names):
            index.setdefault(name, space)
        unknown: list[tuple[SpaceItem, str]] = []
        ways_back: list[tuple[str, int, int]] = []
        for space in members:
            item = layout.items[space]
            for direction, name in [*(("", name) for name in item.adjacent), *item.directions]:
                target = index.get(name)
                if target is None:
                    unknown.append((item, name))
                    continue
                if direction:
                    layout.steps.setdefault(direction, {})[space] = target
                    if direction in OPPOSITE and not group.one_way:
                        ways_back.append((OPPOSITE[direction], target, space))
                self._join(space, target, item, mirrored=not group.one_way)
        for direction, origin, target in ways_back:
            # what a space says itself about a direction comes first
            layout.steps.setdefault(direction, {}).setdefault(origin, target)
        self._report_unknown(group, unknown, index)

    def _join(self, space: int, target: int, item: SpaceItem, *, mirrored: bool) -> None:
        if space == target:
            self._diagnostics.warning(
                "self-adjacent", item.span, f"`{item.name}` is listed as its own neighbour",
                "leave it out of its own list",
            )  # fmt: skip
            return
        self._layout.neighbours[space].add(target)
        if mirrored:
            self._layout.neighbours[target].add(space)

    def _report_unknown(
        self, group: SpaceGroup, unknown: list[tuple[SpaceItem, str]], index: dict[str, int]
    ) -> None:
        for item, name in unknown[:MAX_REPORTS]:
            self._diagnostics.error(
                "unknown-space", item.span,
                f"`{item.name}` names the neighbour `{name}`, but there is no such space",
                suggest(name, index, "declare it under `spaces:`"),
            )  # fmt: skip
        if len(unknown) > MAX_REPORTS:
            self._diagnostics.error(
                "unknown-space", group.span,
                f"`{group.name}` names {len(unknown) - MAX_REPORTS} more unknown neighbours",
                "correct the first ones, then check again",
            )  # fmt: skip

    def _directions(self, groups: tuple[SpaceGroup, ...]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        if any(group.shape in ("grid", "hex") for group in groups):
            found.update(dict.fromkeys(COMPASS))
        if any(group.shape == "track" for group in groups):
            found.update(dict.fromkeys(ALONG_TRACK))
        for group in groups:
            for item in group.items:
                for direction, _ in item.directions:
                    found[direction] = None
                    if direction in OPPOSITE and not group.one_way:
                        found[OPPOSITE[direction]] = None
        if len(found) > MAX_DIRECTIONS:
            self._diagnostics.error(
                "too-large", groups[0].span,
                f"the spaces use {len(found)} directions; at most {MAX_DIRECTIONS} are allowed",
                "use `adjacent:` for neighbours that need no named direction",
            )  # fmt: skip
        return tuple(found)[:MAX_DIRECTIONS]


def _all_cells(group: SpaceGroup, size: tuple[int, ...]) -> list[Spot]:
    return lattices.hex_cells(group.form if group.shape == "hex" else "rectangle", size)


def _spot(group: SpaceGroup, cell: Spot) -> Spot:
    if group.shape == "grid":
        return lattices.square_spot(*cell)
    return lattices.hex_spot(group.form, group.top == "flat", *cell)


def _hexes(group: SpaceGroup) -> Cells:
    return lattices.FLAT_HEXES if group.top == "flat" else lattices.HEXES


def _column_letters(column: int) -> str:
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
