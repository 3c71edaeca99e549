"""The eleven numbered cases of the event-choice requirements (50; see `docs/requirements.md`).

A base move names what tells it from the other moves of its position: the side, and the branch. The
card is the one in play, which the state holds; an action that is to name it asks for it
(`test_50_01_an_action_may_name_deck_and_card`).
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import ludwright as lw
from ludwright import Game, IllegalMove, Move, State
from ludwright.agents import Agent, GreedyAgent, RandomAgent, View
from ludwright.kernel.play.session import Session
from ludwright.simulate import Recorder, play_out, replay
from tests.seeds.support import ask, book, completed, refused, variables

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


def agent_plays(game: Game, state: State, agent: Agent) -> tuple[State, Move]:
    """One move, every decision of it answered by the agent: what to do, which side, which cities.
    The answers make one complete move, which leads to the same bytes from a reloaded state."""
    here, answers = state, dict[str, Any]()
    while True:
        view = _view(game, here)
        option = agent.choose(view)
        assert option in view.decision.options
        answers[view.decision.decision_id] = option
        step = game.choose(here, option)
        here = step.state
        if step.part_ended:
            break
    move = Move(answers.pop("action"), answers)
    again = game.state_from_bytes(state.to_bytes())
    assert ask(game, again, move).complete
    assert game.apply_move(again, move).state.to_bytes() == here.to_bytes()
    return here, move


def test_50_01_event_template_has_base_params_only() -> None:
    game, state = tonkin()
    moves = game.legal_moves(state)
    assert events_of(moves) == [UNSHADED, SHADED]  # one per satisfiable side
    for move in events_of(moves):
        assert set(move.params) == {"side"}
    assert moves == [*events_of(moves), Move("pass")]


NAMED = """
game: { id: named, title: Named, players: 2 }
tables: { Card: [{ id: storm }, { id: feast }] }
pieces: { card: { each: Card } }
zones: { early: { of: card, order: stack }, late: { of: card, order: stack } }
vars: { gold: 0..9 }
setup:
  - move first(c for c in card if c.row == storm) to early
  - move first(c for c in card if c.row == feast) to late
events:
  storm: { unshaded: [gold += 1], shaded: [gold += 2] }
  feast: { unshaded: [gold += 3], shaded: [gold += 4] }
actions:
  - id: event
    params: { pile: "[early, late]", text: x for x in pile }
    effects: [resolve text]
