"""A game for a range of players: seats without a player are asked nothing, and win nothing."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.errors import RulebookFault
from ludwright.kernel.play.game import Game

ENGINES = ("python", "native")
RULES = """# T
```yaml
game: { id: t, title: T, players: 2..3 }
seats: [red, blue, green]
vars: { n: 0..9 }
phases: [{ id: p, actions: [go] }]
actions:
  - id: go
    effects: [EFFECT]
end: [{ when: n >= 3, win: WINNER, reason: x }]
```
"""
ASKED = "chooseOne: { bind: $k, options: 1..2, by: green }"
SEALED = "chooseOne: { bind: $k, options: 1..2, by: '[red, green]', together: true }"


def game(engine: str, effect: str = "n += 3", winner: str = "actor") -> Game:
    return lw.load_text(RULES.replace("EFFECT", effect).replace("WINNER", winner), engine=engine)


def played(of: Game, players: int) -> lw.State:
    state = of.initial_state(1, players)
    while (decision := of.decision(state)) is not None:
        state = of.choose(state, decision.options[0]).state
    return state


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("effect", [f"{{ {ASKED} }}", f"{{ {SEALED} }}", "active = green"])
def test_a_seat_that_does_not_play_cannot_be_asked(engine: str, effect: str) -> None:
    made = game(engine, f"{effect}, n += 3" if "active" not in effect else effect)
    with pytest.raises(RulebookFault) as caught:
        played(made, 2)
    assert caught.value.code == "absent"
    assert caught.value.span is not None
    if "active" not in effect:
        played(made, 3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("winner", ["green", "[red, green]", '"p for p in [blue, green] if n > 0"'])
def test_a_seat_that_does_not_play_cannot_win(engine: str, winner: str) -> None:
    made = game(engine, winner=winner)
    with pytest.raises(RulebookFault) as caught:
        played(made, 2)
    assert caught.value.code == "absent"
    result = made.result(played(made, 3))
    assert result is not None
    assert "green" in result.winners


@pytest.mark.parametrize("engine", ENGINES)
def test_those_who_play_win(engine: str) -> None:
    for winner in ("actor", "red", "all", "p for p in seats"):
        result = (made := game(engine, winner=winner)).result(played(made, 2))
        assert result is not None
        assert "red" in result.winners
