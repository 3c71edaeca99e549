"""Numbers of move sequences: known ones, small ones counted by hand, and a few kept as they are."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.native.support import needs_native

on_both_engines = pytest.mark.usefixtures("engine")

TIC_TAC_TOE = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
CONNECT_FOUR = [7, 49, 343, 2_401, 16_807, 117_649]


def finished(game: Game, state: State) -> dict[int, int]:
    """How many games end after how many moves; equal positions are counted once."""
    known: dict[str, dict[int, int]] = {}

    def count(here: State) -> dict[int, int]:
        decision = game.decision(here)
        if decision is None:
            return {0: 1}
        key = game.position_hash(here)
        if key not in known:
            found: dict[int, int] = {}
            for answer in decision.answers:
                for depth, number in count(game.choose(here, answer).state).items():
                    found[depth + 1] = found.get(depth + 1, 0) + number
            known[key] = found
        return known[key]

    return count(state)


@on_both_engines
def test_tic_tac_toe() -> None:
    game = lw.load("tic-tac-toe")
    state = game.initial_state()
    assert [game.perft(state, depth) for depth in range(1, 10)] == TIC_TAC_TOE
    assert game.perft(state, 10) == 0


def test_tic_tac_toe_games_in_all() -> None:
    game = lw.load("tic-tac-toe")
    ends = finished(game, game.initial_state())
    assert ends == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert sum(ends.values()) == 255_168


def test_counting_equal_positions_once_changes_no_count(monkeypatch: Any) -> None:
    game = lw.load("tic-tac-toe", engine="python")
    monkeypatch.setattr("ludwright.kernel.play.perft.REMEMBERED", 0)
    state = game.initial_state()
    assert [game.perft(state, depth) for depth in range(1, 6)] == TIC_TAC_TOE[:5]


@on_both_engines
def test_connect_four() -> None:
    game = lw.load("connect-four")
    state = game.initial_state()
    assert [game.perft(state, depth) for depth in range(1, 7)] == CONNECT_FOUR


@needs_native
def test_connect_four_deeper() -> None:
    game = lw.load("connect-four", engine="native")
    state = game.initial_state()
    assert [game.perft(state, depth) for depth in (7, 8)] == [823_536, 5_673_234]


@on_both_engines
def test_one_heap_of_nim() -> None:
    """A heap of n stones is taken in d moves in as many ways as n - 1 gaps hold d - 1 cuts."""
    game = lw.load("nim", heaps=1, smallest=5)
    state = game.initial_state()
    assert [game.perft(state, depth) for depth in range(1, 7)] == [
        comb(5, depth) for depth in range(1, 7)
    ]
    assert finished_moves(game, state) == {depth: comb(4, depth - 1) for depth in range(1, 6)}


def finished_moves(game: Game, state: State) -> dict[int, int]:
    """As `finished`, in whole moves instead of single answers."""
    found: dict[int, int] = {}
    stack = [(state, 0)]
    while stack:
        here, depth = stack.pop()
        if game.decision(here) is None:
            found[depth] = found.get(depth, 0) + 1
        stack += [(game.apply_move(here, move).state, depth + 1) for move in game.legal_moves(here)]
    return found


@on_both_engines
def test_three_heaps_of_nim() -> None:
    """3, 5 and 7 stones: 15 first moves; after taking a stones 15 - a second ones."""
    game = lw.load("nim")
    state = game.initial_state()
    second = sum(15 - a for heap in (3, 5, 7) for a in range(1, heap + 1))
    assert [game.perft(state, depth) for depth in (1, 2)] == [15, second]
    assert second == 176


@on_both_engines
def test_pig_with_open_dice() -> None:
    """Roll (1), six faces (6); after a one the other must roll (1), else roll or hold (2)."""
    game = lw.load("pig", chance="explicit")
    state = game.initial_state()
    third = 1 + 5 * 2
    fourth = 6 + 5 * (6 + 1)
    assert [game.perft(state, depth) for depth in range(1, 5)] == [1, 6, third, fourth]


def answers(game: Game, state: State, depth: int) -> int:
    """Sequences of single answers, whatever they belong to."""
    decision = game.decision(state)
    if depth == 0 or decision is None:
        return 1 if depth == 0 else 0
    if depth == 1:
        return len(decision.answers)
    return sum(
        answers(game, game.choose(state, answer).state, depth - 1) for answer in decision.answers
    )


@pytest.mark.parametrize(
    ("players", "seed", "counts"), [(2, 1, [5, 22]), (2, 2, [4, 16]), (3, 1, [4, 15]), (3, 2, [5, 24])]
)  # fmt: skip
@on_both_engines
def test_harvest_fair_as_it_is(players: int, seed: int, counts: list[int]) -> None:
    game = lw.load("harvest-fair")
    state = game.initial_state(seed=seed, players=players)
    assert [game.perft(state, depth) for depth in (1, 2)] == counts
    assert len(game.legal_moves(state)) == counts[0]


@pytest.mark.parametrize(("players", "moves"), [(2, 4), (4, 3)])
def test_delta_as_it_is(players: int, moves: int) -> None:
    """Whole operations run into the millions, so single answers are counted."""
    game = lw.load("delta")
    state = game.initial_state(seed=1, players=players)
    assert [answers(game, state, depth) for depth in (1, 2, 3)] == [3, 7, 15]
    assert len(game.legal_moves(state)) == moves
