"""Rule 8: only moves that can be finished are offered, so whatever may refuse a move must be in sight.

Each rule is written once with something that the chooser sees, and once with something that it does
not. That the second would give the secret away is shown as well: with `declassify` it does.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

import ludwright as lw
from tests.semantics.books import book, codes

CARDS = """
pieces: { card: { each: { rank: 1..6 }, up: bool } }
spaces: { side: { track: 3 } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner, order: row LIMITS }
  pile: { of: card, order: row }
vars:
  omen: { type: 0..3, see: none }
  fate: 0..3
  open: 0..9
  Seat.plan: { type: 0..3, see: owner, overflow: refuse }
markers: { sign: { states: [low, high], on: side, constraints: [{ when: SIGN, allowed: [low] }] } }
setup:
  - for p in seats do draw 2 from deck to hand(p)
  - roll omen in 0..3
  - fate = 2
  - for p in seats do roll p.plan in 1..2
  - for p in seats do for c in hand(p) do roll c.up in [true, false]
"""
PASS = "\n  - { id: pass }\n"
ACT = "actions:\n  - { id: act, params: { n: 0..3 }, effects: [open = n], RULE }" + PASS
# A rule, what the chooser sees, what it does not see.
RULES = {
    "ensure of an action": (ACT.replace("RULE", "ensure: open >= X"), "fate", "omen"),
    "best of an action": (ACT.replace("RULE", "best: open == X"), "actor.plan", "omen"),
    "best of cards": (
        ACT.replace("RULE", "best: count(c for c in hand(X) if c.rank == open)"),
        "actor",
        "opponent(actor)",
    ),
    "pre with parameters": (
        ACT.replace("RULE", "pre: n >= X"),
        "actor.plan",
        "opponent(actor).plan",
    ),
    "ensure of turns": (
        ACT.replace(", RULE", "") + "turn: { offer: [act, pass], ensure: open >= X }\n",
        "fate",
        "omen",
    ),
    "best of turns": (
        ACT.replace(", RULE", "") + "turn: { offer: [act, pass], best: open == X }\n",
        "fate",
        "omen",
    ),
    "ensure of an offer": (
        ACT.replace(", RULE", "")
        + '  - { id: go, effects: [{ offer: { actions: [act], ensure: "open >= X" } }] }\n'
        "turn: { offer: [go, pass] }\n",
        "fate",
        "omen",
    ),
    "within": (
        "actions:\n  - { id: in, params: { x: side }, effects: [open = 1] }"
        + PASS
        + '  - { id: go, effects: [{ offer: { actions: [in], within: "[y for y in side if y.index <= X]" } }] }\n'
        "turn: { offer: [go, pass] }\n",
        "fate",
        "omen",
    ),
    "a marker": (
        'actions:\n  - { id: act, effects: ["side[0].sign = high"] }' + PASS,
        "",
        "SIGN",
    ),
    "a limit of a zone": (
        'actions:\n  - { id: act, params: { c: "c for c in hand(actor)" }, effects: ["move c to hand(opponent(actor))"] }'
        + PASS,
        "",
        "LIMITS",
    ),
    "pieces with a property": (
        'actions:\n  - { id: act, effects: ["move 1 card with up=true from hand(X) to pile"] }'
        + PASS,
        "actor",
        "opponent(actor)",
    ),
    "a variable that refuses": (
        'actions:\n  - { id: act, effects: ["X.plan -= 2"] }' + PASS,
        "actor",
        "opponent(actor)",
    ),
    "how often a position came": (
        "history: { h: { of: [X], keep: last 5 } }\n"
        "actions:\n  - { id: act, pre: times(h) > 0 }\n  - { id: note, effects: [record h] }\n",
        "pile",
        "hand(blue)",
    ),
}


def written(rule: str, seen: bool) -> str:
    text, known, unknown = RULES[rule]
    secret = unknown if not seen else known
    sign = "omen > 1" if secret == "SIGN" else "fate > 1"
    limits = ", limits: [{ max: 1, of: it.rank > 4 }]" if secret == "LIMITS" else ""
    return CARDS.replace("SIGN", sign).replace("LIMITS", limits) + text.replace("X", secret)


@pytest.mark.parametrize("rule", RULES)
def test_semantics_08_what_may_refuse_is_in_sight(rule: str) -> None:
    assert codes(written(rule, seen=False)) == ["hidden-read"]
    assert codes(written(rule, seen=True)) == []


def test_semantics_08_how_many_lie_somewhere_is_no_secret() -> None:
    take = (
        'actions:\n  - { id: act, effects: ["move 1 card from hand(opponent(actor)) to pile"] }'
        + PASS
    )
    plain = CARDS.replace("SIGN", "fate > 1").replace("LIMITS", "")
    assert codes(plain + take) == []


@pytest.mark.parametrize("rule", ["ensure of an action", "best of an action"])
def test_semantics_08_otherwise_the_offer_would_tell(rule: str) -> None:
    """States that look the same to a seat offer it different things, if a rule may read secrets."""
    hidden = written(rule, seen=False).replace("omen }", "declassify(omen) }")
    assert codes(hidden) == []
    assert leaks(hidden)
    assert not leaks(written(rule, seen=True))


def leaks(text: str) -> bool:
    """Whether two first states that differ for a seat only in what it is offered are found."""
    game = book(text)
    offered: dict[str, set[str]] = defaultdict(set)
    for seed in range(400):
        state = game.initial_state(seed)
        seen = game.observe(state, "red")
        assert isinstance(seen, dict)
        moves = str(sorted(map(str, _answers(game, state))))
        offered[str({key: value for key, value in seen.items() if key != "decision"})].add(moves)
    return any(len(found) > 1 for found in offered.values())


def _answers(game: lw.Game, state: lw.State) -> list[object]:
    found: list[object] = []
    for move in game.legal_moves(state):
        request = game.legal_choices(state, move)
        found += [move, list(request.options)]
    return found
