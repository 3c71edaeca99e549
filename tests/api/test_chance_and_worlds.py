"""Outcomes of chance with their probabilities, and the states that a seat could be in."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.agents import View
from tests.api.games import loaded


def value(game: lw.Game, state: lw.State, seat: str) -> float:
    """What a game is worth that chance and seats play at random: by all its ways."""
    result = game.result(state)
    if result is not None:
        return float(result.scores[seat])
    decision = game.decision(state)
    assert decision is not None
    ways = game.chance_outcomes(state)
    if not ways:
        ways = [(answer, 1 / len(decision.answers)) for answer in decision.answers]
    assert sum(share for _, share in ways) == pytest.approx(1)
    return sum(share * value(game, game.choose(state, a).state, seat) for a, share in ways)


def test_chance_can_be_enumerated(engine: str) -> None:
    game = loaded("kuhn-poker", engine, "explicit")
    worth = [value(game, game.initial_state(), seat) for seat in game.seats]
    assert sum(worth) == pytest.approx(0)
    assert worth[0] == pytest.approx(0.125)


def test_outcomes_are_those_of_chance_alone(engine: str) -> None:
    state = loaded("kuhn-poker", engine).initial_state(1)
    assert loaded("kuhn-poker", engine).chance_outcomes(state) == []
    game = loaded("backgammon", engine, "explicit")
    state = game.initial_state()
    assert game.current_seat(state) == "chance"
    found = game.chance_outcomes(state)
    assert [share for _, share in found] == pytest.approx([1 / 6] * 6)
    assert [answer for answer, _ in found] == list(game.decision(state).options)  # type: ignore[union-attr]


def test_pieces_that_are_alike_are_one_outcome_with_their_number_as_weight(engine: str) -> None:
    """Also where all that may be drawn are alike: several pieces are several outcomes."""
    game, pick = loaded("harvest-fair", engine, "explicit"), random.Random(1)
    state = game.initial_state(1)
    while (decision := game.decision(state)) is not None:
        if decision.seat == "chance" and len(decision.options) == 1:
            break
        state = game.choose(state, pick.choice(decision.answers)).state
    assert decision is not None
    assert decision.weights[0] > 1
    assert game.chance_outcomes(state) == [(decision.options[0], 1.0)]


# ------------------------------------------------------------------- worlds


def played(game: lw.Game, seed: int, decisions: int) -> tuple[lw.State, list[tuple[Any, Any]]]:
    pick = random.Random(seed)
    state, past = game.initial_state(seed), list[tuple[Any, Any]]()
    while len(past) < decisions:
        decision = game.decision(state)
        assert decision is not None
        past.append((state, pick.choice(decision.answers)))
        state = game.choose(*past[-1]).state
    return state, past


def suits(game: lw.Game, state: lw.State, seat: str) -> set[str]:
    places = game.observe(state, None)["places"]
    return {piece["name"][-1] for piece in places[f"hand:{seat}"].get("pieces", ())}


def test_worlds_agree_with_the_past(engine: str) -> None:
    """Who did not follow suit has none of it: known from the past alone."""
    game = loaded("hearts", engine)
    state, past = played(game, 3, 40)
    decision = game.decision(state)
    assert decision is not None
    lacking: dict[str, set[str]] = {seat: set() for seat in game.seats}
    for before, card in past:
        asked, seen = game.decision(before), game.observe(before, None)
        led = seen["places"][f"played:{seen['variables']['lead']}"].get("pieces", ())
        if asked is not None and asked.name == "$card" and led and led[0]["name"][-1] != card[-1]:
            lacking[asked.seat].add(led[0]["name"][-1])
    others = [seat for seat in game.seats if lacking[seat] and seat != decision.seat]
    assert others
    worlds = game.worlds(state, decision.seat, 12, past=past, seed=2)
    assert len(worlds) == 12
    assert len(set(worlds)) > 1
    for world in worlds:
        assert game.observe(world, decision.seat) == game.observe(state, decision.seat)
        assert not any(lacking[seat] & suits(game, world, seat) for seat in others)
    blind = game.worlds(state, decision.seat, 12, seed=2)
    assert any(lacking[seat] & suits(game, world, seat) for seat in others for world in blind)
    assert worlds == game.worlds(state, decision.seat, 12, past=past, seed=2)
    assert worlds == View(game, state, decision, game.seats, past).worlds(12, seed=2)


def test_worlds_are_of_any_seat_in_play(engine: str) -> None:
    game = loaded("kuhn-poker", engine)
    state = game.initial_state(1)
    for seat in game.seats:
        own = game.observe(state, seat)
        assert all(game.observe(world, seat) == own for world in game.worlds(state, seat, 20))
    assert game.worlds(state, game.seats[0], 0) == []
    with pytest.raises(ValueError, match="`n` must be at least 0"):
        game.worlds(state, game.seats[0], -1)
    with pytest.raises(TypeError, match="`seed` must be a whole number"):
        game.worlds(state, game.seats[0], 1, seed=0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="entry 0 of `past`"):
        game.worlds(state, game.seats[0], 1, past=[(state, "bet")])
    over = game.choose(game.choose(state, "pass").state, "pass").state
    with pytest.raises(lw.IllegalMove, match="over"):
        game.worlds(over, game.seats[0], 1)
    explicit = loaded("kuhn-poker", engine, "explicit")
    with pytest.raises(lw.IllegalMove, match="chance decides"):
        explicit.worlds(explicit.initial_state(), game.seats[0], 1)
