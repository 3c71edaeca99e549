"""Rules 17 to 24: undo, equality and secrets."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.play.session import Session
from tests.semantics.books import asked, book, codes, options, variable, walk

UNDO = """
spaces: { point: { track: 4 } }
pieces: { man: { owner: seat, count: 3 }, card: { each: { rank: 1..6 } } }
zones: { hand: { each: seat, of: card, see: owner }, deck: { of: card, order: deck, see: count, init: all }, open: { of: card } }
vars: { total: 0..99, log: 0..99, die: 0..6 }
setup: [place 2 man of red at point1, draw 2 from deck to hand(red), draw 2 from deck to hand(blue)]
triggers: [{ id: count, on: { changed: total }, immediate: true, do: [log += 1] }]
actions:
  - id: plan
    effects:
      - chooseOne: { bind: $a, options: 1..3 }
      - total += $a
      - chooseN: { bind: $s, options: point, min: 1, max: 2 }
      - for s in $s do total += 1
      - chooseOne: { bind: $m, options: x for s in point for x in s }
      - move $m to point3
      - chooseOne: { bind: $b, options: 1..2 }
      - total += $b
  - id: risk
    effects: [{ chooseOne: { bind: $c, options: 1..2 } }, roll die in 1..6, { chooseOne: { bind: $d, options: 1..2 } }, total += $d]
  - id: show
    effects: [{ chooseOne: { bind: $e, options: 1..2 } }, reveal hand(actor), { chooseOne: { bind: $f, options: 1..2 } }, total += $f]
  - id: hear
    effects: [{ chooseOne: { bind: $g, options: 1..2 } }, { chooseOne: { bind: $h, by: blue, options: 1..2 } }, { chooseOne: { bind: $i, options: 1..2 } }, total += $i]
  - id: take
    effects: [{ chooseOne: { bind: $j, options: 1..2 } }, draw 1 from deck to hand(actor), { chooseOne: { bind: $k, options: 1..2 } }, total += $k]
  - id: peek
    effects: [{ chooseOne: { bind: $l, options: 1..2 } }, die = declassify(max(c.rank for c in hand(blue))), { chooseOne: { bind: $n, options: 1..2 } }, total += $n]
"""  # fmt: skip


def test_semantics_17_undo_and_redo_give_the_same_bytes_at_every_stop() -> None:
    game = book(UNDO)
    rng = random.Random(2)
    session = Session(game, game.initial_state(seed=2))
    states = [session.state.to_bytes()]
    answers: list[Any] = []
    session.choose("plan")
    answers.append("plan")
    while asked(game, session.state).seat == "red":
        states.append(session.state.to_bytes())
        answers.append(rng.choice(asked(game, session.state).answers))
        if game.choose(session.state, answers[-1]).part_ended:
            break
        session.choose(answers[-1])
    assert len(states) >= 5
    for expected in reversed(states[:-1]):
        assert session.can_undo
        assert session.undo().to_bytes() == expected
    assert not session.can_undo
    with pytest.raises(lw.IllegalMove) as caught:
        session.undo()
    assert caught.value.code == "no-undo"
    for answer, expected in zip(answers[:-1], states[1:], strict=True):
        assert session.choose(answer).state.to_bytes() == expected
    assert "undone" in [event.kind for event in session.events("blue")], "others are told"


@pytest.mark.parametrize("action", ["risk", "show", "hear", "take"])
def test_semantics_17_no_undo_behind_new_information(action: str) -> None:
    game = book(UNDO)
    session = Session(game, game.initial_state(seed=2))
    possible = [session.can_undo]
    for answer in (action, 1, 1):
        session.choose(answer)
        possible.append(session.can_undo)
    assert possible == [False, True, False, False], "neither behind the barrier nor further on"


def test_semantics_17_what_a_secret_changes_in_sight_cannot_be_taken_back() -> None:
    game = book(UNDO)
    session = Session(game, game.initial_state(seed=2))
    session.choose("peek")
    before = session.can_undo
    step = session.choose(1)
    assert asked(game, step.state).decision_id == "$n"
    assert (before, session.can_undo) == (True, False), "`die` shows something of blue's hand"


def test_semantics_18_what_is_dead_leaves_no_trace() -> None:
    game = book("""
spaces: { point: { track: 4 } }
pieces: { man: { owner: seat, count: 3 }, card: { each: { rank: 1..4 } } }
zones: { box: { of: card } }
vars: { total: 0..99 }
procs:
  add(n):
    - let doubled = n * 2
    - total += doubled // 2
