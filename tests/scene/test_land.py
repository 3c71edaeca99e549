"""Regions and ways: the land is whole, and its borders say what is adjacent."""

from __future__ import annotations

import re

import ludwright as lw
from ludwright.scene import scene_of
from ludwright.scene.land import land_of

BOOK = """# Isles
```yaml
game: { id: isles, title: Isles, players: 2 }
seats: [red, blue]
enums: { Kind: [country, town, road] }
spaces:
  land:
    spaces:
      north: { kind: country, at: [0, 0], adjacent: [middle] }
      middle: { kind: country, at: [0, 30], adjacent: [keep, lane] }
      south: { kind: country, at: [0, 60], adjacent: [lane] }
      keep: { kind: town, at: [20, 30], adjacent: [lane] }
      lane: { kind: road, at: [20, 50] }
pieces: { man: { owner: seat, count: 3 } }
actions: [{ id: go, params: { where: land }, effects: [place man at where] }]
end: [{ when: true, win: red }]
look: { spaces: { land: { shape: { kind: { country: region, town: square, road: way } } } } }
```
"""
POINTS = ((0.0, 0.0), (0.0, 100.0), (0.0, 200.0), (80.0, 100.0), (80.0, 160.0))
KINDS = ("region", "region", "region", "square", "way")
NEAR = ((1,), (0, 3, 4), (4,), (1, 4), (1, 2, 3))
SIZES = ((60.0, 40.0),) * 5


def area(path: str) -> float:
    total = 0.0
    for part in filter(None, path.split("M")):
        points = [tuple(map(float, p.split())) for p in part.rstrip("Z").split("L")]
        for (x, y), (ox, oy) in zip(points, [*points[1:], points[0]], strict=True):
            total += (x * oy - ox * y) / 2
    return abs(total)


def test_every_point_of_the_land_belongs_to_one_region() -> None:
    land = land_of(POINTS, KINDS, NEAR, SIZES)
    assert set(land.outlines) == {0, 1, 2}
    corners = [tuple(map(float, p.split())) for p in re.findall(r"[ML]([-\d. ]+)", land.coast)]
    starts, ends = corners[::2], corners[1::2]
    around = sum((x * oy - ox * y) / 2 for (x, y), (ox, oy) in zip(starts, ends, strict=True))
    assert abs(sum(map(area, land.outlines.values())) - abs(around)) < 5


def test_a_border_that_cannot_be_crossed_is_marked() -> None:
    land = land_of(POINTS, KINDS, NEAR, SIZES)
    assert land.touching == {(0, 1), (1, 2)}
    assert land.borders, "north and middle are adjacent"
    assert land.closed, "middle and south touch, but no man may go across"
    joined = land_of(POINTS, KINDS, ((1,), (0, 2, 3, 4), (1, 4), (1, 4), (1, 2, 3)), SIZES)
    assert not joined.closed


def test_a_town_adds_its_ground_to_the_region_beside_it() -> None:
    land = land_of(POINTS, KINDS, NEAR, SIZES)
    without = land_of(POINTS[:3], KINDS[:3], ((1,), (0,), ()), SIZES[:3])
    assert area(land.outlines[1]) > area(without.outlines[1])


def test_regions_can_be_chosen_and_ways_run_to_their_towns() -> None:
    game = lw.load_text(BOOK)
    scene = scene_of(game, game.observe(game.initial_state(), "red"))
    ids = [item.id for item in scene.items]
    assert {"ground:north", "road:lane", "space:north", "space:keep", "space:lane"} <= set(ids)
    # what stands on the land is drawn over it, and can be hit
    assert ids.index("ground:south") < ids.index("road:lane") < ids.index("space:north")
    assert ids.index("space:south") < ids.index("space:keep")
    north = next(item for item in scene.items if item.id == "space:north")
    assert north.answers == ("north",)
