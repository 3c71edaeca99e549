"""Semantics 11: every decision of a move has an id of its own, whatever nests in whatever."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw

BOOK = """
```yaml
game: {{ id: ids, title: Ids, players: 2 }}
seats: [red, blue]
spaces: {{ land: {{ track: 3 }} }}
tables: {{ Card: [{{ id: gift }}] }}
vars: {{ total: 0..99 clamp, noise: 0..99 clamp, Space.n: 0..20 clamp, current: Card? = gift }}
{body}
end: [{{ when: total > 98, draw: true }}]
```
"""

OPERATIONS = """
operations:
  - id: dig
    cost: { validate: total >= 50, spend: [total -= 50] }
    effects: [{ chooseOne: { bind: $s, options: land } }, $s.n += 1]
  - id: sow
    cost: { validate: total >= 50, spend: [total -= 50] }
    effects: [{ chooseOne: { bind: $s, options: land } }, $s.n += 2]
"""


def _moved(body: str, action: str, pick: int = 0, **params: Any) -> list[str]:
    """The ids that a move asks for, each on a state fresh from its bytes; the move is played."""
    game = lw.load_text(BOOK.format(body=body))
    data = game.initial_state().to_bytes()
    move = lw.Move(action, params)
    asked: list[str] = []
    while not (request := game.legal_choices(game.state_from_bytes(data), move)).complete:
        assert request.decision_id is not None
        assert len(asked) < 40
        asked.append(request.decision_id)
        move = move.with_param(request.decision_id, request.options[pick])
    state = game.state_from_bytes(data)
    assert request.legal
    assert game.why(state, move).legal
    game.validate_move(state, move)
    step = game.apply_move(state, move)
    assert len(set(asked)) == len(asked)
    assert _one_by_one(game, game.state_from_bytes(data), action, asked, move, step) == asked
    return asked


def _one_by_one(
    game: lw.Game, state: lw.State, action: str, asked: list[str], move: lw.Move, step: Any
) -> list[str]:
    """The ids of the same decisions, answered one after another."""
    found = game.choose(state, action)
    met = list(move.params)[: len(move.params) - len(asked)]
    for known in met:
        found = game.choose(found.state, move.params[known])
    ids: list[str] = []
    while not found.part_ended:
        decision = game.decision(found.state)
        assert decision is not None
        ids.append(decision.decision_id)
        found = game.choose(found.state, move.params[decision.decision_id])
    assert found.state.to_bytes() == step.state.to_bytes()
    return ids


def test_semantics_11_two_statements_with_one_bind() -> None:
    body = """
actions:
  - { id: pass }
  - id: act
    effects:
      - forEach: { bind: i, over: 1..2, do: [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x] }
      - forEach: { bind: j, over: 1..2, do: [{ chooseOne: { bind: $x, options: 4..6 } }, total += $x] }
"""
    assert _moved(body, "act") == ["$x[0]", "$x[1]", "$x@2[0]", "$x@2[1]"]


def test_semantics_11_branches_share_an_id() -> None:
    body = """
actions:
  - { id: pass }
  - id: act
    effects:
      - if:
          when: total > 3
          then: [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x]
          else: [{ chooseOne: { bind: $x, options: 4..6 } }, total += $x]
"""
    assert _moved(body, "act") == ["$x"]


def test_semantics_11_a_granted_operation() -> None:
    body = (
        OPERATIONS
        + """
actions:
  - { id: pass }
  - { id: grant, effects: [{ offer: { actions: [dig, sow], free: true } }] }
"""
    )
    assert _moved(body, "grant") == ["grant.action", "$s"]
    assert _moved(body, "grant", -1) == ["grant.action", "$s"]


def test_semantics_11_offers_in_an_event_in_a_loop() -> None:
    body = (
        OPERATIONS
        + """
events:
  - id: gift
    unshaded:
      - forEach: { bind: $i, over: 1..2, effects: [{ offer: { actions: [dig, sow], free: true } }] }
    shaded: [total += 1]
actions:
  - { id: pass }
  - { id: event, effects: [resolve current] }
"""
    )
    asked = ["event.action[0]", "$s[0]", "event.action[1]", "$s[1]"]
    assert _moved(body, "event", side="unshaded") == asked


def test_semantics_11_the_same_action_offered_twice_and_offers_in_offers() -> None:
    body = """
actions:
  - { id: pass }
  - { id: plain, params: { where: land }, effects: [where.n += 1] }
  - { id: twice, effects: [{ offer: { actions: [plain] } }, { offer: { actions: [plain, pass] } }] }
  - id: deep
    effects:
      - chooseOne: { bind: where, options: land }
      - offer: { actions: [twice, pass] }
