"""A table for a narrow screen: the others above, in the middle what belongs to all, and below who
looks.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludwright.scene import shapes
from ludwright.scene.figures import Figures
from ludwright.scene.model import Item, Part, Shape, below, beside, folded
from ludwright.scene.ring import Place, cluster

NARROW = 440.0  # as wide as this is drawn without being made smaller
GAP = 16.0


def portrait(places: Sequence[Place], middle: Part, figures: Figures, acting: bool) -> Part:
    """The first place is that of the one who looks; `acting`: whether it can act."""
    own, *others = places
    seats = folded((cluster(place, False, figures) for place in others), NARROW, 10)
    offered = beside([_marked(place) for place in (*others, own) if place.offered.items], 12)
    common = [part for part in (middle, offered) if part.items]
    return below([seats, *common, cluster(own, acting, figures)], GAP)


def _marked(place: Place) -> Part:
    """What somebody has put in the middle, under the mark of its seat."""
    sign = Shape(shapes.seat_mark(place.panel.number, 6), place.panel.colour, "outline", 0.8)
    mark = Part(16, 16, (Item(f"mark:{place.seat}", "tag", 8, 8, (sign,), place.panel.name),))
    return below([mark, place.offered], 4)
