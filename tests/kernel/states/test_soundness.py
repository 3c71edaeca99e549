"""Bytes that are no state of the game are refused before anything runs on them."""

from __future__ import annotations

import pickle
import random
import struct

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.state import State


def changed(data: bytes, cell: int, value: int) -> bytes:
    return data[: 4 * cell] + struct.pack("<i", value) + data[4 * cell + 4 :]


@pytest.fixture(scope="module")
def game(engine: str) -> lw.Game:
    return lw.load("harvest-fair", engine=engine)


def test_states_of_real_games_are_accepted() -> None:
    for name in lw.shipped_games():
        game = lw.load(name)
        dice = random.Random(1)
        state = game.initial_state(seed=1)
        for _ in range(40):
            assert game.state_from_bytes(state.to_bytes()) == state
            decision = game.decision(state)
            if decision is None:
                break
            pick = dice.randrange(len(decision.options)) if len(decision.options) else 0
            answer = decision.options[pick] if len(decision.options) else decision.answers[0]
            state = game.choose(state, answer).state
        assert game.state_from_json(game.state_to_json(state)) == state


def test_a_circle_of_pieces_is_refused(game: lw.Game) -> None:
    data = game.initial_state().to_bytes()
    program = game.program
    first = struct.unpack_from("<i", data, 4 * program.place_head)[0]
    with pytest.raises(ValueError, match="twice in one"):
        game.state_from_bytes(changed(data, program.piece_next + first, first))


@pytest.mark.parametrize(
    ("cell", "value", "words"),
    [
        (ir.PC, 10**6, "header"),
        (ir.PC, 0, "decision"),
        (ir.ACTIVE, 77, "header"),
        (ir.PLAYERS, 0, "header"),
        (ir.OVER, -1, "header"),
    ],
)
def test_a_header_out_of_range_is_refused(game: lw.Game, cell: int, value: int, words: str) -> None:
    data = changed(game.initial_state().to_bytes(), cell, value)
    with pytest.raises(ValueError, match=words):
        game.state_from_bytes(data)


def test_a_variable_out_of_range_is_refused(game: lw.Game) -> None:
    coins = next(v for v in game.program.variables if v.name == "coins")
    with pytest.raises(ValueError, match="`coins` holds 999"):
        game.state_from_bytes(changed(game.initial_state().to_bytes(), coins.addr, 999))


@pytest.mark.parametrize("name", ["tic-tac-toe", "delta", "harvest-fair", "backgammon"])
def test_spoilt_bytes_are_refused_or_played_never_worse(name: str) -> None:
    """Any cell may hold anything: a clear refusal, or a state whose next decision can be asked."""
    game = lw.load(name)
    dice = random.Random(7)
    state = game.initial_state(seed=3)
    data = state.to_bytes()
    for _ in range(300):
        cell = dice.randrange(game.program.cells)
        value = dice.choice([-1, 0, 1, 2, 7, 1000, -(2**31), 2**31 - 1])
        try:
            spoilt = game.state_from_bytes(changed(data, cell, value))
            decision = game.decision(spoilt)
            assert decision is None or decision.name
        except (ValueError, lw.LudwrightError):
            continue


ZONES = """
```yaml
game: { id: zones, title: Zones, players: 2 }
spaces: { side: { track: 9 } }
pieces:
  road: { owner: seat, count: 3 }
  card: { each: { rank: 1..9 } }
zones:
  box: {}
  hand: { of: card, each: seat }
  tray: { of: [card, road] }
setup: [for c in card do move c to hand(red)]
seats: [red, blue]
actions:
  - { id: play, params: { c: c for c in hand(red) if c.rank > 2 }, effects: [move c to hand(blue)] }
end: [{ when: turn > 20, draw: all, reason: over }]
```
"""


def _moved(game: lw.Game, piece: int, place: str) -> lw.State:
    """The first state with a piece put elsewhere, by hand."""
    cells = list(game.initial_state().cells)
    names = [there.name for there in game.program.world.places]
    core_of(game).machine.pieces.take(cells, piece)
    core_of(game).machine.pieces.put(cells, piece, names.index(place), "default", 0)
    return State(game.initial_state().game_id, cells)


