"""The ten numbered cases of the next open decision (25b-1; see `docs/requirements.md`).

A decision is answered under its `decision_id`, which outside of loops is the name of its binding.
"""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import IllegalMove, Move
from tests.seeds.support import FIXTURES, ask, book, refused, variables


def test_25b1_01_action_without_choices_is_complete_at_once() -> None:
    game = book("choices")
    state = game.initial_state()
    request = ask(game, state, Move("earn"))
    assert (request.complete, request.legal, request.decision_id) == (True, True, None)
    assert variables(game, game.apply_move(state, Move("earn")).state)["gold"] == 6


def test_25b1_02_one_choose_one_is_asked_and_then_complete() -> None:
    game = book("choices")
    state = game.initial_state()
    request = ask(game, state, Move("paint"))
    assert not request.complete
    assert (request.name, request.decision_id, request.kind) == ("$colour", "$colour", "chooseOne")
    assert list(request.options) == ["red", "green", "blue"]
    assert request.legality == ("legal", "legal", "legal")
    painted = Move("paint", {"$colour": "green"})
    assert ask(game, state, painted).complete
    assert variables(game, game.apply_move(state, painted).state)["colour"] == "green"


def test_25b1_03_choose_n_in_range_mode_clamps_max_to_the_domain() -> None:
    game = book("choices")
    state = game.initial_state()
    request = ask(game, state, Move("visitSome"))
    assert (request.kind, request.min, request.max) == ("chooseN", 1, 4)  # declared: 10
    assert list(request.options) == ["alpha", "beta", "gamma", "delta"]
    for picks in (["gamma"], ["delta", "alpha"], ["alpha", "beta", "gamma", "delta"]):
        move = Move("visitSome", {"$spaces": picks})
        assert ask(game, state, move).complete
        visited = variables(game, game.apply_move(state, move).state)["visited"]
        assert {name for name, count in visited.items() if count} == set(picks)


def test_25b1_04_sequential_choices_come_one_at_a_time() -> None:
    game = book("choices")
    state = game.initial_state()
    move = Move("travel")
    first = ask(game, state, move)
    assert (first.name, len(first.options)) == ("$from", 4)
    move = move.with_param("$from", "beta")
    second = ask(game, state, move)
    assert (second.name, list(second.options)) == ("$to", ["alpha", "gamma"])
    move = move.with_param("$to", "gamma")
    assert ask(game, state, move).complete
    assert variables(game, game.apply_move(state, move).state)["visited"]["gamma"] == 1


@pytest.mark.parametrize(
    ("move", "code", "reason", "line"),
    [
        (
            Move("paint", {"$colour": "purple"}),
            "not-an-option",
            "`$colour`: `purple` is not one of red, green, blue",
            "bind: $colour",
        ),
        (
            Move("travel", {"$from": "beta", "$to": "delta"}),
            "not-an-option",
            "`delta` is not an option of `$to`: there are only alpha and gamma",
            "bind: $to",
        ),
        (
            Move("visitSome", {"$spaces": ["alpha", "nowhere"]}),
            "not-an-option",
            "`$spaces`: `nowhere` is not the name of a place",
            "bind: $spaces, options: { query: mapSpaces }, min: 1, max: 10",
        ),
        (
            Move("visitSome", {"$spaces": ["alpha", "alpha"]}),
            "not-an-option",
            "`$spaces` cannot take `alpha` once more",
            None,
        ),
        (
            Move("visitSome", {"$spaces": []}),
            "too-few",
            "`$spaces` takes at least 1, not 0",
            "bind: $spaces, options: { query: mapSpaces }, min: 1, max: 10",
        ),
        (
            Move("visitTwo", {"$spaces": ["alpha", "beta", "gamma"]}),
            "too-many",
            "`$spaces` takes at most 2, not 3",
            "bind: $spaces, options: { query: mapSpaces }, n: 2",
        ),
    ],
)
def test_25b1_05_invalid_selection_raises_a_descriptive_error(
    move: Move, code: str, reason: str, line: str | None
) -> None:
    """It names the decision and what is wrong with it, with the line that asks for it."""
    game = book("choices")
    state = game.initial_state()
    for where in (state, game.state_from_bytes(state.to_bytes())):
        with pytest.raises(IllegalMove) as caught:
            ask(game, where, move)
        assert (caught.value.code, caught.value.reason) == (code, reason)
        if line is not None:
            assert caught.value.span is not None
            text = (FIXTURES / "choices.md").read_text(encoding="utf-8").splitlines()
            assert line in text[caught.value.span.line - 1]
    assert refused(game, state, move).reason == reason


