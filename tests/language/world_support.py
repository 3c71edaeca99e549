"""Declarations for the tests of the World, written as plain Python values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludwright.diagnostics import Diagnostic, Diagnostics, Span
from ludwright.language.gamedef import (
    GameDef,
    SpaceGroup,
    SpaceItem,
    TableDecl,
    TableRow,
    TypeExpr,
)
from ludwright.language.tree import (
    Binary,
    BinaryOp,
    BoolLit,
    Expr,
    IntLit,
    ListLit,
    Name,
    NoneLit,
    TupleLit,
)
from ludwright.language.world import build_world
from ludwright.program.world import PieceKind, World

HERE = Span("game.md", 7, 3, 7, 12)
IT = Name("it")


def expr(value: object) -> Expr:
    """Plain Python values as constants; words are names."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return BoolLit(value)
    if isinstance(value, int):
        return IntLit(value)
    if value is None:
        return NoneLit()
    if isinstance(value, list):
        return ListLit(tuple(expr(item) for item in value))
    if isinstance(value, tuple):
        return TupleLit(tuple(expr(item) for item in value))
    return Name(str(value))


def op(left: object, operator: BinaryOp, right: object, span: Span | None = None) -> Binary:
    return Binary(operator, expr(left), expr(right), span=span)


def attributes(given: Mapping[str, object]) -> tuple[tuple[str, Expr], ...]:
    return tuple((name, expr(value)) for name, value in given.items())


def game(**parts: Any) -> GameDef:
    return GameDef(**{"id": "g", "title": "G", "min_players": 2, "max_players": 2, **parts})


def grid(columns: object, rows: object, name: str = "board", **options: Any) -> SpaceGroup:
    return SpaceGroup(name, "grid", (expr(columns), expr(rows)), **options)


def track(length: object, name: str = "point", **options: Any) -> SpaceGroup:
    return SpaceGroup(name, "track", (expr(length),), **options)


def spaces(*items: SpaceItem, name: str = "region", **options: Any) -> SpaceGroup:
    return SpaceGroup(name, "list", items=items, **options)


def item(
    name: str,
    *adjacent: str,
    directions: tuple[tuple[str, str], ...] = (),
    span: Span | None = None,
    **given: object,
) -> SpaceItem:
    return SpaceItem(name, adjacent, directions, attributes(given), span=span)


def table(name: str, *rows: Mapping[str, object], keyed: bool = False) -> TableDecl:
    made: list[TableRow] = []
    for row in rows:
        cells = dict(row)
        key = cells.pop("id", None)
        made.append(TableRow(None if key is None else str(key), attributes(cells)))
    return TableDecl(name, tuple(made), keyed)


def named(name: str, *, optional: bool = False) -> TypeExpr:
    return TypeExpr("name", name, optional=optional)


def span_of(low: object, high: object) -> TypeExpr:
    return TypeExpr("range", lo=expr(low), hi=expr(high))


def one_of(*values: str) -> TypeExpr:
    return TypeExpr("enum", values=values)


def build(gamedef: GameDef, **overrides: int | bool) -> World:
    """The world of a correct game."""
    diagnostics = Diagnostics()
    world = build_world(gamedef, overrides, diagnostics)
    assert diagnostics.items == []
    return world


def problems(gamedef: GameDef, **overrides: int | bool) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    build_world(gamedef, overrides, diagnostics)
    return diagnostics.items


def problem(gamedef: GameDef, **overrides: int | bool) -> Diagnostic:
    found = problems(gamedef, **overrides)
    assert len(found) == 1, found
    return found[0]


def space(world: World, name: str) -> int:
    return [place.name for place in world.places].index(name)


def space_names(world: World, indexes: tuple[int, ...]) -> list[str]:
    return [world.places[index].name for index in indexes]


def step(world: World, name: str, direction: str) -> str | None:
    target = world.steps[world.directions.index(direction)][space(world, name)]
    return world.places[target].name if target >= 0 else None


def kind(world: World, name: str) -> PieceKind:
    return next(kind for kind in world.kinds if kind.name == name)


def initial(world: World, kind_name: str, name: str) -> tuple[int, ...]:
    return next(p.initial for p in kind(world, kind_name).properties if p.name == name)
