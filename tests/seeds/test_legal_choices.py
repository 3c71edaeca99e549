"""The ten numbered cases of the legal-choices document (25b-1).

A request's `type`, `options`, `min` and `max` are the document's; a decision is answered under its
`decision_id`, which for a decision outside loops is the name of its binding.
"""

from __future__ import annotations

import pytest

from ludwright import IllegalMove, Move
from tests.seeds.support import book, variables


def test_25b1_01_action_without_choices_is_complete_at_once() -> None:
    game = book("choices")
    state = game.initial_state()
    request = game.legal_choices(state, Move("earn"))
    assert (request.complete, request.legal, request.decision_id) == (True, True, None)
    assert variables(game, game.apply_move(state, Move("earn")).state)["gold"] == 6


def test_25b1_02_one_choose_one_is_asked_and_then_complete() -> None:
    game = book("choices")
    state = game.initial_state()
    request = game.legal_choices(state, Move("paint"))
    assert not request.complete
    assert (request.name, request.decision_id, request.type) == ("$colour", "$colour", "chooseOne")
    assert list(request.options) == ["red", "green", "blue"]
    assert request.legality == ("legal", "legal", "legal")
    painted = Move("paint", {"$colour": "green"})
    assert game.legal_choices(state, painted).complete
    assert variables(game, game.apply_move(state, painted).state)["colour"] == "green"


def test_25b1_03_choose_n_in_range_mode_clamps_max_to_the_domain() -> None:
    game = book("choices")
    state = game.initial_state()
    request = game.legal_choices(state, Move("visitSome"))
    assert (request.type, request.min, request.max) == ("chooseN", 1, 4)  # declared: 10
    assert list(request.options) == ["alpha", "beta", "gamma", "delta"]
    for picks in (["gamma"], ["delta", "alpha"], ["alpha", "beta", "gamma", "delta"]):
        move = Move("visitSome", {"$spaces": picks})
        assert game.legal_choices(state, move).complete
        visited = variables(game, game.apply_move(state, move).state)["visited"]
        assert {name for name, count in visited.items() if count} == set(picks)


def test_25b1_04_sequential_choices_come_one_at_a_time() -> None:
    game = book("choices")
    state = game.initial_state()
    move = Move("travel")
    first = game.legal_choices(state, move)
    assert (first.name, len(first.options)) == ("$from", 4)
    move = move.with_param("$from", "beta")
    second = game.legal_choices(state, move)
    assert (second.name, list(second.options)) == ("$to", ["alpha", "gamma"])
    move = move.with_param("$to", "gamma")
    assert game.legal_choices(state, move).complete
    assert variables(game, game.apply_move(state, move).state)["visited"]["gamma"] == 1


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move("paint", {"$colour": "purple"}), "not-an-option"),
        (Move("travel", {"$from": "beta", "$to": "delta"}), "not-an-option"),
        (Move("visitSome", {"$spaces": ["alpha", "nowhere"]}), "not-an-option"),
        (Move("visitSome", {"$spaces": ["alpha", "alpha"]}), "not-an-option"),
        (Move("visitSome", {"$spaces": []}), "too-few"),
        (Move("visitTwo", {"$spaces": ["alpha", "beta", "gamma"]}), "too-many"),
    ],
)
def test_25b1_05_invalid_selection_raises_a_descriptive_error(move: Move, code: str) -> None:
    game = book("choices")
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(game.initial_state(), move)
    assert caught.value.code == code
    assert caught.value.reason
    assert "$" in str(caught.value)  # names the decision


def test_25b1_06_choice_inside_if_appears_only_where_the_condition_holds() -> None:
    closed, opened = book("choices"), book("choices", open=True)
    assert closed.legal_choices(closed.initial_state(), Move("enter")).complete
    request = opened.legal_choices(opened.initial_state(), Move("enter"))
    assert (request.complete, request.name) == (False, "$room")
    after = closed.apply_move(closed.initial_state(), Move("enter")).state
    assert variables(closed, after)["gold"] == 4  # the other branch ran


def test_25b1_07_mandatory_choose_n_with_empty_domain_gives_empty_options() -> None:
    """Such an action is never offered (semantics 13), but can be asked about."""
    game = book("choices")
    state = game.initial_state()
    request = game.legal_choices(state, Move("pilgrimage"))
    assert (request.complete, request.name, request.type) == (False, "$shrines", "chooseN")
    assert (list(request.options), request.min, request.max) == ([], 1, 0)
    assert "pilgrimage" not in [move.action_id for move in game.legal_moves(state)]


def test_25b1_08_let_bindings_are_evaluated_for_later_options() -> None:
    game = book("choices")
    state = game.initial_state()
    request = game.legal_choices(state, Move("spend"))
    assert (request.name, list(request.options)) == ("$amount", [1, 2])  # half of 5
    after = game.apply_move(state, Move("spend", {"$amount": 2})).state
    assert variables(game, after)["gold"] == 3


def test_25b1_09_choices_inside_a_roll_are_not_walked() -> None:
    """The walk stops at the roll (semantics 3); the inner choice opens the next part."""
    game = book("choices")
    state = game.initial_state(seed=4)
    staked = Move("gamble", {"$stake": 1})
    request = game.legal_choices(state, staked)
    assert (request.complete, request.legal, request.stops_at) == (True, True, "chance")
    after = game.apply_move(state, staked).state
    assert game.legal_moves(after) == [Move("gamble", {})]
    inner = game.legal_choices(after, Move("gamble"))
    assert (inner.name, list(inner.options)) == ("$prize", ["red", "green", "blue"])
    final = game.apply_move(after, Move("gamble", {"$prize": "blue"})).state
    assert variables(game, final)["colour"] == "blue"


def test_25b1_10_choose_n_in_exact_mode_has_one_cardinality() -> None:
    game = book("choices")
    state = game.initial_state()
    request = game.legal_choices(state, Move("visitTwo"))
    assert (request.type, request.min, request.max) == ("chooseN", 2, 2)
    assert list(request.options) == ["alpha", "beta", "gamma", "delta"]
    move = Move("visitTwo", {"$spaces": ["delta", "beta"]})
    assert game.legal_choices(state, move).complete
    visited = variables(game, game.apply_move(state, move).state)["visited"]
    assert visited == {"alpha": 0, "beta": 1, "gamma": 0, "delta": 1}


def test_25b1_invariant_asking_changes_neither_state_nor_move() -> None:
    game = book("choices")
    state = game.initial_state(seed=9)
    before = state.to_bytes()
    for move in game.legal_moves(state):
        params = dict(move.params)
        game.legal_choices(state, move)
        assert dict(move.params) == params
    assert state.to_bytes() == before


def test_25b1_invariant_one_pick_at_a_time_reaches_the_same_bytes() -> None:
    """Semantics 11 and 12: `$x#0`, `$x#1`, …; a set has no order."""
    game = book("choices")
    state = game.initial_state()
    whole = game.apply_move(state, Move("visitSome", {"$spaces": ["beta", "delta"]})).state
    for first, second in (("beta", "delta"), ("delta", "beta")):
        move = Move("visitSome", {"$spaces#0": first})
        request = game.legal_choices(state, move)
        assert (request.decision_id, request.picked) == ("$spaces#1", (first,))
        assert set(request.options) == {"alpha", "beta", "gamma", "delta"} - {first}
        assert request.can_stop
        move = move.with_param("$spaces#1", second).with_param("$spaces#2", "__stop")
        assert game.legal_choices(state, move).complete
        assert game.apply_move(state, move).state.to_bytes() == whole.to_bytes()
