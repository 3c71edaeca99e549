"""Rules 10 to 16: what a move is, how its decisions are called, and who is asked."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.agents.agent import RandomAgent
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.decision import Range
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from ludwright.simulate import Recorder, play_out
from tests.semantics.books import asked, book, codes, options, variable

ATTACK = """
spaces: { point: { track: 3 } }
vars: { Space.hits: 0..9, die: 0..6 }
actions:
  - id: attack
    params: { target: point }
    effects:
      - chooseOne: { bind: $force, options: 1..2 }
      - roll die in 1..2
      - chooseOne: { bind: $answer, by: opponent(actor), options: [1, 2, 3] }
      - target.hits += $force
"""


def test_semantics_10_a_move_is_played_in_parts() -> None:
    game = book(ATTACK)
    state = game.initial_state(seed=1)
    move = Move("attack", {"target": "point2", "$force": 2})
    step = game.apply_move(state, move, "red")
    assert step.barrier == "chance"
    assert [event.kind for event in step.events()].count("rolled") == 1
    assert asked(game, step.state).seat == "blue"
    assert asked(game, step.state).action == "attack"
    assert game.legal_moves(step.state) == [Move("attack", {})], "a continuation, still open"
    with pytest.raises(lw.IllegalMove) as caught:
        game.apply_move(step.state, Move("attack", {"$answer": 1}), "red")
    assert caught.value.code == "not-your-turn"
    last = game.apply_move(step.state, Move("attack", {"$answer": 1}), "blue")
    assert last.part_ended
    assert variable(game, last.state, "hits")["point2"] == 2
    assert asked(game, last.state).seat == "blue", "now it is blue's own turn"


def test_semantics_10_the_trace_has_one_entry_per_part() -> None:
    game = book(ATTACK)
    state = game.initial_state(seed=1)
    recorder = Recorder(game, state)
    seats = {"red": RandomAgent(1), "blue": RandomAgent(2)}
    play_out(game, state, seats, limit=3, recorder=recorder)
    trace = recorder.trace("fixture", game.gamedef_hash, {}, 2, 1)
    assert [(entry.seat, entry.action, len(entry.params)) for entry in trace.entries] == [
        ("red", "attack", 2),
        ("blue", "attack", 1),
    ]
    assert [len(entry.chance) for entry in trace.entries] == [1, 0], "the die fell in between"


def test_semantics_10_perft_counts_every_part_as_a_ply() -> None:
    explicit = book(ATTACK, chance="explicit")
    state = explicit.initial_state()
    assert [explicit.perft(state, depth) for depth in (1, 2, 3)] == [6, 12, 36]
    generated = book(ATTACK)
    assert [generated.perft(generated.initial_state(), depth) for depth in (1, 2)] == [6, 18]


IDS = """
vars: { total: 0..99 }
procs:
  ask():
    - chooseOne: { bind: $x, options: 1..2 }
    - total += $x
actions:
  - id: act
    effects:
      - forEach:
          bind: i
          over: 1..2
          do: [ask(), ask()]
      - chooseOne: { bind: $y, options: 1..2 }
      - total += $y
"""


def ids_along(game: Game, state: State, count: int) -> list[str]:
    found: list[str] = []
    for _ in range(count):
        decision = asked(game, state)
        found.append(decision.decision_id)
        state = game.choose(state, decision.answers[0]).state
    return found


def test_semantics_11_one_procedure_at_two_sites_in_a_loop_has_four_ids() -> None:
    game = book(IDS)
    ids = ids_along(game, game.initial_state(), 6)
    assert ids[0] == "action"
    assert ids[1:5] == ["ask.$x[0]", "ask@2.$x[0]", "ask.$x[1]", "ask@2.$x[1]"]
    assert ids[5] == "$y", "the path is dropped where the bind occurs once"


def test_semantics_11_indices_count_iterations_asked_or_not() -> None:
    game = book("""
vars: { total: 0..99 }
actions:
  - id: act
    effects:
      - forEach:
          bind: i
          over: 1..2
          do:
            - forEach:
                bind: j
                over: 1..3
                do:
                  - if: { when: i + j == 4, then: [{ chooseOne: { bind: $x, options: 1..2 } }, total += $x] }
""")
    state = game.choose(game.initial_state(), "act").state
    assert ids_along(game, state, 2) == ["$x[0][2]", "$x[1][1]"]
    move = Move("act", {"$x[0][2]": 2, "$x[1][1]": 1})
    assert variable(game, game.apply_move(game.initial_state(), move).state, "total") == 3


PICKS = """
spaces: { point: { track: 4 } }
vars: { Space.seen: 0..9, rank: 0..99 }
actions:
  - id: pick
    effects:
      - chooseN: { bind: $s, options: point, min: 1, max: 2 }
      - for s in $s do s.seen += 1
  - id: walk
    effects:
      - chooseN: { bind: $w, options: point, min: 2, max: 2, each: [rank = 5 * rank % 25 + $w.index] }
