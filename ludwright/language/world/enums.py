"""Enums: the declared ones, and those that a type or a marker spells out in place.

An inline list with exactly the values of an enum already known *is* that enum, so that
`trump: [C, D, H, S]` can be compared with a card's `suit: [C, D, H, S]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import GameDef, ParamDecl, TypeExpr


def build_enums(gamedef: GameDef, diagnostics: Diagnostics) -> dict[str, tuple[str, ...]]:
    enums: dict[str, tuple[str, ...]] = {}
    for enum in gamedef.enums:
        values = distinct_values(enum.name, enum.values, enum.span, diagnostics)
        if enum.name in enums:
            diagnostics.error(
                "name-clash", enum.span, f"the enum `{enum.name}` is declared twice",
                "rename one of them",
            )  # fmt: skip
            continue
        enums[enum.name] = values
    for marker in gamedef.markers:
        values = distinct_values(marker.name, marker.states, marker.span, diagnostics)
        _add_unnamed(enums, marker.name, values)
    for owner, texpr in _inline_enums(gamedef):
        _add_unnamed(enums, owner, distinct_values(owner, texpr.values, texpr.span, diagnostics))
    return enums


def distinct_values(
    name: str, values: tuple[str, ...], span: Span | None, diagnostics: Diagnostics
) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(values))
    if len(distinct) < len(values):
        twice = Counter(values).most_common(1)[0][0]
        diagnostics.error(
            "name-clash", span, f"`{name}` lists the value `{twice}` twice", "leave one of them out"
        )
    if not distinct:
        diagnostics.error(
            "empty-declaration", span, f"`{name}` has no values", "list at least one value in [ ]"
        )
    return distinct


def _add_unnamed(enums: dict[str, tuple[str, ...]], name: str, values: tuple[str, ...]) -> None:
    if values in enums.values():
        return
    while name in enums:
        name += "'"
    enums[name] = values


def _inline_enums(gamedef: GameDef) -> Iterator[tuple[str, TypeExpr]]:
    """Every inline enum with the name it gets (`card.suit`)."""
    for owner, texpr in _types(gamedef):
        for part in (texpr, *texpr.items, *(inner for item in texpr.items for inner in item.items)):
            if part.kind == "enum":
                yield owner, part


def _types(gamedef: GameDef) -> Iterator[tuple[str, TypeExpr]]:
    for piece in gamedef.pieces:
        for name, texpr in piece.each:
            yield f"{piece.name}.{name}", texpr
        for name, texpr, _ in piece.props:
            yield f"{piece.name}.{name}", texpr
    prefixes = {"global": "vars", "seat": "Seat", "space": "Space"}
    for var in gamedef.vars:
        yield f"{prefixes[var.scope]}.{var.name}", var.type
    for function in gamedef.functions:
        yield from _parameter_types(function.name, function.params)
    for proc in gamedef.procs:
        yield from _parameter_types(proc.name, proc.params)
        if proc.returns is not None:
            yield f"{proc.name}.returns", proc.returns


def _parameter_types(
    owner: str, parameters: tuple[ParamDecl, ...]
) -> Iterator[tuple[str, TypeExpr]]:
    for parameter in parameters:
        if parameter.type is not None:
            yield f"{owner}.{parameter.name}", parameter.type
