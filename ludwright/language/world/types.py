"""Types as written become the kernel's types.

The compiler uses the same resolver for variables, parameters and results, so a type means the
same thing everywhere.
"""

from __future__ import annotations

from dataclasses import replace

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import TypeExpr
from ludwright.language.parsing.source import BROKEN as UNREADABLE
from ludwright.language.world.constants import MAX_LIST, MAX_TUPLE, ConstantEvaluator
from ludwright.language.world.encoding import (
    direction_type,
    enum_type,
    place_type,
    row_type,
    seat_type,
    space_type,
)
from ludwright.language.world.values import suggest
from ludwright.program.types import INT_MAX, INT_MIN, Type
from ludwright.program.world import World

MAX_SET = 65_536
BUILT_IN = ("bool", "int", "Seat", "Space", "Zone", "Place", "Piece", "Direction")
# Words of other systems, and what to write instead.
_FOREIGN = {
    "string": "text has no type; write the possible values, for example `[red, blue]`",
    "str": "text has no type; write the possible values, for example `[red, blue]`",
    "float": "there are only whole numbers; write a range, for example `0..100`",
    "Player": "did you mean `Seat`?",
    "player": "did you mean `Seat`?",
    "Row": "write the table's name",
    "Card": "write the table's or the piece kind's name",
}