"""


def test_semantics_11_single_picks_are_numbered() -> None:
    game = book(PICKS)
    state = game.initial_state()
    whole = game.apply_move(state, Move("pick", {"$s": ["point1", "point3"]})).state
    single = Move("pick", {"$s#0": "point3", "$s#1": "point1"})
    assert game.apply_move(state, single).state == whole
    first = game.legal_choices(state, Move("pick", {"$s#0": "point3"}))
    assert not first.complete
    assert "point3" not in first.options
    one = Move("pick", {"$s#0": "point3", "$s#1": "__stop"})
    assert game.legal_choices(state, one).complete
    assert game.apply_move(state, one).state == game.apply_move(
        state, Move("pick", {"$s": ["point3"]})
    ).state  # fmt: skip


def test_semantics_12_sets_are_canonical_and_sequences_are_not() -> None:
    game = book(PICKS)
    state = game.initial_state()
    ab = game.apply_move(state, Move("pick", {"$s": ["point1", "point2"]})).state
    ba = game.apply_move(state, Move("pick", {"$s": ["point2", "point1"]})).state
    assert ab.to_bytes() == ba.to_bytes()
    picking = game.choose(state, "pick").state
    assert game.perft(picking, 1) == 4 + 6, "one node per set"
    walking = game.choose(state, "walk").state
    assert game.perft(walking, 1) == 4 * 3, "one node per sequence"
    one = game.replay(walking, ["point1", "point2"])
    two = game.replay(walking, ["point2", "point1"])
    assert variable(game, one, "rank") != variable(game, two, "rank")


def test_semantics_13_a_single_option_is_asked_and_forced() -> None:
    game = book("""
vars: { total: 0..99 }
actions:
  - id: act
    effects: [{ chooseOne: { bind: $x, options: 3..3 } }, total += $x]
end: [{ when: total > 20, win: actor, reason: far }]
""")
    state = game.choose(game.initial_state(), "act").state
    assert asked(game, state).forced
    assert options(game, state) == [3]
    dice = Dice(5)
    before = dice.state
    assert dice.pick(1) == 0
    assert dice.state == before, "nothing is drawn for a forced answer"


def test_semantics_13_optional_without_options_is_not_asked() -> None:
    game = book("""
spaces: { point: { track: 2 } }
vars: { Space.seen: 0..9, empty: bool, total: 0..9 }
actions:
  - id: act
    effects:
      - chooseOne: { bind: $a, options: s for s in point if s.seen > 0, optional: true }
      - chooseN: { bind: $b, options: s for s in point if s.seen > 0, min: 0, max: 2 }
      - empty = $a == none and empty($b)
      - chooseOne: { bind: $c, options: 1..2, optional: true }
      - total += default($c, 7)
""".replace("empty:", "blank:").replace("- empty =", "- blank ="))  # fmt: skip
    state = game.choose(game.initial_state(), "act").state
    decision = asked(game, state)
    assert decision.decision_id == "$c", "neither `$a` nor `$b` was asked"
    assert decision.optional
    assert variable(game, state, "blank") is True
    assert variable(game, game.choose(state, None).state, "total") == 7


def test_semantics_13_mandatory_without_options_is_never_offered() -> None:
    game = book("""
spaces: { point: { track: 2 } }
vars: { Space.seen: 0..9 }
operations:
  - id: op
    resolution:
      - stage: one
        effects:
          - chooseN: { bind: $s, options: s for s in point if s.seen > 0, min: 1, max: 2 }
          - for s in $s do s.seen += 1
actions: [{ id: pass }]
""")
    state = game.initial_state()
    assert game.legal_moves(state) == [Move("pass")]
    request = game.legal_choices(state, Move("op"))
    assert list(request.options) == []
    with pytest.raises(lw.IllegalMove):
        game.apply_move(state, Move("op"))


def test_semantics_14_an_inner_choice_is_answered_and_applied() -> None:
    """A simple action with an inner choice: listed by its params, open inside."""
    game = book(ATTACK)
    state = game.initial_state()
    moves = game.legal_moves(state)
    assert moves == [Move("attack", {"target": f"point{i}"}) for i in (1, 2, 3)]
    request = game.legal_choices(state, moves[1])
    assert (request.complete, request.decision_id) == (False, "$force")
    with pytest.raises(lw.IllegalMove) as caught:
        game.apply_move(state, moves[1])
    assert caught.value.code == "missing-choice"
    assert game.apply_move(state, moves[1].with_param("$force", 1)).part_ended


def test_semantics_10_a_move_that_contradicts_itself_is_no_move() -> None:
    """The decision that offers the actions may be answered too, with the move's own action."""
    game = book("""
vars: { total: 0..99 }
actions:
  - { id: add, params: { n: 1..3 }, effects: [total += n] }
  - { id: double, effects: [total += total] }
""")
    state = game.initial_state()
    name = asked(game, state).decision_id
    assert game.apply_move(state, Move("add", {name: "add", "n": 2})).part_ended
    for wrong in ("double", "nothing", None, 0, ["add"]):
        move = Move("add", {name: wrong, "n": 2})
        assert game.why(state, move).code == "contradiction"
        with pytest.raises(lw.IllegalMove, match="but its"):
            game.apply_move(state, move)
        with pytest.raises(lw.IllegalMove, match="but its"):
            game.legal_choices(state, Move("add", {name: wrong}))