"""


def test_50_01_an_action_may_name_deck_and_card() -> None:
    """Parameters of the action stand in the move and in the trace like side and branch."""
    game = lw.load_text(f"# Named\n\n```yaml{NAMED}```\n")
    state = game.initial_state()
    moves = [
        Move("event", {"pile": pile, "text": text, "side": side})
        for pile, text in (("early", "storm"), ("late", "feast"))
        for side in ("unshaded", "shaded")
    ]
    assert game.legal_moves(state) == moves
    gold = [variables(game, game.apply_move(state, move).state)["gold"] for move in moves]
    assert gold == [1, 2, 3, 4]
    recorder = Recorder(game, state)
    play_out(game, state, dict.fromkeys(game.seats, RandomAgent(1)), limit=4, recorder=recorder)
    (entry, *_) = recorder.trace("named", game.gamedef_hash, {}, 2, 0).entries
    assert [name for name, _ in entry.params] == ["pile", "text", "side"]


def test_50_02_template_asks_for_the_city_of_the_first_piece() -> None:
    game, state = tonkin()
    request = ask(game, state, UNSHADED)
    assert (request.complete, request.kind) == (False, "chooseOne")
    assert (request.name, request.decision_id) == ("$city", "$city[0]")
    assert list(request.options) == CITIES
    assert list(request.legality) == ["legal"] * 8
    assert (request.seat, request.min, request.max, request.optional) == ("US", 1, 1, False)
    for city in CITIES:  # each of them leads on to the next piece
        following = ask(game, state, UNSHADED.with_param("$city[0]", city))
        assert (following.decision_id, list(following.options)) == ("$city[1]", CITIES)


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
    """Nobody tells the agent to play the event: it does so about half of the time, on either side,
    and then each piece goes to a city that it picks."""
    game, state = tonkin()
    played = [agent_plays(game, state, RandomAgent(seed)) for seed in range(80)]
    kinds = Counter((move.action_id, move.params.get("side")) for _, move in played)
    assert set(kinds) == {("event", "unshaded"), ("event", "shaded"), ("pass", None)}
    assert 20 <= kinds["pass", None] <= 60
    chosen: Counter[str] = Counter()
    spread: list[int] = []
    for after, move in played:
        if move.params.get("side") != "unshaded":
            continue
        assert list(move.params) == ["side", *(f"$city[{number}]" for number in range(6))]
        cities = [str(move.params[f"$city[{number}]"]) for number in range(6)]
        assert in_cities(game, after) == {city: cities.count(city) for city in set(cities)}
        chosen.update(cities)
        spread.append(len(set(cities)))
    assert set(chosen) == set(CITIES)  # not only the first in the list
    assert min(spread) >= 2  # six draws from eight: all alike once in 30,000


def test_50_05_greedy_agent_completes_the_event() -> None:
    """The game ends after this card, and only with six pieces in cities the US wins: nobody has to
    tell the agent to play the event, or on which side."""
    game = book("gulf")
    state = game.initial_state(seed=5, scenario="rich")
    for seed in range(4):
        after, move = agent_plays(game, state, GreedyAgent(seed))
        assert (move.action_id, move.params["side"]) == ("event", "unshaded")
        assert sum(in_cities(game, after).values()) == 6
        assert pieces(game, after, "outOfPlay") == 2
        result = game.result(after)
        assert result is not None
        assert result.winners == ("US",)


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
    assert ask(game, state, UNSHADED).complete
    after = game.apply_move(state, UNSHADED).state
    assert in_cities(game, after) == {}


def test_50_08_events_without_choices_are_complete_moves() -> None:
    game = book("gulf")
    state = game.initial_state(scenario="convoy")
    assert events_of(game.legal_moves(state)) == [Move("event", {})]  # one side: nothing to name
    assert ask(game, state, Move("event")).complete
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
    impossible = Move("event", {"side": "unshaded", "$host": "hue"})
    error = refused(game, visit, impossible)
    assert (error.code, error.rule) == ("no-option", "card card_3, unshaded: choose $host")
    assert "`$host`" in error.reason
    with pytest.raises(IllegalMove) as caught:
        ask(game, visit, impossible)
    assert caught.value.code == "no-option"
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
    """Every event of every game is in the trace with all its decisions, and the trace plays again."""
    game = book("gulf")
    met: Counter[int] = Counter()
    for seed in range(12):
        state = game.initial_state(seed=seed, scenario="whole_deck")
        recorder = Recorder(game, state)
        agents: dict[str, Agent] = {
            seat: RandomAgent(100 * seed + number) for number, seat in enumerate(game.seats)
        }
        playout = play_out(game, state, agents, recorder=recorder)
        assert playout.result is not None
        trace = recorder.trace(
            "gulf", game.gamedef_hash, {}, len(game.seats), seed, scenario="whole_deck"
        )
        assert replay(game, game.gamedef_hash, trace).difference is None
        here = state
        for entry in trace.entries:
            outside = pieces(game, here, "outOfPlay")
            answers = dict(entry.params)
            cities = [name for name in answers if name.startswith("$city[")]
            if cities:
                assert cities == [f"$city[{number}]" for number in range(min(6, outside))]
                met[len(cities)] += 1
            here = game.replay(here, [value for _, value in entry.params])
            assert game.state_hash(here) == entry.state_hash
    assert met[6] > 0


def test_50_11_actions_that_are_no_events_are_unaffected() -> None:
    game, state = tonkin()
    assert [move for move in game.legal_moves(state) if move.action_id != "event"] == [Move("pass")]
    after = game.apply_move(state, Move("pass")).state
    assert variables(game, after)["patronage"] == 1
    assert in_cities(game, after) == {}


# ------------------------------------------------- what else events can rely on


def test_50_stacking_filters_live_and_never_dead_ends() -> None:
    """Semantics 1: six bases, at most two per city; a full city is no longer offered."""
    game, state = tonkin(outside=6, bases=6)
    move = UNSHADED.with_param("$city[0]", "hue").with_param("$city[1]", "hue")
    request = ask(game, state, move)
    assert (request.decision_id, "hue" in request.options) == ("$city[2]", False)
    assert len(request.options) == 7
    error = refused(game, state, move.with_param("$city[2]", "hue"))
    assert (error.code, error.rule.endswith("`city` would hold too many pieces")) == (
        "refused",
        True,
    )
    for seed in range(20):
        whole = completed(game, state, UNSHADED, random.Random(seed))
        assert max(in_cities(game, game.apply_move(state, whole).state).values()) <= 2


def test_50_undo_of_a_choice_inside_the_loop() -> None:
    """The exact earlier bytes come back."""
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
