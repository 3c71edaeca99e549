"""Sealed choices take the same fields as open ones."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw

BOOK = """
```yaml
game: {{ id: sealed, title: Sealed, players: 2 }}
seats: [red, blue]
vars: {{ round: 0..3, Seat.points: 0..99, Seat.missed: 0..9 }}
flow:
  - repeat:
      while: round < 3
      max: 3
      do:
        - round += 1
        - {choice}
        - for p in seats do {after}
score: it.points
```
"""


def book(choice: str, after: str) -> lw.Game:
    return lw.load_text(BOOK.format(choice=choice, after=after))


def test_if_asks_nobody_and_binds_none() -> None:
    game = book(
        '{ chooseOne: { bind: $bid, if: round != 2, together: true, options: "1..9" } }',
        "p.points += default($bid[p], 50)",
    )
    state = game.initial_state()
    for seat, bid in [("blue", 3), ("red", 1), ("red", 2), ("blue", 4)]:
        state = game.choose(state, bid, seat).state
    result = game.result(state)
    assert result is not None
    assert dict(result.scores) == {"red": 53, "blue": 57}


def test_if_binds_nothing_to_a_set() -> None:
    game = book(
        '{ chooseN: { bind: $bid, if: round == 2, together: true, options: "1..9", n: 2 } }',
        "p.points += count($bid[p])",
    )
    state = game.initial_state()
    state = game.choose(state, [1, 2], "red").state
    state = game.choose(state, [3, 4], "blue").state
    result = game.result(state)
    assert result is not None
    assert dict(result.scores) == {"red": 2, "blue": 2}


def test_an_optional_answer_is_none() -> None:
    game = book(
        '{ chooseOne: { bind: $bid, together: true, optional: true, options: "1..9" } }',
        "p.missed += (1 if $bid[p] == none else 0)",
    )
    state = game.choose(game.initial_state(), None, "red").state
    state = game.choose(state, 4, "blue").state
    assert game.observe(state, None)["variables"]["missed"] == {"red": 1, "blue": 0}


def test_as_many_as_possible_cannot_stop_early() -> None:
    game = book(
        '{ chooseN: { bind: $bid, together: true, options: "1..3", max: 2, asManyAsPossible: true } }',
        "p.points += count($bid[p])",
    )
    decision = game.decision(game.initial_state(), "blue")
    assert decision is not None
    assert not decision.can_stop


def test_a_sequence_may_repeat() -> None:
    game = book(
        '{ chooseN: { bind: $bid, together: true, options: "1..3", n: 2, repeats: true } }',
        "p.points += sum($bid[p])",
    )
    state = game.choose(game.initial_state(), [3, 3], "red").state
    state = game.choose(state, [2, 1], "blue").state
    assert game.observe(state, None)["variables"]["points"] == {"red": 6, "blue": 3}


@pytest.mark.parametrize(
    "fields", ["chooseOne: { optional: true, ", "chooseN: { min: 0, max: 2, "], ids=["one", "many"]
)
def test_a_seat_that_is_not_asked_has_nothing_to_withdraw(fields: str) -> None:
    game = book(
        f'{{ {fields} bind: $bid, together: true, options: "n for n in 1..9 if chooser == red" }} }}',
        "p.missed += 1",
    )
    asked = game.initial_state()
    with pytest.raises(lw.IllegalMove) as caught:
        game.withdraw(asked, "blue")
    assert caught.value.code == "no-undo"


@pytest.mark.parametrize("answer", [[2], lw.STOP], ids=["a pick", "no pick"])
def test_only_asked_seats_take_their_answers_back(answer: Any) -> None:
    game = lw.load_text(
        BOOK.replace("players: 2", "players: 3")
        .replace("[red, blue]", "[red, blue, green]")
        .format(
            choice="{ chooseN: { bind: $bid, together: true, min: 0, max: 2, "
            'options: "n for n in 1..9 if chooser != green" } }',
            after="p.points += count($bid[p])",
        )
    )
    start = game.initial_state()
    answered = game.choose(start, answer, "blue").state
    assert game.withdraw(answered, "blue") == start
    for seat in ("red", "green"):
        with pytest.raises(lw.IllegalMove):
            game.withdraw(answered, seat)


@pytest.mark.parametrize("answered", [3, 4, 7])
def test_nobody_waits_for_an_answer_that_all_have_given(answered: int) -> None:
    """From outside only: a sealed decision closes with its last answer. Seat 2 does not exist."""
    game = book('{ chooseOne: { bind: $bid, together: true, options: "1..9" } }', "p.points += 1")
    told = game.state_to_json(game.initial_state())
    cell = game.program.choices[0].answered
    assert game.state_from_json(told) is not None
    told["cells"][cell] = answered
    with pytest.raises(ValueError, match="not a state of this game"):
        game.state_from_json(told)