@pytest.mark.parametrize(("sizes", "listed"), [((16, 16), True), ((257, 1), False), ((17, 16), False)])  # fmt: skip
def test_semantics_14_products_over_256_are_templates(sizes: tuple[int, int], listed: bool) -> None:
    game = book(f"""
vars: {{ total: 0..9999 }}
actions:
  - id: act
    params: {{ a: 1..{sizes[0]}, b: 1..{sizes[1]} }}
    pre: a > 0
    effects: [total = a * b]
""")
    moves = game.legal_moves(game.initial_state())
    assert moves == [Move("act")] if not listed else len(moves) == sizes[0] * sizes[1]


def test_semantics_14_few_moves_are_listed_however_large_the_product() -> None:
    game = book("""
vars: { total: 0..9999 }
actions: [{ id: act, params: { a: 1..20, b: 1..20 }, pre: a == b, effects: [total = a] }]
""")
    moves = game.legal_moves(game.initial_state())
    assert moves == [Move("act", {"a": n, "b": n}) for n in range(1, 21)]


def test_semantics_14_ranges_stay_ranges() -> None:
    game = book("""
vars: { total: 0..2000000 }
actions: [{ id: bid, params: { n: 1..1000000 }, effects: [total = n] }]
""")
    state = game.initial_state()
    decision = asked(game, state)
    assert decision.options == Range(1, 1_000_000)
    assert game.legal_moves(state) == [Move("bid")]
    assert variable(game, game.choose(state, 999_999).state, "total") == 999_999


PAID = """
vars: { Seat.gold: 0..9 = 5, grants: 0..9 }
spaces: { point: { track: 2 } }
operations:
  - id: build
    cost: { validate: actor.gold >= 3, spend: [actor.gold -= 3] }
    resolution:
      - stage: one
        effects:
          - chooseOne: { bind: $s, options: point }
          - if not __freeOperation then grants += 1
actions:
  - id: grant
    effects:
      - offer: { by: actor, actions: [build], free: true, none: [] }
"""


def test_semantics_15_without_a_free_offer_it_is_paid() -> None:
    game = book(PAID)
    state = game.initial_state()
    paid = game.apply_move(state, Move("build", {"$s": "point1"})).state
    assert variable(game, paid, "gold")["red"] == 2
    assert variable(game, paid, "grants") == 1


def test_semantics_15_offered_free_it_costs_nothing() -> None:
    game = book(PAID)
    state = game.choose(game.initial_state(), "grant").state
    while asked(game, state).seat == "red":
        state = game.choose(state, options(game, state)[0]).state
    assert variable(game, state, "gold")["red"] == 5
    assert variable(game, state, "grants") == 0


def test_semantics_15_a_free_offer_at_the_head_of_a_move() -> None:
    game = book("""
vars: { Seat.gold: 0..9 = 5, rounds: 0..9 }
spaces: { point: { track: 2 } }
operations:
  - id: build
    cost: { validate: actor.gold >= 3, spend: [actor.gold -= 3] }
    resolution: [{ stage: one, effects: [{ chooseOne: { bind: $s, options: point } }, rounds += 1] }]
flow:
  - repeat: { while: rounds < 2, max: 5, do: [{ offer: { by: red, actions: [build], free: true } }] }
  - offer: { by: red, actions: [build] }
  - end game draw
""")
    state = game.initial_state()
    assert game.legal_moves(state) == [Move("build", {})]
    for gold in (5, 5, 2):  # twice free; the third time it is paid
        state = game.apply_move(state, Move("build", {"$s": "point1"})).state
        assert variable(game, state, "gold")["red"] == gold


