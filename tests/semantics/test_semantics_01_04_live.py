"""Rules 1 to 4: one semantics, and the proof that makes an operation a snapshot."""

from __future__ import annotations

import random

import pytest

import ludwright as lw
from ludwright.kernel.protocol.move import Move
from tests.semantics.books import asked, book, codes, options, place, variable

LAND = """
spaces:
  land:
    spaces:
      hue: { kind: city, adjacent: [coast] }
      saigon: { kind: city, adjacent: [coast] }
      coast: { kind: country }
pieces: { base: { owner: red, count: 3 }, troop: { owner: seat, count: 4 } }
zones: { out: { each: seat } }
vars: { gold: 0..20 = 7 clamp, Space.seen: 0..9 clamp }
setup: [place 3 base at coast, place 2 troop of red at hue]
"""

# Gulf of Tonkin: three bases go, one by one, to cities of one's choice.
GULF = """
      - forEach:
          bind: x
          over: x for x in coast
          do:
            - chooseOne: { bind: $city, options: c for c in land if c.kind == city }
            - move x to $city
"""
PICK_THEN_PAY = """
      - chooseN: { bind: $where, options: land, min: 1, max: 3 }
      - gold -= 3 * count($where)
      - for s in $where do s.seen += 1
"""
LET_BEFORE = """
      - let rich = gold >= 6
      - chooseOne: { bind: $a, options: c for c in land if rich or c.kind == city }
      - $a.seen += 1
      - chooseOne: { bind: $b, options: c for c in land if c.kind == city }
      - gold -= 1
"""
TWO_STAGES = """
      - chooseOne: { bind: $a, options: land }
      - if: { when: $a.kind == city, then: [{ chooseOne: { bind: $b, options: 1..3 } }, gold -= $b] }
"""

ACCEPTED = {
    "gulf": GULF,
    "pick then pay": PICK_THEN_PAY,
    "let": LET_BEFORE,
    "guards": TWO_STAGES,
}


def operation(effects: str, decisions: str = "", extra: str = "") -> str:
    mode = f"\n    decisions: {decisions}" if decisions else ""
    stage = "\n".join(f"      {line}" for line in effects.strip("\n").splitlines())
    return f"""{LAND}
operations:
  - id: go{mode}
    resolution:
      - stage: only
        effects:
{stage}
actions: [{{ id: pass }}]
{extra}"""


@pytest.mark.parametrize("name", ACCEPTED)
def test_semantics_01_snapshot_equals_live(name: str) -> None:
    snapshot = book(operation(ACCEPTED[name]))
    live = book(operation(ACCEPTED[name], "live"))
    for seed in range(8):
        rng = random.Random(seed)
        one, two = snapshot.initial_state(seed), live.initial_state(seed)
        for _ in range(25):
            assert one.to_bytes() == two.to_bytes()
            decision = snapshot.decision(one)
            assert decision == live.decision(two)
            if decision is None:
                break
            answer = rng.choice(decision.answers)
            one, two = snapshot.choose(one, answer).state, live.choose(two, answer).state


def test_semantics_01_options_read_the_state_so_far() -> None:
    """Three bases, two cities, room for two in each: 6 ways, not the 8 of a true snapshot."""
    rules = operation(GULF, "live")
    open_ground = book(rules)
    state = open_ground.initial_state()
    assert open_ground.perft(open_ground.choose(state, "go").state, 1) == 8
    limited = book(
        rules.replace(
            "  land:\n",
            "  land:\n    limits: [{ of: it.owner == red, max: 2, where: here.kind == city }]\n",
        ).replace("place 2 troop of red at hue", "gold = 7")
    )
    state = limited.choose(limited.initial_state(), "go").state
    assert limited.perft(state, 1) == 6


@pytest.mark.parametrize("name", ACCEPTED)
def test_semantics_02_accepts_what_cannot_differ(name: str) -> None:
    assert codes(operation(ACCEPTED[name])) == []


def test_semantics_02_a_collection_is_read_once() -> None:
    """The loop's collection changes inside the loop; it was read at entry, so no choice depends."""
    effects = """
      - forEach:
          bind: x
          over: x for x in coast
          do:
            - chooseOne: { bind: $n, options: 1..2 }
            - move x to out(red)
            - gold -= $n
    """
    assert codes(operation(effects)) == []


