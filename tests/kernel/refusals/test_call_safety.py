"""A choice needs no search because another caller of the same procedure could be refused."""

from __future__ import annotations

import ludwright as lw

BOOK = """
```yaml
game: { id: calls, title: Calls, players: 2 }
vars: { money: 0..9 refuse, points: 0..99 }
procs:
  gain(n):
    - points += n
  spend(n):
    - money -= n
actions:
  - id: safe
    params: { n: 1..5 }
    effects: [gain(n)]
  - id: risky
    params: { k: 1..5 }
    effects: [gain(k), money -= k]
  - id: nested
    params: { m: 1..5 }
    effects: [gain(m), spend(m)]
```
"""


def test_only_what_follows_the_own_call_counts() -> None:
    game = lw.load_text(BOOK)
    safe = {choice.name: choice.safe for choice in game.program.choices}
    assert safe["n"]
    assert not safe["k"]
    assert not safe["m"]


def test_what_could_be_refused_is_still_not_offered() -> None:
    game = lw.load_text(BOOK)
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert decision.seat == "p1"
    assert {move.action_id for move in game.legal_moves(game.initial_state())} == {"safe"}
