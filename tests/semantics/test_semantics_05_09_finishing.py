"""Rules 5 to 9: what is offered can be finished, and what legality may read."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

import ludwright as lw
from ludwright.agents.agent import GreedyAgent, RandomAgent, View
from ludwright.errors import DeadEnd
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.state import State
from ludwright.simulate import play_out
from tests.semantics.books import asked, book, codes, options, told, variable, walk

BOARD = """
spaces: { point: { track: 4 } }
pieces: { man: { owner: seat, count: 4 } }
vars: { gold: 0..9 = 5, purse: 0..9 = 5 refuse, Space.seen: 0..9 }
zones: { hand: { each: seat, see: owner } }
"""
ATTACK = """
actions:
  - id: attack
    effects:
      - roll die in 1..6
      - TARGETS
      - for s in $t do s.seen += 1
"""


def test_semantics_05_nothing_refuses_after_a_die() -> None:
    exactly = "chooseN: { bind: $t, options: s for s in point if s.seen < die, n: 2 }"
    assert codes(BOARD + ATTACK.replace("TARGETS", exactly)) == ["refusal-after-chance"]
    for fine in ("max: 2, asManyAsPossible: true", "max: 2", "min: 0"):
        targets = f"chooseN: {{ bind: $t, options: s for s in point if s.seen < die, {fine} }}"
        assert codes(BOARD + ATTACK.replace("TARGETS", targets)) == []


@pytest.mark.parametrize(
    "late",
    [
        "effects: [roll gold in 1..6, require gold > 3]",
        "effects: [roll gold in 1..6]\n    ensure: gold > 3",
        "effects: [roll gold in 1..6, { chooseOne: { bind: $s, options: s for s in point if s.seen > gold } }, $s.seen += 1]",
        "effects: [roll gold in 1..6, { menu: { bind: $m, options: { a: { if: gold > 3, do: [purse = 1] } } } }]",
    ],
)
def test_semantics_05_ensure_and_require_come_before_the_die(late: str) -> None:
    rules = f"{BOARD}actions:\n  - id: risk\n    {late}\n  - {{ id: pass }}\n"
    assert codes(rules) == ["refusal-after-chance"]


@pytest.mark.parametrize(
    ("barrier", "late"),
    [
        ("{ chooseOne: { bind: $b, by: blue, options: 1..2 } }", "require gold < 3"),
        ("{ chooseOne: { bind: $b, by: blue, options: 1..2 } }", "purse -= 9"),
        ("gold += 0", "{ chooseOne: { bind: $b, by: blue, options: s for s in point if s.seen > 3 } }"),
    ],
)  # fmt: skip
def test_semantics_05_behind_another_seat_a_refusal_is_a_fault(barrier: str, late: str) -> None:
    game = book(f"""{BOARD}
setup: [place man of red at hand(red)]
actions:
  - id: act
    effects:
      - {barrier}
      - {late}
  - {{ id: pass }}
""")
    state = game.initial_state()
    assert options(game, state) == ["act", "pass"]
    with pytest.raises(lw.RulebookFault):
        after = game.choose(state, "act").state
        while asked(game, after).action == "act":
            after = game.choose(after, options(game, after)[0]).state


SHOWN = "reveal hand(actor)"
EFFECT = "gold = declassify(count(x for x in hand(blue) if x.owner == blue))"


@pytest.mark.parametrize("secret", [SHOWN, EFFECT])
@pytest.mark.parametrize(
    "late",
    [
        "require gold == 0",
        "purse -= gold",
        "{ chooseOne: { bind: $s, options: s for s in point if s.seen > 3 } }",
        "{ chooseN: { bind: $s, options: s for s in point if s.seen > 3, n: 2 } }",
        "{ menu: { bind: $m, options: { a: { if: gold > 3, do: [gold = 1] } } } }",
        "place man of actor at hand(actor)",
        "{ offer: { actions: [rich] } }",
    ],
)
def test_semantics_05_nothing_refuses_where_a_secret_has_come_to_light(
    secret: str, late: str
) -> None:
    """Whether `act` is offered must not depend on blue's hand, so a refusal would come too late."""
    rules = """
actions:
  - id: act
    effects:
      - SECRET
      - LATE
      - gold = 1
  - { id: rich, pre: gold > 8 }
  - { id: pass }
"""
    text = BOARD + rules.replace("SECRET", secret)
    assert "refusal-after-reveal" in told(text.replace("LATE", late))
    before = BOARD + rules.replace("SECRET", "gold += 0").replace("LATE", late)
    assert "refusal-after-reveal" not in told(before)


