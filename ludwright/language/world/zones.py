"""Zones: the places that are not spaces, one for all or one for each seat."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludwright.diagnostics import Diagnostics
from ludwright.kernel.world import Place
from ludwright.language.gamedef import PieceDecl, ZoneDecl
from ludwright.language.world.spaces import MAX_PLACES
from ludwright.language.world.values import suggest


@dataclass
class ZoneLayout:
    places: list[Place] = field(default_factory=list)
    zones: dict[str, tuple[int, ...]] = field(default_factory=dict)
    each: dict[str, bool] = field(default_factory=dict)


def build_zones(
    zones: tuple[ZoneDecl, ...],
    seats: tuple[str, ...],
    space_count: int,
    kinds: tuple[PieceDecl, ...],
    diagnostics: Diagnostics,
) -> ZoneLayout:
    layout = ZoneLayout()
    kind_names = [kind.name for kind in kinds]
    for zone in zones:
        if zone.name in layout.zones:
            diagnostics.error(
                "name-clash", zone.span, f"the zone `{zone.name}` is declared twice",
                "rename one of them",
            )  # fmt: skip
            continue
        for kind in zone.of:
            if kind not in kind_names:
                diagnostics.error(
                    "unknown-kind", zone.span,
                    f"the zone `{zone.name}` is for `{kind}`, but there are no such pieces",
                    suggest(kind, kind_names, "declare them under `pieces:`"),
                )  # fmt: skip
        first = space_count + len(layout.places)
        per_seat = zone.each == "seat"
        count = len(seats) if per_seat else 1
        if first + count > MAX_PLACES:
            diagnostics.error(
                "too-large", zone.span,
                f"with the zone `{zone.name}` there are {first + count} places; at most "
                f"{MAX_PLACES} are allowed", "use fewer spaces or zones",
            )  # fmt: skip
            break
        if per_seat:
            layout.places += [
                Place(f"{zone.name}:{seat}", zone.name, owner, zone.order, zone.see, zone.of)
                for owner, seat in enumerate(seats)
            ]
        else:
            layout.places.append(Place(zone.name, zone.name, -1, zone.order, zone.see, zone.of))
        layout.zones[zone.name] = tuple(range(first, first + count))
        layout.each[zone.name] = per_seat
    return layout
