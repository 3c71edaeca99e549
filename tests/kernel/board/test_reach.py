"""`reach` and `full` go from spaces; whatever lies elsewhere leads nowhere."""

from __future__ import annotations

from tests.semantics.books import book

RULES = """
spaces: { board: { grid: [3, 1] } }
pieces: { stone: { owner: seat, count: 2 } }
zones: { box: { of: stone, init: all } }
vars: { near: 0..9, filled: bool }
actions:
  - id: look
    params: { s: stone }
    effects:
      - near = count(reach(s.place))
      - filled = full(board)
  - { id: put, effects: [for c in board if c.index < 2 do move box.piece to c] }
end: [{ when: turn > 50, draw: all }]
"""


def test_a_piece_beside_the_board_reaches_no_space() -> None:
    game = book(RULES)
    state = game.initial_state()
    for answer in ("look", "stone"):
        decision = game.decision(state)
        assert decision is not None
        picked = answer if answer in decision.options else decision.options[0]
        state = game.choose(state, picked).state
    assert game.observe(state, None)["variables"]["near"] == 0
    state = game.choose(state, "put").state
    decision = game.decision(game.choose(state, "look").state)
    assert decision is not None
    on_board = [option for option in decision.options if "a1" in str(option)]
    state = game.choose(game.choose(state, "look").state, on_board[0]).state
    assert game.observe(state, None)["variables"]["near"] == 3
