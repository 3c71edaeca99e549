"""The six numbered cases of templates (25b-2; see `docs/requirements.md`)."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import Move
from tests.seeds.support import FIXTURES, ask, book, filled, ids, refused, variables


def test_25b2_01_operation_with_profile_gives_one_template() -> None:
    game = book("operations")
    state = game.initial_state()
    templates = [move for move in game.legal_moves(state) if move.action_id == "train"]
    assert templates == [Move("train", {})]
    assert dict(templates[0].params) == {}


def test_25b2_02_simple_action_is_fully_enumerated() -> None:
    game = book("operations")
    moves = game.legal_moves(game.initial_state())
    assert [move.params["where"] for move in moves if move.action_id == "patrolOne"] == [
        "capital", "port", "plains", "hills",
    ]  # fmt: skip
    travel = book("choices")
    teleports = [m for m in travel.legal_moves(travel.initial_state()) if m.action_id == "teleport"]
    assert len(teleports) == 4 * 2
    assert len(set(teleports)) == 8
    assert Move("teleport", {"goal": "gamma", "count": 2}) in teleports


def test_25b2_03_failing_legality_gives_no_template() -> None:
    game = book("operations", peace=True)
    state = game.initial_state()
    assert "train" not in ids(game.legal_moves(state))
    request = ask(game, state, Move("train"))
    assert (request.complete, request.legal) == (True, False)
    assert request.reason
    assert refused(game, state, filled(Move("train"), spaces=["port"], where="port")).rule


def test_25b2_03_legality_that_needs_a_binding_is_a_mistake_of_the_rulebook() -> None:
    """The document skips such a template silently; here the rulebook does not load."""
    text = (FIXTURES / "operations.md").read_text(encoding="utf-8")
    needle = "when: { op: '==', left: { ref: gvar, var: banned }, right: false }"
    assert needle in text
    early = "when: { op: '>', left: { ref: zoneProp, zone: $where, prop: pop }, right: 0 }"
    with pytest.raises(lw.RulebookError) as caught:
        lw.load_text(text.replace(needle, early))
    (found,) = [d for d in caught.value.diagnostics if d.code == "binding-too-early"]
    assert found.suggestion
    assert found.span is not None
    assert text.splitlines().index(f"      {needle}") + 1 == found.span.line


def test_25b2_04_failing_cost_gives_no_template_where_partial_execution_is_forbidden() -> None:
    game = book("operations", treasury=2)
    state = game.initial_state()
    offered = ids(game.legal_moves(state))
    assert "train" not in offered  # needs 3; forbid
    assert "sweep" in offered  # needs 6; allow
    refused(game, state, filled(Move("train"), spaces=["port"], where="port"))
    swept = game.apply_move(state, filled(Move("sweep"), into="hills")).state
    assert variables(game, swept)["resources"] == 2  # not affordable: nothing is paid
    rich = book("operations", treasury=9)
    paid = rich.apply_move(rich.initial_state(), filled(Move("sweep"), into="hills")).state
    assert variables(rich, paid)["resources"] == 3


def test_25b2_05_free_operations_give_templates_without_cost_validation() -> None:
    """Free is what is offered free (semantics 15)."""
    game = book("operations", treasury=0, granted=True)
    state = game.initial_state()
    assert game.legal_moves(state) == [
        Move("train", {}),
        Move("sweep", {}),
    ]
    free = filled(Move("train"), spaces=["port"], where="port")
    assert variables(game, game.apply_move(state, free).state)["police"]["port"] == 3
    poor = book("operations", treasury=0)
    assert "train" not in ids(poor.legal_moves(poor.initial_state()))
    assert refused(poor, poor.initial_state(), free).code == "refused"


def test_25b2_06_limited_operations_give_templates_within_their_limit() -> None:
    game = book("operations")
    state = game.initial_state()
    assert Move("sweep", {}) in game.legal_moves(state)
    state = game.apply_move(state, filled(Move("sweep"), into="hills")).state
    state = game.apply_move(state, Move("pass")).state  # the rebels
    assert game.current_seat(state) == "coin"
    assert "sweep" not in ids(game.legal_moves(state))
    assert "train" in ids(game.legal_moves(state))
    refused(game, state, filled(Move("sweep"), into="hills"))


def test_25b2_invariant_actor_decides_who_gets_the_template() -> None:
    game = book("operations")
    state = game.initial_state()
    assert "raid" not in ids(game.legal_moves(state))
    state = game.apply_move(state, Move("pass")).state
    assert "raid" in ids(game.legal_moves(state))
    assert "train" not in ids(game.legal_moves(state))


def test_25b2_invariant_as_many_moves_as_actions() -> None:
    for width in (10, 30, 60):
        game = book("train", width=width)
        state = game.initial_state()
        before = state.to_bytes()
        assert game.legal_moves(state) == [Move("pass"), Move("train"), Move("march")]
        assert state.to_bytes() == before