@pytest.mark.parametrize("secret", [SHOWN, EFFECT])
@pytest.mark.parametrize(
    "fine",
    [
        "if gold == 0 then gold = 2",
        "if purse >= gold then purse -= gold",
        "{ chooseOne: { bind: $s, options: s for s in point if s.seen > 3, ifNone: skip } }",
        "{ chooseOne: { bind: $s, options: s for s in point if s.seen > 3, optional: true } }",
        "{ chooseN: { bind: $s, options: s for s in point if s.seen > 3, max: 2 } }",
        "{ chooseOne: { bind: $s, options: point } }",
        "if any(m for m in man if m.owner == actor and m.place == none) then place man of actor at hand(actor)",
        "{ offer: { actions: [rich], none: [gold = 2] } }",
    ],
)
def test_semantics_05_behind_a_secret_the_rules_ask_first(secret: str, fine: str) -> None:
    rules = f"""
actions:
  - id: act
    effects:
      - {secret}
      - {fine}
  - {{ id: rich, pre: gold > 8 }}
  - {{ id: pass }}
"""
    assert codes(BOARD + rules) == []


FERRY = """
spaces: { shore: { spaces: { a: {}, b: {} } } }
pieces: { cube: { owner: seat, count: 3 }, card: { each: { rank: 1..4 } } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  supply: { of: cube, each: seat, init: all }
setup: [for p in seats do move 1 cube from supply(p) to b]
actions:
  - id: bribe
    effects:
      - chooseOne: { bind: $c, options: CUBES }
      - let where = $c.place
      - remove $c
      - if where != none then place cube of actor at where
  - id: ferry
    effects:
      - chooseOne: { bind: $b, options: shore }
      - chooseN: { bind: $ships, options: c for s in shore for c in s if c.owner == actor, max: 4 }
      - MOVE
  - { id: pass }
"""


@pytest.mark.parametrize("move", ["move all of $ships to $b", "for c in $ships do move c to $b"])
@pytest.mark.parametrize(
    "cubes",
    [
        "c for s in shore for c in s if c.owner != actor",
        "c for c in cube if c.place in shore and c.owner != actor",
    ],
)
def test_semantics_05_what_was_chosen_of_one_kind_hides_no_other(cubes: str, move: str) -> None:
    """No card can come to the shore, so where a cube lies is no secret, and no barrier."""
    game = book(FERRY.replace("CUBES", cubes).replace("MOVE", move))
    assert options(game, game.initial_state()) == ["ferry", "pass"]  # all cubes are in the supply


def test_semantics_05_a_piece_that_was_met_in_the_open_is_no_secret() -> None:
    """Cards can lie on the shore here; the one that is chosen was seen there."""
    cubes = "c for s in shore for c in s if c.owner != actor"
    game = book(
        FERRY.replace("CUBES", cubes)
        .replace("setup: [", "setup: [draw 1 from deck to hand(red), ")
        .replace("MOVE", "move all of hand(actor) to $b")
    )
    assert options(game, game.initial_state()) == ["ferry", "pass"]


def test_semantics_05_completion_includes_ensure_and_refusing_variables() -> None:
    game = book(
        BOARD
        + """
actions:
  - id: buy
    params: { n: 1..9 }
    effects: [purse -= n, gold = n]
    ensure: gold % 2 == 0
"""
    )
    assert options(game, game.initial_state()) == [2, 4]


TRAIN = """
spaces: { land: { track: 30 } }
vars: { gold: 0..60 = 30 clamp, Space.seen: 0..9 clamp }
operations:
  - id: train
    cost: { validate: gold >= 3 }
    resolution:
      - stage: place
        effects:
          - chooseN: { bind: $where, options: s for s in land if s.seen == 0, min: 1, max: 30 }
          - for s in $where do s.seen += 1
          - if not __freeOperation then gold -= 3 * count($where)
actions: [{ id: pass }]
"""


def nodes_along(game: Game, state: State, answers: list[Any]) -> list[int]:
    """Nodes searched at each decision of a walk."""
    found: list[int] = []
    for answer in answers:
        core_of(game).machine.search.nodes = 0
        state = game.choose(state, answer).state
        game.decision(state)
        found.append(core_of(game).machine.search.nodes)
    return found


def test_semantics_06_train_on_thirty_spaces_searches_nothing() -> None:
    """At a head every action runs on to its first choice, one node each; picks search nothing."""
    game = book(TRAIN)
    state = game.initial_state()
    assert game.legal_moves(state)
    assert core_of(game).machine.search.nodes <= 2, "two actions, however many spaces"
    picks = ["train", *(f"land{i}" for i in range(1, 31, 3)), lw.STOP]
    assert nodes_along(game, state, picks)[:-1] == [0] * (len(picks) - 1)


