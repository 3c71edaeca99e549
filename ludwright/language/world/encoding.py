"""Universes of names, and constants encoded as the integers the state uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.world.values import NONE, Many, Named, Raw, describe, suggest
from ludwright.program.types import Type
from ludwright.program.world import Constant, World

MAX_SHOWN = 8


@dataclass(frozen=True)
class Universe:
    """Names that stand for indexes of one type."""

    label: str  # "a seat", "a value of Suit": for messages
    type: Type
    members: Mapping[str, int]
    rank: int  # lower is preferred where names fit several universes
    bare: bool = True  # may its names stand alone?


def seat_type(world: World) -> Type:
    return Type("seat", hi=max(0, len(world.seats) - 1))


def space_type(world: World) -> Type:
    return Type("place", "space", 0, max(0, world.space_count - 1))


def enum_type(world: World, name: str) -> Type:
    return Type("enum", name, 0, max(0, len(world.enums[name]) - 1))


def row_type(world: World, name: str) -> Type:
    return Type("row", name, 0, max(0, len(world.tables[name].rows) - 1))


def place_type(world: World) -> Type:
    return Type("place", "", 0, max(0, len(world.places) - 1))


def direction_type(world: World) -> Type:
    return Type("direction", hi=max(0, len(world.directions) - 1))


def indexes(names: Iterable[str]) -> dict[str, int]:
    """First position of each name; unnamed members are left out."""
    found: dict[str, int] = {}
    for index, name in enumerate(names):
        if name:
            found.setdefault(name, index)
    return found


@dataclass
class Universes:
    """All universes of a world, most likely first."""

    world: World
    all: list[Universe] = field(init=False)
    _members: dict[tuple[str, str], Mapping[str, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        world = self.world
        spaces = [place.name for place in world.places[: world.space_count]]
        found = [
            Universe("a seat", seat_type(world), indexes(world.seats), 0),
            Universe("a space", space_type(world), indexes(spaces), 1),
        ]
        for name, values in world.enums.items():
            # Enums without a name of their own (`card.suit`) yield to declared ones.
            rank = 3 if "." in name else 2
            label = f"a value of `{name}`"
            found.append(Universe(label, enum_type(world, name), indexes(values), rank))
        for name, table in world.tables.items():
            # `{US: 50, NVA: 18}` looks values up: its keys name no new things.
            rows = indexes(table.rows)
            label = f"a row of `{name}`"
            found.append(Universe(label, row_type(world, name), rows, 4, bare=not table.keyed))
        found.append(Universe("a direction", direction_type(world), indexes(world.directions), 5))
        places = indexes(place.name for place in world.places)
        found.append(Universe("a place", place_type(world), places, 6))
        self.all = sorted(found, key=lambda universe: universe.rank)
        self._members = {(u.type.kind, u.type.name): u.members for u in self.all}

    def members(self, type_: Type) -> Mapping[str, int]:
        """Names of an indexed type; a group or zone is a stretch of the places."""
        exact = self._members.get((type_.kind, type_.name))
        if exact is not None:
            return exact
        if type_.kind == "place":
            every = self._members["place", ""]
            return {name: at for name, at in every.items() if type_.lo <= at <= type_.hi}
        return {}

    def encode(
        self, value: Raw, type_: Type, span: Span | None, what: str, diagnostics: Diagnostics
    ) -> Constant | None:
        """The integers of a value, or None after a diagnostic. `what` names it in messages."""
        if type_.kind == "set":
            return self._encode_set(value, type_, span, what, diagnostics)
        if type_.kind in ("list", "tuple"):
            return self._encode_many(value, type_, span, what, diagnostics)
        return self.encode_scalar(value, type_, span, what, diagnostics)

    def encode_scalar(
        self, value: Raw, type_: Type, span: Span | None, what: str, diagnostics: Diagnostics
    ) -> int | None:
        if value is NONE and type_.optional:
            return type_.none
        if type_.kind == "bool" and isinstance(value, bool):
            return int(value)
        if type_.kind == "int" and isinstance(value, int) and not isinstance(value, bool):
            if type_.lo <= value <= type_.hi:
                return value
            diagnostics.error(
                "number-out-of-range", span,
                f"{what} is {value}, outside {type_.lo}..{type_.hi}",
                "change the value or the declared range",
            )  # fmt: skip
            return None
        if isinstance(value, Named) and type_.kind not in ("bool", "int"):
            members = self.members(type_)
            if value.name in members and value.universe in ("", type_.name):
                return members[value.name]
            diagnostics.error(
                "unknown-name", value.span or span,
                f"{what}: `{value.name}` is not {self.describe(type_)}",
                suggest(value.name, members, choices(members)),
            )  # fmt: skip
            return None
        diagnostics.error(
            "type-mismatch", span,
            f"{what} must be {self.describe(type_)}, not {describe(value)}",
            "write `none` only where the type ends in `?`" if value is NONE
            else "change the value or the declared type",
        )  # fmt: skip
        return None

    def _encode_many(
        self, value: Raw, type_: Type, span: Span | None, what: str, diagnostics: Diagnostics
    ) -> Constant | None:
        is_list = type_.kind == "list"
        fits = isinstance(value, Many) and (
            len(value.items) <= type_.cap if is_list else len(value.items) == len(type_.items)
        )
        if not isinstance(value, Many) or not fits:
            need = f"a list of at most {type_.cap}" if is_list else f"{len(type_.items)} items"
            given = f"{len(value.items)} items" if isinstance(value, Many) else describe(value)
            diagnostics.error(
                "type-mismatch", span, f"{what} must be {need}, not {given}",
                "change the value or the declared type",
            )  # fmt: skip
            return None
        encoded: list[int] = []
        for position, item in enumerate(value.items):
            item_type = type_.items[0] if is_list else type_.items[position]
            index = self.encode_scalar(item, item_type, span, what, diagnostics)
            if index is None:
                return None
            encoded.append(index)
        return tuple(encoded)

    def _encode_set(
        self, value: Raw, type_: Type, span: Span | None, what: str, diagnostics: Diagnostics
    ) -> int | None:
        item_type = type_.items[0]
        if isinstance(value, Named) and value.name == "all":
            return (1 << (item_type.hi - item_type.lo + 1)) - 1
        if not isinstance(value, Many):
            diagnostics.error(
                "type-mismatch", span, f"{what} must be a list of its members, not "
                f"{describe(value)}", "write a list in [ ], or `all`",
            )  # fmt: skip
            return None
        bits = 0
        for item in value.items:
            index = self.encode_scalar(item, item_type, span, what, diagnostics)
            if index is None:
                return None
            bits |= 1 << (index - item_type.lo)
        return bits

    def describe(self, type_: Type) -> str:
        """A type in an author's words."""
        if type_.kind == "bool":
            return "true or false"
        if type_.kind == "int":
            return f"a number in {type_.lo}..{type_.hi}"
        if type_.kind == "place" and type_.name not in ("", "space"):
            return f"a place of `{type_.name}`"
        for universe in self.all:
            if (universe.type.kind, universe.type.name) == (type_.kind, type_.name):
                return universe.label
        return f"a {type_.kind}"

    def show(self, value: int, type_: Type) -> str:
        """A scalar as people write it."""
        if value == type_.none and (type_.optional or type_.kind != "int"):
            return "none"
        world = self.world
        if type_.kind == "bool":
            return "true" if value else "false"
        if type_.kind == "enum":
            return world.enums[type_.name][value]
        if type_.kind == "seat":
            return world.seats[value]
        if type_.kind == "place":
            return world.places[value].name
        if type_.kind == "row":
            return world.tables[type_.name].rows[value] or str(value + 1)
        if type_.kind == "direction":
            return world.directions[value]
        return str(value)


def choices(names: Iterable[str]) -> str | None:
    """`choose one of …`, for short universes."""
    pool = list(names)
    return f"choose one of {listed(pool)}" if pool else None


def listed(names: Iterable[str]) -> str:
    """Some names, or the first of them."""
    pool = list(names)
    shown = ", ".join(f"`{name}`" for name in pool[:MAX_SHOWN])
    return shown + (", …" if len(pool) > MAX_SHOWN else "")


MAX_INDEX = 1024  # members that a variable or zone can be kept for


def is_index(type_: Type) -> bool:
    """Whether there can be a variable or a zone for each value of a type."""
    few = type_.hi - type_.lo < MAX_INDEX
    return few and not type_.optional and type_.kind in ("int", "enum", "row", "seat", "place")


def member_names(world: World, each: Type) -> tuple[str, ...]:
    """What the members of an index are called."""
    match each.kind:
        case "seat":
            return world.seats
        case "place":
            return tuple(place.name for place in world.places[each.lo : each.hi + 1])
        case "enum":
            return world.enums[each.name]
        case "row":
            rows = world.tables[each.name].rows
            return tuple(name or str(number) for number, name in enumerate(rows))
        case _:
            return tuple(map(str, range(each.lo, each.hi + 1)))
