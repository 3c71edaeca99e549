"""Rules 25 to 32: chance, errors and versions."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import ludwright as lw
from ludwright.agents.agent import RandomAgent
from ludwright.kernel.interpreter.run import fault
from ludwright.kernel.play.agent_dice import game_seed, policy_seed
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.state import State
from ludwright.program.faults import Trouble
from ludwright.program.rng import Generator, cell_seed, mix
from ludwright.simulate import Recorder, TraceError, play_out, replay, simulate
from ludwright.simulate.trace import trace_from_json
from tests.semantics.books import asked, book, markdown, options, variable

DICE = """
pieces: { fruit: { each: { sort: [apple, pear] }, count: 3 }, card: { each: { rank: 1..4 } } }
zones: { bag: { of: fruit, init: all }, tray: { of: fruit }, deck: { of: card, order: deck, see: count, init: all }, stack: { of: card, order: stack }, row: { of: card, order: row } }
vars: { total: 0..99, die: 0..6 }
setup: [roll total in 1..3]
actions:
  - id: throw
    effects: [roll die in 1..6, total += die % 2]
  - id: pull
    pre: count(bag) >= 2
    effects: [draw 2 from bag to tray]
  - id: fixed
    effects: [roll die in 4..4]
end: [{ when: total >= 8, win: actor, reason: eight }]
"""


def mirrored(free: Game, fixed: Game, seed: int, steps: int) -> None:
    """Play with the generator; feed what fell to the same game with explicit chance."""
    start = core_of(free).start(seed)
    state, other = start.state, fixed.initial_state()
    fallen = [event.fields["value"] for event in start.events() if event.kind == "rolled"]
    agent = Generator(seed + 1)
    for _ in range(steps):
        while fixed.current_seat(other) == "chance":
            other = fixed.choose(other, fallen.pop(0)).state
        assert not fallen
        assert free.position_hash(state) == fixed.position_hash(other)
        decision = free.decision(state)
        if decision is None:
            return
        answer = decision.answers[agent.below(len(decision.answers))]
        step = free.choose(state, answer)
        state = step.state
        fallen += [event.fields["value"] for event in step.events() if event.kind == "rolled"]
        other = fixed.choose(other, answer).state


def test_semantics_25_a_generator_game_replays_explicitly_from_set_up_on() -> None:
    for seed in range(12):
        mirrored(book(DICE), book(DICE, chance="explicit"), seed, 40)


def test_semantics_25_both_modes_share_layout_and_one_outcome_is_no_chance() -> None:
    free, fixed = book(DICE), book(DICE, chance="explicit")
    assert free.program == fixed.program
    assert free.gamedef_hash == fixed.gamedef_hash
    state = fixed.initial_state()
    assert fixed.current_seat(state) == "chance", "set-up stops too"
    state = fixed.choose(state, 1).state
    assert fixed.current_seat(fixed.choose(state, "throw").state) == "chance"
    assert fixed.current_seat(fixed.choose(state, "fixed").state) == "blue"
    before = free.initial_state(seed=9)
    after = free.choose(before, "fixed").state
    assert cell_seed(list(after.cells)) == cell_seed(list(before.cells)), "nothing was drawn"


def distribution(game: Game, state: State) -> Counter[tuple[Any, ...]]:
    """Exact weights of what explicit chance can lead to, from here to the next seat's decision."""
    found: Counter[tuple[Any, ...]] = Counter()
    stack: list[tuple[State, Fraction, tuple[Any, ...]]] = [(state, Fraction(1), ())]
    while stack:
        here, weight, path = stack.pop()
        decision = asked(game, here)
        if decision.seat != "chance":
            found[path] += weight  # type: ignore[assignment]
            continue
        whole = sum(decision.weights)
        for option, own in zip(decision.options, decision.weights, strict=True):
            following = game.choose(here, option).state
            stack.append((following, weight * Fraction(own, whole), (*path, option)))
    return found


def test_semantics_26_draws_are_weighted_by_count() -> None:
    game = book(DICE, chance="explicit")
    state = game.choose(game.choose(game.initial_state(), 1).state, "pull").state
    decision = asked(game, state)
    assert decision.weights == (3, 3), "three apples, three pears: two outcomes, not six"
    second = asked(game, game.choose(state, decision.options[0]).state)
    assert second.weights == (2, 3)
    exact = distribution(game, state)
    assert sum(exact.values()) == 1
    free = book(DICE)
    seen: Counter[tuple[Any, ...]] = Counter()
    games = 4_000
    for seed in range(games):
        tray = free.observe(free.choose(free.initial_state(seed=mix(seed)), "pull").state, None)
        seen[tuple(sorted(piece["sort"] for piece in tray["places"]["tray"]["pieces"]))] += 1
    both = Fraction(3, 6) * Fraction(2, 5)
    for kind, share in ((("apple", "apple"), both), (("pear", "pear"), both)):
        assert abs(seen[kind] - games * share) < 150, "four standard deviations are 101"