def test_semantics_06_searches_remember_where_they_have_been() -> None:
    """Twelve steps of 1..3 that never add up to an odd-and-even sum: 3^12 paths, few states."""
    game = book("""
vars: { total: 0..99, wish: 0..99 = 37 }
actions:
  - id: climb
    effects:
      - forEach: { bind: i, over: 1..12, do: [{ chooseOne: { bind: $n, options: 1..3 } }, total += $n] }
    ensure: total == wish
  - { id: pass }
""")
    state = game.initial_state()
    assert options(game, state) == ["pass"], "the sum is at most 36"
    if game.engine == "python":  # the other one would have run out of its budget
        assert 0 < core_of(game).machine.search.nodes < 3_000


def subset_game(search_budget: int | None = None, wanted: int = 10) -> Game:
    return book(f"""
vars: {{ total: 0..99 }}
actions:
  - id: collect
    effects:
      - forEach: {{ bind: i, over: 1..4, do: [{{ chooseOne: {{ bind: $n, options: 1..4 }} }}, total += $n] }}
    ensure: total == {wanted}
  - {{ id: pass }}
end: [{{ when: total > 0, win: actor, reason: done }}]
""", search_budget=search_budget)  # fmt: skip


def test_semantics_07_the_budget_counts_nodes_and_says_unknown() -> None:
    game = subset_game(search_budget=1)
    decision = asked(game, game.initial_state())
    assert decision.options == ("collect", "pass")
    assert decision.legality == ("unknown", "unknown")
    assert asked(subset_game(), subset_game().initial_state()).legality == ("legal", "legal")


def test_semantics_07_a_dead_end_is_published_and_agents_go_on() -> None:
    game = subset_game(search_budget=1, wanted=14)
    state = game.initial_state()
    for answer in ("collect", 1, 1):
        state = game.choose(state, answer).state
    assert asked(game, state).legality == ("unknown",) * 4
    patient = subset_game(wanted=14)
    decision = asked(patient, patient.state_from_bytes(game.choose(state, 1).state.to_bytes()))
    assert decision.options == ()
    assert decision.dead_end
    for seed in range(10):
        agents = {"red": RandomAgent(seed), "blue": RandomAgent(seed + 100)}
        played = play_out(game, game.initial_state(), agents)
        assert played.result is not None
    greedy = play_out(game, game.initial_state(), {s: GreedyAgent(5) for s in ("red", "blue")})
    assert greedy.result is not None


def test_semantics_07_hopeless_options_are_given_up_with_an_error() -> None:
    game = subset_game(search_budget=1, wanted=99)
    state = game.initial_state()

    class Stubborn(RandomAgent):
        def choose(self, view: View) -> Any:
            return "collect" if "collect" in view.decision.options else super().choose(view)

    with pytest.raises(DeadEnd):
        play_out(game, state, {"red": Stubborn(3), "blue": RandomAgent(2)})


def test_semantics_07_illegal_options_are_only_in_why() -> None:
    game = subset_game(wanted=15)
    state = game.choose(game.initial_state(), "collect").state
    decision = asked(game, state)
    assert list(decision.options) == [3, 4]
    with pytest.raises(lw.IllegalMove) as caught:
        game.choose(state, 1)
    assert caught.value.code
    assert game.why(game.initial_state(), lw.Move("collect", {"$n[0]": 1})).legal is False


ASK = """
enums: { Rank: [ace, king] }
pieces: { card: { each: { rank: Rank }, count: 2 } }
zones: { hand: { each: seat, of: card, see: owner }, deck: { of: card, order: deck, see: count, init: all } }
setup: [for p in seats do draw 2 from deck to hand(p)]
vars: { asked: Rank, Seat.secret: { min: 0, max: 9, see: owner } }
actions:
  - id: fish
    PART
    effects: [asked = ace]
  - { id: pass }
"""


@pytest.mark.parametrize(
    "part",
    [
        "params: { r: r for r in Rank if any(c for c in hand(opponent(actor)) if c.rank == r) }",
        "pre: any(c for c in hand(opponent(actor)) if c.rank == ace)",
        "pre: opponent(actor).secret > 3",
        "ensure: any(c for c in hand(opponent(actor)) if c.rank == ace)",
        "params: { r: r for r in Rank if top(deck).rank == r }",
    ],
)
def test_semantics_08_options_cannot_list_a_hidden_hand(part: str) -> None:
    assert "hidden-read" in codes(ASK.replace("PART", part))


@pytest.mark.parametrize(
    "part",
    [
        "params: { r: r for r in Rank if any(c for c in hand(actor) if c.rank == r) }",
        "pre: count(hand(opponent(actor))) > 0",
        "pre: actor.secret > 3",
        "params: { r: r for r in Rank if declassify(any(c for c in hand(opponent(actor)) if c.rank == r)) }",
    ],
)
def test_semantics_08_own_cards_counts_and_declassified_facts_are_fine(part: str) -> None:
    assert codes(ASK.replace("PART", part)) == []