@pytest.mark.parametrize("place", ["hand:red", "hand:blue"])
def test_a_piece_in_a_zone_for_other_kinds_is_refused(place: str) -> None:
    game = lw.load_text(ZONES)
    state = _moved(game, 0, place)
    found = f"`{place}` is not for pieces of the kind `road`"
    written = {
        **game.state_to_json(game.initial_state()),
        "cells": list(struct.unpack(f"<{game.program.cells}i", state.to_bytes())),
    }
    for door in (
        lambda: game.state_from_bytes(state.to_bytes()),
        lambda: game.state_from_json(written),
        lambda: game.decision(pickle.loads(pickle.dumps(state))),
        lambda: game.observe(state, "red"),
    ):
        with pytest.raises(ValueError, match=found):
            door()


def test_a_piece_in_a_zone_for_its_kind_is_taken() -> None:
    game = lw.load_text(ZONES)
    for piece, place in [(0, "box"), (0, "tray"), (8, "tray"), (8, "hand:blue"), (0, "side3")]:
        state = _moved(game, piece, place)
        assert game.state_from_bytes(state.to_bytes()) == state


@pytest.mark.parametrize("name", ["delta", "nine-mens-morris", "texas-holdem"])
def test_pieces_put_anywhere_by_hand_are_refused_or_played_never_worse(name: str) -> None:
    """The links of pieces and places stay whole, so that only what lies where can be wrong."""
    game = lw.load(name)
    world, dice = game.program.world, random.Random(5)
    kinds = [kind for kind in world.kinds for _ in kind.pieces]
    refused = 0
    for _ in range(60):
        piece, place = dice.randrange(world.piece_count), dice.choice(world.places)
        state = _moved(game, piece, place.name)
        try:
            for _ in range(4):
                decision = game.decision(state)
                assert place.takes(kinds[piece])
                if decision is None or not decision.answers:
                    break
                state = game.choose(state, dice.choice(decision.answers)).state
        except (ValueError, lw.LudwrightError):
            refused += 1
    assert refused < 60


NESTED = """# T
```yaml
game: { id: t, title: T, players: 2..3 }
seats: [red, blue, green]
vars: { n: 0..9 }
phases: [{ id: p, actions: [outer] }]
actions:
  - { id: outer, effects: [{ offer: { actions: [inner] } }] }
  - id: inner
    effects: [{ chooseOne: { bind: $k, options: 1..2 } }, n += $k]
end: [{ when: n >= 5, win: actor, reason: x }]
```
"""


def test_a_move_that_cannot_be_under_way_is_refused() -> None:
    for name in lw.shipped_games():
        game = lw.load(name)
        for step, state in enumerate(states_of(game)):
            head = state.cell(ir.HEAD)
            if head:
                with pytest.raises(ValueError, match="no move"):
                    game.state_from_bytes(changed(state.to_bytes(), ir.HEAD, 0))
            elif step:
                with pytest.raises(ValueError, match="under way"):
                    game.state_from_bytes(changed(state.to_bytes(), ir.ACTION, 1))


def states_of(game: lw.Game) -> list[State]:
    found = [game.initial_state(seed=1)]
    while len(found) < 12 and (decision := game.decision(found[-1])) is not None:
        answers = decision.options or decision.answers
        found.append(game.choose(found[-1], answers[len(found) % len(answers)]).state)
    return [state for state in found if game.decision(state) is not None]


def test_an_action_that_does_not_exist_is_not_gone_back_to(engine: str) -> None:
    game = lw.load_text(NESTED, engine=engine)
    state = game.choose(game.initial_state(), "outer").state
    outer = [local for procedure in game.program.procedures for local in procedure.frame
             if local.name == "outer"]  # fmt: skip
    assert [(local.type.lo, local.type.hi) for local in outer] == [(0, 2), (0, 2)]
    for local in outer:
        for wrong in (-1, 3):
            with pytest.raises(ValueError, match="`outer`"):
                game.state_from_bytes(changed(state.to_bytes(), local.addr, wrong))


def test_a_decision_of_a_seat_that_does_not_play_is_refused(engine: str) -> None:
    game = lw.load_text(NESTED, engine=engine)
    data = changed(game.initial_state(players=2).to_bytes(), ir.ACTOR, 2)
    with pytest.raises(ValueError, match="nothing can be asked"):
        game.state_from_bytes(changed(data, ir.ACTIVE, 2))
    game.state_from_bytes(changed(changed(data, ir.ACTIVE, 2), ir.PLAYERS, 3))
