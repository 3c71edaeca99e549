"""What the compiler knows of a compiled expression: its code and its type."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.program.types import INT_MAX, INT_MIN, NO_ENTITY, NO_INT, Type
from ludwright.program.world import PieceKind, World
from ludwright.quick_records import dataclass

BOOL = Type("bool", hi=1)
INT = Type("int", lo=INT_MIN, hi=INT_MAX)
NONE = Type("none")
SEAT = Type("seat")

MAX_LIST = 4096
MAX_CALLS = 64  # functions or procedures that call each other in a chain
# Uses of functions that give collections, each compiled into its place: in the whole rulebook, and
# for one use, by that function and those that it uses.
MAX_INLINED = 20_000
MAX_INLINED_AT_ONCE = 2_000
# Bounds of intermediate results are only estimates for capacities; keep them small numbers.
FAR = 2**62


@dataclass(frozen=True)
class Val:
    """One value: an int, or a whole tuple, list or set."""

    expr: ir.Expr
    type: Type


@dataclass(frozen=True)
class Seq:
    """A stream of values of one type.

    cap: the most elements it can have; ascending: elements come without repeats in ascending
    index order, so that they can be kept as a set without losing their order.
    """

    source: ir.Source
    elem: Type
    cap: int
    ascending: bool = False


@dataclass(frozen=True)
class TableRef:
    """The bare name of a table; only useful indexed or iterated."""

    name: str


@dataclass(frozen=True)
class Broken:
    """Stands in for an expression with an error, so that one mistake is told once."""


Compiled = Val | Seq | TableRef | Broken
BROKEN = Broken()


def const(value: int, type_: Type) -> Val:
    return Val(ir.Const(value), type_)


def int_type(lo: int, hi: int) -> Type:
    return Type("int", lo=max(lo, -FAR), hi=min(hi, FAR))


def int_const(value: int) -> Val:
    return const(value, int_type(value, value))


def constant_of(value: Compiled) -> int | None:
    """The int a compiled expression is known to be, if it is."""
    if (
        isinstance(value, Val)
        and isinstance(value.expr, ir.Const)
        and isinstance(value.expr.value, int)
    ):
        return value.expr.value
    return None


def seat_type(world: World) -> Type:
    return Type("seat", hi=max(0, len(world.seats) - 1))


def place_type(world: World) -> Type:
    return Type("place", hi=max(0, len(world.places) - 1))


def space_type(world: World) -> Type:
    return Type("place", "space", 0, max(0, world.space_count - 1))


def piece_type(world: World) -> Type:
    return Type("piece", hi=max(0, world.piece_count - 1))


def kind_type(kind: PieceKind) -> Type:
    return Type("piece", kind.name, kind.first, max(kind.first, kind.first + kind.count - 1))


def direction_type(world: World) -> Type:
    return Type("direction", hi=max(0, len(world.directions) - 1))


def storable(type_: Type) -> Type:
    """The type a local of unknown bounds is kept in; numbers inside of it fit a cell."""
    if type_.kind == "int":
        return replace(INT, optional=type_.optional)
    return _in_cells(type_) if type_.kind in ("list", "tuple") else type_


def _in_cells(type_: Type) -> Type:
    if type_.kind == "int":
        return replace(type_, lo=max(type_.lo, INT_MIN), hi=min(type_.hi, INT_MAX))
    items = tuple(_in_cells(item) for item in type_.items)
    return replace(type_, items=items) if items != type_.items else type_


def roomy(world: World, type_: Type) -> Type:
    """The same type for whatever fits its cells: any number, any place, any piece."""
    match type_.kind:
        case "int":
            return replace(INT, optional=type_.optional)
        case "place":
            return replace(place_type(world), optional=type_.optional)
        case "piece":
            return replace(piece_type(world), optional=type_.optional)
        case "list" | "tuple":
            return replace(type_, items=tuple(roomy(world, item) for item in type_.items))
        case _:
            return type_


def unnamed(type_: Type) -> Type:
    """A type of which nothing is known but what kind of thing it is: any piece can be stored where
    pieces are, of whatever kind, and any place where places are."""
    items = tuple(unnamed(item) for item in type_.items)
    if type_.kind in ("place", "piece"):
        return replace(type_, name="", items=items)
    return replace(type_, items=items) if items != type_.items else type_


def universe(type_: Type) -> tuple[int, int] | None:
    """Lowest and highest value, where there are few enough for a set."""
    if not type_.is_scalar or type_.kind == "none":
        return None
    if type_.hi - type_.lo >= MAX_LIST or type_.hi >= FAR:
        return None
    return type_.lo, type_.hi


def compatible(left: Type, right: Type) -> bool:
    """Whether a value of one type may stand where the other is expected."""
    if left.kind == "none":
        return right.kind == "none" or right.is_scalar
    if right.kind == "none":
        return left.is_scalar
    if left.kind != right.kind:
        return False
    if left.kind == "piece":
        return True
    if left.kind in ("enum", "row", "label"):
        return left.name == right.name
    if left.kind == "tuple":
        return len(left.items) == len(right.items) and all(
            compatible(a, b) for a, b in zip(left.items, right.items, strict=True)
        )
    if left.kind in ("list", "set"):
        return compatible(left.items[0], right.items[0])
    return True


def join(left: Type, right: Type) -> Type | None:
    """The smallest type that holds both, or None."""
    if not compatible(left, right):
        return None
    if left.kind == "none":
        return replace(right, optional=True)
    if right.kind == "none":
        return replace(left, optional=True)
    items = tuple(
        joined
        for a, b in zip(left.items, right.items, strict=True)
        if (joined := join(a, b)) is not None
    )
    if len(items) != len(left.items):
        return None
    return Type(
        left.kind,
        left.name if left.name == right.name else "",
        min(left.lo, right.lo),
        max(left.hi, right.hi),
        items,
        max(left.cap, right.cap),
        left.optional or right.optional,
    )


def none_of(type_: Type) -> int:
    return NO_INT if type_.kind == "int" else NO_ENTITY


NOUNS = {
    "bool": "a condition",
    "int": "a number",
    "seat": "a seat",
    "place": "a space or zone",
    "piece": "a piece",
    "direction": "a direction",
    "none": "none",
    "tuple": "a tuple",
    "list": "a list",
    "set": "a set",
    "label": "a menu entry",
}


def noun(type_: Type) -> str:
    """A type in the author's words."""
    if type_.kind == "enum":
        return f"a value of {type_.name}"
    if type_.kind == "row":
        return f"a row of {type_.name}"
    if type_.kind == "label" and type_.name == "__kinds":
        return "a kind of piece"
    if type_.kind == "piece" and type_.name:
        return f"a piece ({type_.name})"
    if type_.kind == "place" and type_.name == "space":
        return "a space"
    return NOUNS[type_.kind]


def as_tuple_types(type_: Type) -> tuple[Type, ...] | None:
    """The types of the items, where a value can be unpacked into names."""
    return type_.items if type_.kind == "tuple" else None