actions:
  - id: act
    effects:
      - chooseOne: { bind: $a, options: 1..3 }
      - let spare = 7 * $a
      - chooseOne: { bind: $b, options: 1..3 }
      - add($a)
      - add($b)
  - id: fill
    effects:
      - forEach: { bind: i, over: 1..2, do: [{ chooseOne: { bind: $c, options: c for c in card if c.place == none } }, move $c to box] }
""")
    state = game.initial_state()
    ends = {game.replay(state, ["act", a, b]).to_bytes() for a, b in ((1, 3), (3, 1), (2, 2))}
    assert len(ends) == 1, "dead locals are zeroed"
    names = options(game, game.choose(state, "fill").state)
    one = game.replay(state, ["fill", names[0], names[3]])
    two = game.replay(state, ["fill", names[3], names[0]])
    assert one.to_bytes() == two.to_bytes(), "a bag does not remember the order of arrival"


def test_semantics_18_loops_keep_the_collection_they_began_with() -> None:
    game = book("""
spaces: { point: { track: 3 } }
vars: { Space.seen: 0..9, passes: 0..9 }
actions:
  - id: act
    effects:
      - forEach:
          bind: s
          over: s for s in point if s.seen == 0
          do:
            - for t in point do t.seen = 1
            - chooseOne: { bind: $x, options: 1..2 }
            - passes += 1
""")
    state = game.choose(game.initial_state(), "act").state
    for _ in range(3):
        state = game.state_from_bytes(game.choose(state, 1).state.to_bytes())
    assert variable(game, state, "passes") == 3


ALIKE = """
spaces: { point: { track: 3 } }
pieces: { man: { owner: seat, count: 4, tired: bool } }
vars: { moves: 0..9 }
setup: [place 3 man of red at point1]
actions:
  - id: step
    params: { target: point }
    effects:
      - chooseOne: { bind: $x, options: x for s in point for x in s }
      - move $x to target
      - moves += 0
  - { id: pass }
"""


def test_semantics_19_alike_pieces_are_one_option() -> None:
    game = book(ALIKE)
    state = game.replay(game.initial_state(), ["step", "point2"])
    assert options(game, state) == ["man@point1"]


def test_semantics_19_another_one_must_be_asked_for() -> None:
    rules = ALIKE.replace("- move $x to target", "- chooseOne: { bind: $y, options: OTHERS }\n      - move $x to target\n      - move $y to target")  # fmt: skip
    for others, moved in (("x for x in point1", 1), ("x for x in point1 if x != $x", 2)):
        game = book(rules.replace("OTHERS", others))
        state = game.replay(game.initial_state(), ["step", "point2", "man@point1"])
        assert options(game, state) == ["man@point1"]
        state = game.choose(state, "man@point1").state
        assert game.observe(state, None)["places"]["point2"]["count"] == moved


def test_semantics_19_swapped_numbers_change_nothing_that_shows() -> None:
    game = book(ALIKE)
    start = game.initial_state()
    one = game.replay(
        start, ["step", "point2", "man@point1", "pass", "step", "point3", "man@point1"]
    )
    two = game.replay(
        start, ["step", "point3", "man@point1", "pass", "step", "point2", "man@point1"]
    )
    assert one.to_bytes() != two.to_bytes(), "the numbers are swapped"
    assert game.position_hash(one) == game.position_hash(two)
    again = [game.replay(state, ["pass", "step", "point1"]) for state in (one, two)]
    assert options(game, again[0]) == options(game, again[1])
    assert game.observe(one, "red")["places"] == game.observe(two, "red")["places"]
    assert {len(options(game, state)) for state in again} == {3}


def test_semantics_19_a_bound_piece_keeps_its_identity() -> None:
    """The same number bound, but another place: two positions, though the pieces are alike."""
    game = book(
        ALIKE.replace(
            "- move $x to target",
            "- chooseOne: { bind: $n, options: 1..2 }\n      - move $x to target",
        )
    )
    start = game.initial_state()
    found = []
    for first, second in (("point2", "point3"), ("point3", "point2")):
        out = ["step", first, "man@point1", 1, "pass", "step", second, "man@point1", 1, "pass"]
        found.append(game.replay(start, [*out, "step", "point1"]))
    one, two = (game.choose(state, f"man@{name}").state
                for state, name in zip(found, ("point2", "point3"), strict=True))  # fmt: skip
    assert game.position_hash(one) != game.position_hash(two)
    assert game.position_hash(game.choose(one, 1).state) != game.position_hash(
        game.choose(two, 1).state
    )


KNIGHTS = """
spaces: { board: { grid: [3, 3] } }
pieces: { knight: { owner: seat } }
vars: { clock: { type: 0..99, history: true } }
history: { positions: { of: [board, actor], keep: 20 } }
setup: [place knight of red at a1, place knight of blue at c3]
actions:
  - id: ride
    params: { origin: c for c in board if c.piece.owner == actor, target: "c for c in jump(origin, 1, 2) if c.piece == none" }
    effects: [move origin.piece to target, clock += 1, record positions]