@pytest.mark.parametrize(
    "effects",
    [
        "[let n = count(c for c in hand(blue) if c.rank == ace), { chooseOne: { bind: $x, options: 0..n } }, asked = ace]",
        "[require any(c for c in hand(blue) if c.rank == ace), asked = ace]",
    ],
)  # fmt: skip
def test_semantics_08_nor_by_a_detour(effects: str) -> None:
    rules = ASK.replace("PART", "notation: fish").replace("[asked = ace]", effects)
    assert "hidden-read" in codes(rules)


SEALED = """
vars: { Seat.bid: 0..9, Seat.gold: 0..9 = 3, rounds: 0..9 }
flow:
  - repeat:
      while: rounds < 2
      max: 9
      do:
        - chooseOne: { bind: $b, by: seats, together: true, options: 0..chooser.gold }
        - for p in seats do p.bid = $b[p]
        - for p in seats do p.gold -= $b[p]
        - rounds += 1
  - end game draw
"""
THREE = "game: { id: sealed, title: Sealed, players: 3 }\nseats: [red, blue, green]\n"


def test_semantics_09_every_order_of_answers_gives_the_same_bytes() -> None:
    game = book(SEALED, header=THREE)
    answers = {"red": 1, "blue": 3, "green": 0}
    finals: set[bytes] = set()
    told: set[str] = set()
    bids: list[object] = []
    for order in permutations(answers):
        state = game.initial_state(seed=4)
        for number, seat in enumerate(order):
            decision = asked(game, state, seat)
            assert options(game, state, seat) == [0, 1, 2, 3], "sealed answers change no options"
            assert set(decision.together) == set(order[number:]), "who has answered is public"
            assert variable(game, state, "bid") == {"red": 0, "blue": 0, "green": 0}
            step = game.choose(state, answers[seat], seat)
            state = step.state
        finals.add(state.to_bytes())
        told.add(str(game.observe(state, "red")))
        bids.append(variable(game, state, "bid"))
    assert len(finals) == 1
    assert len(told) == 1
    assert bids == [answers] * 6


def test_semantics_09_sealed_answers_stay_sealed_and_can_be_withdrawn() -> None:
    game = book(SEALED, header=THREE)
    state = game.initial_state()
    one = game.choose(state, 1, "blue")
    two = game.choose(state, 3, "blue")
    for seat in ("red", "green"):
        assert game.observe(one.state, seat) == game.observe(two.state, seat)
        assert one.events(seat) == two.events(seat)
    assert game.withdraw(one.state, "blue").to_bytes() == state.to_bytes()
    with pytest.raises(lw.IllegalMove):
        game.withdraw(one.state, "red")
    with pytest.raises(lw.IllegalMove):
        game.choose(one.state, 2, "blue")
    done = game.choose(game.choose(one.state, 0, "red").state, 0, "green").state
    with pytest.raises(lw.IllegalMove):
        game.withdraw(done, "blue")


def test_semantics_09_agents_are_asked_in_seat_order() -> None:
    game = book(SEALED, header=THREE)
    seats = [asked(game, state).seat for state in walk(game, 1) if game.decision(state) is not None]
    assert seats == ["red", "blue", "green"] * 2


KNOWN = """
```yaml
game: { id: known, title: Known, players: 2 }
seats: [red, blue]
pieces: { card: { each: { rank: 1..4 } } }
zones: { hand: { each: seat, see: owner, of: card }, deck: { order: deck, see: count, init: all, of: card } }
vars: { purse: 0..6 = 1 refuse, n: 0..99 clamp }
setup: [draw 1 from deck to hand(red), draw 1 from deck to hand(blue)]
actions:
  - { id: pass, effects: [n += 1] }
  - { id: show, params: { m: 1..2 }, effects: ["reveal hand(red)[0]", purse -= 1, n += m] }
  - { id: late, params: { m: 1..3 }, pre: n > 90, effects: [n += 1] }
end: [{ when: n > 98, draw: all, reason: done }]
```
"""


def test_semantics_05_what_is_seen_already_is_no_barrier() -> None:
    """Then what refuses behind it belongs to the same part, and decides what is offered."""
    game = lw.load_text(KNOWN)
    state = game.initial_state()
    step = game.apply_move(state, lw.Move("show", {"m": 1}))
    assert step.barrier == "reveal"
    assert game.legal_moves(step.state) == [lw.Move("pass")]
    assert game.why(step.state, lw.Move("show", {"m": 1})).code == "refused"


def test_semantics_05_a_first_parameter_with_a_condition_may_find_nothing() -> None:
    body = "params: { m: { if: n == 0, options: k for k in 1..3 if n > 50 } }"
    game = lw.load_text(KNOWN.replace("params: { m: 1..3 }, pre: n > 90", body))
    assert [move.action_id for move in game.legal_moves(game.initial_state())] == [
        "pass",
        "show",
        "show",
    ]
