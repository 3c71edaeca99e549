"""The twelve numbered cases of the phase-action-defaults document, in the order it lists them."""

from __future__ import annotations

import json

import pytest

import ludwright as lw
from ludwright import Game, Move, RulebookFault, State
from tests.seeds.support import FIXTURES, book, ids, refused, variables


def in_phase(name: str, **parameters: int | bool) -> tuple[Game, State]:
    """The fixture in one of its phases."""
    game = book("defaults", **parameters)
    state = game.initial_state()
    way = {"betting": [], "plain": ["drift"], "showdown": ["fold"]}[name]
    for action in way:
        state = game.apply_move(state, Move(action)).state
    assert game.observe(state, None)["phase"] == name
    return game, state


def after(game: Game, state: State, action: str) -> dict[str, int]:
    return variables(game, game.apply_move(state, Move(action)).state)


# --------------------------------------------------------------- legal moves


def test_defaults_01_legal_where_phase_and_action_conditions_hold() -> None:
    game, state = in_phase("betting")
    assert "bet" in ids(game.legal_moves(state))
    game.validate_move(state, Move("bet"))


def test_defaults_02_phase_condition_fails_and_the_actions_own_is_not_evaluated() -> None:
    """`divide` divides by zero in its own condition: looking at it is a fault."""
    with pytest.raises(RulebookFault):
        book("defaults", divisor=0).initial_state()
    game = book("defaults", divisor=0, active_hand=False)
    # Nothing is left to do in this phase, so the game cannot even begin; but it is not the
    # division that stops it.
    with pytest.raises(RulebookFault) as caught:
        game.initial_state()
    assert caught.value.code == "no-moves"


def test_defaults_02_phase_condition_fails_for_every_action_of_the_phase() -> None:
    game, state = in_phase("betting")
    state = game.apply_move(state, Move("closeHand")).state
    assert ids(game.legal_moves(state)) == []


def test_defaults_03_phase_condition_holds_but_the_actions_own_fails() -> None:
    game, state = in_phase("betting", gold=2)
    moves = ids(game.legal_moves(state))
    assert "bet" not in moves
    assert "check" in moves
    refused(game, state, Move("bet"))


def test_defaults_04_phase_without_defaults_gates_nothing() -> None:
    game, state = in_phase("plain")
    assert ids(game.legal_moves(state)) == ["bet", "check", "divide"]


def test_defaults_05_action_without_condition_has_only_that_of_the_phase() -> None:
    game, state = in_phase("betting", gold=0)
    assert "check" in ids(game.legal_moves(state))
