"""The twelve numbered cases of phase defaults (see `docs/requirements.md`)."""

from __future__ import annotations

import json

import pytest

import ludwright as lw
from ludwright import Game, Move, RulebookFault, State
from ludwright.language.gamedef import GameDef
from tests.seeds.support import FIXTURES, book, ids, refused, variables


def in_phase(name: str, **parameters: int | bool) -> tuple[Game, State]:
    """The fixture in one of its phases."""
    game = book("defaults", **parameters)
    state = game.initial_state()
    way = {"betting": [], "plain": ["drift"], "showdown": ["fold"]}[name]
    for action in way:
        state = game.apply_move(state, Move(action)).state
    assert game.observe(state, None)["phase"] == name
    return game, state


def after(game: Game, state: State, action: str) -> dict[str, int]:
    return variables(game, game.apply_move(state, Move(action)).state)


# --------------------------------------------------------------- legal moves


def test_defaults_01_legal_where_phase_and_action_conditions_hold() -> None:
    game, state = in_phase("betting")
    assert "bet" in ids(game.legal_moves(state))
    game.validate_move(state, Move("bet"))


def test_defaults_02_phase_condition_fails_and_the_actions_own_is_not_evaluated() -> None:
    """`divide` divides by zero in its own condition, so that a look at it is a fault. Where the
    phase's condition fails nothing of the phase can be done, and the rulebook goes on."""
    with pytest.raises(RulebookFault) as caught:
        book("defaults", divisor=0).initial_state()
    assert caught.value.code == "division"
    game = book("defaults", divisor=0, active_hand=False)
    state = game.initial_state()
    assert game.observe(state, None)["phase"] == "plain"
    assert variables(game, state)["cleanUps"] == 0


def test_defaults_03_phase_condition_holds_but_the_actions_own_fails() -> None:
    game, state = in_phase("betting", gold=2)
    moves = ids(game.legal_moves(state))
    assert "bet" not in moves
    assert "check" in moves
    refused(game, state, Move("bet"))


def test_defaults_04_phase_without_defaults_gates_nothing() -> None:
    game, state = in_phase("plain")
    assert ids(game.legal_moves(state)) == ["bet", "check"]


def test_defaults_05_action_without_condition_has_only_that_of_the_phase() -> None:
    game, state = in_phase("betting", gold=0)
    assert "check" in ids(game.legal_moves(state))
    closed = book("defaults", active_hand=False)
    assert closed.observe(closed.initial_state(), None)["phase"] == "plain"  # not even `check`


# ---------------------------------------------------------------- apply move


def test_defaults_06_after_effects_follow_the_actions_effects() -> None:
    game, state = in_phase("betting")
    found = after(game, state, "bet")
    assert (found["actionAt"], found["afterAt"], found["cleanUps"]) == (1, 2, 1)


def test_defaults_07_after_effects_see_what_the_action_changed() -> None:
    game, state = in_phase("betting")
    assert after(game, state, "bet")["seenByAfter"] == 3
    assert after(game, state, "check")["seenByAfter"] == 1


def test_defaults_08_triggers_fire_after_the_after_effects() -> None:
    game, state = in_phase("betting")
    found = after(game, state, "bet")
    assert found["actionAt"] < found["afterAt"] < found["triggerAt"]
    step = game.apply_move(state, Move("bet"))
    told = [event.fields.get("variable", event.kind) for event in step.events()]
    assert told.index("cleanUps") < told.index("triggered") < told.index("turn")


@pytest.mark.parametrize("action", ["fold", "skip"])  # gotoPhaseExact, advancePhase
def test_defaults_09_after_effects_of_the_originating_phase_run_when_the_phase_changes(
    action: str,
) -> None:
    game, state = in_phase("betting")
    step = game.apply_move(state, Move(action))
    found = variables(game, step.state)
    assert game.observe(step.state, None)["phase"] == "showdown"
    assert (found["cleanUps"], found["otherCleanUps"]) == (1, 0)
    assert found["afterAt"] < found["enteredAt"]  # semantics 34: before onEnter
    shown = variables(game, game.apply_move(step.state, Move("show")).state)
    assert (shown["cleanUps"], shown["otherCleanUps"]) == (1, 1)


def test_defaults_10_phase_without_defaults_has_no_after_effects() -> None:
    game, state = in_phase("plain")
    before = variables(game, state)
    found = after(game, state, "bet")
    assert found["pot"] == before["pot"] + 3
    assert (found["cleanUps"], found["otherCleanUps"]) == (before["cleanUps"], 0)


# ------------------------------------------------------------------ lowering

SHORT = """
      pre: handActive == true
      afterEffects:
        - step += 1
        - afterAt = step
        - seenByAfter = pot
        - cleanUps += 1
"""


