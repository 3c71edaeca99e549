"""Rule 8: what decides an offer reads only what the chooser sees, and everything it does see."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from tests.semantics.books import book, codes

CARDS = """
pieces: { card: { each: { rank: 1..6 } }, road: { owner: seat, count: 3 } }
spaces: { side: { track: 5 } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  pile: { of: card }
vars: { n: 0..9, Seat.plan: { type: 0..3, see: owner } }
setup: [for p in seats do draw 2 from deck to hand(p)]
"""
ACTION = "actions:\n  - id: act\n    effects:\n      - ASK\n  - { id: pass }\n"
GIVE = "chooseOne: { bind: $x, by: red, options: OPTIONS, optional: true }"
FLOW = """
procs:
  play(p):
    - chooseOne: { bind: $c, BY options: c for c in HAND }
    - move $c to pile
flow:
  - repeat: { while: n < 2, max: 2, do: [n += 1, CALL] }
  - end game draw
"""


def flow(by: str, hand: str, call: str) -> str:
    return CARDS + FLOW.replace("BY", by).replace("HAND", hand).replace("CALL", call)


OWN = {
    "a constant seat": CARDS
    + ACTION.replace("ASK", GIVE.replace("OPTIONS", "c for c in hand(red)")),
    "with a filter": CARDS
    + ACTION.replace("ASK", GIVE.replace("OPTIONS", "c for c in hand(red) if c.rank > 2")),
    "an own variable": CARDS + ACTION.replace("ASK", GIVE.replace("OPTIONS", "0..red.plan")),
    "by a parameter": flow("by: p,", "hand(p)", "for p in seats do play(p)"),
    "called by": flow("", "hand(p)", '"for p in seats do play(p, by=p)"'),
    "the actor of a choice": flow("", "hand(actor)", '"for p in seats do play(p, by=p)"'),
    "called twice": flow("", "hand(p)", '"play(red, by=red)", "play(blue, by=blue)"'),
    "a local": CARDS
    + ACTION.replace(
        "ASK", "let mine = actor\n      - chooseOne: { bind: $x, options: hand(mine) }"
    ),
    "a zone in a local": CARDS
    + ACTION.replace(
        "ASK", "let mine = hand(actor)\n      - chooseOne: { bind: $x, options: mine.pieces }"
    ),
    "pieces that are never hidden": CARDS
    + """
fns: { left(p): count(x for x in road if x.owner == p and x.place == none) }
actions:
  - id: build
    pre: left(actor) > 0
    params: { s: x for x in side if x.piece == none }
    effects: [place road of actor at s]
  - { id: pass }
""",
    "where a piece lies that is never hidden": CARDS
    + """
actions:
  - id: go
    pre: any(x for s in side for x in s)
    effects:
      - chooseOne: { bind: $r, options: x for s in side for x in s }
      - chooseOne: { bind: $s, options: s for s in side if s != $r.place }
      - move $r to $s
  - { id: pass, effects: ["if side[0].piece == none then place road of actor at side[0]"] }
""",
}
OTHERS = {
    "the other's hand": CARDS
    + ACTION.replace("ASK", GIVE.replace("OPTIONS", "c for c in hand(blue)")),
    "the actor's hand, by another": CARDS
    + ACTION.replace("ASK", GIVE.replace("OPTIONS", "c for c in hand(actor)")),
    "the other's variable": CARDS + ACTION.replace("ASK", GIVE.replace("OPTIONS", "0..blue.plan")),
    "called by someone else": flow("", "hand(p)", '"for p in seats do play(p, by=opponent(p))"'),
    "once by someone else": flow("", "hand(p)", '"play(red, by=red)", "play(blue, by=red)"'),
    "a parameter that has changed": flow(
        "", "hand(p)", '"for p in seats do play(p, by=p)"'
    ).replace("play(p):", "play(p):\n    - p = red"),
    "another zone in a local": CARDS
    + ACTION.replace(
        "ASK",
        "let theirs = hand(opponent(actor))\n      - chooseOne: { bind: $x, options: theirs.pieces }",
    ),
    "where a card lies": CARDS
    + ACTION.replace(
        "ASK", GIVE.replace("OPTIONS", "s for s in side if any(c for c in card if c.place == s)")
    ),
    "a road in a hand for anything": CARDS.replace("hand: { of: card,", "hand: {").replace(
        "setup: [", "setup: [place road of red at hand(red), "
    )
    + ACTION.replace(
        "ASK", GIVE.replace("OPTIONS", "1..count(x for x in road if x.place == none)")
    ),
}

# What a procedure is given, and what it gives back, is as secret as where it came from.
PASSED = """
procs:
  "ask(c: card)":
    - chooseOne: { bind: $x, BY options: k for k in 1..6 if k > c.rank, optional: true }
  "guarded(c: card)":
    - menu: { options: { high: { if: c.rank > 3, do: [n += 1] }, low: [n += 2] } }
  bounded(k):
    - chooseN: { bind: $z, min: 0, max: k, options: 1..6 }
  "wanted(c: card)":
    - require c.rank > 3
  "through(c: card)":
    - ask(c)
  lowest(p):
    - let c = first(c for c in hand(p))
    - if c != none then return c.rank
    - return 0
  start(p):
    - let c = first(c for c in hand(p))
    - if: { when: c != none, then: CALL }
actions:
  - { id: act, effects: [BEGIN] }
  - { id: pass }
"""


def passed(call: str, begin: str = "start(actor)", by: str = "") -> str:
    rules = PASSED.replace("CALL", f"[{call}]").replace("BEGIN", begin)
    cards = CARDS.replace(", road: { owner: seat, count: 3 }", "")  # every piece has a rank
    return cards + rules.replace("BY", f"by: {by}," if by else "")


OTHER = '"start(opponent(actor))"'
OWN |= {
    f"passed to {call}": passed(call)
    for call in ("ask(c)", "guarded(c)", "bounded(c.rank)", "wanted(c)", "through(c)")
}
OWN |= {
    "a chosen card of one's own": passed("ask(c)")
    + """
  - id: show
    pre: any(c for c in hand(actor))
    params: { c: c for c in hand(actor) }
    effects: [through(c)]
""",
    "passed and declassified": passed("ask(declassify(c))", OTHER),
    "passed, never read": passed("bounded(2)", OTHER),
    "returned": passed("let d = lowest(p), bounded(d)"),
    "passed by the one who is asked": passed('"ask(c, by=p)"', OTHER),
    "an open card": passed("ask(c)").replace("hand(p)", "pile"),
}
OTHERS |= {
    f"passed to {call}": passed(call, OTHER)
    for call in ("ask(c)", "guarded(c)", "bounded(c.rank)", "wanted(c)", "through(c)")
}
OTHERS |= {
    "passed to another": passed("ask(c)", by="opponent(actor)"),
    "passed by one of two callers": passed("ask(c)", f'"start(actor)", {OTHER}'),
    "returned": passed("let d = lowest(opponent(p)), bounded(d)"),
    "passed, asked of another": passed('"ask(c, by=opponent(p))"'),
    "passed before the actor changes": passed("ask(c)", by="q").replace(
        '"ask(c: card)":', '"ask(c: card)":\n    - let q = actor\n    - q = opponent(actor)'
    ),
    "kept while the chooser changes": CARDS
    + """
actions:
  - id: act
    effects:
      - let p = actor
      - let c = first(c for c in hand(p))
      - p = opponent(p)
      - chooseOne: { bind: $x, by: p, options: k for k in 1..6 if c == none or k > c.rank }
  - { id: pass }
""",
}


@pytest.mark.parametrize("rules", OWN.values(), ids=OWN)
def test_semantics_08_what_the_chooser_sees_may_be_read(rules: str) -> None:
    assert codes(rules) == []
    game = book(rules)
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert decision.answers


@pytest.mark.parametrize("rules", OTHERS.values(), ids=OTHERS)
def test_semantics_08_what_others_hold_may_not(rules: str) -> None:
    assert "hidden-read" in codes(rules)


WEIGHED = passed("weigh(c)", "BEGIN").replace(
    "  lowest(p):", '  "weigh(c: card)":\n    - if c.rank > 3 then n += 1\n  lowest(p):'
)


@pytest.mark.parametrize(("begin", "tests"), [("start(actor)", set()), (OTHER, {"!=", ">"})])
def test_semantics_17_a_secret_that_was_passed_takes_effect(begin: str, tests: set[str]) -> None:
    """What happens next would tell the other's card: no way back, and no search looks further."""
    code = book(WEIGHED.replace("BEGIN", begin)).program.code
    barriers = [instr.when for instr in code if isinstance(instr, ir.Branch) and instr.barrier]
    assert {when.op for when in barriers if isinstance(when, ir.Compare)} == tests


MIXED = """
pieces: { card: { each: { rank: 1..2 } }, road: { owner: seat, count: 1 } }
zones: { box: { order: row }, shelf: { of: card } }
setup:
  - place 1 card at box
  - place road of red at box
actions:
  - { id: take, params: { k: 0..1 }, effects: ["move box[k] to shelf"] }
"""


def test_semantics_30_a_zone_takes_only_its_kinds() -> None:
    game = book(MIXED)
    state = game.initial_state()
    assert game.choose(state, 0).state != state
    with pytest.raises(lw.RulebookFault, match="does not belong"):
        game.choose(state, 1)


def test_semantics_30_a_certain_fit_is_not_tested() -> None:
    """What is proven costs nothing: the program is the same as without `of`."""
    with_kinds = book(CARDS + ACTION.replace("ASK", "n += 1")).program
    plain = (
        CARDS.replace("of: card, ", "")
        .replace("{ of: card }", "{}")
        .replace("deck: {", "deck: { of: card,")
    )
    assert len(book(plain + ACTION.replace("ASK", "n += 1")).program.code) == len(with_kinds.code)