def test_semantics_26_a_shuffle_is_n_minus_1_uniform_steps() -> None:
    rules = DICE.replace("[roll total in 1..3]", "[move all of deck to row]").replace(
        "roll die in 4..4", "shuffle row"
    )
    game = book(rules, chance="explicit")
    state = game.choose(game.initial_state(), "fixed").state
    assert len(asked(game, state).options) == 4
    orders: Counter[tuple[int, ...]] = Counter()
    stack = [(state, 0)]
    depths = set()
    while stack:
        here, depth = stack.pop()
        decision = asked(game, here)
        if decision.seat != "chance":
            row = game.observe(here, None)["places"]["row"]["pieces"]
            orders[tuple(piece["rank"] for piece in row)] += 1
            depths.add(depth)
            continue
        assert len(set(decision.weights)) == 1
        stack += [(game.choose(here, option).state, depth + 1) for option in decision.options]
    assert depths == {3}
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def bounded(word: int, n: int, bits: int) -> int | None:
    """The specified bounded draw from one word of `bits` bits; None where it is rejected."""
    size = 1 << bits
    product = word * n
    if product % size < (size - n) % n:
        return None
    return product // size


def test_semantics_27_splitmix64_to_the_bit() -> None:
    generator = Generator(1234567)
    assert [generator.next(), generator.next()] == [6457827717110365317, 3203168211198807973]


def test_semantics_27_bounded_draws_are_exactly_uniform() -> None:
    for n in range(1, 256):
        counts = Counter(bounded(word, n, 8) for word in range(256))
        counts.pop(None, None)
        assert len(counts) == n
        assert len(set(counts.values())) == 1, "exhaustive at 8 bits"
    for n in (1, 2, 3, 6, 7, 52, 1000, 3 << 30, (1 << 32) - 1):
        words, draws = Generator(n), Generator(n)
        for _ in range(50):
            expected = bounded(words.next() >> 32, n, 32)
            while expected is None:
                expected = bounded(words.next() >> 32, n, 32)
            assert draws.below(n) == expected
        assert words.state == draws.state


def test_semantics_27_the_state_starts_at_the_seed() -> None:
    game = book(DICE.replace("[roll total in 1..3]", "[total = 1]"))
    for seed in (0, 7, 2**64 - 1):
        assert cell_seed(list(game.initial_state(seed=seed).cells)) == seed
    state = game.choose(game.initial_state(seed=5), "throw").state
    assert variable(game, state, "die") == 1 + Generator(5).below(6)


def test_semantics_28_policies_do_not_touch_the_states_generator() -> None:
    game = lw.load("pig", goal=30)
    state = game.initial_state(seed=3)
    recorder = Recorder(game, state)
    played = play_out(game, state, {s: RandomAgent(11) for s in ("p1", "p2")}, recorder=recorder)
    again = game.replay(state, [answer.option for answer in recorder.answers])
    assert again.to_bytes() == played.state.to_bytes()


def test_semantics_28_each_playout_depends_on_its_number_only() -> None:
    assert policy_seed(9, 4) == mix(mix(9) ^ 8)
    assert game_seed(9, 4) == mix(mix(9) ^ 9)
    game = lw.load("pig", goal=30)
    alone = []
    for number in range(6):
        state = game.initial_state(seed=game_seed(1, number))
        shared = RandomAgent(policy_seed(1, number))
        alone.append(play_out(game, state, dict.fromkeys(game.seats[:2], shared)))
    summary = simulate(game, 6, [RandomAgent], 1, players=2)
    assert summary.decisions == sum(played.decisions for played in alone)
    wins = Counter(seat for played in alone if played.result for seat in played.result.winners)
    assert summary.wins == wins


