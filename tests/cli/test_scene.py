"""Boards as a player sees them, drawn from real rulebooks."""

from __future__ import annotations

import ludwright as lw
from ludwright.cli.board import draw
from ludwright.cli.scene import scene_of

CROSS = """
```yaml
game: { id: cross, title: Cross, players: 2 }
seats: [white, black]
spaces:
  point:
    spaces:
      top: { column: 2, row: 3, adjacent: { south: middle } }
      left: { column: 1, row: 2, adjacent: { east: middle } }
      middle: { column: 2, row: 2, adjacent: { east: right, south: bottom } }
      right: { column: 3, row: 2 }
      bottom: { column: 2, row: 1 }
tables: { Rank: [{ id: king }, { id: knight }] }
pieces: { man: { owner: seat, count: 5, rank: Rank = king } }
setup:
  - place man of white at top
  - place man of black at right with rank=knight
actions:
  - id: put
    params: { target: c for c in point if c.piece == none }
    effects: [place man of actor at target]
    notation: "{target}"
end: [{ when: "line(target, 3)", win: actor, reason: three in a row }]
noMoves: [{ draw: all, reason: full }]
```
"""


def drawn(game: lw.Game, state: lw.State) -> list[str]:
    return draw(scene_of(game, game.observe(state, None))).splitlines()


def test_a_map_with_columns_and_rows_is_drawn_as_a_board() -> None:
    game = lw.load_text(CROSS)
    assert drawn(game, game.initial_state())[:3] == ["3   K", "2 . . n", "1   ."]


def test_rows_of_a_table_have_letters_of_their_own() -> None:
    game = lw.load_text(CROSS)
    assert "K white king, n black knight" in drawn(game, game.initial_state())


def test_three_in_a_row_on_a_map_whose_lines_are_named_from_one_end() -> None:
    game = lw.load_text(CROSS)
    state = game.initial_state()
    for text in ("bottom", "left", "middle"):
        state = game.apply_move(state, game.parse_move(state, text)).state
    result = game.result(state)
    assert result is not None
    assert result.winners == ("white",)
