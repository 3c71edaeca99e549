"""Several things chosen in a move: the picks may stand one by one, and some of them may have been
made already, by `choose`. What is asked and shown counts the picks of the move alone."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

import ludwright as lw
from ludwright import Game, IllegalMove, Move, State
from tests.semantics.books import book, markdown, variable

RULES = """
spaces: { land: { track: 4 } }
vars: { code: 0..9999, gold: 0..9 = 5 }
actions:
  - id: route
    effects:
      - chooseN: { bind: $r, options: land, min: 3, max: 4, ordering: sequence }
      - for s in $r do code = code * 7 % 997 + s.index
  - id: camps
    effects:
      - chooseN: { bind: $r, options: land, min: 3, max: 4 }
      - for s in $r do code = code * 7 % 997 + s.index
  - id: coins
    effects:
      - chooseN: { bind: $r, options: 1..3, min: 3, max: 4, repeats: true }
      - code = 10 * sum($r) + count($r)
"""
ACTIONS = ("route", "camps", "coins")


@pytest.fixture(name="game")
def _game() -> Game:
    return book(RULES)


def begun(game: Game, action: str, picks: int) -> State:
    """A state in which some picks have been made, one after another."""
    state = game.choose(game.initial_state(), action).state
    for _ in range(picks):
        decision = game.decision(state)
        assert decision is not None
        state = game.choose(state, decision.options[0]).state
    return state


def completions(game: Game, state: State, action: str) -> dict[str, list[Any]]:
    """Every way to go on pick by pick: the state it leads to, and the picks."""
    found: dict[str, list[Any]] = {}
    waiting = [Move(action)]
    while waiting:
        move = waiting.pop()
        picks = [value for value in move.params.values() if value != lw.STOP]
        request = game.legal_choices(state, move)
        if request.complete:
            found[game.apply_move(state, move).state.state_hash] = picks
            continue
        assert list(request.picked) == picks
        assert request.decision_id == (f"$r#{len(picks)}" if picks else "$r")
        assert request.min is not None
        assert request.max is not None
        assert request.can_stop == (len(picks) >= request.min)
        assert len(picks) < request.max
        key = f"$r#{len(picks)}"
        waiting += [move.with_param(key, option) for option in request.options]
        if request.can_stop:
            waiting.append(move.with_param(key, lw.STOP))
    return found


def by_choose(game: Game, state: State) -> set[str]:
    found: set[str] = set()
    waiting = [state]
    while waiting:
        here = waiting.pop()
        decision = game.decision(here)
        assert decision is not None
        for answer in decision.answers:
            step = game.choose(here, answer)
            if step.part_ended:
                found.add(step.state.state_hash)
            else:
                waiting.append(step.state)
    return found


@pytest.mark.parametrize("made", range(4))
@pytest.mark.parametrize("action", ACTIONS)
def test_moves_go_on_behind_the_picks_that_the_state_holds(
    game: Game, action: str, made: int
) -> None:
    state = begun(game, action, made)
    found = completions(game, state, action)
    assert found.keys() == by_choose(game, state)
    # The bounds are those of what is still to be picked, and a list is held to them.
    request = game.legal_choices(state, Move(action))
    assert (request.min, request.max, request.picked) == (max(0, 3 - made), 4 - made, ())
    for state_hash, picks in found.items():
        assert request.min is not None
        assert request.max is not None
        assert request.min <= len(picks) <= request.max
        whole = Move(action, {"$r": picks})
        assert game.apply_move(state, whole).state.state_hash == state_hash
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(state, Move(action, {"$r": [1] * (5 - made)}))
    assert caught.value.code == "too-many"


@pytest.mark.parametrize("wanted", [*permutations(["land1", "land2", "land3"])])
def test_a_sequence_keeps_the_order_of_single_picks(game: Game, wanted: tuple[str, ...]) -> None:
    state = game.initial_state()
    params = {f"$r#{number}": pick for number, pick in enumerate((*wanted, lw.STOP))}
    one_by_one = game.apply_move(state, Move("route", params)).state
    at_once = game.apply_move(state, Move("route", {"$r": list(wanted)})).state
    assert one_by_one == at_once


@pytest.mark.parametrize("pick", ["land1", "land4"])
def test_a_pick_that_stands_there_already_is_refused_with_the_line(game: Game, pick: str) -> None:
    state = game.initial_state()
    for params in ({"$r": [pick, "land2", pick]}, {"$r#0": pick, "$r#1": pick}):
        with pytest.raises(IllegalMove) as caught:
            game.legal_choices(state, Move("camps", params))
        assert (caught.value.code, caught.value.reason) == (
            "not-an-option", f"`$r` cannot take `{pick}` once more",
        )  # fmt: skip
        assert caught.value.rule == "action camps: choose $r"
        assert caught.value.span is not None


# ------------------------------------------------------- what nobody could finish

HOPELESS = """
spaces: { land: { track: 4 } }
vars: { gold: 0..9 = 5, log: 0..99 }
actions: [{ id: pass }]
operations:
  - id: pair
    effects:
      - chooseN: { bind: $r, options: land, n: 2 }
      - chooseOne: { bind: $q, options: s for s in land if gold > 8 }
      - log += 1
  - id: route
    effects:
      - chooseN: { bind: $r, options: land, min: 2, max: 3, ordering: sequence }
      - chooseOne: { bind: $q, options: s for s in land if gold > 8 }
      - log += 1
  - id: vain
    effects: [{ chooseN: { bind: $r, options: land, min: 2, max: 3 } }, log += 1]
    ensure: log > 50
