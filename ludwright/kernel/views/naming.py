"""Values inside and outside the kernel.

Inside everything is a number, a tuple or the bits of a set. Outside, seats, places, pieces, enum
values, rows and directions are called by name, `none` is None, and tuples, lists and sets are
lists. Pieces that are alike have no name of their own outside: they are called `kind@place`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.kernel.interpreter.run import Cells
from ludwright.program import Program, Variable
from ludwright.program.cells import set_members
from ludwright.program.types import NO_ENTITY, NO_INT, Type

OUT_OF_GAME = "out"
_NUMBER = re.compile(r"#\d+'*$")  # at the end of the name of one of several alike
_REMEMBERED = 4096  # lists of pieces whose names are kept


FEW = 12  # names that a message lists


class NotOfType(Exception):
    """An outside value that names no value of the type."""


class Values:
    """Translates for one Program."""

    def __init__(self, program: Program, classes: PieceClasses) -> None:
        self._program = program
        self._classes = classes
        self._signature = classes.signature
        world = program.world
        self._place_names = tuple(place.name for place in world.places)
        self.piece_names: tuple[str, ...] = tuple(
            name for kind in world.kinds for name in kind.names
        )
        self.piece_kinds = tuple(kind for kind in world.kinds for _ in kind.pieces)
        self.makes = tuple(self._make(piece) for piece in range(world.piece_count))
        # All pieces have names of their own: nothing else is needed to tell them apart.
        self._individual = not classes.any_alike and len(set(self.piece_names)) == len(
            self.piece_names
        )
        self._described: dict[tuple[Any, ...], tuple[str, ...]] = {}  # by signature
        self._fixed: dict[int, dict[str, Any]] = {}
        self._changeable: dict[int, tuple[Variable, ...]] = {}  # by the first piece of a kind
        self._names: dict[tuple[str, str], tuple[Any, ...]] = {}
        self._indices: dict[tuple[str, str], dict[str, int]] = {}

    def _make(self, piece: int) -> str:
        """The name that alike pieces share: `copper` for `copper#3`, with the owner."""
        name = self.piece_names[piece]
        if not self._classes.alike[piece]:
            return name
        name = _NUMBER.sub("", name) or self.piece_kinds[piece].name
        table = self._program.fixed_properties.get("owner")
        owner = self._program.tables[table][piece] if table is not None else -1
        return f"{name} of {self._program.world.seats[owner]}" if owner >= 0 else name

    # ------------------------------------------------------------ outward

    def names(self, type_: Type) -> tuple[Any, ...]:
        """What the values of an indexed type are called, by index."""
        key = (type_.kind, type_.name if type_.kind in ("enum", "label", "row") else "")
        known = self._names.get(key)
        if known is None:
            known = self._names[key] = self._list_names(type_)
        return known

    def _list_names(self, type_: Type) -> tuple[Any, ...]:
        world = self._program.world
        if type_.kind == "seat":
            return world.seats
        if type_.kind == "place":
            return self._place_names
        if type_.kind == "piece":
            return self.piece_names
        if type_.kind == "direction":
            return world.directions
        if type_.kind == "enum":
            return world.enums.get(type_.name, ())
        if type_.kind == "label":
            return self._program.labels.get(type_.name, ())
        if type_.kind == "row" and type_.name in world.tables:
            rows = world.tables[type_.name].rows
            return tuple(name or index for index, name in enumerate(rows))
        return ()

    def outside(self, type_: Type, value: Any) -> Any:
        """A value as callers see it. Pieces are called by their own names here."""
        kind = type_.kind
        if kind == "int":
            return None if value == NO_INT else int(value)
        if kind == "bool":
            return None if value == NO_ENTITY else bool(value)
        if kind == "none":
            return None
        if kind == "set":
            return self._all_outside(type_.items[0], set_members(value, type_.items[0].lo))
        if kind == "tuple":
            if not isinstance(value, tuple):
                return None
            return [self.outside(item, part) for item, part in zip(type_.items, value, strict=True)]
        if kind == "list":
            return self._all_outside(type_.items[0], value)
        if value < 0:
            return None
        names = self.names(type_)
        return names[value] if value < len(names) else value

    def _all_outside(self, item: Type, values: Sequence[Any]) -> list[Any]:
        """The members of a collection as callers see them."""
        if item.is_scalar and item.kind not in ("int", "bool", "none"):
            names = self.names(item)
            count = len(names)
            return [names[at] if 0 <= at < count else self.outside(item, at) for at in values]
        return [self.outside(item, value) for value in values]

    def options(self, cells: Cells, type_: Type, values: Sequence[Any]) -> Sequence[Any]:
        """A decision's options, in order; pieces by what tells them apart."""
        if type_.kind == "piece":
            return self.describe(cells, values)
        if type_.kind == "int":
            return list(values)
        if type_.is_scalar and type_.kind not in ("bool", "none"):
            names = self.names(type_)
            return [names[value] for value in values]
        return [self.outside(type_, value) for value in values]

    def describe(self, cells: Sequence[int], pieces: Sequence[int]) -> tuple[str, ...]:
        """Names that differ wherever the pieces do: `kind@place`, with properties if needed."""
        if self._individual:
            names = self.piece_names
            return tuple([names[piece] for piece in pieces])
        key = self._signature(cells, pieces)
        known = self._described.get(key)
        if known is None:
            if len(self._described) >= _REMEMBERED:
                self._described.clear()
            known = self._described[key] = tuple(self.describe_anew(cells, pieces))
        return known

    def describe_anew(self, cells: Sequence[int], pieces: Sequence[int]) -> list[str]:
        """The same, without the cache."""
        alike = self._classes.alike
        plain = [
            self.called(cells, piece) if alike[piece] else self.piece_names[piece]
            for piece in pieces
        ]
        groups: dict[str, set[tuple[Any, ...]]] = {}
        for piece, name in zip(pieces, plain, strict=True):
            groups.setdefault(name, set()).add(self._classes.key(cells, piece))
        full = [
            name
            if len(groups[name]) == 1
            else f"{name}:{','.join(self._properties(cells, piece)) or 'plain'}"
            for piece, name in zip(pieces, plain, strict=True)
        ]
        # Pieces whose properties are equal too differ only in who has seen them.
        keys: dict[str, list[tuple[Any, ...]]] = {}
        named: list[str] = []
        for piece, name in zip(pieces, full, strict=True):
            key = self._classes.key(cells, piece)
            known = keys.setdefault(name, [])
            if key not in known:
                known.append(key)
            number = known.index(key)
            named.append(name if number == 0 else f"{name}#{number + 1}")
        return named

    def called(self, cells: Sequence[int], piece: int) -> str:
        """`kind@place` of a piece that is one of many."""
        return f"{self.piece_kinds[piece].name}@{self.place_of(cells, piece)}"

    def place_of(self, cells: Sequence[int], piece: int) -> str:
        place = cells[self._program.piece_place + piece]
        return self._place_names[place] if place >= 0 else OUT_OF_GAME

    def words_about(self, cells: Sequence[int], piece: int) -> set[str]:
        """Its kind, its name, and its properties, as `describe` writes them."""
        kind, name = self.piece_kinds[piece].name, _NUMBER.sub("", self.piece_names[piece])
        return {kind, name, *self._properties(cells, piece)}

    def pieces_of(self, cells: Sequence[int], name: str) -> list[int]:
        """The pieces that `describe` could call by a name, or whose own name it is."""
        if name in self.piece_names:
            return [self.piece_names.index(name)]
        bare = _NUMBER.sub("", name)
        found: list[int] = []
        for piece in range(len(self.piece_names)):
            called = self.called(cells, piece)
            if bare == called or (
                bare.startswith(f"{called}:")
                and bare == f"{called}:{','.join(self._properties(cells, piece)) or 'plain'}"
            ):
                found.append(piece)
        return found

    def properties(self, cells: Sequence[int], piece: int) -> dict[str, Any]:
        """The properties of a piece, fixed and changeable, as callers see them."""
        found = dict(self.fixed(piece))
        for variable in self.changeable(piece):
            found[variable.name] = self.outside(variable.type, cells[variable.cell_of(piece)])
        return found

    def fixed(self, piece: int) -> dict[str, Any]:
        """The properties of a piece that never change; not to be written to."""
        known = self._fixed.get(piece)
        if known is None:
            program, known = self._program, {}
            for prop in self.piece_kinds[piece].properties:
                if prop.name in program.fixed_properties:
                    value = program.tables[program.fixed_properties[prop.name]][piece]
                    known[prop.name] = self.outside(prop.type, value)
            self._fixed[piece] = known
        return known

    def changeable(self, piece: int) -> tuple[Variable, ...]:
        """The variables that hold the other properties of a piece."""
        kind = self.piece_kinds[piece]
        known = self._changeable.get(kind.first)
        if known is None:
            names = {prop.name for prop in kind.properties}
            known = self._changeable[kind.first] = tuple(
                variable
                for variable in self._program.variables
                if variable.scope == "piece" and variable.name in names
            )
        return known

    def _properties(self, cells: Sequence[int], piece: int) -> list[str]:
        parts: list[str] = []
        for name, value in self.properties(cells, piece).items():
            if value is True:
                parts.append(name)
            elif isinstance(value, int) and value is not False:
                parts.append(f"{name}={value}")
            elif value is not None and value is not False:
                parts.append(str(value))
        return parts

    # ------------------------------------------------------------- inward

    def inside(self, type_: Type, value: Any) -> Any:
        """The kernel's value for what a caller wrote; `NotOfType` if there is none."""
        kind = type_.kind
        if value is None:
            return type_.none
        if kind == "int":
            if isinstance(value, bool) or not isinstance(value, int):
                raise NotOfType(f"{value!r} is not a number")
            return value
        if kind == "bool":
            if not isinstance(value, bool):
                raise NotOfType(f"{value!r} is not true or false")
            return int(value)
        if kind in ("tuple", "list", "set"):
            return self._inside_many(type_, value)
        if isinstance(value, str):
            return self._index(type_, value)
        names = self.names(type_)
        if value.__class__ is int and value in names:
            return names.index(value)
        raise NotOfType(f"{value!r} is {self._no_name(type_)}")

    def _no_name(self, type_: Type) -> str:
        """What is wrong with a text that names no value of a type."""
        if type_.kind == "enum" and len(self.names(type_)) <= FEW:
            return f"not one of {', '.join(map(str, self.names(type_)))}"
        article = "an" if type_.kind[0] in "aeio" else "a"
        return f"not the name of {article} {type_.kind}"

    def _inside_many(self, type_: Type, value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise NotOfType(f"{value!r} is not a list")
        if type_.kind == "tuple":
            if len(value) != len(type_.items):
                raise NotOfType(f"{len(type_.items)} values are needed, not {len(value)}")
            return tuple(
                self.inside(item, part) for item, part in zip(type_.items, value, strict=True)
            )
        item = type_.items[0]
        parts = tuple(self.inside(item, part) for part in value)
        if type_.kind == "list":
            return parts
        bits = 0
        for part in parts:
            bits |= 1 << (part - item.lo)
        return bits

    def _index(self, type_: Type, value: str) -> int:
        key = (type_.kind, type_.name)
        index = self._indices.get(key)
        if index is None:
            names = self.names(type_)
            index = self._indices[key] = {
                name: at for at, name in reversed(list(enumerate(names))) if isinstance(name, str)
            }
        if value not in index:
            raise NotOfType(f"`{value}` is {self._no_name(type_)}")
        return index[value]
