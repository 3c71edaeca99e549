"""Spaces: grids, hexes, tracks and maps, with their names, directions and neighbours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import SpaceGroup, SpaceItem
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.language.world.values import suggest

MAX_PLACES = 20_000
MAX_DIRECTIONS = 64
MAX_REPORTS = 20  # of unknown neighbours in one group, before they are only counted

COMPASS: dict[str, tuple[int, int]] = {  # (columns east, rows north)
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
# A rhombus of hexes leans east: going up a column is northeast, and north and south are corners.
HEX: dict[str, tuple[int, int]] = {
    "northeast": (0, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "southwest": (0, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
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

    def steps_table(self) -> tuple[tuple[int, ...], ...]:
        spaces = range(len(self.names))
        rows = (self.steps.get(direction, {}) for direction in self.directions)
        return tuple(tuple(row.get(space, -1) for space in spaces) for row in rows)

    def adjacent_table(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(sorted(found)) for found in self.neighbours)

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
        return layout

    # ------------------------------------------------------------------- names

    def _add_group(self, group: SpaceGroup) -> None:
        if group.shape == "list":
            self._add_items(group)
            return
        size = self._size(group)
        if size is None:
            return
        if group.shape == "track":
            self._add(group, [f"{group.name}{number}" for number in range(1, size[0] + 1)])
            return
        self._layout.has_grid = True
        columns, rows = size
        coordinates = [
            (column, row)
            for row in range(1, rows + 1)
            for column in range(1, columns + 1)
            if _kept(group, column, row)
        ]
        if group.names == "numbers":
            names = [f"{group.name}{number}" for number in range(1, len(coordinates) + 1)]
        else:
            letters = [_column_letters(column) for column in range(1, columns + 1)]
            names = [f"{letters[column - 1]}{row}" for column, row in coordinates]
        if not names:
            self._diagnostics.error(
                "empty-declaration", group.span,
                f"no square of `{group.name}` is {group.keep}", "make it larger",
            )  # fmt: skip
        self._add(group, names, coordinates)

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
        needed = 1 if group.shape == "track" else 2
        example = "track: 24" if group.shape == "track" else f"{group.shape}: [8, 8]"
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
            self._connect_cells(members, COMPASS, _ADJACENT_DIRECTIONS[group.adjacency])
        elif group.shape == "hex":
            self._connect_cells(members, HEX, tuple(HEX))
        elif group.shape == "track":
            self._connect_track(members, group.loop)
        else:
            self._connect_map(group, members)

    def _connect_cells(
        self,
        members: tuple[int, ...],
        offsets: dict[str, tuple[int, int]],
        adjacent: tuple[str, ...],
    ) -> None:
        layout = self._layout
        at = {layout.coordinates[space]: space for space in members}
        for direction, (east, north) in offsets.items():
            row = layout.steps.setdefault(direction, {})
            for (column, line), space in at.items():
                target = at.get((column + east, line + north))
                if target is not None:
                    row[space] = target
                    if direction in adjacent:
                        layout.neighbours[space].add(target)

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


def _kept(group: SpaceGroup, column: int, row: int) -> bool:
    dark = (column + row) % 2 == 0  # a1 is dark
    return group.keep == "all" or dark == (group.keep == "dark")


def _column_letters(column: int) -> str:
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