def test_defaults_11_condition_and_after_effects_are_lowered_in_both_spellings() -> None:
    text = (FIXTURES / "defaults.md").read_text(encoding="utf-8")
    start = text.index("      pre: { op: '==', left: { ref: gvar, var: handActive }")
    end = text.index("  - id: showdown")
    short = lw.load_text(text[:start].rstrip(" ") + SHORT.lstrip("\n") + text[end:])
    long = book("defaults")
    assert short.gamedef_hash == long.gamedef_hash
    assert isinstance(long.gamedef, GameDef)
    betting = long.gamedef.phases[0]
    assert betting.default_pre is not None
    assert len(betting.default_after) == 4
    bare = lw.load_text(text[: text.index("    actionDefaults:")] + text[end:])
    assert bare.gamedef_hash != long.gamedef_hash


def test_defaults_11_mistakes_in_defaults_are_diagnosed_where_they_stand() -> None:
    text = (FIXTURES / "defaults.md").read_text(encoding="utf-8")
    wrong = text.replace("left: { ref: gvar, var: handActive }", "left: { ref: gvar, var: hands }")
    wrong = wrong.replace("var: seenByAfter, value", "var: seenByBefore, value")
    with pytest.raises(lw.RulebookError) as caught:
        lw.load_text(wrong)
    lines = wrong.splitlines()
    found = {lines[d.span.line - 1].strip() for d in caught.value.diagnostics if d.span}
    assert any(line.startswith("pre:") for line in found)
    assert any("seenByBefore" in line for line in found)


def test_defaults_12_phase_without_defaults_lowers_to_none() -> None:
    game = book("defaults")
    assert isinstance(game.gamedef, GameDef)
    plain = game.gamedef.phases[2]
    assert (plain.id, plain.default_pre, plain.default_after) == ("plain", None, ())
    phases = {phase["id"]: phase for phase in json.loads(game.gamedef_json)["phases"]}
    assert not phases["plain"].get("default_after")
    assert not phases["plain"].get("default_pre")


def test_defaults_determinism_same_moves_give_the_same_bytes() -> None:
    game, state = in_phase("betting")
    ends: list[bytes] = []
    for _ in range(2):
        here = state
        for action in ("bet", "check", "check", "fold", "show"):
            here = game.apply_move(here, Move(action)).state
        ends.append(here.to_bytes())
    assert ends[0] == ends[1]


def test_defaults_usage_counts_the_action_once() -> None:
    """Three bets a game, not two, not four."""
    game, state = in_phase("betting", gold=20)
    for _ in range(3):
        state = game.apply_move(state, Move("bet")).state  # first
        state = game.apply_move(state, Move("check")).state  # second
    assert "bet" not in ids(game.legal_moves(state))
    assert variables(game, state)["cleanUps"] == 6


ORDER = """
game: { id: order, title: Order, players: 2 }
vars: { log: "list[0..9, 20]", note: 0..9 }
phases:
  - id: main
    actionDefaults:
      afterEffects:
        - log = log + [2]
        - AFTER
triggers:
  - on: { changed: note }
    effects:
      - log = log + [3]
      - TRIGGERED
actions:
  - { id: once, limits: { game: 1 }, effects: ["log = log + [1]", note += 1] }
  - { id: pass }
"""
OFFER = '{ offer: { by: actor, actions: [once], none: ["log = log + [9]"] } }'


def ordered(after: str, triggered: str) -> Game:
    text = ORDER.replace("AFTER", after).replace("TRIGGERED", triggered)
    return lw.load_text(f"# Order\n\n```yaml{text}```\n")


def test_defaults_usage_is_counted_after_the_after_effects_and_before_triggers() -> None:
    """Who offers an action that may be taken once sees when it counts as used: not yet in
    `afterEffects`, already in a trigger."""
    game = ordered(OFFER, "note += 0")
    step = game.choose(game.initial_state(), "once")
    decision = game.decision(step.state)
    assert decision is not None
    assert (list(decision.options), decision.head) == (["once"], False)
    after = game.choose(step.state, "once").state
    assert variables(game, after)["log"] == [1, 2, 1, 3, 3]

    game = ordered("note += 0", OFFER)
    step = game.choose(game.initial_state(), "once")
    assert step.part_ended  # nothing was asked: `none` was carried out
    assert variables(game, step.state)["log"] == [1, 2, 3, 9]


def test_defaults_belong_to_the_move_not_to_actions_offered_inside_it() -> None:
    """The gate is tested before the move, the clean-up runs once at its end; what is offered inside
    has its own limits and triggers, and no defaults."""
    text = """
game: { id: inside, title: Inside, players: 2 }
vars: { log: "list[0..9, 20]", ok: bool = true }
phases:
  - id: main
    actionDefaults: { pre: ok, afterEffects: ["log = log + [8]"] }
triggers:
  - { on: { resolved: inner }, effects: ["log = log + [3]"] }
actions:
  - id: outer
    effects: [ok = false, { offer: { by: actor, actions: [inner] } }, ok = true, "log = log + [4]"]
  - { id: inner, limits: { game: 1 }, effects: ["log = log + [1]"] }
  - { id: pass }
"""
    game = lw.load_text(f"# Inside\n\n```yaml{text}```\n")
    state = game.initial_state()
    state = game.choose(game.choose(state, "outer").state, "inner").state
    assert variables(game, state)["log"] == [1, 3, 4, 8]
    state = game.apply_move(state, Move("pass")).state
    assert "inner" not in ids(game.legal_moves(state))  # it was used, inside


