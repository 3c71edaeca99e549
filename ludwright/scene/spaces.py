"""Spaces as a seat sees them: what lies there, and what their variables and markers say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludwright.language.gamedef import GameDef
from ludwright.program import Program, Variable
from ludwright.program.cells import decoder
from ludwright.program.program import Words
from ludwright.program.world import World
from ludwright.scene.figures import Piece
from ludwright.scene.words import in_words, titled, worded

# attributes that say where a space is, not what it is
_LEVELS = ((-1, 1), (-2, 2))
_NOTE = 5  # letters of the name of a number beside a space
_PLACING = ("column", "row", "index")


@dataclass(frozen=True)
class SpaceView:
    index: int
    name: str
    title: str
    column: int  # from 1; 0 where the space has no place in a grid
    row: int
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()  # what never changes: "city", "pop 3"
    values: tuple[tuple[str, str], ...] = ()  # variables that are not as they were declared
    level: int = 0  # of its marker with ordered states: below or above the middle
    mood: str = ""  # the level in words
    shaded: bool = False
    kind: int = 0  # the number of its first attribute that is a word
    attributes: Mapping[str, Any] = field(default_factory=dict)
    point: tuple[int, int] | None = None  # where the rulebook places it

    @property
    def changing(self) -> str:
        """All that play can change of it, in one text."""
        return f"{self.level} {self.mood} {self.values} {self.pieces}"


@dataclass(frozen=True)
class GroupView:
    name: str
    shape: str  # "grid", "hex", "track" or "list"
    loop: bool
    spaces: tuple[SpaceView, ...]
    placed: bool  # whether all spaces have a column and a row
    spotted: bool = False  # drawn by the spots of its spaces
    parts: tuple[GroupView, ...] = ()  # its corners and sides
    flat: bool = False  # hexes that stand on a side


def groups_of(
    program: Program, gamedef: GameDef, observation: Mapping[str, Any]
) -> list[GroupView]:
    """Every space once, in the first group that has it."""
    world = program.world
    reader = _Reader(program, gamedef, observation)
    declared = {group.name: group for group in gamedef.spaces}
    seen: set[int] = set()
    found: list[GroupView] = []
    for name, members in world.groups.items():
        own = [space for space in members if space not in seen]
        seen.update(own)
        if not own:
            continue
        spaces = tuple(reader.space(index) for index in own)
        group = declared.get(name)
        placed = all(space.column > 0 and space.row > 0 for space in spaces)
        shape = group.shape if group is not None else "list"
        flat = group is not None and group.top == "flat"
        spotted = flat or (group is not None and group.form != "rhombus")
        loop = bool(group and group.loop)
        found.append(GroupView(name, shape, loop, spaces, placed, spotted, flat=flat))
    return _with_parts(found, {group.name: group.base for group in gamedef.spaces})


def _with_parts(groups: list[GroupView], bases: Mapping[str, str]) -> list[GroupView]:
    """Corners and sides belong to their board."""
    names = {group.name for group in groups}
    parts = [group for group in groups if bases.get(group.name) in names]
    found: list[GroupView] = []
    for group in (group for group in groups if group not in parts):
        own = tuple(part for part in parts if bases[part.name] == group.name)
        spotted = group.spotted or bool(own)
        found.append(replace(group, spotted=spotted, parts=own))
    return found


class _Reader:
    def __init__(self, program: Program, gamedef: GameDef, observation: Mapping[str, Any]) -> None:
        self._world = program.world
        self._words = program.words
        self._initial = list(program.initial)
        self._places: Mapping[str, Any] = observation["places"]
        self._variables: Mapping[str, Any] = observation["variables"]
        self._declared = [
            v for v in program.variables
            if v.scope == "space" and not program.words.get(("variable", v.name), Words()).hidden
        ]  # fmt: skip
        self._markers = {marker.name: marker for marker in gamedef.markers}
        self._titles = {
            item.name: item.title for group in gamedef.spaces for item in group.items if item.title
        }
        self._points = {item.name: item.point for group in gamedef.spaces for item in group.items}
        self._shades = next(
            (a for a in self._world.space_attributes.values() if a.type.kind == "bool"), None
        )

    def space(self, index: int) -> SpaceView:
        name = self._world.places[index].name
        column, row = self._world.column_and_row(index)
        values, level, mood = self._changing(index, name)
        return SpaceView(
            index,
            name,
            self._words.get(("space", name), Words()).title
            or self._titles.get(name)
            or titled(name),
            column,
            row,
            tuple(p for p in self._places.get(name, {}).get("pieces", ()) if p is not None),
            self._notes(index),
            values,
            level,
            mood,
            bool(self._shades and self._shades.values[index] == 1),
            self._kind(index),
            self._attributes(index, name),
            self._points.get(name),
        )

    def _kind(self, index: int) -> int:
        for attribute in self._world.space_attributes.values():
            value = attribute.values[index]
            if attribute.type.kind == "enum" and isinstance(value, int):
                return max(0, value)
        return 0

    def _attributes(self, index: int, name: str) -> dict[str, Any]:
        """Values by name, as a rulebook writes them."""
        found: dict[str, Any] = {"name": name}
        for key, attribute in self._world.space_attributes.items():
            value = attribute.values[index]
            if attribute.type.kind == "enum" and isinstance(value, int):
                words = self._world.enums.get(attribute.type.name, ())
                found[key] = words[value] if 0 <= value < len(words) else None
            elif attribute.type.kind == "bool":
                found[key] = value == 1
            else:
                found[key] = value
        return found

    def _notes(self, index: int) -> tuple[str, ...]:
        """Attributes worth telling: words, and small numbers with their name."""
        notes: list[str] = []
        for name, attribute in self._world.space_attributes.items():
            value = attribute.values[index]
            if not isinstance(value, int) or name in _PLACING:
                continue
            if attribute.type.kind == "enum":
                words = self._world.enums.get(attribute.type.name, ())
                if 0 <= value < len(words):
                    notes.append(worded(words[value]))
            elif attribute.type.kind == "int" and 0 < value < 100:
                word = worded(name)
                short = word if len(word) <= _NOTE else f"{word[: _NOTE - 1]}."
                notes.append(f"{short} {value}")
        return tuple(notes[:2])

    def _changing(self, index: int, name: str) -> tuple[tuple[tuple[str, str], ...], int, str]:
        values: list[tuple[str, str]] = []
        level, mood = 0, ""
        for variable in self._declared:
            known = self._variables.get(variable.name)
            if known is None or name not in known:
                continue
            value = known[name]
            marker = self._markers.get(variable.name)
            if marker is not None and len(marker.states) in (3, 5) and not level:
                level, mood = marker.states.index(value) - len(marker.states) // 2, worded(value)
                continue
            if _is_level(variable) and not level:
                level, mood = value, f"{worded(variable.name)} {value}"
                continue
            if self._counts(variable) or (value and self._changed(variable, index, value)):
                values.append((worded(variable.name), in_words(value)))
        return tuple(values), level, mood if level else ""

    def _counts(self, variable: Variable) -> bool:
        """A number that stands for what lies in a space, in a game without pieces: none is told."""
        return variable.type.kind == "int" and not self._world.kinds and len(self._declared) == 1

    def _changed(self, variable: Variable, index: int, value: Any) -> bool:
        at = variable.addr + (index - variable.first) * variable.type.width
        return bool(decoder(variable.type)(self._initial, at) != value)


def _is_level(variable: Variable) -> bool:
    """A number as far below nothing as above it, such as a mood from -2 to 2."""
    return variable.type.kind == "int" and (variable.type.lo, variable.type.hi) in _LEVELS


def neighbours(world: World, spaces: Sequence[SpaceView]) -> list[list[int]]:
    """Which of these spaces are adjacent, by their position in the list, both ways."""
    position = {space.index: at for at, space in enumerate(spaces)}
    found: list[set[int]] = [set() for _ in spaces]
    for at, space in enumerate(spaces):
        for other in world.adjacent[space.index] if world.adjacent else ():
            if other in position:
                found[at].add(position[other])
                found[position[other]].add(at)
    return [sorted(own) for own in found]