def test_25b1_06_choice_inside_if_appears_only_where_the_condition_holds() -> None:
    """The branch is the one of the state that is asked about, not of one asked about before."""
    closed, opened = book("choices"), book("choices", open=True)
    shut, ajar = closed.initial_state(), opened.initial_state()
    for _ in range(2):
        assert ask(closed, shut, Move("enter")).complete
        request = ask(opened, ajar, Move("enter"))
        assert (request.complete, request.name) == (False, "$room")
        assert list(request.options) == ["alpha", "beta", "gamma", "delta"]
    assert ask(opened, ajar, Move("enter", {"$room": "beta"})).complete
    assert refused(closed, shut, Move("enter", {"$room": "beta"})).code == "unknown-param"
    after = closed.apply_move(shut, Move("enter")).state
    assert variables(closed, after)["gold"] == 4  # the other branch ran
    entered = opened.apply_move(ajar, Move("enter", {"$room": "beta"})).state
    assert variables(opened, entered)["gold"] == 5
    assert variables(opened, entered)["visited"]["beta"] == 1


def test_25b1_07_mandatory_choose_n_with_empty_domain_gives_empty_options() -> None:
    """Such an action is never offered (semantics 13), but can be asked about."""
    game = book("choices")
    state = game.initial_state()
    request = ask(game, state, Move("pilgrimage"))
    assert (request.complete, request.name, request.kind) == (False, "$shrines", "chooseN")
    assert (list(request.options), request.min, request.max) == ([], 1, 0)
    assert "pilgrimage" not in [move.action_id for move in game.legal_moves(state)]


def test_25b1_08_let_bindings_are_evaluated_for_later_options() -> None:
    game = book("choices")
    state = game.initial_state()
    request = ask(game, state, Move("spend"))
    assert (request.name, list(request.options)) == ("$amount", [1, 2])  # half of 5
    after = game.apply_move(state, Move("spend", {"$amount": 2})).state
    assert variables(game, after)["gold"] == 3


def test_25b1_09_choices_inside_a_roll_are_not_walked() -> None:
    """The walk stops at the roll (semantics 3); the inner choice opens the next part."""
    game = book("choices")
    state = game.initial_state(seed=4)
    staked = Move("gamble", {"$stake": 1})
    request = ask(game, state, staked)
    assert (request.complete, request.legal, request.stops_at) == (True, True, "chance")
    after = game.apply_move(state, staked).state
    assert game.legal_moves(after) == [Move("gamble", {})]
    inner = ask(game, after, Move("gamble"))
    assert (inner.name, list(inner.options)) == ("$prize", ["red", "green", "blue"])
    final = game.apply_move(after, Move("gamble", {"$prize": "blue"})).state
    assert variables(game, final)["colour"] == "blue"


def test_25b1_10_choose_n_in_exact_mode_has_one_cardinality() -> None:
    game = book("choices")
    state = game.initial_state()
    request = ask(game, state, Move("visitTwo"))
    assert (request.kind, request.min, request.max) == ("chooseN", 2, 2)
    assert list(request.options) == ["alpha", "beta", "gamma", "delta"]
    move = Move("visitTwo", {"$spaces": ["delta", "beta"]})
    assert ask(game, state, move).complete
    visited = variables(game, game.apply_move(state, move).state)["visited"]
    assert visited == {"alpha": 0, "beta": 1, "gamma": 0, "delta": 1}


def test_25b1_invariant_asking_changes_neither_state_nor_move() -> None:
    game = book("choices")
    state = game.initial_state(seed=9)
    for move in game.legal_moves(state):
        ask(
            game, state, move
        )  # which looks at both, from reloaded states and after other questions


