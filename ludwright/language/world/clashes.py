"""Names that stand for two different things.

Values of enums and rows of tables may repeat other names, since their type tells them apart.
Names that can stand alone in an expression may not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import GameDef
from ludwright.program.world import World

MAX_REPORTS = 20
# What expressions know without any declaration.
KERNEL_NAMES = ("actor", "active", "seats", "spaces", "zones", "turn", "__freeOperation", "all")


def report_clashes(gamedef: GameDef, world: World, diagnostics: Diagnostics) -> None:
    # Repeats within one universe are reported where that universe is built.
    meaning: dict[str, str] = dict.fromkeys([*KERNEL_NAMES, "it"], "a word of the language")
    reported = 0
    for name, what, span in _names(gamedef, world):
        earlier = meaning.setdefault(name, what)
        if earlier != what and reported < MAX_REPORTS:
            reported += 1
            diagnostics.error(
                "name-clash", span, f"`{name}` is {earlier} and also {what}",
                "rename one of them",
            )  # fmt: skip


def report_called_alike(gamedef: GameDef, diagnostics: Diagnostics) -> None:
    """`hand(p)` would be the hand of p and also what the function `hand` gives."""
    zones = {zone.name for zone in gamedef.zones if zone.each == "seat" or zone.index is not None}
    for function in gamedef.functions:
        if function.name in zones:
            diagnostics.error(
                "name-clash", function.span,
                f"`{function.name}` is a function and also a zone", "rename one of them",
            )  # fmt: skip


def report_repeated_variables(gamedef: GameDef, diagnostics: Diagnostics) -> None:
    """Variables and markers are told, titled and drawn by their names alone, whoever has them."""
    owners = {"global": "", "seat": "Seat.", "space": "Space."}
    declared = [(v.name, f"{owners[v.scope]}{v.name}", v.span) for v in gamedef.vars]
    declared += [(marker.name, marker.name, marker.span) for marker in gamedef.markers]
    seen: dict[str, str] = {}
    for name, written, span in declared:
        if name in seen:
            diagnostics.error(
                "name-clash", span, f"`{written}` and `{seen[name]}` have the same name",
                "rename one of them",
            )  # fmt: skip
        seen.setdefault(name, written)


def report_repeated_seats(gamedef: GameDef, diagnostics: Diagnostics) -> None:
    seen: set[str] = set()
    for seat in gamedef.seats:
        if seat.name in seen and seat.span is None:  # otherwise the parser has told it
            diagnostics.error(
                "name-clash", seat.span, f"two seats are named `{seat.name}`", "rename one of them"
            )
        seen.add(seat.name)


def _names(gamedef: GameDef, world: World) -> Iterator[tuple[str, str, Span | None]]:
    for parameter in gamedef.parameters:
        yield parameter.name, "a parameter", parameter.span
    # Only seats the author named: `p1` of a game without names is also a square of a wide board.
    for seat in gamedef.seats:
        yield seat.name, "a seat", seat.span
    for enum in gamedef.enums:
        yield enum.name, "an enum", enum.span
    for group in gamedef.spaces:
        yield group.name, "a group of spaces", group.span
    for group in gamedef.spaces:
        spans = {item.name: item.span for item in group.items}
        for index in world.groups.get(group.name, ()):
            name = world.places[index].name
            yield name, "a space", spans.get(name) or group.span
    for zone in gamedef.zones:
        yield zone.name, "a zone", zone.span
    for piece in gamedef.pieces:
        yield piece.name, "a kind of piece", piece.span
    for marker in gamedef.markers:
        if marker.is_global:  # a marker on spaces is only ever read as `space.marker`
            yield marker.name, "a marker", marker.span
    for table in gamedef.tables:
        yield table.name, "a table", table.span
    for direction in world.directions:
        yield direction, "a direction", _direction_span(gamedef, direction)


def _direction_span(gamedef: GameDef, direction: str) -> Span | None:
    """The name of a seat or space clashes where it is declared, so point there."""
    for seat in gamedef.seats:
        if seat.name == direction:
            return seat.span
    for group in gamedef.spaces:
        for item in group.items:
            if item.name == direction:
                return item.span
    return gamedef.spaces[0].span if gamedef.spaces else None