def test_defaults_operations_have_them_like_any_action() -> None:
    text = """
game: { id: profiled, title: Profiled, players: 2 }
spaces: { land: { track: 2 } }
vars: { log: "list[0..9, 20]", gold: 0..9 = 3, ok: bool = OK }
phases:
  - id: main
    actionDefaults: { pre: ok, afterEffects: ["log = log + [8]"] }
  - id: other
operations:
  - id: train
    phase: main
    legality: 4 // gold > 0
    cost: { validate: gold >= 2, spend: [gold -= 2, "log = log + [1]"] }
    resolution:
      - { stage: one, effects: [{ chooseOne: { bind: $s, options: land } }, "log = log + [2]"] }
    linkedSpecialActivityWindows: [raid]
specials: [{ id: raid, timing: after, effects: ["log = log + [3]"] }]
actions: [{ id: idle, phase: other }]
noMoves: [goto other]
"""
    game = lw.load_text(f"# Profiled\n\n```yaml{text.replace('OK', 'true')}```\n")
    move = Move("train", {"$s": "land1", "__special_after": "raid"})
    state = game.apply_move(game.initial_state(), move).state
    assert variables(game, state)["log"] == [1, 2, 3, 8]
    # Where the phase's condition fails, legality (which would divide by zero) is not looked at.
    barred = text.replace("OK", "false").replace("gold: 0..9 = 3", "gold: 0..9 = 0")
    game = lw.load_text(f"# Profiled\n\n```yaml{barred}```\n")
    assert game.observe(game.initial_state(), None)["phase"] == "other"


def test_defaults_speak_of_the_actor_of_the_action() -> None:
    """Condition and clean-up of a phase mean the same seat as those of the action, both spellings."""
    text = """
game: { id: purses, title: Purses, players: 2 }
seats: [red, blue]
vars: { Seat.coins: 0..9 = 1, spent: 0..9 }
setup: [blue.coins = 2]
phases:
  - id: main
    actionDefaults:
      pre: PRE
      afterEffects: [AFTER]
actions:
  - { id: buy, pre: actor.coins > 0, effects: [spent += 1] }
noMoves: [end turn]
end: [{ when: spent == 3, draw: all, reason: sold }]
"""
    spellings = [
        ("actor.coins > 0", "actor.coins -= 1"),
        (
            "{ op: '>', left: { ref: pvar, player: actor, var: coins }, right: 0 }",
            "{ addVar: { scope: pvar, player: actor, var: coins, delta: -1 } }",
        ),
    ]
    for pre, clean_up in spellings:
        rules = text.replace("PRE", pre).replace("AFTER", clean_up)
        game = lw.load_text(f"# Purses\n\n```yaml{rules}```\n")
        state = game.initial_state()
        buyers: list[str | None] = []
        while game.result(state) is None:
            buyers.append(game.current_seat(state))
            state = game.apply_move(state, Move("buy")).state
        assert buyers == ["red", "blue", "blue"]  # red has nothing left
        assert variables(game, state)["coins"] == {"red": 0, "blue": 0}


def test_defaults_of_a_template_come_with_each_phase_made_from_it() -> None:
    text = """
game: { id: streets, title: Streets, players: 2 }
vars: { gold: 0..50 = 5 }
phaseTemplates:
  street:
    params: { gain: 0..9, least: 0..50 = 0 }
    phase:
      actionDefaults: { pre: gold >= least, afterEffects: [gold += gain] }
phases:
  - { fromTemplate: street, name: flop, gain: 3 }
  - { fromTemplate: street, name: river, gain: 1, least: 9 }
actions:
  - { id: go, effects: [next phase] }
noMoves: [end game draw]
"""
    game = lw.load_text(f"# Streets\n\n```yaml{text}```\n")
    state = game.apply_move(game.initial_state(), Move("go")).state
    # gold is 8 now, which is less than the river asks for: nobody can move there
    assert variables(game, state)["gold"] == 8
    assert game.result(state) is not None
    rich = lw.load_text(f"# Streets\n\n```yaml{text.replace('= 5', '= 6')}```\n")
    state = rich.apply_move(rich.initial_state(), Move("go")).state
    assert rich.observe(state, None)["phase"] == "river"
    assert variables(rich, rich.apply_move(state, Move("go")).state)["gold"] == 10