REJECTED = {
    "stacking": GULF,
    "a spent resource": """
      - gold -= 3
      - chooseOne: { bind: $a, options: c for c in land if gold >= 3 }
      - $a.seen += 1
    """,
    "a bound that was spent": """
      - gold -= 3
      - chooseN: { bind: $a, options: land, max: gold // 3 }
      - for s in $a do s.seen += 1
    """,
    "a let that launders": """
      - gold -= 3
      - let left = gold
      - chooseOne: { bind: $a, options: c for c in land if left >= 3 }
      - $a.seen += 1
    """,
    "a function that launders": """
      - gold -= 3
      - chooseOne: { bind: $a, options: c for c in land if rich() }
      - $a.seen += 1
    """,
    "a procedure that writes": """
      - pay()
      - chooseOne: { bind: $a, options: c for c in land if gold >= 3 }
      - $a.seen += 1
    """,
    "a guard": """
      - gold -= 3
      - if: { when: gold >= 3, then: [{ chooseOne: { bind: $a, options: land } }, $a.seen += 1] }
    """,
    "a writer after the choice in a loop": """
      - forEach:
          bind: i
          over: 1..2
          do:
            - chooseOne: { bind: $a, options: c for c in land if c.seen == 0 }
            - $a.seen += 1
    """,
    "a modified value": """
      - gold -= 3
      - chooseOne: { bind: $a, options: c for c in land if go.allowed }
      - $a.seen += 1
    """,
}
EXTRA = {
    "a function that launders": "fns: { rich(): gold >= 3 }",
    "a procedure that writes": "procs: { pay(): [gold -= 3] }",
    "a modified value": "values: { go.allowed: true }\nmodifiers: [{ id: poor, while: gold < 3, change: { go.allowed: 'false' } }]",
}


@pytest.mark.parametrize("name", REJECTED)
def test_semantics_02_rejects_dependence(name: str) -> None:
    rules = operation(REJECTED[name], extra=EXTRA.get(name, ""))
    live = operation(REJECTED[name], "live", EXTRA.get(name, ""))
    if name == "stacking":
        limit = "  land:\n    limits: [{ max: 2 }]\n"
        rules, live = (text.replace("  land:\n", limit).replace("place 3 base at coast", "gold = 7")
                       for text in (rules, live))  # fmt: skip
    assert codes(rules) == ["snapshot-dependence"]
    assert codes(live) == []


def test_semantics_02_spending_and_earlier_stages_come_first() -> None:
    rules = f"""{LAND}
operations:
  - id: go
    cost: {{ validate: gold >= 3, spend: [gold -= 3] }}
    resolution:
      - stage: one
        effects: [hue.seen += 1]
      - stage: two
        effects:
          - chooseOne: {{ bind: $a, options: c for c in land if OPTIONS }}
          - $a.seen += 1
actions: [{{ id: pass }}]
"""
    for reads in ("gold >= 2", "c.seen == 0"):
        assert codes(rules.replace("OPTIONS", reads)) == ["snapshot-dependence"]
    assert codes(rules.replace("OPTIONS", "c.kind == city")) == []


def test_semantics_02_what_runs_after_all_choices_does_not_count() -> None:
    rules = f"""{LAND}
phases:
  - id: main
    actionDefaults: {{ afterEffects: [gold -= 1] }}
triggers:
  - {{ id: tax, on: {{ changed: gold }}, do: [coast.seen += 1] }}
operations:
  - id: go
    resolution:
      - stage: one
        effects:
          - chooseOne: {{ bind: $a, options: c for c in land if gold > 0 and c.seen == 0 }}
          - $a.seen += 1
actions: [{{ id: pass }}]
"""
    assert codes(rules) == []


ROLL = """
      - chooseOne: { bind: $stake, options: 1..3 }
      - rollRandom: { bind: $die, min: 1, max: 6, in: [gold += $die, { chooseOne: { bind: $prize, options: land } }, $prize.seen += 1] }
"""


def test_semantics_03_rolls_end_a_walk() -> None:
    game = book(operation(ROLL, "live"))
    state = game.initial_state(seed=3)
    move = Move("go", {"$stake": 2})
    request = game.legal_choices(state, move)
    assert request.complete
    assert request.legal
    assert request.stops_at == "chance"
    step = game.apply_move(state, move)
    assert step.part_ended
    assert step.barrier == "chance"
    assert asked(game, step.state).decision_id == "$prize"
    assert asked(game, step.state).seat == "red", "the same seat goes on after the die"
    assert variable(game, step.state, "gold") > 7


