"""Whatever can refuse is known before anything is offered: also in functions, options, conditions."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.errors import RulebookFault

BOOK = """
```yaml
game: { id: refusing, title: Refusing, players: 2 }
seats: [red, blue]
vars: { marks: "list[0..9, 3]", n: 0..9, m: 0..99 }
history: { seen: { of: [n], keep: 3 }, recent: { of: [n], keep: last 3 } }
fns:
  peak(): max(x for x in marks)
  above(): 1 + peak()
  limit(): count(marks) + 1
actions:
  - { id: pass, effects: [n += 1] }
  - { id: direct, effects: ["m = max(x for x in marks)"] }
  - { id: called, effects: [m = peak()] }
  - { id: through, effects: [m = above()] }
  - { id: harmless, effects: [m = limit()] }
  - id: asked
    effects: [{ chooseOne: { bind: $x, options: 1..2 } }, "if $x == 1 then m = above()"]
  - id: wide
    effects: [{ chooseOne: { bind: $x, options: "[above(), 3]" } }, m = $x]
  - id: guarded
    effects:
      - menu: { options: { a: { if: above() > 2, do: [n += 1] }, b: [n += 1] } }
  - { id: mark, effects: ["marks = [4]"] }
end: [{ when: n > 8, draw: all, reason: done }]
```
"""


def test_an_action_that_would_be_refused_in_a_function_is_not_offered() -> None:
    game = lw.load_text(BOOK)
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    assert list(decision.options) == ["pass", "harmless", "asked", "mark"]
    for option in decision.options:
        game.choose(state, option)
    asked = game.decision(game.choose(state, "asked").state)
    assert asked is not None
    assert list(asked.options) == [2], "1 leads to the largest of nothing"


def test_it_is_offered_where_nothing_refuses() -> None:
    game = lw.load_text(BOOK)
    state = game.choose(game.initial_state(), "mark").state
    decision = game.decision(state)
    assert decision is not None
    assert len(decision.options) == 9
    for option in decision.options:
        game.choose(state, option)


@pytest.mark.parametrize(("history", "full"), [("seen", True), ("recent", False)])
def test_a_full_history_is_a_fault_unless_it_forgets(history: str, full: bool) -> None:
    game = lw.load_text(
        BOOK.replace("effects: [n += 1] }", f"effects: [n += 1, record {history}] }}")
    )
    state = game.initial_state()
    for _ in range(3):
        state = game.choose(state, "pass").state
    if not full:
        game.choose(state, "pass")
        return
    with pytest.raises(
        RulebookFault, match="`seen` keeps 3 positions, and all are taken"
    ) as caught:
        game.choose(state, "pass")
    assert caught.value.code == "history-full"