def test_25b1_invariant_an_answer_depends_on_state_and_move_alone() -> None:
    """Not on what was asked before, not on a list that its owner changes later, and 1 is not true."""
    game = book("choices")
    state = game.initial_state(seed=9)
    spaces = ["alpha", "beta"]
    move = Move("visitTwo", {"$spaces": spaces})
    assert ask(game, state, move).complete
    spaces[1] = "nowhere"
    assert ask(game, state, move).complete  # the move is what it was
    with pytest.raises(IllegalMove):
        ask(game, state, Move("visitTwo", {"$spaces": spaces}))
    assert ask(game, state, Move("spend", {"$amount": 1})).complete
    with pytest.raises(IllegalMove) as caught:
        ask(game, state, Move("spend", {"$amount": True}))
    assert caught.value.code == "wrong-type"
    assert ask(game, state, Move("spend", {"$amount": 1})).complete
    other = game.initial_state(seed=10)
    assert game.legal_choices(other, Move("travel", {"$from": "beta"})).decision_id == "$to"
    assert game.legal_choices(state, Move("travel")).decision_id == "$from"


def test_25b1_invariant_one_pick_at_a_time_reaches_the_same_bytes() -> None:
    """Semantics 11 and 12: `$x#0`, `$x#1`, …; a set has no order."""
    game = book("choices")
    state = game.initial_state()
    whole = game.apply_move(state, Move("visitSome", {"$spaces": ["beta", "delta"]})).state
    for first, second in (("beta", "delta"), ("delta", "beta")):
        move = Move("visitSome", {"$spaces#0": first})
        request = ask(game, state, move)
        assert (request.decision_id, request.picked) == ("$spaces#1", (first,))
        assert set(request.options) == {"alpha", "beta", "gamma", "delta"} - {first}
        assert request.can_stop
        move = move.with_param("$spaces#1", second).with_param("$spaces#2", "__stop")
        assert ask(game, state, move).complete
        assert game.apply_move(state, move).state.to_bytes() == whole.to_bytes()


# ------------------------------------------------ what stands before a choice (25b-1, table)

TABLE = """
game: { id: table, title: Table, players: 2 }
seats: [red, blue]
spaces: { land: { grid: [3, 1] } }
pieces:
  troop: { count: 4, tired: bool }
  card: { each: { rank: 1..6 } }
zones:
  deck: { of: card, order: deck, init: all }
  hand: { of: card, each: seat, see: owner }
  row: { of: card, order: row }
  heap: { of: card, order: stack }
markers: { support: [low, mid, high] }
vars: { gold: 0..50 = 5 }
setup: [place 2 troop at a1, draw 2 from deck to heap]
actions:
  - { id: pass }
"""
TROOP = "'[x for x in troop if x.place == a1][0]'"
EFFECTS = {
    "setVar": "setVar: { scope: global, var: gold, value: 1 }",
    "addVar": "addVar: { scope: global, var: gold, delta: 1 }",
    "moveToken": f"moveToken: {{ token: {TROOP}, from: a1, to: b1 }}",
    "moveAll": "moveAll: { from: a1, to: b1 }",
    "moveTokenAdjacent": f"moveTokenAdjacent: {{ token: {TROOP}, from: a1, direction: east }}",
    "createToken": "createToken: { type: troop, zone: c1 }",
    "destroyToken": f"destroyToken: {{ token: {TROOP} }}",
    "draw": "draw: { from: heap, to: row, count: 1 }",  # from a deck it would be chance
    "shuffle": "shuffle: { zone: deck }",
    "setTokenProp": f"setTokenProp: {{ token: {TROOP}, prop: tired, value: true }}",
    "setMarker": "setMarker: { space: a1, marker: support, state: high }",
    "shiftMarker": "shiftMarker: { space: a1, marker: support, delta: 1 }",
    "forEach": "forEach: { bind: $s, over: { query: mapSpaces }, effects: [gold += 1] }",
}
CHOICE = "{ chooseOne: { bind: $k, options: { query: intsInRange, min: 1, max: 2 } } }"
PAID = "{ addVar: { scope: global, var: gold, delta: $k } }"
SIMPLE = "  - {{ id: act, effects: [{{ {0} }}, {1}, {2}] }}\n"
PROFILE = (
    "operationProfiles:\n"
    "  - {{ id: act, resolution: [{{ stage: one, effects: [{{ {0} }}, {1}, {2}] }}] }}\n"
)