EFFECTS = """
spaces: { point: { track: 3 } }
pieces: { man: { owner: seat, count: 3 }, card: { each: { rank: 1..4 } } }
zones: { deck: { of: card, order: deck, see: count, init: all }, hand: { each: seat, of: card, see: owner } }
vars: { total: 0..99, Seat.gold: 0..99, die: 0..6 }
setup: [place 2 man of red at point1, place 2 man of blue at point2]
procs: { "pay(p, n)": [p.gold += n] }
actions:
  - id: act
    effects:
      - chooseOne: { bind: $a, options: 1..3 }
      - total += $a
      - pay(actor, 2)
      - move point1.piece to point3
      - draw 1 from deck to hand(actor)
      - roll die in 1..6
      - for p in seats do p.gold += die
      - reveal hand(actor)
      - if total > 90 then total = 0
"""


def test_semantics_29_a_fault_anywhere_leaves_everything_as_it_was() -> None:
    game = book(EFFECTS)
    if game.engine != "python":
        pytest.skip("faults are injected into the interpreter's code")
    state = game.choose(game.initial_state(seed=4), "act").state
    before, whole = state.to_bytes(), game.choose(state, 2).state.to_bytes()
    code = core_of(game).machine.code
    hit = 0
    for pc, step in enumerate(code):

        def broken(memory: list[Any]) -> int:
            raise fault(game.program, Trouble("injected", "broken on purpose"), -1)

        code[pc] = broken
        try:
            game.choose(state, 2)
        except lw.RulebookFault:
            hit += 1
        finally:
            code[pc] = step
        assert state.to_bytes() == before
        assert game.choose(state, 2).state.to_bytes() == whole
    assert hit >= 12, "every effect of the action was hit"


def expression(text: str, extra: str = "") -> Game:
    return book(f"""
vars: {{ zero: 0..9, two: 0..9 = 2, big: 0..2000000000 = 2000000000, out: 0..5 }}
actions:
  - id: act
    effects: ['out = {text}']
  {extra}
""")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("two // zero + big * big * big * big", "division"),
        ("big * big * big * big + two // zero", "overflow"),
        ("two % zero", "division"),
        ("big * two", "range"),
        ("two - 5", "range"),
    ],
)
def test_semantics_30_the_first_fault_from_the_left_is_raised(text: str, code: str) -> None:
    game = expression(text)
    state = game.initial_state()
    errors = []
    for _ in range(2):
        with pytest.raises(lw.RulebookFault) as caught:
            game.choose(state, "act")
        errors.append(str(caught.value))
        assert caught.value.code == code
        assert caught.value.span is not None
    assert errors[0] == errors[1]


def test_semantics_30_division_floors_and_intermediates_are_64_bit() -> None:
    for text, value in (("(0 - 7) // 2 + 6", 2), ("(0 - 7) % 4", 1), ("big * big // big - big + 3", 3)):  # fmt: skip
        game = expression(text)
        assert variable(game, game.choose(game.initial_state(), "act").state, "out") == value


def test_semantics_30_refusals_prune_and_faults_do_not() -> None:
    rules = """
vars: { purse: 0..5 = 4 refuse, plain: 0..5 = 4 }
actions:
  - { id: pay, params: { n: 1..9 }, effects: [purse -= n] }
  - { id: burn, params: { m: 1..9 }, effects: [plain -= m] }
"""
    game = book(rules)
    state = game.initial_state()
    assert options(game, game.choose(state, "pay").state) == [1, 2, 3, 4]
    burning = game.choose(state, "burn").state
    assert len(options(game, burning)) == 9, "a fault is a mistake of the rulebook, not a rule"
    with pytest.raises(lw.RulebookFault):
        game.choose(burning, 9)
    with pytest.raises(lw.IllegalMove):
        game.choose(game.choose(state, "pay").state, 9)


def test_semantics_30_endless_work_and_full_queues_are_faults() -> None:
    game = book("""
vars: { a: 0..9, b: 0..9 }
triggers:
  - { id: ping, on: { changed: a }, do: [b = (b + 1) % 10] }
  - { id: pong, on: { changed: b }, do: [a = (a + 1) % 10] }
actions: [{ id: act, effects: [a += 1] }]
""")
    with pytest.raises(lw.RulebookFault) as caught:
        game.choose(game.initial_state(), "act")
    assert "pong" in caught.value.rule or "ping" in caught.value.rule


def test_semantics_31_prose_and_places_are_outside_the_hash() -> None:
    one = lw.load_text(markdown(DICE))
    moved = markdown(DICE).replace("# Fixture", "# Another title\n\nMore words.\n\nAnd more.\n")
    two = lw.load_text(moved)
    assert one.gamedef_hash == two.gamedef_hash
    assert one.gamedef_json == two.gamedef_json
    assert one.initial_state(seed=3).to_bytes() == two.initial_state(seed=3).to_bytes()
    changed = lw.load_text(markdown(DICE.replace("total >= 8", "total >= 9")))
    assert changed.gamedef_hash != one.gamedef_hash


