"""Whose moves are asked about: whoever decides, or one of several seats that decide in secret."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from ludwright import Game, IllegalMove, Move, State
from tests.semantics.books import book, variable

RULES = """
spaces: { land: { track: 3 } }
vars: { Seat.bid: 0..9, Seat.money: 0..9 = 2, round: 0..9 }
setup: [blue.money = 4]
flow:
  - repeat:
      while: round < 3
      do:
        - round += 1
        - chooseOne: { bind: $bid, by: seats, together: true, options: 0..chooser.money }
        - for p in seats do p.bid = $bid[p]
        - chooseN: { bind: $where, by: seats, together: true, options: land, min: 1, max: 2 }
        - for p in seats do p.bid = count($where[p])
        - chooseOne: { bind: $last, by: red, options: 1..2 }
score: it.bid
"""


@pytest.fixture(name="game")
def _game() -> Game:
    return book(RULES)


def both(game: Game, state: State) -> dict[str, list[int]]:
    return {seat: list(game.legal_choices(state, Move("bid"), seat).options) for seat in game.seats}


def test_each_seat_of_a_sealed_decision_is_shown_its_own_options(game: Game) -> None:
    state = game.initial_state()
    assert both(game, state) == {"red": [0, 1, 2], "blue": [0, 1, 2, 3, 4]}
    assert both(game, game.state_from_bytes(state.to_bytes())) == both(game, state)
    for seat in game.seats:
        assert game.legal_moves(state, seat) == [Move("bid")]  # a range is a template
        assert game.legal_choices(state, Move("bid"), seat).seat == seat
    assert list(game.legal_choices(state, Move("bid")).options) == [
        0,
        1,
        2,
    ]  # the first that is asked
    for seat, bid, legal in (("red", 3, False), ("blue", 3, True), ("red", 2, True)):
        assert game.why(state, Move("bid", {"$bid": bid}), seat).legal == legal


@pytest.mark.parametrize("order", [("red", "blue"), ("blue", "red")])
def test_sealed_moves_are_asked_completed_and_played_in_any_order(
    game: Game, order: tuple[str, str]
) -> None:
    state = game.initial_state()
    for bind, answers in (("$bid", {"red": 1, "blue": 4}), ("$where", None)):
        for seat in order:
            move = game.legal_moves(state, seat)[0]
            assert move == Move(bind.lstrip("$"))
            request = game.legal_choices(state, move, seat)
            assert (request.decision_id, request.seat) == (bind, seat)
            picks = ["land1"] if seat == "red" else ["land3", "land2"]
            move = move.with_param(bind, answers[seat] if answers else picks)
            request = game.legal_choices(state, move, seat)
            assert request.complete
            step = game.apply_move(state, move, seat)
            assert step.barrier == request.stops_at
            state = step.state
            if seat == order[0]:
                assert game.legal_moves(state, seat) == []  # it has answered
    assert variable(game, state, "bid") == {"red": 1, "blue": 2}


def test_picks_of_a_sealed_set_one_by_one(game: Game) -> None:
    state = game.initial_state()
    for seat in ("red", "blue"):
        state = game.choose(state, 0, seat).state
    for seat in ("blue", "red"):
        move = Move("where", {"$where#0": "land3"})
        request = game.legal_choices(state, move, seat)
        assert (request.decision_id, list(request.options)) == ("$where#1", ["land1", "land2"])
        assert (request.picked, request.can_stop, request.seat) == (("land3",), True, seat)
        move = move.with_param("$where#1", "land1")
        assert game.legal_choices(state, move, seat).complete
        state = game.apply_move(state, move, seat).state
    assert variable(game, state, "bid") == {"red": 2, "blue": 2}


def test_a_seat_that_is_not_asked_has_no_moves(game: Game) -> None:
    state = game.choose(game.initial_state(), 3, "blue").state
    assert game.legal_moves(state, "blue") == []
    assert game.legal_moves(state, "red") == [Move("bid")]
    assert game.legal_moves(state, "chance") == []
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(state, Move("bid"), "blue")
    assert caught.value.code == "not-your-turn"
    assert game.why(state, Move("bid", {"$bid": 0}), "blue").code == "not-your-turn"
    with pytest.raises(ValueError, match="there is no seat `green`"):
        game.legal_moves(state, "green")
    with pytest.raises(ValueError, match="there is no seat `green`"):
        game.legal_choices(state, Move("bid"), "green")


def test_questions_of_two_seats_leave_no_trace_in_each_other(game: Game) -> None:
    state = game.initial_state()
    for _ in range(2):
        for seat, most in (("red", 2), ("blue", 4)):
            assert max(game.legal_choices(state, Move("bid"), seat).options) == most


def test_what_is_no_move_is_told(game: Game) -> None:
    state = game.initial_state()
    things: tuple[Any, ...] = ("bid", None, ("bid", {}))
    for wrong in things:
        for ask in (game.legal_choices, game.apply_move, game.validate_move, game.why):
            with pytest.raises(TypeError, match="a Move is needed, not"):
                ask(state, wrong)


def test_a_move_is_made_of_names_and_answers() -> None:
    things: tuple[Any, ...] = (["take"], None, 5)
    for wrong in things:
        with pytest.raises(TypeError, match="a str is needed, not"):
            Move(wrong)
    names: tuple[Any, ...] = (b"n", None, 5)
    for wrong in names:
        with pytest.raises(TypeError, match="a str is needed, not"):
            Move("take", {wrong: 1})
    with pytest.raises(TypeError, match="a mapping is needed, not list"):
        Move("take", things[0])


def test_a_missing_answer_names_the_rule_that_asks_for_it() -> None:
    text = """
spaces: { land: { track: 3 } }
actions:
  - id: go
    effects:
      - chooseOne: { bind: $to, options: land }
      - roll $d in 1..6
"""
    game = book(text)
    why = game.why(game.initial_state(), Move("go"))
    assert (why.code, why.rule) == ("missing-choice", "action go: choose $to")
    assert why.reason == "`$to` has not been answered"
    assert why.span is not None


def test_an_action_is_called_by_a_text() -> None:
    game = lw.load("nim")
    assert game.why(game.initial_state(), Move("nonsense")).code == "unknown-action"
    for name in (["take"], None, 5):
        with pytest.raises(TypeError, match="a str is needed, not"):
            Move(name)  # type: ignore[arg-type]
