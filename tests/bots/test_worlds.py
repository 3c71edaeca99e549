"""Worlds agree with everything a seat has seen, and nothing hidden changes what a bot answers."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright
from benchmarks.worlds import Checker
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.trees.worlds import Worlds
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.determinize import Determinizer

Past = list[tuple[State, Any]]


def played(game: Game, seed: int, decisions: int) -> tuple[State, Past]:
    """A random game up to a decision."""
    pick = random.Random(seed)
    state, past = game.initial_state(seed), Past()
    while len(past) < decisions:
        decision = game.decision(state)
        assert decision is not None
        option = pick.choice(decision.answers)
        past.append((state, option))
        state = game.choose(state, option).state
    return state, past


def drawn(game: Game, state: State, past: Past, count: int, seed: int = 1) -> list[State]:
    core = core_of(game)
    decision = game.decision(state)
    assert decision is not None
    determinizer = Determinizer(core.machine, core.projection)
    seat = core.seat_number(decision.seat)
    worlds = Worlds(core, determinizer, core.cells(state), seat, past)
    return [State(core.game_id, cells) for cells in worlds.draw(count, seed)]


def hands(game: Game, state: State) -> dict[str, set[str]]:
    places = game.observe(state, None)["places"]
    return {
        seat: {piece["name"] for piece in places[f"hand:{seat}"].get("pieces", ())}
        for seat in game.seats
    }


def shown_voids(game: Game, past: Past) -> dict[str, set[str]]:
    """By seat, the suits that it did not follow: read off the table, not off the engine."""
    found: dict[str, set[str]] = {seat: set() for seat in game.seats}
    for state, option in past:
        decision = game.decision(state)
        assert decision is not None
        if decision.name != "$card":
            continue
        seen = game.observe(state, None)
        led = seen["places"][f"played:{seen['variables']['lead']}"].get("pieces", ())
        if led and led[0]["name"][-1] != option[-1]:
            found[decision.seat].add(led[0]["name"][-1])
    return found


@pytest.mark.parametrize(("seed", "decisions"), [(1, 30), (3, 44)])
def test_who_did_not_follow_suit_has_none(seed: int, decisions: int) -> None:
    game = ludwright.load("hearts")
    state, past = played(game, seed, decisions)
    voids = shown_voids(game, past)
    assert any(voids.values())
    decision = game.decision(state)
    assert decision is not None
    worlds = drawn(game, state, past, 20)
    assert len(worlds) == 20
    for world in worlds:
        assert game.observe(world, decision.seat) == game.observe(state, decision.seat)
        for seat, cards in hands(game, world).items():
            assert not voids[seat].intersection(card[-1] for card in cards)
    others = {frozenset(hands(game, world)[seat]) for world in worlds for seat in game.seats}
    assert len(others) > 8  # they differ


def test_a_card_that_was_passed_on_is_known() -> None:
    game = ludwright.load("hearts")
    seed = next(
        seed
        for seed in range(20)
        if game.observe(game.initial_state(seed), None)["variables"]["passing"]
    )
    state, past = played(game, seed, 18)
    decision = game.decision(state)
    assert decision is not None
    assert decision.name == "$card"
    seat = decision.seat
    given = [o for s, o in past if (d := game.decision(s)) and d.seat == seat and d.name == "$pass"]
    passed = {card for card in given if isinstance(card, str) and not card.startswith("__")}
    assert len(passed) == 3
    passed &= set().union(*hands(game, state).values())  # and not played since
    assert passed
    holder = next(who for who, cards in hands(game, state).items() if passed <= cards)
    for world in drawn(game, state, past, 20):
        assert passed <= hands(game, world)[holder]


@pytest.mark.parametrize("name", ["hearts", "harvest-fair", "leduc-poker"])
def test_the_past_of_every_world_shows_the_seat_what_it_saw(name: str) -> None:
    """Each world's own past, told anew and played by the engine; see `benchmarks.worlds`."""
    checker = Checker(name)
    for seed in range(1, 4):
        checker.check(seed, {"hearts": 34, "harvest-fair": 36, "leduc-poker": 5}[name], 8)
    assert checker.worlds > 16
    assert checker.looked_at > checker.worlds
    assert checker.contradictions == 0, checker.first


@pytest.mark.parametrize("name", ["hearts", "texas-holdem", "harvest-fair", "goofspiel"])
def test_twin_worlds_get_the_same_answer(name: str) -> None:
    """What a seat cannot see does not change what its bot answers."""
    game = ludwright.load(name)
    state, _ = played(game, 4, 20)
    decision = game.decision(state)
    assert decision is not None
    twins = [game.determinize(state, decision.seat, seed) for seed in range(3)]
    assert len({game.state_hash(twin) for twin in twins}) > 1
    told = {
        repr((found.candidates, found.values, found.worlds))
        for found in (game.search(twin, simulations=60, seed=2) for twin in twins)
    }
    assert len(told) == 1


def test_worlds_and_visits_are_the_same_on_both_engines() -> None:
    told = []
    for engine in ("native", "python"):
        game = ludwright.load("hearts", engine=engine)
        state, past = played(game, 2, 45)
        found = game.search(state, simulations=24, seed=3, past=past)
        told.append((found.candidates, found.values, found.worlds))
    assert told[0] == told[1]


def test_statistics_say_how_many_worlds_were_thrown_away() -> None:
    game = ludwright.load("hearts")
    state, past = played(game, 3, 44)
    found = game.search(state, simulations=100, seed=1, past=past)
    assert found.worlds is not None
    assert found.worlds.used == 25
    assert not found.worlds.none_found


def test_where_no_world_is_found_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludwright.load("kuhn-poker")
    monkeypatch.setattr(Worlds, "_attempt", lambda self, generator: None)
    found = game.search(game.initial_state(1), simulations=50)
    assert found.worlds is not None
    assert found.worlds.none_found
    assert found.simulations == 0
    assert all(not each.visits for each in found.candidates)
