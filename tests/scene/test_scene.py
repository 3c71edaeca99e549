"""Scenes of all shipped games: complete, tidy, and without what a seat may not see."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ludwright as lw
from ludwright.language.gamedef import GameDef
from ludwright.scene import Scene, scene_of, svg
from ludwright.scene.colours import DARK, LIGHT, seat_colours
from ludwright.scene.layout import spread
from ludwright.scene.maps import PLATE

GAMES = sorted(lw.shipped_games())


def positions(name: str, count: int = 3) -> list[tuple[Any, Any]]:
    """A game, and states some way into it."""
    game = lw.load(name, engine="python")
    found = []
    for seed in range(count):
        state = game.initial_state(seed=seed)
        draw = random.Random(seed)
        for _ in range(draw.randrange(25)):
            decision = game.decision(state)
            if decision is None:
                break
            options = list(decision.options) or [lw.STOP]
            state = game.choose(state, draw.choice(options)).state
        found.append((game, state))
    return found


@cache
def piles(name: str) -> frozenset[str]:
    """Zones of which only the top, or nothing, is drawn."""
    gamedef = lw.load(name, engine="python").gamedef
    assert isinstance(gamedef, GameDef)
    looks = gamedef.look.zones if gamedef.look else ()
    drawn = {zone.name for zone in looks if zone.drawn in ("pile", "hidden")}
    return frozenset({"deck", "discard", "muck"} | drawn)


def scenes(name: str) -> list[tuple[Scene, dict[str, Any]]]:
    found = []
    for game, state in positions(name):
        for seat in (None, *game.seats_in_play(state)):
            observation = game.observe(state, seat)
            found.append((scene_of(game, observation), observation))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_seat_sees_is_drawn(name: str) -> None:
    for scene, observation in scenes(name):
        names = Counter(
            answer for item in scene.items if item.kind == "piece" for answer in item.answers
        )
        seen = {
            piece["name"]
            for place in observation["places"].values()
            for piece in place.get("pieces", ())
            if piece is not None and "name" in piece
        }
        decks = {
            piece["name"]
            for place, shown in observation["places"].items()
            if place.partition(":")[0] in piles(name)
            for piece in shown.get("pieces", ())
            if piece is not None and "name" in piece
        }  # of a pile only the top is drawn
        assert seen - decks <= set(names)
        assert set(names) <= seen, "nothing else is drawn"
        assert {panel.name for panel in scene.seats} == {
            seat.replace("_", " ") for seat in observation["seats"]
        }


@pytest.mark.parametrize("name", GAMES)
def test_items_have_ids_of_their_own_and_stay_inside_the_picture(name: str) -> None:
    for scene, _ in scenes(name):
        ids = Counter(item.id for item in scene.items)
        assert [ident for ident, count in ids.items() if count > 1] == []
        for item in scene.items:
            assert -1 <= item.x <= scene.width + 1, item.id
            assert -1 <= item.y <= scene.height + 1, item.id


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_is_well_formed_and_the_same_each_time(name: str) -> None:
    (game, state), *_ = positions(name, 1)
    seat = game.seats[0]
    texts = {svg(scene_of(game, game.observe(state, seat))) for _ in range(2)}
    assert len(texts) == 1
    ElementTree.fromstring(texts.pop())


@pytest.mark.parametrize("name", ["hearts", "texas-holdem", "kuhn-poker", "harvest-fair"])
def test_two_worlds_that_look_alike_to_a_seat_give_the_same_picture(name: str) -> None:
    for game, state in positions(name, 4):
        for seat in game.seats_in_play(state):
            texts = {
                svg(scene_of(game, game.observe(world, seat)))
                for world in (state, *(game.determinize(state, seat, seed) for seed in range(3)))
            }
            assert len(texts) == 1


HOSTILE = """
# <script>alert(1)</script>

