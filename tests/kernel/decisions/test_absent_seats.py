"""A game for a range of players: seats without a player are asked nothing, win nothing, have no
neighbours and no scores."""

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
vars: { n: 0..9, who: Seat = green }
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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "next_seat", ["rotate(who)", "rotation(seats, start=who)[0]", "rotation(seats, after=green)[0]"]
)
def test_nobody_sits_next_to_a_seat_that_does_not_play(engine: str, next_seat: str) -> None:
    made = game(engine, f'"who = {next_seat}", n += 3')
    with pytest.raises(RulebookFault) as caught:
        played(made, 2)
    assert (caught.value.code, caught.value.span is not None) == ("absent", True)
    who = made.observe(played(made, 3), "red")["variables"]["who"]
    assert who == ("green" if "start" in next_seat else "red")


@pytest.mark.parametrize("engine", ENGINES)
def test_each_seat_that_plays_has_one_score(engine: str) -> None:
    rules = RULES.replace("EFFECT", "n += 3").replace("win: WINNER", 'score: "SCORES"')
    made = lw.load_text(rules.replace("SCORES", "[5, 7, 6]"), engine=engine)
    result = made.result(played(made, 3))
    assert result is not None
    assert result.scores == {"red": 5, "blue": 7, "green": 6}
    with pytest.raises(RulebookFault) as caught:
        played(made, 2)
    assert (caught.value.code, caught.value.span is not None) == ("scores", True)
    pairs = lw.load_text(rules.replace("SCORES", "(1, n) for p in seats if n > 3"), engine=engine)
    with pytest.raises(RulebookFault) as caught:
        played(pairs, 3)
    assert caught.value.code == "scores"


@pytest.mark.parametrize(("scores", "said"), [("[1]", "one score"), ("[1, 2, 3, 4]", "4 scores")])
def test_a_written_list_of_scores_fits_the_players(scores: str, said: str) -> None:
    rules = RULES.replace("EFFECT", "n += 3").replace("win: WINNER", f'score: "{scores}"')
    (found,) = lw.compile_text(rules).diagnostics.errors
    assert found.code == "wrong-type"
    assert found.message == f"{said} where there are 2 to 3 players"


def test_a_set_is_no_list_of_scores() -> None:
    """It is sorted by value and drops equal numbers, so the wrong player would win."""
    text = """```yaml
game: { id: heap, title: Heap, players: 2 }
vars: { Seat.coins: 0..9 }
actions: [{ id: take, effects: [actor.coins += 1] }]
end: [{ when: turn > 1, score: "set(p.coins for p in seats)", reason: enough }]
```
"""
    errors = lw.compile_text(text).diagnostics.errors
    assert [error.code for error in errors] == ["wrong-type"]
    assert "whose score" in errors[0].message
