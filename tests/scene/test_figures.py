"""Whose pieces are and what they are, where a table says so; grounds, crossings and moods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ludwright as lw
from ludwright.scene import scene_of
from ludwright.scene.model import Item, Scene, Shape, Text

BOOK = """
```yaml
game: { id: forces, players: 2 }
seats: [ana, ben]
enums: { Type: [troops, base] }
tables:
  Force:
    - { id: ana-troops, faction: ana, type: troops, copies: 3 }
    - { id: ben-base, faction: ben, type: base, copies: 2 }
pieces:
  unit: { each: Force, count: copies }
  wood: { count: 1 }
spaces:
  land:
    spaces:
      inn: { coast: true, at: [0, 0], adjacent: [way] }
      way: { coast: false, road: true, at: [60, 0] }
  field: { grid: [2, 2] }
zones: { box: { of: unit } }
vars: { Space.mood: -2..2 clamp }
setup:
  - for x in unit if x.type == troops do move x to inn
  - for x in unit if x.type == base do move x to box
  - inn.mood = 2
  - place wood at a1
actions: { wait: {} }
end: [{ when: turn > 3, draw: all }]
look:
  seats: { ana: green, ben: blue }
  spaces: { land: { shape: { road: { true: disc, false: plate } } }, field: { shape: crossing } }
  pieces: { wood: { shape: ground, colour: leaf } }
```
"""


def drawn(tmp_path: Path) -> tuple[lw.Game, Scene, dict[str, Item]]:
    path = tmp_path / "forces.md"
    path.write_text(BOOK)
    game = lw.load(path, engine="python")
    scene = scene_of(game, game.observe(game.initial_state(), "ana"))
    return game, scene, {item.id: item for item in scene.items}


def fills(item: Item) -> set[str]:
    return {mark.fill for mark in item.marks if isinstance(mark, Shape)}


def texts(item: Item) -> list[str]:
    return [mark.text for mark in item.marks if isinstance(mark, Text)]


def test_a_column_of_seats_says_whose_pieces_are(tmp_path: Path) -> None:
    _, _, items = drawn(tmp_path)
    troops = items["piece:inn:0:0"]
    assert "green" in fills(troops)
    assert "pill:inn:0" in items, "they stand on a pill of their seat"
    in_box = [item for item in items.values() if item.id.startswith("piece:box")]
    assert [fills(item) & {"blue"} for item in in_box] == [{"blue"}], "tokens, not cards"
    assert texts(in_box[0]) == ["2"]


def test_a_mood_tints_its_space_and_stands_beside_its_name(tmp_path: Path) -> None:
    _, _, items = drawn(tmp_path)
    inn = items["space:inn"]
    assert "plus2" in fills(inn)
    assert any(text.endswith("▲▲") for text in texts(inn))
    assert "mood 2" in inn.name, "for those who cannot see it"


def test_a_way_is_a_small_disc(tmp_path: Path) -> None:
    _, _, items = drawn(tmp_path)
    paths = [mark.path for mark in items["space:way"].marks if isinstance(mark, Shape)]
    assert "A" in paths[0]
    assert texts(items["space:way"]) == []


def test_grounds_lie_in_their_whole_cell_and_lines_cross_in_crossings(tmp_path: Path) -> None:
    _, _, items = drawn(tmp_path)
    ground = items["piece:a1:ground"]
    assert fills(ground) == {"leaf"}
    assert (ground.x, ground.y) == (items["space:a1"].x, items["space:a1"].y)
    lines: Any = [mark.path for mark in items["space:a1"].marks if isinstance(mark, Shape)][1]
    assert lines.count("M") == 2


def test_a_scene_says_how_far_its_boards_reach(tmp_path: Path) -> None:
    _, scene, _ = drawn(tmp_path)
    assert 0 < scene.board < scene.height


def test_suits_may_be_written_out() -> None:
    game = lw.load("nomination-whist", engine="python")
    state = game.initial_state(seed=1, players=3)
    scene = scene_of(game, game.observe(state, game.seats[0]))
    names = [item.name for item in scene.items if item.kind == "piece" and item.row == ""]
    assert any(name.endswith((" of spades", " of hearts", " of clubs")) for name in names)
