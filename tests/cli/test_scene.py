"""Boards as a player sees them, drawn from real rulebooks."""

from __future__ import annotations

from collections.abc import Sequence

import ludwright as lw

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
    return game.draw(state).splitlines()


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


def test_two_armies_are_told_apart_by_the_case_of_their_letters() -> None:
    kinds = ("bishop", "king", "knight", "pawn", "queen", "rook")
    legend = next(line for line in drawn(*army(kinds)) if line.startswith("B b"))
    assert legend == (
        "B b bishop, K k king, N n knight, P p pawn, Q q queen, R r rook, UPPER CASE white, "
        "lower case black"
    )


def test_two_armies_with_glyphs_have_one_for_each_side() -> None:
    game = lw.load("chess")
    lines = drawn(game, game.initial_state())
    assert lines[0] == "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"
    assert lines[7] == "1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖"
    assert "♗ ♝ bishop (white, black), ♔ ♚ king, ♘ ♞ knight, ♙ ♟ pawn, ♕ ♛ queen, ♖ ♜ rook" in lines


def army(kinds: Sequence[str]) -> tuple[lw.Game, lw.State]:
    """Two seats with one piece of each kind."""
    game = lw.load_text(f"""
```yaml
game: {{ id: army, title: Army, players: 2 }}
seats: [white, black]
spaces: {{ board: {{ grid: [{len(kinds)}, 2] }} }}
enums: {{ Rank: [{", ".join(kinds)}] }}
pieces: {{ man: {{ owner: seat, count: {len(kinds)}, rank: Rank = {kinds[0]} }} }}
setup:
{
        chr(10).join(
            f"  - place man of {seat} at {chr(97 + at)}{row} with rank={kind}"
            for row, seat in enumerate(("white", "black"), 1)
            for at, kind in enumerate(kinds)
        )
    }
actions: [{{ id: wait }}]
end: [{{ when: turn > 9, draw: all, reason: late }}]
```
""")
    return game, game.initial_state()


def test_cards_in_a_hand_stand_in_the_order_of_the_rulebook() -> None:
    game = lw.load("hearts")
    state = game.initial_state(seed=3, players=4)
    shown = game.draw(state, "North")
    hand = shown.split("hand of North: ")[1].split("\n")[0].split(", ")
    assert len(hand) == 13
    assert [card[0] for card in hand] == sorted(
        (card[0] for card in hand), key="23456789TJQKA".find
    )


def test_variables_that_say_nothing_are_left_out() -> None:
    game = lw.load("texas-holdem")
    shown = drawn(game, game.initial_state(seed=5, players=3))
    assert "seat  stack  bet  total" in shown
    assert any(line.startswith("button p1, live p1 p2 p3, hands 1") for line in shown)
    assert not any("short" in line or "outlasted" in line for line in shown)
    assert "empty: board, muck" in shown


def test_a_score_of_nothing_is_shown_where_it_is_all_there_is() -> None:
    game = lw.load("pig")
    assert drawn(game, game.initial_state()) == ["seat  points", "p1    0", "p2    0"]
