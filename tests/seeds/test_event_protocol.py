"""The eleven numbered cases of the event-choice document (50).

A base move names what the document's names: the card is the one in play (a state holds it, so
`eventCardId` and `eventDeckId` would say nothing new), `side` and `branch` are params.
"""

from __future__ import annotations

import random

import pytest

from ludwright import Game, Move, State
from ludwright.agents import Agent, GreedyAgent, RandomAgent, View
from ludwright.kernel.session import Session
from ludwright.simulate import Entry, Recorder, play_out, replay
from tests.seeds.support import book, completed, refused, variables

CITIES = ["hue", "da_nang", "kontum", "qui_nhon", "cam_ranh", "an_loc", "saigon", "can_tho"]
UNSHADED = Move("event", {"side": "unshaded"})
SHADED = Move("event", {"side": "shaded"})


def tonkin(**parameters: int) -> tuple[Game, State]:
    """Gulf of Tonkin is the card in play."""
    game = book("gulf", **parameters)
    return game, game.initial_state(seed=5, scenario="gulf")


def pieces(game: Game, state: State, place: str) -> int:
    here = game.observe(state, None)["places"].get(place, {})  # empty spaces are left out
    return len(here.get("pieces", ()))


def in_cities(game: Game, state: State) -> dict[str, int]:
    found = {city: pieces(game, state, city) for city in CITIES}
    return {city: count for city, count in found.items() if count}


def events_of(moves: list[Move]) -> list[Move]:
    return [move for move in moves if move.action_id == "event"]


def agent_plays(game: Game, state: State, agent: Agent) -> tuple[State, Entry]:
    """One event, every decision answered by an agent."""
    step = game.choose(state, "event")
    step = game.choose(step.state, "unshaded")
    recorder = Recorder(game, state)
    agents = dict.fromkeys(game.seats, agent)
    while not step.part_ended:
        open_decisions = play_out(game, step.state, agents, limit=1, recorder=recorder)
        decided = recorder.answers[-1]
        step = game.choose(step.state, decided.option)
        assert step.state.to_bytes() == open_decisions.state.to_bytes()
    trace = recorder.trace("gulf", game.gamedef_hash, {}, len(game.seats), 5)
    return step.state, trace.entries[0]


def test_50_01_event_template_has_base_params_only() -> None:
    game, state = tonkin()
    moves = game.legal_moves(state)
    assert events_of(moves) == [UNSHADED, SHADED]  # one per satisfiable side
    for move in events_of(moves):
        assert set(move.params) == {"side"}


def test_50_02_template_asks_for_the_city_of_the_first_piece() -> None:
    game, state = tonkin()
    request = game.legal_choices(state, UNSHADED)
    assert (request.complete, request.type) == (False, "chooseOne")
    assert (request.name, request.decision_id) == ("$city", "$city[0]")
    assert list(request.options) == CITIES
    assert set(request.legality) <= {"legal", "unknown"}
    assert request.seat == "US"


def test_50_03_step_by_step_completion_resolves_all_decisions() -> None:
    game, state = tonkin()
    move = completed(game, state, UNSHADED, random.Random(8))
    decisions = {name: value for name, value in move.params.items() if name != "side"}
    assert list(decisions) == [f"$city[{number}]" for number in range(6)]
    assert set(decisions.values()) <= set(CITIES)
    after = game.apply_move(state, move).state
    assert sum(in_cities(game, after).values()) == 6
    assert pieces(game, after, "outOfPlay") == 2
    # Where each piece went is what was chosen.
    for city, count in in_cities(game, after).items():
        assert list(decisions.values()).count(city) == count


def test_50_04_random_agent_spreads_the_pieces() -> None:
    game, state = tonkin()
    for seed in range(10):
        after, entry = agent_plays(game, state, RandomAgent(seed))
        assert len(in_cities(game, after)) >= 2
        assert [name for name, _ in entry.params] == [f"$city[{number}]" for number in range(6)]


def test_50_05_greedy_agent_completes_the_event() -> None:
    game, state = tonkin()
    after, entry = agent_plays(game, state, GreedyAgent(4))
    assert sum(in_cities(game, after).values()) == 6
    assert len(entry.params) == 6
    # Its score counts pieces in cities, so it would rather play the event than pass.
    assert GreedyAgent(4).choose(_view(game, state)) == "event"


def _view(game: Game, state: State) -> View:
    decision = game.decision(state)
    assert decision is not None
    return View(game, state, decision, game.seats)


def test_50_06_fewer_pieces_than_the_limit_give_fewer_decisions() -> None:
    game, state = tonkin(outside=4)
    move = completed(game, state, UNSHADED, random.Random(2))
    assert set(move.params) == {"side", "$city[0]", "$city[1]", "$city[2]", "$city[3]"}
    after = game.apply_move(state, move).state
    assert sum(in_cities(game, after).values()) == 4
    assert pieces(game, after, "outOfPlay") == 0
    extra = move.with_param("$city[4]", "hue")
    error = refused(game, state, extra)
    assert (error.code, "$city[4]" in error.reason) == ("unknown-param", True)