"""
    assert _moved(body, "plain") == ["where"]
    assert _moved(body, "twice") == ["plain.where", "twice.action", "plain@2.where"]
    assert _moved(body, "deep") == [
        "where", "deep.action", "twice.plain.where", "deep.twice.action", "twice.plain@2.where",
    ]  # fmt: skip


def test_semantics_11_one_procedure_reached_by_two_others() -> None:
    body = """
procs:
  ask(): [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x]
  left(): [ask()]
  right(): [ask(), ask()]
actions:
  - { id: pass }
  - { id: act, effects: [left(), right(), ask()] }
"""
    assert _moved(body, "act") == ["left.$x", "right.ask.$x", "right.ask@2.$x", "ask.$x"]


def test_semantics_11_names_that_look_alike() -> None:
    """A card, a procedure and an action whose names are written the same, and a parameter that
    is called like the decision between the actions."""
    body = """
procs:
  card_gift(): [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x]
events:
  - { id: gift, effects: [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x] }
actions:
  - { id: pass }
  - id: act
    params: { action: 1..3 }
    effects: [resolve current, card_gift(), total += action, { offer: { actions: [pass, pass2] } }]
  - { id: pass2 }
"""
    assert _moved(body, "act") == [
        "act.action", "card_gift.$x", "card_gift@2.$x", "act.action@2",
    ]  # fmt: skip


def test_semantics_11_special_activities() -> None:
    """Only one of them is taken, so its windows share ids; what it calls is not named after it."""
    body = """
procs:
  special(): [{ chooseOne: { bind: $at, options: land } }, $at.n += 1]
operations:
  - id: march
    resolution:
      - { stage: go, effects: [{ chooseOne: { bind: $to, options: land } }, $to.n += 1] }
      - { stage: rest, effects: [special()] }
    linkedSpecialActivityWindows: [raid]
specials:
  - id: raid
    timing: [before, after]
    effects: [{ chooseOne: { bind: $at, options: land } }, $at.n += 1, special()]
actions: [{ id: pass }]
"""
    asked = ["__special_before", "special.$at", "special@2.$at", "$to", "special@3.$at"]
    assert _moved(body, "march", -1) == asked
    first = ["__special_before", "$to", "special@3.$at", "__special_after"]
    assert _moved(body, "march") == first


@pytest.mark.parametrize("trigger", ["phase: second", "changed: total"])
def test_semantics_11_what_is_asked_between_moves_is_a_move(trigger: str) -> None:
    """Else the decision of a trigger and the action that follows would be one move."""
    timing = "" if trigger.startswith("phase") else ", immediate: true"
    body = """
phases:
  - { id: first, actions: [go] }
  - { id: second, onEnter: [total += 1], actions: [go] }
turn: { order: programmed }
actions:
  - { id: go, effects: [{ chooseOne: { bind: $x, options: 1..3 } }, noise += $x, next phase] }
triggers:
  - { id: toll, WHEN, effects: [{ chooseOne: { bind: $x, by: red, options: 1..3 } }, noise += $x] }
""".replace("WHEN", f"on: {{ {trigger} }}{timing}")
    game = lw.load_text(BOOK.format(body=body))
    step = game.apply_move(game.initial_state(), lw.Move("go", {"$x": 1}))
    decision = game.decision(step.state)
    assert decision is not None
    assert decision.head
    assert decision.decision_id == "$x"
    step = game.apply_move(step.state, lw.Move("toll", {"$x": 2}))
    assert step.barrier == "end"
    assert game.legal_moves(step.state) == [lw.Move("go")]


def test_semantics_11_the_side_of_a_card_between_moves_is_a_move() -> None:
    body = """
events:
  - id: gift
    unshaded: [{ chooseOne: { bind: $x, options: 1..3 } }, total += $x]
    shaded: [total += 1]
actions: [{ id: go, effects: [noise += 1, { chooseOne: { bind: $x, options: 1..2 } }] }]
flow:
  - repeat:
      while: total < 50
      do: [{ offer: { by: red, actions: [go] } }, resolve current]
  - end game draw
"""
    game = lw.load_text(BOOK.format(body=body))
    state = game.apply_move(game.initial_state(), lw.Move("go", {"$x": 1})).state
    assert game.legal_moves(state) == [
        lw.Move("gift", {"side": "unshaded"}), lw.Move("gift", {"side": "shaded"}),
    ]  # fmt: skip
    step = game.apply_move(state, lw.Move("gift", {"side": "unshaded", "$x": 2}))
    assert step.barrier == "end"
    assert game.legal_moves(step.state) == [lw.Move("go")]