"""


@pytest.mark.parametrize(
    "picks", [("land1", "land2"), ("land1", "land4"), ("land4", "land3"), ("land3", "land4")]
)
@pytest.mark.parametrize("action", ["pair", "route"])
def test_any_set_is_taken_on_the_way_to_the_choice_that_runs_dry(
    action: str, picks: tuple[str, str]
) -> None:
    game = book(HOPELESS)
    state = game.initial_state()
    single = {"$r#0": picks[0], "$r#1": picks[1], "$r#2": lw.STOP}
    for params in ({"$r": list(picks)}, single):
        request = game.legal_choices(state, Move(action, params))
        assert (request.decision_id, list(request.options), request.legal) == ("$q", [], False)


@pytest.mark.parametrize("first", ["land1", "land4"])
@pytest.mark.parametrize("action", ["pair", "route", "vain"])
def test_single_picks_are_asked_on_where_nothing_can_be_finished(action: str, first: str) -> None:
    game = book(HOPELESS)
    state = game.initial_state()
    start = game.legal_choices(state, Move(action))
    assert list(start.options) == ["land1", "land2", "land3", "land4"]
    request = game.legal_choices(state, Move(action, {"$r#0": first}))
    assert (request.complete, request.legal, request.decision_id) == (False, False, "$r#1")
    assert (request.picked, request.can_stop) == ((first,), False)
    assert set(request.options) == {"land1", "land2", "land3", "land4"} - {first}
    assert list(request.legality) == ["illegal"] * 3
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(state, Move(action, {"$r#0": first, "$r#1": lw.STOP}))
    assert caught.value.code == "too-few"


def test_a_rule_at_the_end_that_nothing_can_satisfy_is_named() -> None:
    game = book(HOPELESS)
    state = game.initial_state()
    move = Move("vain", {"$r": ["land4", "land1"]})
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(state, move)
    assert (caught.value.code, caught.value.rule) == ("refused", "action vain: ensure")
    lines = markdown(HOPELESS).splitlines()
    assert caught.value.span is not None
    assert "ensure: log > 50" in lines[caught.value.span.line - 1]


# -------------------------------------------------- who pays for each space

PER_SPACE = """
spaces: { land: { track: 4 } }
vars: { gold: 0..9 OVERFLOW = 5, Space.n: 0..9 }
operations:
  - id: train
    cost: { validate: gold >= 3 }
    effects:
      - chooseN: { bind: $where, options: land, min: 1, max: 4 }
      - forEach:
          bind: s
          over: $where
          do: [if not __freeOperation then gold -= 3, s.n += 1]
actions: [{ id: pass }]
"""


@pytest.mark.parametrize(("overflow", "most"), [("clamp", 4), ("refuse", 1)])
def test_what_each_space_costs_limits_the_choice_only_if_it_must_be_paid(
    overflow: str, most: int
) -> None:
    """A variable that stops at 0 lets the choice be as wide as it is; one that refuses does not."""
    game = book(PER_SPACE.replace("OVERFLOW", overflow))
    state = game.initial_state()
    request = game.legal_choices(state, Move("train"))
    assert len(request.options) == 4
    allowed = [
        size
        for size in range(1, 5)
        if game.why(state, Move("train", {"$where": list(request.options[:size])})).legal
    ]
    assert allowed == list(range(1, most + 1))
    after = game.apply_move(state, Move("train", {"$where": list(request.options[:most])})).state
    assert variable(game, after, "gold") == (0 if most > 1 else 2)
    if overflow == "refuse":
        request = game.legal_choices(state, Move("train", {"$where#0": "land3"}))
        assert request.complete  # nothing can be added: it could not be paid
        why = game.why(state, Move("train", {"$where": ["land1", "land2"]}))
        assert (why.code, why.reason) == ("out-of-range", "-1 is outside 0..9")
        assert why.rule == "operation train, stage resolve"