def test_50_07_no_pieces_make_the_event_complete_at_once() -> None:
    game, state = tonkin(outside=0)
    assert UNSHADED in game.legal_moves(state)
    assert game.legal_choices(state, UNSHADED).complete
    after = game.apply_move(state, UNSHADED).state
    assert in_cities(game, after) == {}


def test_50_08_events_without_choices_are_complete_moves() -> None:
    game = book("gulf")
    state = game.initial_state(scenario="convoy")
    assert events_of(game.legal_moves(state)) == [Move("event", {})]  # one side: nothing to name
    assert game.legal_choices(state, Move("event")).complete
    after = game.apply_move(state, Move("event")).state
    assert pieces(game, after, "casualties") == 0
    assert pieces(game, after, "outOfPlay") == 8 + 3
    assert variables(game, after)["aid"] == 25
    game, state = tonkin()
    shaded = game.apply_move(state, SHADED).state
    assert variables(game, shaded)["aid"] == 20 - 3
    assert pieces(game, shaded, "outOfPlay") == 8 + 3


def test_50_09_unsatisfiable_sides_and_branches_are_not_offered() -> None:
    game = book("gulf", dead=0)
    visit = game.initial_state(scenario="visit")  # no US base is in any city
    assert events_of(game.legal_moves(visit)) == [SHADED]
    error = refused(game, visit, Move("event", {"side": "unshaded", "$host": "hue"}))
    assert error.code in ("refused", "no-option", "not-an-option")
    roads = game.initial_state(scenario="roads")  # nobody is wounded
    assert events_of(game.legal_moves(roads)) == [
        Move("event", {"side": "unshaded", "branch": "coast"}),
        Move("event", {"side": "unshaded", "branch": "inland"}),
        SHADED,
    ]
    wounded = book("gulf", dead=1)
    assert (
        Move("event", {"side": "unshaded", "branch": "evacuation"})
        in wounded.legal_moves(wounded.initial_state(scenario="roads"))
    )  # fmt: skip


def test_50_10_simulator_plays_event_templates_to_the_end() -> None:
    game = book("gulf")
    asked = 0
    for seed in range(12):
        state = game.initial_state(seed=seed, scenario="whole_deck")
        recorder = Recorder(game, state)
        agents: dict[str, Agent] = {
            seat: RandomAgent(100 * seed + number) for number, seat in enumerate(game.seats)
        }
        playout = play_out(game, state, agents, recorder=recorder)
        assert playout.result is not None
        trace = recorder.trace("gulf", game.gamedef_hash, {}, len(game.seats), seed)
        for entry in trace.entries:
            asked += sum(name.startswith("$city[") for name, _ in entry.params)
    assert asked > 0
    # A whole game replays from its trace, decision by decision.
    state = game.initial_state(seed=3)
    recorder = Recorder(game, state)
    play_out(game, state, {seat: RandomAgent(7) for seat in game.seats}, recorder=recorder)
    trace = recorder.trace("gulf", game.gamedef_hash, {}, len(game.seats), 3)
    assert replay(game, game.gamedef_hash, trace).difference is None


def test_50_11_actions_that_are_no_events_are_unaffected() -> None:
    game, state = tonkin()
    assert [move for move in game.legal_moves(state) if move.action_id != "event"] == [Move("pass")]
    after = game.apply_move(state, Move("pass")).state
    assert variables(game, after)["patronage"] == 1
    assert in_cities(game, after) == {}


# ------------------------------------------------- what else the document settles


def test_50_stacking_filters_live_and_never_dead_ends() -> None:
    """Semantics 1: six bases, at most two per city; a full city is no longer offered."""
    game, state = tonkin(outside=6, bases=6)
    move = UNSHADED.with_param("$city[0]", "hue").with_param("$city[1]", "hue")
    request = game.legal_choices(state, move)
    assert (request.decision_id, "hue" in request.options) == ("$city[2]", False)
    assert len(request.options) == 7
    error = refused(game, state, move.with_param("$city[2]", "hue"))
    assert error.code in ("not-an-option", "refused")
    for seed in range(20):
        whole = completed(game, state, UNSHADED, random.Random(seed))
        assert max(in_cities(game, game.apply_move(state, whole).state).values()) <= 2


def test_50_undo_of_a_choice_inside_the_loop() -> None:
    """Issue: undo of a choice inside an event's loop; the exact earlier bytes come back."""
    game, state = tonkin()
    session = Session(game, state)
    bytes_before: list[bytes] = []
    for option in ("event", "unshaded", "hue", "saigon", "hue"):
        bytes_before.append(session.state.to_bytes())
        session.choose(option)
    while bytes_before:
        assert session.can_undo
        session.undo()
        assert session.state.to_bytes() == bytes_before.pop()
    assert not session.can_undo


@pytest.mark.parametrize(
    "chosen", [["hue"] * 6, ["saigon", "hue", "saigon", "hue", "an_loc", "hue"]]
)
def test_50_any_city_may_be_chosen_for_any_piece(chosen: list[str]) -> None:
    game, state = tonkin()
    move = UNSHADED
    for number, city in enumerate(chosen):
        move = move.with_param(f"$city[{number}]", city)
    after = game.apply_move(state, move).state
    assert in_cities(game, after) == {city: chosen.count(city) for city in CITIES if city in chosen}