```yaml
game: { id: evil, title: "<b>&\\"'", players: 1 }
seats: [one]
spaces:
  town: { spaces: { inn: { title: "</text><script>" }, mill: {} } }
pieces: { man: { owner: seat, count: 1 } }
vars: { "note": 0..3 }
setup: [place man of one at inn]
actions: [{ id: go, effects: [note += 1] }]
end: [{ when: note == 3, win: one }]
```
"""


def test_text_of_a_rulebook_is_never_markup() -> None:
    game = lw.load_text(HOSTILE, engine="python")
    state = game.initial_state()
    text = svg(scene_of(game, game.observe(state, "one")))
    root = ElementTree.fromstring(text)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "style", "rect", "g", "path", "text", "title"}


def test_plates_of_a_map_do_not_overlap() -> None:
    (game, state), *_ = positions("delta", 1)
    scene = scene_of(game, game.observe(state, None))
    plates = [item for item in scene.items if item.kind == "space"]
    assert len(plates) == 12
    for one, other in combinations(plates, 2):
        assert abs(one.x - other.x) >= PLATE[0] or abs(one.y - other.y) >= PLATE[1]


def test_a_map_keeps_neighbours_together() -> None:
    """A ring of eight: each space is nearer to its neighbours than to those across."""
    ring = [[(at - 1) % 8, (at + 1) % 8] for at in range(8)]
    points = spread(ring)

    def apart(one: int, other: int) -> float:
        (x, y), (ox, oy) = points[one], points[other]
        return float(((x - ox) ** 2 + (y - oy) ** 2) ** 0.5)

    for at in range(8):
        assert apart(at, (at + 1) % 8) < apart(at, (at + 2) % 8) < apart(at, (at + 4) % 8)


def test_the_page_and_the_pictures_have_the_same_colours() -> None:
    """The style sheet of the page names every token of a scene with its value."""
    sheet = (Path(__file__).parents[2] / "page" / "src" / "style.css").read_text()
    light, dark = sheet.split("prefers-color-scheme: dark", 1)
    for colours, text in ((LIGHT, light), (DARK, dark)):
        for name, value in colours.items():
            assert f"--{name}: {value};" in text, name


def test_seats_called_by_colours_have_them() -> None:
    assert seat_colours(("white", "black")) == ("white", "jet")
    assert seat_colours(("red", "judge")) == ("seat1", "seat2")


BOARDS = """# B

```yaml
game: { id: b, title: B, players: 2 }
seats: [red, blue]
spaces:
  land:
    hexagon: 3
    attributes: { terrain: wood if it.row > 3 else plain }
  corner: { corners: land }
  side: { sides: land }
  field: { hex: { shape: rectangle, size: [4, 3] }, names: numbers }
  flat: { hex: { shape: hexagon, size: 2, top: flat }, names: numbers }
  rim: { corners: flat }
  yard: { grid: [2, 2], names: numbers }
  wall: { sides: yard }
pieces: { house: { owner: seat }, road: { owner: seat } }
setup: [place house of red at corner_c3_n, place road of blue at side_c3_e, place house of blue at c3]
actions: [{ id: pass }]
end: [{ when: turn > 9, draw: all }]
```
"""


def test_hexes_corners_and_sides_lie_where_they_belong() -> None:
    game = lw.load_text(BOARDS, engine="python")
    scene = scene_of(game, game.observe(game.initial_state(), None))
    places = {item.answers[0]: (item.x, item.y) for item in scene.items if item.kind == "space"}
    world = game.program.world
    assert set(places) == {place.name for place in world.places}
    assert len({(round(x, 1), round(y, 1)) for x, y in places.values()}) == len(places)
    for what, near in (("corners", 36), ("sides", 31)):  # from the middle of a cell of 60
        for at in (*world.groups["land"], *world.groups["flat"], *world.groups["yard"]):
            x, y = places[world.places[at].name]
            for part in world.touching[what][at]:
                px, py = places[world.places[part].name]
                assert ((px - x) ** 2 + (py - y) ** 2) ** 0.5 < near
    for board in ("land", "flat"):  # cells beside each other are 60 apart, whichever way they stand
        for at in world.groups[board]:
            x, y = places[world.places[at].name]
            for beside in world.adjacent[at]:
                px, py = places[world.places[beside].name]
                assert ((px - x) ** 2 + (py - y) ** 2) ** 0.5 == pytest.approx(60)
    house = next(item for item in scene.items if item.kind == "piece" and "corner_c3_n" in item.id)
    assert (house.x, house.y) == places["corner_c3_n"]
    assert all(0 <= item.x <= scene.width and 0 <= item.y <= scene.height for item in scene.items)
    ElementTree.fromstring(svg(scene))
