"""Pieces that all begin in a zone, and rules that take them from nowhere.

`place` takes a piece that lies in no place, and `remove` puts it there. A zone called supply that
holds all of them from the beginning leaves nothing to place.
"""

from __future__ import annotations

from ludwright.language import tree
from ludwright.language.compiling.lowering import Lowering


def check(lowering: Lowering) -> None:
    unit = lowering.unit
    if not unit.diagnostics.ok:
        return  # of rules that are sound
    homes = {
        kind: zone
        for zone in unit.gamedef.zones
        if zone.init == "all"
        for kind in zone.of or [piece.name for piece in unit.gamedef.pieces]
    }
    told: set[str] = set()
    for node in unit.nodes.of(tree.CreateToken):
        kind = node.kind.id if isinstance(node.kind, tree.Name) else ""
        if kind not in homes or kind in told:
            continue
        told.add(kind)
        name = homes[kind].name
        place = f"{name}(actor)" if homes[kind].each == "seat" else name
        unit.diagnostics.warning(
            "nothing-to-place",
            node.span,
            f"all `{kind}` begin in the zone `{name}`, and `place` takes only pieces that lie "
            "nowhere",
            f"write `move 1 {kind} from {place} to …`, and `move … to {place}` in the place of "
            f"`remove`; or leave out `init: all`, and what lies nowhere is the supply",
        )