class TypeResolver:
    """Resolves types over the parts of a world that are known so far."""

    def __init__(self, world: World, diagnostics: Diagnostics) -> None:
        self._world = world
        self._diagnostics = diagnostics
        self._constants = ConstantEvaluator(world, diagnostics)
        self._enum_by_values: dict[tuple[str, ...], str] = {}
        for name, values in world.enums.items():
            self._enum_by_values.setdefault(values, name)

    def resolve(self, texpr: TypeExpr) -> Type | None:
        """The type, or None after a diagnostic."""
        resolved = self._resolve(texpr)
        if resolved is not None and texpr.optional:
            if not resolved.is_scalar:
                return self._refuse(
                    "bad-type", texpr.span, f"a {resolved.kind} cannot be `none`",
                    "leave out the `?`; use an empty one instead",
                )  # fmt: skip
            return replace(resolved, optional=True)
        return resolved

    def enum_of(self, values: tuple[str, ...]) -> Type | None:
        """The enum with exactly these values: an inline list, or a marker's states."""
        name = self._enum_by_values.get(tuple(dict.fromkeys(values)))
        return enum_type(self._world, name) if name is not None else None

    def _resolve(self, texpr: TypeExpr) -> Type | None:
        if texpr.kind == "name":
            return self._named(texpr)
        if texpr.kind == "range":
            return self._range(texpr)
        if texpr.kind == "enum":
            found = self.enum_of(texpr.values) if texpr.values else None
            return found or self._refuse(
                "bad-type", texpr.span, "a list of values cannot stand here as a type",
                "declare the values under `enums:` and write the enum's name",
            )  # fmt: skip
        if texpr.kind == "list":
            return self._list(texpr)
        if texpr.kind == "set":
            return self._set(texpr)
        return self._tuple(texpr)

    def _named(self, texpr: TypeExpr) -> Type | None:
        found = self._by_name(texpr)
        if found is None or self._has_members(found):
            return found
        return self._refuse(
            "empty-declaration", texpr.span, f"nothing can be a `{texpr.name}`: there are none",
            "declare at least one, or leave this out",
        )  # fmt: skip

    def _has_members(self, type_: Type) -> bool:
        world = self._world
        if type_.kind == "enum":
            return bool(world.enums[type_.name])
        if type_.kind == "row":
            return bool(world.tables[type_.name].rows)
        if type_.kind == "place":
            return world.space_count > 0 if type_.name == "space" else bool(world.places)
        if type_.kind == "piece":
            return world.piece_count > 0
        return type_.kind != "direction" or bool(world.directions)

    def _by_name(self, texpr: TypeExpr) -> Type | None:
        world, name = self._world, texpr.name
        if name in ("bool", "boolean"):
            return Type("bool", hi=1)
        declared = self._declared(name)
        if declared is not None or name in world.groups:
            return declared  # a group without spaces has been reported where it is declared
        if name == "int":
            return Type("int", lo=INT_MIN, hi=INT_MAX)
        builtin = name[:1].upper() + name[1:]
        if builtin == "Seat":
            return seat_type(world)
        if builtin == "Space":
            return space_type(world)
        if builtin in ("Zone", "Place"):
            return place_type(world)
        if builtin == "Piece":
            return Type("piece", "", 0, max(0, world.piece_count - 1))
        if builtin == "Direction":
            return direction_type(world)
        if name == UNREADABLE:
            return None  # told when it was read
        known = [*BUILT_IN, *world.enums, *world.tables, *world.groups, *world.zones]
        known += [kind.name for kind in world.kinds]
        return self._refuse(
            "unknown-type", texpr.span, f"there is no type `{name}`",
            _FOREIGN.get(name) or suggest(
                name, known,
                "use a range like 0..10, bool, Seat, Space, Piece, or the name of an enum, "
                "table, kind of piece or group of spaces",
            ),
        )  # fmt: skip

    def _declared(self, name: str) -> Type | None:
        world = self._world
        if name in world.enums:
            return enum_type(world, name)
        if name in world.tables:
            return row_type(world, name)
        for kind in world.kinds:
            if kind.name == name:
                return Type("piece", name, kind.first, kind.first + kind.count - 1)
        places = world.groups.get(name) or world.zones.get(name)
        if places:
            return Type("place", name, places[0], places[-1])
        return None

    def _range(self, texpr: TypeExpr) -> Type | None:
        if texpr.lo is None or texpr.hi is None:
            return self._refuse(
                "bad-type", texpr.span, "a range needs both ends", "write for example 0..10"
            )
        low = self._constants.integer(texpr.lo, "the lower end of the range")
        high = self._constants.integer(texpr.hi, "the upper end of the range")
        if low is None or high is None:
            return None
        if low > high:
            return self._refuse(
                "bad-type", texpr.span, f"the range {low}..{high} is empty",
                f"write {high}..{low}",
            )  # fmt: skip
        return Type("int", lo=low, hi=high)

    def _list(self, texpr: TypeExpr) -> Type | None:
        item = self._item(texpr, "list", tuples=True)
        if item is None:
            return None
        if texpr.cap is None:
            return self._refuse(
                "bad-type", texpr.span, "a list needs the most items it can hold",
                "write for example list[Seat, 10]",
            )  # fmt: skip
        cap = self._constants.integer(texpr.cap, "the most items of the list")
        if cap is None:
            return None
        if not 1 <= cap <= MAX_LIST:
            return self._refuse(
                "too-large" if cap > MAX_LIST else "bad-type", texpr.cap.span or texpr.span,
                f"a list holds between 1 and {MAX_LIST} items, not {cap}",
                f"write a number in 1..{MAX_LIST}",
            )  # fmt: skip
        return Type("list", items=(item,), cap=cap)

    def _set(self, texpr: TypeExpr) -> Type | None:
        item = self._item(texpr, "set", tuples=False)
        if item is None:
            return None
        if item.optional:
            return self._refuse(
                "bad-type", texpr.span, "`none` cannot be in a set", "leave out the `?`"
            )
        if item.hi - item.lo + 1 > MAX_SET:
            return self._refuse(
                "too-large", texpr.span,
                f"this set could have {item.hi - item.lo + 1} members; at most {MAX_SET} "
                "are allowed", "use a smaller range",
            )  # fmt: skip
        return Type("set", items=(item,))

    def _tuple(self, texpr: TypeExpr) -> Type | None:
        if not 1 <= len(texpr.items) <= MAX_TUPLE:
            return self._refuse(
                "bad-type", texpr.span,
                f"a tuple has 1 to {MAX_TUPLE} items, this one has {len(texpr.items)}",
                "use a list, or several variables",
            )  # fmt: skip
        items = [self._member(item, "tuple", tuples=False) for item in texpr.items]
        known = [item for item in items if item is not None]
        return Type("tuple", items=tuple(known)) if len(known) == len(items) else None

    def _item(self, texpr: TypeExpr, whole: str, *, tuples: bool) -> Type | None:
        if len(texpr.items) != 1:
            return self._refuse(
                "bad-type", texpr.span, f"a {whole} needs the type of its items",
                f"write for example {whole}[Seat{', 10' if whole == 'list' else ''}]",
            )  # fmt: skip
        return self._member(texpr.items[0], whole, tuples=tuples)

    def _member(self, texpr: TypeExpr, whole: str, *, tuples: bool) -> Type | None:
        # Refused by its spelling, before going deeper: nesting stays shallow.
        if texpr.kind in ("list", "set") or (texpr.kind == "tuple" and not tuples):
            return self._refuse(
                "bad-type", texpr.span, f"a {whole} cannot hold a {texpr.kind}",
                "hold single values, or keep the inner values in variables of seats or spaces",
            )  # fmt: skip
        return self.resolve(texpr)

    def _refuse(
        self, code: str, span: Span | None, message: str, suggestion: str | None
    ) -> Type | None:
        self._diagnostics.error(code, span, message, suggestion)
        return None
