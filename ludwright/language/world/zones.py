"""Zones: the places that are not spaces, one for all or one for each seat."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import PieceDecl, SpaceGroup, ZoneDecl
from ludwright.language.world.encoding import is_index, member_names
from ludwright.language.world.spaces import MAX_PLACES
from ludwright.language.world.types import TypeResolver
from ludwright.language.world.values import suggest
from ludwright.program.types import Type
from ludwright.program.world import Place, World


@dataclass
class ZoneLayout:
    places: list[Place] = field(default_factory=list)
    zones: dict[str, tuple[int, ...]] = field(default_factory=dict)
    each: dict[str, bool] = field(default_factory=dict)
    index: dict[str, Type] = field(default_factory=dict)


def build_zones(
    zones: tuple[ZoneDecl, ...],
    world: World,
    kinds: tuple[PieceDecl, ...],
    diagnostics: Diagnostics,
) -> ZoneLayout:
    """Of a world that knows its seats, enums, spaces and the names of its rows."""
    layout = ZoneLayout()
    types = TypeResolver(world, diagnostics)
    for zone in zones:
        if zone.name in layout.zones:
            diagnostics.error(
                "name-clash", zone.span, f"the zone `{zone.name}` is declared twice",
                "rename one of them",
            )  # fmt: skip
            continue
        report_unknown_kinds(zone, "zone", kinds, diagnostics)
        first = world.space_count + len(layout.places)
        per_seat = zone.each == "seat"
        members = world.seats if per_seat else ("",)
        if zone.index is not None:
            index = types.resolve(zone.index)
            if index is None or not _is_index(index, zone, diagnostics):
                continue
            members = member_names(world, index)
            layout.index[zone.name] = index
        count = len(members)
        if first + count > MAX_PLACES:
            diagnostics.error(
                "too-large", zone.span,
                f"with the zone `{zone.name}` there are {first + count} places; at most "
                f"{MAX_PLACES} are allowed", "use fewer spaces or zones",
            )  # fmt: skip
            break
        for number, member in enumerate(members):
            name = f"{zone.name}:{member}" if member else zone.name
            owner = number if per_seat else -1
            layout.places.append(Place(name, zone.name, owner, zone.order, zone.see, zone.of))
        layout.zones[zone.name] = tuple(range(first, first + count))
        layout.each[zone.name] = per_seat
    return layout


def report_unknown_kinds(
    place: ZoneDecl | SpaceGroup,
    what: str,
    kinds: tuple[PieceDecl, ...],
    diagnostics: Diagnostics,
) -> None:
    known = [kind.name for kind in kinds]
    for kind in place.of:
        if kind not in known:
            diagnostics.error(
                "unknown-kind", place.span,
                f"the {what} `{place.name}` is for `{kind}`, but there are no such pieces",
                suggest(kind, known, "declare them under `pieces:`"),
            )  # fmt: skip


def _is_index(index: Type, zone: ZoneDecl, diagnostics: Diagnostics) -> bool:
    if is_index(index):
        return True
    diagnostics.error(
        "variable-index",
        zone.span,
        f"there cannot be a zone `{zone.name}` for each value of this type",
        "write `each: seat`, a range such as `each: 1..6`, or the name of an enum, a table or a "
        "group of spaces",
    )
    return False
