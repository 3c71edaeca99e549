"""Questions about moves are pure: the same bytes and the same move have the same answer, whatever
was asked before, of whichever state object."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from ludwright import IllegalMove, Move
from ludwright.errors import EndlessChoices
from ludwright.program.limits import MOVE_LIMIT

BOOK = """
```yaml
game: { id: asking, title: Asking, players: 2 }
spaces: { land: { track: 3 } }
vars: { total: 0..99 clamp, Space.n: 0..20 clamp }
actions:
  - { id: pass }
  - id: spread
    effects:
      - chooseN: { bind: $xs, options: land, min: 1, max: 2 }
      - chooseOne: { bind: $w, options: $xs }
      - $w.n += 1
  - id: count
    effects:
      - chooseN: { bind: $ns, options: 1..3, min: 1, max: 2 }
      - chooseOne: { bind: $m, options: 1..2 }
      - total += $m
  - id: dither
    effects:
      - forEach: { bind: i, over: 1..60, do: [{ chooseOne: { bind: $d, options: 1..2 } }, total += $d] }
  - id: brood
    effects:
      - forEach: { bind: i, over: 1..10050, do: [{ chooseOne: { bind: $d, options: 1..2 } }, total += $d] }
end: [{ when: total > 98, draw: true }]
```
"""


@pytest.fixture(name="game")
def _game() -> lw.Game:
    return lw.load_text(BOOK)


def told(game: lw.Game, state: lw.State, move: Move) -> Any:
    try:
        return str(game.legal_choices(state, move))
    except IllegalMove as error:
        return str(error)


def test_a_list_that_changes_later_changes_no_move(game: lw.Game) -> None:
    state, places = game.initial_state(), ["land1"]
    move = Move("spread", {"$xs": places})
    assert list(game.legal_choices(state, move).options) == ["land1"]
    places[0] = "land2"
    assert move.params["$xs"] == ("land1",)
    for asked in (state, game.initial_state()):
        assert list(game.legal_choices(asked, move).options) == ["land1"]
        changed = Move("spread", {"$xs": places})
        assert list(game.legal_choices(asked, changed).options) == ["land2"]


def test_lists_inside_lists_are_frozen_too() -> None:
    inner = [1]
    move = Move("count", {"$ns": [inner]})
    inner[0] = 2
    assert move.params["$ns"] == ((1,),)
    assert hash(move) == hash(Move("count", {"$ns": [[1]]}))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"$ns": [1]}, {"$ns": [True]}),
        ({"$ns": [1], "$m": 1}, {"$ns": [1], "$m": True}),
        ({"$ns": [1]}, {"$ns": [1.0]}),
        ({"$ns": [1]}, {"$ns": [1], "$m": 1.0}),
        ({"$ns": [1]}, {"$ns": "1"}),
        ({"$ns": [1, 2]}, {"$ns": [2, 1]}),
        ({"$ns#0": 1, "$ns#1": 2}, {"$ns#0": 1, "$ns#1": 2, "$ns": 3}),
        ({"$ns": [1]}, {"$ns": [1], "$ns#0": 2}),
        ({"$ns": [1]}, {"$ns": [1], "action": "count"}),
        ({"$ns": [1]}, {"$ns": [1], "action": "pass"}),
        ({"$ns": [1], "$later": 0.0}, {"$ns": [1], "$later": -0.0}),
    ],
)
def test_what_was_asked_before_does_not_matter(
    game: lw.Game, first: dict[str, Any], second: dict[str, Any]
) -> None:
    state = game.initial_state()
    alone = told(lw.load_text(BOOK), state, Move("count", second))
    for asked in (state, game.state_from_bytes(state.to_bytes())):
        told(game, state, Move("count", first))
        assert told(game, asked, Move("count", second)) == alone


def test_another_action_or_state_is_another_question(game: lw.Game) -> None:
    state = game.initial_state()
    after = game.apply_move(state, Move("pass")).state
    first = told(game, state, Move("count", {"$ns": [1]}))
    assert told(game, after, Move("count", {"$ns": [1]})) != first  # another seat is asked
    assert "unknown-param" in told(game, state, Move("pass", {"$ns": [1]}))


def test_a_long_move_is_completed_from_its_bytes(game: lw.Game) -> None:
    """Each question answers the same, whatever was asked in between, of any state object."""
    data = game.initial_state().to_bytes()
    move = Move("dither")
    for number in range(60):
        asked = told(game, game.state_from_bytes(data), move)
        told(game, game.state_from_bytes(data), Move("count"))  # nothing is left of the question
        assert told(game, game.state_from_bytes(data), move) == asked
        assert f"'$d[{number}]'" in asked
        move = move.with_param(f"$d[{number}]", 1)
    assert game.legal_choices(game.state_from_bytes(data), move).complete


def test_asking_without_end_is_told(game: lw.Game) -> None:
    """The same guard as that of agents: a caller must not be asked for ever."""
    state = game.initial_state()
    answers = {f"$d[{number}]": 1 for number in range(MOVE_LIMIT)}
    last = answers.popitem()
    request = game.legal_choices(state, Move("brood", answers))
    assert request.decision_id == f"$d[{MOVE_LIMIT - 1}]"
    answers |= [last]
    with pytest.raises(EndlessChoices, match=rf"`brood`.*`\$d\[{MOVE_LIMIT}\]"):
        game.legal_choices(state, Move("brood", answers))
    with pytest.raises(EndlessChoices):
        game.apply_move(state, Move("brood", answers))
