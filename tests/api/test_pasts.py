"""A past leads, answer by answer, to the state that is searched; else the entry at fault is told."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.core import Core
from tests.api.games import loaded


def played(game: lw.Game, seed: int, decisions: int) -> tuple[lw.State, list[tuple[Any, Any]]]:
    pick = random.Random(seed)
    state, past = game.initial_state(seed), list[tuple[Any, Any]]()
    while len(past) < decisions or game.current_seat(state) == "chance":
        decision = game.decision(state)
        assert decision is not None
        past.append((state, pick.choice(decision.answers)))
        state = game.choose(*past[-1]).state
    return state, past


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "goofspiel", "tic-tac-toe"])
def test_what_was_played_is_taken(engine: str, name: str, chance: ChanceMode) -> None:
    game = loaded(name, engine, chance)
    for seed in range(3):
        state, past = played(game, seed, 1)
        told = game.search(state, simulations=8, past=past)
        assert told.candidates == game.search(state, simulations=8, past=tuple(past)).candidates
        game.search(
            state, simulations=8, past=[(s.__class__(s.game_id, s.cells), a) for s, a in past]
        )
        game.search(state, simulations=8, past=past[-1:])
        game.search(state, simulations=8, past=[])


def test_answers_that_were_not_given_are_refused(engine: str) -> None:
    game = loaded("kuhn-poker", engine)
    first = game.initial_state(1)
    state = game.choose(first, "bet").state
    wrong: list[tuple[Any, str]] = [
        (
            [(first, "pass")],
            r"entry 0 of `past`: 'pass' leads to another state than the state given",
        ),
        ([(game.initial_state(9), "bet")], "entry 0 of `past`: 'bet' leads to another state"),
        ([(first, "x")], "entry 0 of `past`: "),
        (
            [(first, "bet"), (first, "bet")],
            "entry 0 of `past`: .* another state than that of entry 1",
        ),
        ([(state, "bet"), (first, "bet")], "entry 0 of `past`: "),
        ([(loaded("hearts", engine).initial_state(), "x")], "entry 0 .* belongs to another game"),
    ]
    for past, told in wrong:
        for _ in range(2):
            with pytest.raises(ValueError, match=told):
                game.search(state, simulations=4, past=past)
    game.search(state, simulations=4, past=[(first, "bet")])


@pytest.mark.parametrize("past", [[1, 2], "ab", 5, [(1, "bet")], [("a",)], {1: 2}, [[]], [None]])
def test_what_is_no_past_is_told_so(engine: str, past: Any) -> None:
    game = loaded("kuhn-poker", engine)
    with pytest.raises(TypeError, match="of a State and an answer"):
        game.search(game.initial_state(), simulations=4, past=past)


def test_a_game_that_is_over_has_no_next_answer(engine: str) -> None:
    game = loaded("tic-tac-toe", engine)
    state, _ = played(game, 1, 1)
    over = state
    while game.decision(over) is not None:
        over = game.choose(over, game.decision(over).answers[0]).state  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="entry 0 of `past`: the game is over in this state"):
        game.search(state, simulations=4, past=[(over, "a1")])


def test_sets_may_be_told_as_they_were_answered(engine: str) -> None:
    """As a whole or pick by pick, the same is known."""
    game = loaded("hearts", engine)
    state = game.initial_state(1)
    whole, single = list[tuple[Any, Any]](), list[tuple[Any, Any]]()
    for _ in range(2):
        decision = game.decision(state)
        assert decision is not None
        assert decision.kind == "chooseN"
        cards = list(decision.options[:3])
        whole.append((state, cards))
        for card in cards:
            single.append((state, card))
            state = game.choose(state, card).state
    found = [game.search(state, simulations=8, past=past) for past in (whole, single)]
    assert found[0].candidates == found[1].candidates
    assert found[0].worlds == found[1].worlds


def test_under_seal_seats_answer_in_any_order(engine: str) -> None:
    game = loaded("goofspiel", engine)
    first = game.initial_state(1)
    decision = game.decision(first)
    assert decision is not None
    early, late = decision.together
    bid = game.decision(first, late)
    assert bid is not None
    then = game.choose(first, bid.options[2], late).state
    state = game.choose(then, decision.options[1], early).state
    past = [(first, bid.options[2]), (then, decision.options[1])]
    assert game.search(state, simulations=8, past=past).candidates
    with pytest.raises(ValueError, match="entry 1 of `past`"):
        game.search(state, simulations=8, past=[past[0], (then, decision.options[3])])


def test_what_was_checked_for_one_search_is_not_checked_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = lw.load("kuhn-poker", engine="python")
    first = game.initial_state(2)
    second = game.choose(first, "pass").state
    third = game.choose(second, "bet").state
    past: list[tuple[Any, Any]] = [(first, "pass")]
    game.search(second, simulations=4, past=past)
    played: list[Any] = []
    choose = Core.choose

    def noted(self: Core, state: lw.State, option: Any, seat: str | None = None) -> lw.Step:
        played.append((state, option))
        return choose(self, state, option, seat)

    monkeypatch.setattr(Core, "choose", noted)
    past.append((second, "bet"))
    with pytest.raises(ValueError, match="entry 1"):
        game.search(third, simulations=4, past=[past[0], (second, "pass")])
    assert played == [(second, "pass")]
