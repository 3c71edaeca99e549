"""Semantics 11: the same bind in two statements of one procedure gives two ids."""

from __future__ import annotations

import ludwright as lw

TWICE = """
```yaml
game: { id: twice, title: Twice, players: 1 }
vars: { total: 0..99 }
actions:
  - id: act
    effects:
      - forEach: { bind: i, over: 1..2, do: [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x] }
      - forEach: { bind: j, over: 1..2, do: [{ chooseOne: { bind: $x, options: 4..6 } }, total += $x] }
end: [{ when: total > 0, win: actor, reason: done }]
```
"""


def test_semantics_11_two_statements_with_one_bind_have_four_ids() -> None:
    game = lw.load_text(TWICE)
    state = game.initial_state()
    move = game.legal_moves(state)[0]
    params: dict[str, object] = {}
    while not (request := game.legal_choices(state, lw.Move(move.action_id, params))).complete:
        assert request.decision_id is not None
        assert request.options is not None
        params[request.decision_id] = request.options[0]
    assert list(params.values()) == [1, 1, 4, 4]
    assert list(params) == ["act.$x[0]", "act.$x[1]", "act.2.$x[0]", "act.2.$x[1]"]
    assert game.result(game.apply_move(state, lw.Move(move.action_id, params)).state) is not None
