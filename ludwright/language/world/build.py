"""Declarations become a World, in the order in which they need each other.

First everything that has a name (parameters, seats, enums, spaces, zones, rows), then the constant
attributes over those names, then the pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import GameDef
from ludwright.language.world.attributes import Column, ColumnTyper
from ludwright.language.world.clashes import (
    report_called_alike,
    report_clashes,
    report_repeated_seats,
    report_repeated_variables,
)
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.language.world.enums import build_enums
from ludwright.language.world.members import seat_columns, space_columns
from ludwright.language.world.participants import build_parameters, build_seats
from ludwright.language.world.pieces import build_pieces
from ludwright.language.world.spaces import SpaceLayout, build_spaces
from ludwright.language.world.tables import outline_tables, table_columns
from ludwright.language.world.zones import build_zones, report_unknown_kinds
from ludwright.program.types import Type
from ludwright.program.world import Attribute, Place, World


def build_world(
    gamedef: GameDef, overrides: Mapping[str, int | bool], diagnostics: Diagnostics
) -> World:
    """The world of a game, always as complete as possible; problems go to `diagnostics`."""
    world = World(
        seats=build_seats(gamedef, diagnostics),
        min_players=gamedef.min_players,
        parameters=build_parameters(gamedef, overrides, diagnostics),
        enums=build_enums(gamedef, diagnostics),
    )
    report_repeated_seats(gamedef, diagnostics)
    report_repeated_variables(gamedef, diagnostics)
    report_called_alike(gamedef, diagnostics)
    layout = build_spaces(gamedef.spaces, ConstantEvaluator(world, diagnostics), diagnostics)
    world = replace(world, tables=outline_tables(gamedef.tables, diagnostics))
    world = _with_places(world, gamedef, layout, diagnostics)
    report_clashes(gamedef, world, diagnostics)
    world = _with_constants(world, gamedef, layout, diagnostics)
    constants = ConstantEvaluator(world, diagnostics)
    return replace(world, kinds=build_pieces(gamedef.pieces, world, constants, diagnostics))


def _with_places(
    world: World, gamedef: GameDef, layout: SpaceLayout, diagnostics: Diagnostics
) -> World:
    spaces = [Place(name, zone=None) for name in layout.names]
    for group in gamedef.spaces:
        report_unknown_kinds(group, "group of spaces", gamedef.pieces, diagnostics)
        for space in layout.groups.get(group.name, ()):
            spaces[space] = replace(spaces[space], kinds=group.of, order=group.order)
    world = replace(world, places=tuple(spaces), space_count=len(spaces), groups=layout.groups)
    zones = build_zones(gamedef.zones, world, gamedef.pieces, diagnostics)
    return replace(
        world,
        places=(*spaces, *zones.places),
        zones=zones.zones,
        zone_each=zones.each,
        zone_index=zones.index,
        directions=layout.directions,
        steps=layout.steps_table(),
        adjacent=layout.adjacent_table(),
        near=layout.near_table(),
        coordinates=tuple(layout.coordinates),
        spots=layout.spots_table(),
        touching=layout.touching_tables(),
        marked={
            name: {sign: tuple(spaces) for sign, spaces in signs.items()}
            for name, signs in layout.marked.items()
        },
    )


def _with_constants(
    world: World, gamedef: GameDef, layout: SpaceLayout, diagnostics: Diagnostics
) -> World:
    """Seat, space and table attributes, typed together: they may share new words."""
    constants = ConstantEvaluator(world, diagnostics)
    spaces = space_columns(gamedef.spaces, layout, world, diagnostics)
    seats = seat_columns(gamedef.seats, world, constants)
    tables: dict[str, list[Column]] = {}
    for declaration in gamedef.tables:
        if declaration.name not in tables:
            outline = world.tables[declaration.name]
            tables[declaration.name] = table_columns(declaration, outline, constants, diagnostics)
    every = [*spaces, *seats, *(column for columns in tables.values() for column in columns)]
    typer = ColumnTyper(world, diagnostics)
    typed = dict(zip((id(column) for column in every), typer.type_columns(every), strict=True))

    def attributes(columns: Sequence[Column]) -> dict[str, Attribute]:
        return {column.name: typed[id(column)] for column in columns}

    return replace(
        world,
        enums=typer.enums,
        space_attributes={**_positions(layout), **attributes(spaces)},
        seat_attributes=attributes(seats),
        tables={
            name: replace(world.tables[name], columns=attributes(columns))
            for name, columns in tables.items()
        },
    )


def _positions(layout: SpaceLayout) -> dict[str, Attribute]:
    """`index` of every space in its group, and `column` and `row` where there is a grid."""
    if not layout.names:
        return {}
    indexes = [at for group in layout.groups.values() for at in range(len(group))]
    found = {"index": _numbers(indexes)}
    if layout.has_grid:
        found["column"] = _numbers([column for column, _ in layout.coordinates])
        found["row"] = _numbers([row for _, row in layout.coordinates])
    return found


def _numbers(values: list[int]) -> Attribute:
    return Attribute(Type("int", lo=min(values), hi=max(values)), tuple(values))