def test_semantics_15_a_free_operation_that_offers_others_keeps_them_free_and_gives_it_back() -> (
    None
):
    """What is offered inside a free operation is free as well; behind the offer nothing is."""
    game = book("""
vars: { gold: 0..9 = 5 }
spaces: { point: { track: 2 } }
operations:
  - id: build
    cost: { validate: gold >= 3, spend: [gold -= 3] }
    effects: [{ chooseOne: { bind: $s, options: point } }]
  - id: plan
    decisions: live
    cost: { validate: gold >= 9, spend: [gold -= 9] }
    effects: [{ offer: { actions: [build] } }]
actions:
  - id: pass
  - id: both
    effects: [{ offer: { actions: [plan], free: true } }, { offer: { actions: [build] } }]
""")
    state = game.initial_state()
    assert "plan" not in {move.action_id for move in game.legal_moves(state)}
    state = game.choose(state, "both").state
    while asked(game, state).seat == "red":
        state = game.choose(state, asked(game, state).answers[0]).state
    assert variable(game, state, "gold") == 2  # the last one was paid, the others were not


COMPOUND = """
spaces: { land: { track: 4 } }
vars: { Space.troops: 0..9, Space.raids: 0..9, limited: bool }
operations:
  - id: train
    decisions: live
    resolution:
      - stage: first
        effects:
          - chooseN: { bind: $where, options: land, min: 1, max: 2 }
          - for s in $where do s.troops += 1
      - stage: second
        effects: [limited = false]
    linkedSpecialActivityWindows: [raid]
    constraints: [{ disjointSpaces: [$where, $at] }]
specials:
  - id: raid
    timing: [before, first, after]
    effects:
      - chooseOne: { bind: $at, options: land }
      - $at.raids += 1
actions: [{ id: grant, effects: [{ offer: { by: actor, actions: [train], free: true } }] }]
"""


def test_semantics_16_windows_are_asked_until_one_is_used() -> None:
    game = book(COMPOUND)
    state = game.choose(game.initial_state(), "train").state
    assert asked(game, state).decision_id == "__special_before"
    assert options(game, state) == ["none", "raid"]
    state = game.choose(state, "none").state
    state = game.choose(state, ["land1"]).state
    assert asked(game, state).decision_id == "__special_first"
    state = game.choose(state, "raid").state
    assert asked(game, state).decision_id == "special.$at"
    state = game.choose(state, "land2").state
    assert asked(game, state).seat == "blue", "used once, so the later window is not asked"


@pytest.mark.parametrize("window", ["before", "first", "after"])
def test_semantics_16_disjoint_spaces_hold_in_every_window(window: str) -> None:
    game = book(COMPOUND)
    state = game.choose(game.initial_state(), "train").state
    seen: list[tuple[str, list[object]]] = []
    while asked(game, state).seat == "red":
        decision = asked(game, state)
        seen.append((decision.decision_id, list(decision.options)))
        if decision.name == f"__special_{window}":
            answer: object = "raid"
        elif decision.name.startswith("__special"):
            answer = "none"
        elif decision.decision_id == "special.$at":
            answer = "land2" if "land2" in decision.options else decision.options[0]
        else:
            answer = ["land1"] if window != "before" else ["land3"]
        state = game.choose(state, answer).state
    second = dict(seen)["$where" if window == "before" else "special.$at"]
    excluded = "land2" if window == "before" else "land1"
    assert excluded not in second, "whichever is chosen second leaves out the first"


def test_semantics_16_no_special_activity_with_a_free_operation() -> None:
    game = book(COMPOUND)
    state = game.choose(game.initial_state(), "grant").state
    names = []
    while asked(game, state).seat == "red":
        names.append(asked(game, state).name)
        state = game.choose(state, asked(game, state).answers[0]).state
    assert not any(name.startswith("__special") for name in names)


def test_semantics_16_a_special_activity_that_is_not_named_is_missing() -> None:
    """Every window is a decision: `none` is an answer to it, saying nothing is not. Whoever is
    asked about the move says the same."""
    game = book(COMPOUND)
    state = game.initial_state()
    bare = Move("train", {"$where": ["land1"]})
    request = game.legal_choices(state, bare)
    assert not request.complete
    with pytest.raises(lw.IllegalMove) as caught:
        game.validate_move(state, bare)
    assert (caught.value.code, f"`{request.decision_id}`" in caught.value.reason) == (
        "missing-choice", True,
    )  # fmt: skip
    assert game.why(state, bare).code == "missing-choice"
    without, raiding = bare, bare
    while not (request := game.legal_choices(state, without)).complete:
        without = without.with_param(str(request.decision_id), "none")
    after = game.apply_move(state, without).state
    assert sum(variable(game, after, "raids").values()) == 0
    while not (request := game.legal_choices(state, raiding)).complete:
        wanted = {"__special_after": "raid", "special.$at": "land3"}
        key = str(request.decision_id)
        raiding = raiding.with_param(key, wanted.get(key, "none"))
    assert variable(game, game.apply_move(state, raiding).state, "raids")["land3"] == 1
    assert codes(COMPOUND) == []
