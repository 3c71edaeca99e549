"""Gulf of Tonkin on the real map: one decision for each piece and city, wherever it is asked from."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from ludwright import Game, Move, State
from ludwright.agents import RandomAgent, View
from ludwright.table.match import Match
from ludwright.table.records import RulesRecord
from ludwright.table.rules import Rules
from tests.games.fire_in_the_lake.facts import SPACES
from tests.games.fire_in_the_lake.situations import Situation
from tests.games.fire_in_the_lake.support import game
from tests.seeds.support import completed
from tests.table.playing import play, record_of

CITIES = [name for name, (kind, *_) in SPACES.items() if kind == "city"]
CARD = "c1_gulf_of_tonkin"
UNSHADED = Move("event", {"side": "unshaded"})
PIECES = 6  # that come at most
ASKED = [name for at in range(PIECES) for name in (f"$fresh[{at}]", f"$site[{at}]")]


def tonkin(outside: int = 7) -> Situation:
    """The card is in play, and there is nothing to bomb."""
    bases = min(2, outside)
    return (
        Situation("us").box("outOfPlay", us_base=bases, us_troops=outside - bases).set(current=CARD)
    )


def in_cities(played: Game, state: State) -> Counter[str]:
    places = played.observe(state, None)["places"]
    return Counter({city: places[city]["count"] for city in CITIES if city in places})


def test_each_piece_and_each_city_is_a_decision() -> None:
    situation = tonkin()
    played, state = situation.game, situation.state
    assert UNSHADED in played.legal_moves(state)
    move = completed(played, state, UNSHADED, random.Random(4))
    assert [name for name in move.params if name.startswith(("$fresh", "$site"))] == ASKED
    chosen = Counter(str(value) for name, value in move.params.items() if "$site" in name)
    after = played.apply_move(state, move).state
    assert in_cities(played, after) == chosen
    assert played.observe(after, None)["places"]["outOfPlay"]["count"] == 1


def test_a_question_offers_every_city_and_says_that_it_is_legal() -> None:
    situation = tonkin()
    move = UNSHADED
    while (asked := situation.game.legal_choices(situation.state, move)).name != "$site":
        assert asked.decision_id is not None
        move = move.with_param(asked.decision_id, asked.options[0])
    assert (asked.decision_id, asked.seat, asked.kind) == ("$site[0]", "us", "chooseOne")
    assert list(asked.options) == CITIES
    assert set(asked.legality) == {"legal"}


def test_fewer_pieces_give_fewer_decisions() -> None:
    situation = tonkin(outside=2)
    move = completed(situation.game, situation.state, UNSHADED, random.Random(4))
    assert [name for name in move.params if "$site" in name] == ["$site[0]", "$site[1]"]


def test_agents_spread_the_pieces() -> None:
    situation = tonkin()
    played, spread = situation.game, []
    for seed in range(8):
        state, agent = played.choose(situation.state, "event").state, RandomAgent(seed)
        state = played.choose(state, "unshaded").state
        while (decision := played.decision(state)) is not None and decision.action == "event":
            answer = agent.choose(View(played, state, decision, played.seats))
            state = played.choose(state, answer).state
        assert in_cities(played, state).total() == PIECES
        spread.append(len(in_cities(played, state)))
    assert min(spread) >= 2
    assert max(spread) >= 4


def first_with_the_card(played: Game) -> int:
    """A seed with which the full war begins with this card."""
    for seed in range(1000):
        state = played.initial_state(seed=seed, scenario="full")
        if played.observe(state, None)["variables"]["current"] == CARD:
            return seed
    raise AssertionError("the card never comes first")


def test_undo_inside_the_event_goes_back_one_decision() -> None:
    played = game("python")
    rules = Rules(played, RulesRecord(played.gamedef_hash, played.gamedef_json, {}, {}))
    seed = first_with_the_card(played)
    match = Match(replace(record_of(rules, seed), scenario="full"), rules)
    while (offer := match.offer("us")) is None or "event" not in offer.options:
        play(match, 1, random.Random(1))  # resources may change hands before
    answers: list[object] = ["event", "unshaded"]
    while match.asked_seats() == ("us",) and (offer := match.offer("us")) is not None:
        value = answers.pop(0) if answers else offer.value(0)
        before = match.state
        entry = match.entry("us", value)
        match.take(entry, match.stepped(entry))
        if offer.decision.name != "$site":
            continue
        position = len(match.positions) - 2
        assert match.reach("us").position <= position
        back = match.undone("us", match.version, position)
        match.take(back, match.stepped(back))
        assert match.state == before
        again = match.offer("us")
        assert again is not None
        assert list(again.options) == CITIES
        entry = match.entry("us", "hue")  # another one after all
        match.take(entry, match.stepped(entry))
        if offer.decision.decision_id == "$site[2]":
            break
    assert in_cities(played, match.state)["hue"] >= 3
