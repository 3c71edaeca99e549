"""The 22 numbered cases of decisions one after another (25b; see `docs/requirements.md`)."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

import ludwright as lw
from ludwright import Game, IllegalMove, Move, State
from ludwright.agents import Agent, GreedyAgent, RandomAgent, View
from ludwright.kernel.play.game import core_of
from ludwright.simulate import Entry, Playout, Recorder, play_out
from tests.seeds.support import ask, book, completed, filled, ids, refused, variables


def played(
    game: Game, agents: dict[str, Agent], seed: int = 1, limit: int = 200
) -> tuple[Playout, tuple[Entry, ...]]:
    """A game by agents, and its entries: one per part of a move."""
    state = game.initial_state(seed=seed)
    recorder = Recorder(game, state)
    playout = play_out(game, state, agents, limit=limit, recorder=recorder)
    trace = recorder.trace("fixture", game.gamedef_hash, {}, len(game.seats), seed)
    return playout, trace.entries


# ------------------------------------------------------------- legal choices


def test_25b_01_simple_action_with_choose_one_then_complete() -> None:
    game = book("choices")
    state = game.initial_state()
    assert Move("paint") in game.legal_moves(state)
    request = ask(game, state, Move("paint"))
    assert (request.complete, list(request.options)) == (False, ["red", "green", "blue"])
    painted = Move("paint", {request.decision_id or "": "blue"})
    assert ask(game, state, painted).complete
    # Semantics 14: answered and applied, although `legal_moves` lists only the open move.
    assert variables(game, game.apply_move(state, painted).state)["colour"] == "blue"


def test_25b_02_choose_n_exact() -> None:
    game = book("choices")
    request = ask(game, game.initial_state(), Move("visitTwo"))
    assert (request.kind, request.min, request.max, len(request.options)) == ("chooseN", 2, 2, 4)


def test_25b_03_choose_n_range_with_max_clamped() -> None:
    game = book("operations")
    request = ask(game, game.initial_state(), Move("train"))
    assert (request.kind, request.min, request.max) == ("chooseN", 1, 2)  # declared: 10
    assert list(request.options) == ["capital", "port"]


def test_25b_04_sequential_choices_one_at_a_time() -> None:
    game = book("operations")
    state = game.initial_state()
    assert ask(game, state, Move("train")).name == "$spaces"
    chosen = filled(Move("train"), spaces=["port"])
    request = ask(game, state, chosen)
    assert (request.name, request.kind, list(request.options)) == ("$where", "chooseOne", ["port"])
    assert ask(game, state, filled(chosen, where="port")).complete


@pytest.mark.parametrize("opened", [True, False])
def test_25b_05_choice_inside_if_only_in_the_matching_branch(opened: bool) -> None:
    game = book("choices", open=opened)
    state = game.initial_state()
    request = ask(game, state, Move("enter"))
    room = Move("enter", {"$room": "gamma"})
    if opened:
        assert (request.complete, request.decision_id, request.kind) == (
            False,
            "$room",
            "chooseOne",
        )
        assert list(request.options) == ["alpha", "beta", "gamma", "delta"]
        after = variables(game, game.apply_move(state, room).state)
        assert (after["visited"]["gamma"], after["gold"]) == (1, 5)
        assert refused(game, state, Move("enter")).code == "missing-choice"
    else:
        assert (request.complete, request.legal, request.decision_id) == (True, True, None)
        after = variables(game, game.apply_move(state, Move("enter")).state)
        assert (set(after["visited"].values()), after["gold"]) == ({0}, 4)
        assert refused(game, state, room).code == "unknown-param"


def test_25b_06_invalid_selection_raises_a_descriptive_error() -> None:
    game = book("operations")
    state = game.initial_state()
    with pytest.raises(IllegalMove) as caught:
        ask(game, state, filled(Move("train"), spaces=["hills"]))
    assert caught.value.code == "not-an-option"
    assert "hills" in caught.value.reason
    assert "$spaces" in str(caught.value)
    assert caught.value.span is not None
    assert caught.value.span.file == "operations.md"


def test_25b_07_action_without_choices_is_complete() -> None:
    game = book("operations")
    request = ask(game, game.initial_state(), Move("pass"))
    assert (request.complete, request.legal, list(request.options)) == (True, True, [])


def test_25b_08_mandatory_choose_n_over_nothing_gives_empty_options() -> None:
    game = book("choices")
    request = ask(game, game.initial_state(), Move("pilgrimage"))
    assert (request.complete, list(request.options)) == (False, [])


def test_25b_09_let_is_evaluated() -> None:
    game = book("choices")
    state = game.apply_move(game.initial_state(), Move("earn")).state
    request = ask(game, state, Move("spend"))
    assert list(request.options) == [1, 2, 3]  # half of 6


def test_25b_10_choices_inside_a_roll_are_not_walked() -> None:
    """Simple actions are live; after the roll the game waits at the inner choice (semantics 3)."""
    game = book("choices")
    state = game.initial_state(seed=2)
    move = Move("gamble", {"$stake": 3})
    request = ask(game, state, move)
    assert (request.complete, request.stops_at) == (True, "chance")
    after = game.apply_move(state, move).state
    assert ask(game, after, Move("gamble")).name == "$prize"
    assert refused(game, state, move.with_param("$prize", "red")).code == "unknown-param"


# --------------------------------------------------------------- legal moves


def test_25b_11_operation_gives_a_template_with_empty_params() -> None:
    game = book("train")
    assert [m for m in game.legal_moves(game.initial_state()) if m.action_id == "train"] == [
        Move("train", {})
    ]


def test_25b_12_simple_action_is_enumerated() -> None:
    game = book("operations")
    moves = [m for m in game.legal_moves(game.initial_state()) if m.action_id == "patrolOne"]
    assert [dict(move.params) for move in moves] == [
        {"where": name} for name in ("capital", "port", "plains", "hills")
    ]


def test_25b_13_template_respects_legality() -> None:
    game = book("operations")
    state = game.initial_state()
    assert "assault" not in ids(game.legal_moves(state))  # no police anywhere yet
    trained = game.apply_move(state, filled(Move("train"), spaces=["port"], where="port")).state
    assert "assault" in ids(game.legal_moves(trained))


def test_25b_14_template_respects_cost() -> None:
    for treasury in range(7):
        game = book("operations", treasury=treasury)
        assert ("train" in ids(game.legal_moves(game.initial_state()))) == (treasury >= 3)


# ---------------------------------------------------------------- apply move


def test_25b_15_operation_with_valid_params_is_valid_and_applies() -> None:
    game = book("operations")
    state = game.initial_state()
    move = filled(Move("train"), spaces=["port", "capital"], where="capital")
    game.validate_move(state, move)
    assert game.why(state, move).legal
    after = variables(game, game.apply_move(state, move).state)
    assert after["police"] == {"capital": 3, "port": 2, "plains": 0, "hills": 0}
    assert after["resources"] == 3


@pytest.mark.parametrize(
    ("move", "code", "named"),
    [
        (filled(Move("train"), spaces=["hills"], where="hills"), "not-an-option", "hills"),
        (filled(Move("train"), spaces=["port"], where="capital"), "not-an-option", "capital"),
        (filled(Move("train"), spaces=[], where="port"), "too-few", "$spaces"),
        (filled(Move("train"), spaces=["port"]), "missing-choice", "$where"),
        (Move("train"), "missing-choice", "$spaces"),
        (filled(Move("train"), spaces=["port"], where="port", hue=1), "unknown-param", "$hue"),
        (filled(Move("train"), spaces="port", where="port"), "wrong-type", "$spaces"),
    ],
)
def test_25b_16_operation_with_invalid_params_is_refused(move: Move, code: str, named: str) -> None:
    game = book("operations")
    error = refused(game, game.initial_state(), move)
    assert error.code == code
    assert named in error.reason


def test_25b_17_free_operation_binding_is_readable_in_effects() -> None:
    """The offer says what is free (semantics 15); a move that could say so would dodge costs."""
    game = book("operations", granted=True)
    state = game.initial_state()
    params = {"$spaces": ["port"], "$where": "port"}
    free = game.apply_move(state, Move("train", params)).state
    ungranted = book("operations")
    paid = ungranted.apply_move(ungranted.initial_state(), Move("train", params)).state
    assert (variables(game, free)["wasFree"], variables(game, free)["resources"]) == (True, 9)
    assert (variables(ungranted, paid)["wasFree"], variables(ungranted, paid)["resources"]) == (
        False,
        6,
    )


def test_25b_18_simple_action_is_validated() -> None:
    """By execution, not by looking it up in `legal_moves` (semantics 14); same verdicts."""
    game = book("operations")
    state = game.initial_state()
    for move in game.legal_moves(state):
        if move.action_id in ("pass", "patrolOne"):
            game.validate_move(state, move)
    assert refused(game, state, Move("patrolOne", {"where": "moon"})).code == "not-an-option"
    assert refused(game, state, Move("patrolOne")).code == "missing-choice"
    assert refused(game, state, Move("pass", {"where": "port"})).code == "unknown-param"


# ---------------------------------------------------------------- the agents


OPERATIONS = {
    "train": ["$spaces", "$where"],
    "sweep": ["$into"],
    "raid": ["$at"],
    "assault": ["$target"],
}


def _entries(agent: type[RandomAgent] | type[GreedyAgent], seed: int) -> tuple[Entry, ...]:
    game = book("operations", treasury=20)
    return played(game, {"coin": agent(seed), "rebels": agent(seed + 1)}, limit=60)[1]


def replayed_as_moves(game: Game, state: State, entries: tuple[Entry, ...]) -> State:
    """Play what agents did once more, as whole moves from reloaded states: what an agent has put
    together answer by answer is a complete move, and leads to the same bytes."""
    for entry in entries:
        state = game.state_from_bytes(state.to_bytes())
        move = as_move(entry)
        assert ask(game, state, move).complete
        state = game.apply_move(state, move, entry.seat).state
        assert game.state_hash(state) == entry.state_hash
    return state


def as_move(entry: Entry) -> Move:
    """An entry as one move: the picks of a set stand one by one, as they were asked."""
    (head, action), *answers = entry.params
    assert head == "action"
    sets = {"$spaces"}
    params: dict[str, Any] = {name: [] for name, _ in answers if name in sets}
    for name, value in answers:
        if name not in sets:
            params[name] = value
        elif value != lw.STOP:
            params[name].append(value)
    return Move(str(action), params)


def test_25b_19_random_agent_completes_operations() -> None:
    game = book("operations", treasury=20)
    entries = _entries(RandomAgent, 3)
    replayed_as_moves(game, game.initial_state(seed=1), entries)
    met = {as_move(entry).action_id for entry in entries}
    assert met >= {"train", "raid", "assault", "pass", "patrolOne"}
    for entry in entries:
        if entry.action in OPERATIONS:  # each of its decisions is answered by the agent
            assert list(as_move(entry).params) == OPERATIONS[entry.action]
    # It is a random one: it does not always take the first, or always the same number.
    trained = [
        as_move(entry).params
        for seed in range(3, 7)
        for entry in _entries(RandomAgent, seed)
        if entry.action == "train"
    ]
    assert len({params["$where"] for params in trained}) == 2
    assert {len(params["$spaces"]) for params in trained} == {1, 2}


def test_25b_20_greedy_agent_completes_operations() -> None:
    """The rulebook's score counts police, and patrols for the other side. So the government trains
    in both cities at once, the best that a move can give, for as long as it can pay."""
    game = book("operations", treasury=20)
    entries = _entries(GreedyAgent, 5)
    replayed_as_moves(game, game.initial_state(seed=1), entries)
    first = entries[0]
    assert (first.seat, first.action) == ("coin", "train")
    assert sorted(as_move(first).params["$spaces"]) == ["capital", "port"]
    once = game.apply_move(game.initial_state(seed=1), as_move(first)).state
    best = max(
        game.score(game.apply_move(game.initial_state(seed=1), move).state, "coin") or 0
        for move in _all_complete(game, game.initial_state(seed=1))
    )
    assert game.score(once, "coin") == best == 5


def test_25b_greedy_agent_looks_at_a_limited_number_of_options() -> None:
    """Of 200 options it finds the best if it may look at all, and else the best of those it does."""
    text = """
