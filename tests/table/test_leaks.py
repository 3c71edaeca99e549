"""Twin worlds at the table: what a seat cannot tell apart gives the same bytes in every frame."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from copy import copy
from dataclasses import asdict
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from ludwright.loading import known_games, large_games
from ludwright.table import view as views
from ludwright.table.match import Match, Position
from ludwright.testing.walks import dealt_anew
from tests.table.playing import new_match, play

COMPARISONS = int(os.environ.get("LUDWRIGHT_TWINS", "150"))
HIDING = [
    "delta", "fire-in-the-lake", "flea-market", "goofspiel", "harvest-fair", "hearts", "kuhn-poker",
    "leduc-poker", "liars-dice", "masked-ball", "mill-valley", "nomination-whist", "rock-pools",
    "texas-holdem",
]  # fmt: skip


class Leak(AssertionError):
    pass


def frames(match: Match, seat: str) -> str:
    """All that a page at this seat can get to read of a position."""
    narrow = match.version % 2 == 1  # on a phone and on a large screen in turn
    told: list[Any] = [views.view_of(match, seat, at, 0, narrow) for at in (None, 0)]
    names = [place.name for place in match.game.program.world.places][:4]
    names += list(core_of(match.game).values.piece_names[:6])
    told += [views.why_not(match, seat, name) for name in (*names, "nothing", "__stop")]
    offer = match.offer(seat)
    number = match.number(seat)
    if offer is not None and offer.many:
        told += [asdict(match.draft(seat, number, picks)) for picks in ([], [0])]
    elif offer is not None:
        told += [views.preview(match, seat, number, at) for at in range(min(4, len(offer.options)))]
    return json.dumps(told)


def twin_of(match: Match, seat: str, seed: int) -> Match | None:
    """The same match in a world that this seat cannot tell from it; only the last state differs."""
    other = dealt_anew(match.game, match.state, seat, seed)
    if other is None:
        return None
    cells = [*match.state.cells[:2], *other.cells[2:]]  # the same generator
    other = match.game.state_from_json({**match.game.state_to_json(other), "cells": cells})
    twin = copy(match)
    twin.positions = [*match.positions[:-1], _with_state(match.positions[-1], other)]
    return twin


def _with_state(position: Position, state: State) -> Position:
    """The same step as far as anybody was told, in another world."""
    told, decision, answer = position.step, position.decision, position.answer
    step = Step(state, told.part_ended, told.barrier, told.learned, told.raw_events, told.describe)
    assert decision is None or isinstance(decision, Decision)
    return Position(state, step, position.seat, decision, answer)


def compare(game: str, seed: int, most: int = 50) -> int:
    compared = 0
    match, rng = new_match(game, seed), random.Random(seed)
    for at in range(25):
        if match.over or compared >= most:
            break
        for number, seat in enumerate(match.seats):
            twin = twin_of(match, seat, 1000 * seed + 10 * at + number)
            if twin is None:
                continue
            compared += 1
            here, there = frames(match, seat), frames(twin, seat)
            if here != there:
                raise Leak(f"{game}: `{seat}` reads\n{here}\nin another world\n{there}")
        play(match, 1, rng)
    return compared


def test_no_game_that_hides_something_is_left_out() -> None:
    small = set(known_games()) - set(large_games())
    found = {game for game in small if not new_match(game).open}
    # sealed bids are hidden too, though no piece is; and one game takes long to compile
    assert sorted({*found, "goofspiel", "fire-in-the-lake"}) == HIDING


@pytest.mark.parametrize("game", HIDING)
def test_frames_tell_a_seat_only_what_it_sees(game: str) -> None:
    wanted = COMPARISONS // len(HIDING)
    compared = seed = 0
    while compared < wanted and seed < wanted + 5:
        seed += 1
        compared += compare(game, seed, wanted - compared)
    assert compared > 0


def places(real: Callable[..., Any]) -> Callable[..., Any]:
    """A developer's panel that was left on."""

    def leaking(match: Match, viewer: str | None, *rest: Any) -> Any:
        return {**real(match, viewer, *rest), "debug": match.game.observe(match.state, None)}

    return leaking


def state_hash(real: Callable[..., Any]) -> Callable[..., Any]:
    """A log with something in it that depends on all cells."""

    def leaking(match: Match, viewer: str | None, *rest: Any) -> Any:
        return [*real(match, viewer, *rest), match.state.state_hash]

    return leaking


def reasons(real: Callable[..., Any]) -> Callable[..., Any]:
    """A refusal that says where the thing lies instead."""

    def leaking(match: Match, seat: str, value: str) -> Any:
        seen = match.game.observe(match.state, None)["places"]
        lies = [place for place, shown in seen.items() if f"'{value}'" in str(shown)]
        return {**real(match, seat, value), "lies": lies}

    return leaking


@pytest.mark.parametrize("game", ["hearts", "kuhn-poker"])
@pytest.mark.parametrize(
    ("name", "leak"), [("view_of", places), ("lines", state_hash), ("why_not", reasons)]
)
def test_planted_leaks_are_found(
    game: str, name: str, leak: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, name, leak(getattr(views, name)))
    with pytest.raises(Leak):
        for seed in range(1, 6):
            compare(game, seed)


def test_a_spectator_is_told_the_same_whatever_is_hidden() -> None:
    for game in ("hearts", "texas-holdem", "kuhn-poker"):
        match = new_match(game, 3)
        seen = json.dumps(views.view_of(match, lw.SPECTATOR))
        for seat in match.seats:
            twin = twin_of(match, seat, 5)
            if twin is not None:
                assert json.dumps(views.view_of(twin, lw.SPECTATOR)) == seen