def test_semantics_03_a_snapshot_choice_after_a_roll_is_an_error() -> None:
    assert codes(operation(ROLL)) == ["choice-after-roll"]


EACH = """
vars: { gold: 0..20 = 7, Space.seen: 0..9 }
spaces: { point: { track: 5 } }
actions:
  - id: build
    effects:
      - chooseN:
          bind: $s
          options: s for s in point if gold >= 3
          AMOUNT
          each: [gold -= 3, $s.seen += 1]
  - { id: pass }
"""


def test_semantics_04_each_asks_again() -> None:
    game = book(EACH.replace("AMOUNT", "max: 5"))
    state = game.choose(game.initial_state(), "build").state
    state = game.choose(state, "point4").state
    assert options(game, state) == ["point1", "point2", "point3", "point5"], "minus the pick"
    assert asked(game, state).optional, "each pick is a choice of its own; None ends them"
    state = game.choose(state, "point1").state
    assert variable(game, state, "gold") == 1
    assert asked(game, state).seat == "blue", "two picks, then it is closed"


def test_semantics_04_as_many_as_possible_never_stops_early() -> None:
    game = book(EACH.replace("AMOUNT", "asManyAsPossible: true"))
    state = game.choose(game.initial_state(), "build").state
    assert not asked(game, state).optional
    state = game.choose(state, "point2").state
    assert not asked(game, state).optional
    state = game.choose(state, "point1").state
    assert asked(game, state).seat == "blue"


def test_semantics_04_plain_choose_n_reads_its_domain_once() -> None:
    game = book("""
vars: { gold: 0..20 = 7, Space.seen: 0..9 }
spaces: { point: { track: 4 } }
actions:
  - id: mark
    effects:
      - chooseN: { bind: $s, options: s for s in point if s.seen == 0, max: 2 }
      - for s in $s do s.seen += 1
  - { id: pass }
""")
    state = game.choose(game.initial_state(), "mark").state
    step = game.choose(state, ["point1", "point3"])
    assert [variable(game, step.state, "seen")[f"point{i}"] for i in (1, 2, 3, 4)] == [1, 0, 1, 0]
    following = game.choose(game.choose(step.state, "pass").state, "mark").state
    assert options(game, following) == ["point2", "point4"]


def test_semantics_04_exact_amounts_are_kept_by_what_is_offered() -> None:
    game = book(EACH.replace("AMOUNT", "min: 3\n          max: 3"))
    state = game.initial_state()
    assert options(game, state) == ["pass"], "three picks cost 9 of 7"
    with pytest.raises(lw.IllegalMove):
        game.choose(state, "build")
    assert place(game, state, "point1") == 0


MARCH = """
spaces: { land: { track: 3 } }
pieces: { troop: { count: 6 } }
zones: { reserve: { of: troop } }
setup: [place 3 troop at reserve]
operations:
  - id: march
    effects:
      - forEach:
          bind: $piece
          over: { query: tokensInZone, zone: reserve }
          effects:
            - chooseOne: { bind: $to, options: OPTIONS }
            - moveToken: { token: $piece, from: reserve, to: $to }
actions: [{ id: pass }]
"""


def test_semantics_02_pieces_moved_one_by_one_to_any_space_are_a_snapshot() -> None:
    """What was found before the loop is what it goes through, and `from` only states a fact."""
    assert codes(MARCH.replace("OPTIONS", "{ query: mapSpaces }")) == []
    free = MARCH.replace("OPTIONS", "s for s in land if s.count == 0")
    assert codes(free) == ["snapshot-dependence"]
    game = book(MARCH.replace("OPTIONS", "{ query: mapSpaces }"))
    move = Move("march", {"$to[0]": "land2", "$to[1]": "land2", "$to[2]": "land3"})
    after = game.apply_move(game.initial_state(), move).state
    assert [place(game, after, f"land{number}") for number in (1, 2, 3)] == [0, 2, 1]


def test_semantics_30_a_piece_that_is_not_where_from_says_is_a_fault() -> None:
    rules = MARCH.replace("OPTIONS", "{ query: mapSpaces }").replace("from: reserve", "from: land1")
    game = book(rules)
    with pytest.raises(lw.RulebookFault) as caught:
        game.apply_move(game.initial_state(), Move("march", {"$to[0]": "land2"}))
    assert "`from`" in str(caught.value)