game: { id: heap, title: Heap, players: 2 }
vars: { Seat.points: 0..999 }
actions: [{ id: take, params: { n: 1..200 }, effects: [actor.points = n] }]
score: it.points
"""
    game = lw.load_text(f"# Heap\n\n```yaml{text}```\n")
    state = game.initial_state()
    decision = game.decision(state)
    assert decision is not None
    taken = {
        breadth: [
            GreedyAgent(seed, samples=1, breadth=breadth).choose(
                View(game, state, decision, game.seats)
            )
            for seed in range(8)
        ]
        for breadth in (1, 20, 200)
    }
    assert taken[200] == [200] * 8
    assert len(set(taken[1])) > 4  # one option, drawn at random
    assert sum(taken[1]) < sum(taken[20]) < 200 * 8


def _all_complete(game: Game, state: State) -> list[Move]:
    """Every whole move, by asking on and on."""
    found: list[Move] = []
    waiting = list(game.legal_moves(state))
    while waiting:
        move = waiting.pop()
        request = game.legal_choices(state, move)
        if request.complete:
            found.append(move)
            continue
        assert request.decision_id is not None
        if request.kind == "chooseN":
            assert request.min is not None
            assert request.max is not None
            for size in range(request.min, request.max + 1):
                for picks in combinations(request.options, size):
                    waiting.append(move.with_param(request.decision_id, list(picks)))
        else:
            waiting += [move.with_param(request.decision_id, value) for value in request.options]
    return found


@pytest.mark.parametrize("agent", [RandomAgent, GreedyAgent])
def test_25b_21_same_seed_gives_the_same_game(
    agent: type[RandomAgent] | type[GreedyAgent],
) -> None:
    assert _entries(agent, 11) == _entries(agent, 11)
    assert _entries(agent, 11) != _entries(agent, 12)


def test_25b_22_free_operation_through_a_template_skips_the_cost_per_space() -> None:
    game = book("operations", granted=True)
    state = game.initial_state()
    template = next(move for move in game.legal_moves(state) if move.action_id == "train")
    whole = completed(game, state, template, random.Random(1))
    after = variables(game, game.apply_move(state, whole).state)
    assert after["resources"] == 9
    assert sum(after["police"].values()) >= 3
    # Only that offer was free: the next operation of the same seat is paid for.
    later = game.apply_move(state, whole).state
    next_one = completed(
        game,
        later,
        next(m for m in game.legal_moves(later) if m.action_id == "train"),
        random.Random(1),
    )
    assert variables(game, game.apply_move(later, next_one).state)["resources"] < 9


# --------------------------------------------------- thirty spaces, pick by pick


@pytest.mark.parametrize("picks", [1, 2, 17, 30])
def test_25b_train_on_thirty_spaces_one_pick_at_a_time(picks: int) -> None:
    game = book("train", width=30)
    state = game.initial_state()
    move = next(move for move in game.legal_moves(state) if move.action_id == "train")
    core_of(game).machine.search.nodes = 0
    request = ask(game, state, move)
    assert (len(request.options), request.min, request.max) == (30, 1, 30)
    names = list(request.options)
    for count, name in enumerate(names[:picks]):
        move = move.with_param(f"$where#{count}", name)
        request = ask(game, state, move)
        if count < 29:
            assert (request.complete, request.decision_id) == (False, f"$where#{count + 1}")
            assert len(request.options) == 29 - count
            assert core_of(game).machine.search.nodes == 0  # nothing to prove (semantics 6)
    if picks < 30:
        move = move.with_param(f"$where#{picks}", "__stop")
    assert ask(game, state, move).complete
    after = variables(game, game.apply_move(state, move).state)
    assert sum(after["police"].values()) == picks
    assert after["resources"] == 500 - 3 * picks


@pytest.mark.parametrize("picks", [1, 30])
def test_25b_march_on_thirty_spaces_each_carried_out_before_the_next(picks: int) -> None:
    game = book("train", width=30)
    state = game.initial_state()
    move = Move("march")
    for count in range(picks):
        request = ask(game, state, move)
        assert (request.decision_id, request.optional) == (f"$into[{count}]", count > 0)
        assert len(request.options) == 30 - count
        move = move.with_param(f"$into[{count}]", request.options[-1])
    if picks < 30:
        move = move.with_param(f"$into[{picks}]", None)
    assert ask(game, state, move).complete
    assert variables(game, game.apply_move(state, move).state)["resources"] == 500 - 3 * picks


def test_25b_mandatory_picks_leave_enough_options() -> None:
    """All thirty must be chosen: every space is shown, though the order of a set is fixed."""
    game = book("train", width=30, least=30)
    state: State = game.initial_state()
    request = ask(game, state, Move("train"))
    assert (len(request.options), request.min, request.max) == (30, 30, 30)
    move = completed(game, state, Move("train"), random.Random(3))
    assert sum(variables(game, game.apply_move(state, move).state)["police"].values()) == 30