def test_semantics_31_long_and_short_form_are_the_same_game() -> None:
    short = "vars: { gold: 0..9 }\nactions: [{ id: earn, effects: [gold += 2, if gold > 4 then gold = 0] }]"
    long = """
vars: { gold: 0..9 }
actions:
  - id: earn
    effects:
      - addVar: { scope: global, var: gold, delta: 2 }
      - if:
          when: { op: '>', left: { ref: gvar, var: gold }, right: 4 }
          then: [{ setVar: { scope: global, var: gold, value: 0 } }]
"""
    assert book(short).gamedef_json == book(long).gamedef_json


def saved(game: Game, seed: int, limit: int) -> Any:
    state = game.initial_state(seed=seed)
    recorder = Recorder(game, state)
    agents = {seat: RandomAgent(i) for i, seat in enumerate(game.seats[:2])}
    play_out(game, state, agents, limit=limit, recorder=recorder)
    return recorder.trace("fixture", game.gamedef_hash, {}, 2, seed)


def test_semantics_32_a_trace_is_enough_to_resume() -> None:
    game = book(DICE)
    trace = saved(game, 6, 9)
    assert len(trace.entries) >= 5
    again = trace_from_json(json.loads(trace.to_json()))
    resumed = replay(book(DICE), game.gamedef_hash, again)
    assert resumed.ok
    states = resumed.states
    assert game.state_hash(states[-1]) == trace.entries[-1].state_hash
    data = states[-1].to_bytes()
    assert book(DICE).state_from_bytes(data) == states[-1], "bytes are a cache of the same state"


def test_semantics_32_the_first_step_that_differs_is_named() -> None:
    game = book(DICE)
    trace = saved(game, 6, 9)
    entries = list(trace.entries)
    entries[2] = replace(entries[2], state_hash="0" * 32)
    found = replay(game, game.gamedef_hash, replace(trace, entries=tuple(entries)))
    assert found.difference is not None
    assert found.difference.step == 3


def test_semantics_32_a_changed_file_is_refused_with_its_entry() -> None:
    game = book(DICE)
    text = json.loads(saved(game, 6, 9).to_json())
    text["entries"][2]["state_hash"] = "0" * 32
    with pytest.raises(TraceError, match="entry 3"):
        trace_from_json(text)


def test_semantics_32_sealed_answers_replay_in_the_order_they_came() -> None:
    game = book("""
vars: { total: 0..99 }
flow:
  - repeat:
      while: total < 90
      max: 50
      do:
        - chooseOne: { bind: $n, by: seats, together: true, options: 1..3 }
        - for p in seats do total += $n[p]
""")
    state = game.initial_state()
    recorder = Recorder(game, state)
    for seat, option in (("blue", 2), ("red", 1), ("red", 3), ("blue", 3)):
        decision = asked(game, state, seat)
        step = game.choose(state, option, seat)
        recorder.add(decision, option, step)
        state = step.state
    trace = recorder.trace("fixture", game.gamedef_hash, {}, 2, 0)
    assert [entry.seat for entry in trace.entries] == ["blue", "red", "red", "blue"]
    found = replay(game, game.gamedef_hash, trace)
    assert found.difference is None
    assert found.states[-1] == state


def test_semantics_32_the_gamedef_can_be_embedded_and_loaded(tmp_path: Any) -> None:
    """A save that carries the GameDef can be resumed though the rulebook has changed since."""
    game = book(DICE)
    path = tmp_path / "saved.json"
    path.write_bytes(game.gamedef_json)
    loaded = lw.load(str(path))
    assert loaded.gamedef_hash == game.gamedef_hash
    trace = saved(game, 6, 9)
    assert replay(loaded, loaded.gamedef_hash, trace).ok


def test_semantics_26_drawing_more_than_there_are_is_a_fault() -> None:
    rules = DICE.replace("pre: count(bag) >= 2", "pre: count(bag) >= 0")
    greedy = rules.replace("draw 2 from bag", "draw 7 from bag")
    game = book(greedy)
    with pytest.raises(lw.RulebookFault):
        game.choose(game.initial_state(), "pull")
    modest = book(rules.replace("draw 2 from bag", "draw up to 7 from bag"))
    state = modest.choose(modest.initial_state(), "pull").state
    assert modest.observe(state, None)["places"]["tray"]["count"] == 6