end: [{ when: times(positions) == 3, draw: all, reason: threefold }]
"""


def test_semantics_20_repetition_shows_in_one_hash_only() -> None:
    game = book(KNIGHTS)
    state = game.initial_state(seed=5)
    seen: list[tuple[str, str]] = []
    for _ in range(3):
        seen.append((game.position_hash(state), game.state_hash(state)))
        for text in (("a1", "b3"), ("c3", "b1"), ("b3", "a1"), ("b1", "c3")):
            result = game.result(state)
            if result is not None:
                break
            move = lw.Move("ride", {"origin": text[0], "target": text[1]})
            state = game.apply_move(state, move).state
    assert len({position for position, _ in seen}) == 1
    assert len({whole for _, whole in seen}) == 3
    ended = game.result(state)
    assert ended is not None
    assert ended.reason == "threefold"


def test_semantics_20_the_position_holds_seat_and_continuation_but_not_the_generator() -> None:
    game = book(UNDO)
    one, two = game.initial_state(seed=1), game.initial_state(seed=1)
    reseeded = list(two.cells)
    reseeded[ir.RNG_LO], reseeded[ir.LOG] = 99, 77
    other = game.state_from_json({**game.state_to_json(two), "cells": reseeded})
    assert game.position_hash(one) == game.position_hash(other)
    assert game.state_hash(one) != game.state_hash(other)
    planned = game.choose(one, "plan").state
    assert game.position_hash(planned) != game.position_hash(one)
    assert game.position_hash(game.choose(planned, 1).state) != game.position_hash(
        game.choose(planned, 2).state
    )


# What a message to a seat may hold, by key; values are checked beneath.
MESSAGE = {
    "seat", "seats", "phase", "turn", "active", "places", "variables", "decision", "result",
}  # fmt: skip
DECISION = {
    "seat", "id", "name", "kind", "action", "together", "options", "legality", "min", "max",
    "picked", "optional", "canStop", "ask",
}  # fmt: skip
HEADER_ONLY = {"seat", "id", "name", "kind", "action", "together"}


@pytest.mark.parametrize("name", ["harvest-fair", "delta", "pig"])
def test_semantics_21_messages_hold_nothing_else(name: str) -> None:
    game = lw.load(name)
    for state in walk(game, 3, limit=60):
        hashes = (state.state_hash, game.position_hash(state), state.to_bytes().hex())
        for seat in game.seats[: state.cells[ir.PLAYERS]]:
            seen = game.observe(state, seat)
            assert set(seen) == MESSAGE
            decision = seen["decision"]
            if decision is not None:
                allowed = DECISION if decision["seat"] == seat else HEADER_ONLY
                assert set(decision) <= allowed, "options only for the one who chooses"
            text = json.dumps(seen)
            assert not any(value in text for value in hashes)
            for place in seen["places"].values():
                assert set(place) <= {"count", "pieces"}


def test_semantics_21_events_number_what_a_seat_saw() -> None:
    game = lw.load("harvest-fair")
    state = game.initial_state(seed=3)
    step = game.apply_move(state, lw.Move("draw"))
    mine, theirs = step.events("p1"), step.events("p2")
    for told in (mine, theirs):
        assert [event.number for event in told] == list(range(1, len(told) + 1))
    moved = next(event for event in theirs if event.kind == "moved")
    assert moved.fields["piece"] is None
    assert moved.fields["kind"] is None
    assert (moved.fields["from"], moved.fields["to"]) == ("deck", "hand:p1")
    assert moved.fields["count"] == 1
    assert not [event for event in theirs if event.kind == "rolled"], "a draw nobody else sees"
    assert next(event for event in mine if event.kind == "moved").fields["piece"] is not None


def test_semantics_22_two_states_a_seat_cannot_tell_apart_answer_alike() -> None:
    game = lw.load("harvest-fair")
    differed = 0
    for state in walk(game, 5, limit=60):
        seat = asked(game, state).seat
        other = game.determinize(state, seat, seed=9)
        differed += other.to_bytes() != state.to_bytes()
        for bad in ("card@hand:p2", "apple-1", 17, None, ["apple"], True):
            told = []
            for one in (state, other):
                try:
                    game.choose(one, bad, seat)
                    told.append("fine")
                except lw.IllegalMove as error:
                    told.append(str(error))
            assert told[0] == told[1]
        for move in game.legal_moves(state):
            assert game.why(state, move) == game.why(other, move)
        assert game.legal_moves(state) == game.legal_moves(other)
        for answer in asked(game, state).answers:
            here, there = game.choose(state, answer, seat), game.choose(other, answer, seat)
            assert here.part_ended == there.part_ended
            if not here.part_ended and not here.learned:
                assert game.observe(here.state, seat) == game.observe(there.state, seat)
                assert here.events(seat) == there.events(seat)
    assert differed > 30


HAND = """
pieces: { card: { each: { rank: 1..6 }, notation: "r{rank}" } }
zones: { hand: { each: seat, of: card, see: owner }, pile: { of: card } }
vars: { total: 0..99 }
setup: [SETUP]
actions:
  - id: play
    params: { c: WHICH }
    effects: [move c to pile]
  - { id: pass }