@pytest.mark.parametrize("form", [SIMPLE, PROFILE], ids=["action", "operation"])
@pytest.mark.parametrize("effect", EFFECTS)
def test_25b1_table_effects_before_a_choice_are_passed(effect: str, form: str) -> None:
    """The question goes past them to the choice, and nothing of them is left in the state."""
    text = TABLE + form.format(EFFECTS[effect], CHOICE, PAID)
    game = lw.load_text(f"# Table\n\n```yaml{text}```\n")
    state = game.initial_state(seed=4)
    request = ask(game, state, Move("act"))
    assert (request.complete, request.decision_id, list(request.options)) == (False, "$k", [1, 2])
    assert ask(game, state, Move("act", {"$k": 2})).complete
    after = game.apply_move(state, Move("act", {"$k": 2})).state
    assert after.to_bytes() != state.to_bytes()


@pytest.mark.parametrize(
    ("effect", "form", "code"),
    [
        ("rollRandom: { bind: $d, min: 1, max: 6, in: [CHOICE, PAID] }", PROFILE, "choice-after-roll"),
        ("draw: { from: deck, to: 'hand:actor', count: 1 }", PROFILE, "choice-after-roll"),
    ],
)  # fmt: skip
def test_25b1_table_a_snapshot_operation_does_not_choose_after_chance(
    effect: str, form: str, code: str
) -> None:
    effect = effect.replace("CHOICE", CHOICE).replace("PAID", PAID)
    text = TABLE + form.format(effect, CHOICE.replace("$k", "$j"), "gold += $j")
    with pytest.raises(lw.RulebookError) as caught:
        lw.load_text(f"# Table\n\n```yaml{text}```\n")
    found = caught.value.diagnostics
    assert {item.code for item in found if item.severity == "error"} == {code}


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ("effects: [{ chooseOne: { bind: __x, options: 1..2 } }, gold += 1]", "reserved-name"),
        ("effects: [{ let: { bind: __x, value: 2, in: [gold += 1] } }]", "reserved-name"),
        (
            "effects: [{ forEach: { bind: __x, over: 1..2, effects: [gold += 1] } }]",
            "reserved-name",
        ),
        (
            "effects: [{ setVar: { scope: global, var: gold, value: { aggregate: { op: sum, query: "
            "{ query: mapSpaces }, bind: __z, valueExpr: { ref: zoneProp, zone: __z, prop: column "
            "} } } } }]",
            "reserved-name",
        ),
        (
            "cost: { spend: [{ chooseOne: { bind: $c, options: 1..2 } }] }, effects: [gold += 1]",
            "choice-in-cost",
        ),
    ],
)
def test_25b1_constraint_reserved_names_and_choices_in_costs(block: str, code: str) -> None:
    text = TABLE + "operations:\n  - { id: act, " + block + " }\n"
    with pytest.raises(lw.RulebookError) as caught:
        lw.load_text(f"# Table\n\n```yaml{text}```\n")
    assert code in {item.code for item in caught.value.diagnostics}


def test_25b1_extension_bounds_that_depend_on_the_state_and_sequences() -> None:
    """How many may be chosen can be worked out; a sequence keeps its order and may repeat."""
    text = TABLE + """
  - id: some
    effects:
      - chooseN:
          bind: $some
          options: { query: mapSpaces }
          min: 0
          max: { op: floorDiv, left: { ref: gvar, var: gold }, right: 2 }
      - gold = count($some)
  - id: route
    effects:
      - chooseN: { bind: $route, options: { query: mapSpaces }, n: 3, ordering: sequence, repeats: true }
      - gold = 10 * $route[0].column + $route[2].column
"""  # fmt: skip
    game = lw.load_text(f"# Table\n\n```yaml{text}```\n")
    state = game.initial_state()
    request = ask(game, state, Move("some"))
    assert (request.min, request.max) == (0, 2)  # half of 5
    assert refused(game, state, Move("some", {"$some": ["a1", "b1", "c1"]})).code == "too-many"
    request = ask(game, state, Move("route"))
    assert (request.min, request.max) == (3, 3)
    for route, gold in (
        (["c1", "a1", "c1"], 33),
        (["a1", "c1", "c1"], 13),
        (["c1", "c1", "a1"], 31),
    ):
        move = Move("route", {"$route": route})
        assert ask(game, state, move).complete
        assert variables(game, game.apply_move(state, move).state)["gold"] == gold