"""


def test_semantics_23_options_do_not_tell_the_order_of_arrival() -> None:
    def dealt(order: list[int]) -> str:
        moves = [f"move first(x for x in card if x.rank == {rank}) to hand(red)" for rank in order]
        rules = HAND.replace("SETUP", ", ".join(moves)).replace("WHICH", "x for x in hand(actor)")
        game = book(rules)
        state = game.choose(game.initial_state(), "play").state
        assert game.observe(state, "blue")["places"]["hand:red"] == {"count": 3}
        return json.dumps([options(game, state), state.to_bytes().hex()])

    assert dealt([5, 1, 3]) == dealt([1, 3, 5]) == dealt([3, 5, 1])


def test_semantics_23_an_unseen_piece_must_be_drawn() -> None:
    rules = HAND.replace("SETUP", "total = 1")
    assert "hidden-read" in codes(rules.replace("WHICH", "x for x in hand(opponent(actor))"))
    drawn = rules.replace("params: { c: WHICH }", "pre: any(hand(actor))").replace(
        "move c to pile", "draw 1 from hand(opponent(actor)) to pile"
    )
    assert codes(drawn) == []


def test_semantics_24_no_message_contains_the_seed_or_the_generator() -> None:
    game = lw.load("harvest-fair")
    seed = 918273645546372
    state = game.initial_state(seed=seed)
    rng = random.Random(1)
    for _ in range(60):
        decision = game.decision(state)
        if decision is None:
            break
        step = game.choose(state, rng.choice(decision.answers))
        state = step.state
        low, high = state.cells[ir.RNG_LO], state.cells[ir.RNG_HI]
        for seat in ("p1", "p2"):
            events = [event.to_json() for event in step.events(seat)]
            text = json.dumps([game.observe(state, seat), events])
            for secret in (seed, low, high, low & 0xFFFFFFFF, high & 0xFFFFFFFF):
                assert str(secret) not in text or abs(secret) < 1000


def test_semantics_24_explicit_chance_leaves_nothing_of_the_future_in_the_state() -> None:
    game = lw.load("harvest-fair", chance="explicit")
    states = set()
    for seed in (0, 1, 2**63):
        state = game.initial_state(seed=seed)
        assert state.cells[ir.RNG_LO] == state.cells[ir.RNG_HI] == 0
        states.add(state.to_bytes())
    assert len(states) == 1


UNCOVERED = """
pieces: { card: { each: { rank: 1..6 } } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  show: { of: card, order: stack, see: top }
  hand: { of: card, each: seat, see: all }
vars: { n: 0..9 }
setup: [draw DEALT from deck to show, BEFORE]
actions:
  - id: take
    effects:
      - move show.piece to WHERE
      - AFTER
      - chooseOne: { bind: $k, options: 1..2 }
      - n = $k
  - { id: pass }
"""


def uncovered(
    where: str = "hand(actor)", dealt: int = 3, before: str = "n = 0", after: str = "n = 1"
) -> lw.Game:
    rules = UNCOVERED.replace("WHERE", where).replace("DEALT", str(dealt))
    return book(rules.replace("BEFORE", before).replace("AFTER", after))


@pytest.mark.parametrize("where", ["hand(actor)", "deck", "show at bottom"])
def test_semantics_17_a_card_that_comes_to_light_is_not_covered_again(where: str) -> None:
    """To lift the top card, look at the one beneath, and put it back would be a peek."""
    game = uncovered(where)
    session = Session(game, game.initial_state(seed=1))
    step = session.choose("take")
    assert (step.part_ended, step.barrier, step.learned) == (True, "reveal", True)
    assert not session.can_undo


@pytest.mark.parametrize(
    "rules",
    [
        {"dealt": 1},
        {"where": "show"},
        {"before": "for c in show do reveal c"},
    ],
    ids=["the last card", "back on top", "seen before"],
)
def test_semantics_17_where_nothing_comes_to_light_undo_is_free(rules: dict[str, Any]) -> None:
    game = uncovered(**rules)
    session = Session(game, game.initial_state(seed=1))
    step = session.choose("take")
    assert (step.part_ended, step.learned) == (False, False)
    assert session.can_undo


def test_semantics_22_no_offer_tells_what_lies_beneath() -> None:
    """Whether an action is offered may not depend on a card that its effects uncover."""
    game = uncovered(after="require default(show.piece.rank, 0) > 3")
    states = [game.initial_state(seed=seed) for seed in range(20)]
    assert {tuple(options(game, state)) for state in states} == {("take", "pass")}


SEALED = """
pieces: { card: { each: { rank: 1..4 } } }
zones: { deck: { of: card, see: none, init: all }, hand: { of: card, each: seat, see: owner } }
vars:
  Seat.coins: 0..20 = 9
  Seat.plan: { type: 0..9, see: owner }
  copy: { type: 0..9, see: none }
actions:
  - id: act
    effects:
      - chooseOne: { bind: $n, by: seats, together: true, options: 1..3 }
      - EFFECTS
"""


@pytest.mark.parametrize(
    "effects",
    [
        "for p in seats do p.coins -= $n[p]",
        "let high = max($n[p] for p in seats)\n      - red.coins = high\n      - red.plan = 2",
        "if $n[red] > $n[blue] then red.coins += 1\n      - red.plan = 2",
    ],
)
def test_semantics_21_sealed_answers_are_told_once_all_have_answered(effects: str) -> None:
    game = book(SEALED.replace("EFFECTS", effects))
    first = game.choose(game.choose(game.initial_state(), "act").state, 2, "blue")
    assert all("value" not in event.fields for event in first.events("red"))
    assert not [event for event in first.events("red") if event.kind == "opened"]
    last = game.choose(first.state, 3, "red")
    for seat in ("red", "blue", lw.SPECTATOR, None):
        opened = [event.fields for event in last.events(seat) if event.kind == "opened"]
        assert opened == [{"decision": "$n", "answers": {"red": 3, "blue": 2}}]


@pytest.mark.parametrize(
    "effects",
    [
        "for p in seats do p.plan = $n[p]",
        "let high = max($n[p] for p in seats)\n      - copy = high + 1",
        "for p in seats do if $n[p] == 2 then p.plan = 1",
        "keep($n[red])",
        "move hand(red)[$n[red]] to deck",
    ],
)
def test_semantics_21_a_sealed_answer_that_the_rules_hide_stays_sealed(effects: str) -> None:
    """It gets into a hidden variable, decides about one, or picks a hidden card."""
    procs = "procs:\n  keep(x):\n    - copy = x\n"
    deal = "setup: [move all of card to hand(red)]\n"
    rules = SEALED.replace("EFFECTS", effects).replace("hand: { of: card, each: seat", "hand: { of: card, each: seat, order: row")  # fmt: skip
    game = book(procs + deal + rules)
    first = game.choose(game.choose(game.initial_state(), "act").state, 2, "blue")
    last = game.choose(first.state, 3, "red")
    for seat in ("red", "blue", lw.SPECTATOR, None):
        assert not [event for event in last.events(seat) if event.kind == "opened"]


def test_semantics_21_sets_and_declined_answers_are_opened_too() -> None:
    game = book("""
actions:
  - id: act
    effects:
      - chooseN: { bind: $s, by: seats, together: true, options: 1..5, max: 3 }
      - chooseOne: { bind: $n, by: seats, together: true, optional: true, options: 1..3 }
      - for p in seats do if $n[p] != none then p.points += count($s[p]) + $n[p]
vars: { Seat.points: 0..99 }
""")
    state = game.choose(game.initial_state(), "act").state
    state = game.choose(state, [2, 4], "red").state
    step = game.choose(state, [], "blue")
    (opened,) = [e.fields["answers"] for e in step.events("red") if e.kind == "opened"]
    assert opened == {"red": [2, 4], "blue": []}
    step = game.choose(game.choose(step.state, None, "red").state, 3, "blue")
    (opened,) = [e.fields["answers"] for e in step.events("red") if e.kind == "opened"]
    assert opened == {"red": None, "blue": 3}
