"""Rule 5: whatever could refuse behind a roll or a draw is told by the checker, with what to write."""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.semantics.books import assert_no_dead_end, book, codes, ending_with, markdown

GAME = """
spaces: { land: { spaces: { hue: { adjacent: [saigon] }, saigon: {}, far: {} } } }
pieces:
  unit: { owner: seat, count: 4, type: [troop, base] }
  card: { each: { rank: 1..9 } }
  cube: { count: 3 }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner, max: 3 }
  show: { of: card, max: 2 }
  all_cards: { of: card, max: 9 }
  camp: { of: unit, limits: [{ max: 2, of: it.type == base }] }
  inn: { of: unit, limits: [{ max: 1, where: here.count > 7 }] }
  yard: { of: unit }
vars: { n: 0..99 clamp, purse: 0..9 = 5 refuse, Seat.money: 0..9 = 5 refuse, die2: 0..6 }
markers: { mood: { states: [calm, wild], on: land } }
setup:
  - for p in seats do place 2 unit of p at yard with type=troop
procs:
  take(): [draw 1 from deck to hand(actor)]
noMoves: [{ draw: all, reason: over }]
end: [{ when: turn > 30, draw: all, reason: late }]
actions:
  - id: act
    pre: count(deck) >= 2
    effects:
      - roll die in 1..6
"""
PASS = "  - { id: pass }\n"


def rules(effects: str) -> str:
    return ending_with(GAME, effects, PASS)


HARMLESS = {
    "room by a condition": "- if count(show) < 2 then draw 1 from deck to show",
    "room for all that can come": "- draw 2 from deck to all_cards",
    "room for two": "- if count(hand(actor)) + 2 <= 3 then draw 2 from deck to hand(actor)",
    "room for two, told otherwise": "- if count(show) == 0 then draw 2 from deck to show",
    "an empty place": "- if not any(show) then draw 1 from deck to show",
    "room for one or none": "- if count(hand(actor)) <= 2 then draw up to 1 from deck to hand(actor)",
    "room, asked by the caller": "- if count(hand(actor)) < 3 then take()",
    "no more than there is room for": "- draw up to (3 - count(hand(actor))) from deck to hand(actor)",
    "a piece that does not count": """
        - if:
            when: any(u for u in yard if u.type == troop)
            then:
              - let u1 = first(u for u in yard if u.type == troop)
              - if u1.type == troop then move u1 to camp
    """,
    "a limit of some pieces": """
        - if:
            when: any(yard) and count(u for u in camp if u.type == base) < 2
            then: [move yard.piece to camp]
    """,
    "a limit that does not apply": "- if any(yard) and not (count(inn) > 6) then move yard.piece to inn",
    "enough money": "- if purse >= die then purse -= die",
    "enough money of a seat": "- if actor.money >= 2 then actor.money -= 2",
    "not too much money": "- if purse + die <= 9 then purse += die",
    "a new value in range": "- purse = die",
    "one that is left": "- if any(c for c in cube if c.place == none) then place cube at far",
    "two that are left": "- if count(c for c in cube if c.place == none) >= 2 then place 2 cube at far",
    "one of an owner": """
        - if any(u for u in unit if u.owner == actor and u.place == none) then place unit of actor at far
    """,
    "one to move": "- if any(u for u in yard if u.owner == actor) then move 1 unit of actor from yard to far",
    "a way that leads on": "- roll die2 in 1..6\n- n += die2",
    "a marker where it may lie": "- hue.mood = wild",
    "a choice that is certainly asked": """
        - chooseOne: { bind: $x, options: 1..3, optional: true }
        - require default($x, 1) < 9
    """,
}

LATE = {
    "a place with a limit": "- draw 1 from deck to hand(actor)",
    "one more than there is room for": "- if count(show) < 2 then draw 2 from deck to show",
    "room in another place": "- if count(hand(red)) < 3 then draw 1 from deck to hand(actor)",
    "room that has been used": """
        - if:
            when: count(show) < 2
            then: [draw 1 from deck to show, draw 1 from deck to show]
    """,
    "room, asked before a loop": """
        - if:
            when: count(show) < 2
            then: [for x in 1..2 do draw 1 from deck to show]
    """,
    "a limit of some pieces": "- if any(yard) then move yard.piece to camp",
    "too little money": "- purse -= die",
    "money that has been spent": """
        - if:
            when: purse >= die
            then: [purse -= die, purse -= die]
    """,
    "another seat's money": "- if red.money >= 2 then actor.money -= 2",
    "too much money": "- if purse >= die then purse += die",
    "none is left": "- place cube at far",
    "only one is left": "- if any(c for c in cube if c.place == none) then place 2 cube at far",
    "one of another owner": """
        - if any(u for u in unit if u.owner == red and u.place == none) then place unit of actor at far
    """,
    "none to move": "- move 1 unit of actor from yard to far",
    "behind a choice that may be empty": """
        - chooseOne: { bind: $x, options: s for s in land if count(s) > die, optional: true }
        - require die > 3
    """,
}  # fmt: skip


@pytest.mark.parametrize("effects", HARMLESS.values(), ids=HARMLESS)
def test_semantics_05_nothing_can_refuse_here(effects: str) -> None:
    assert_no_dead_end(rules(effects))


@pytest.mark.parametrize("effects", LATE.values(), ids=LATE)
def test_semantics_05_this_could_refuse_too_late(effects: str) -> None:
    assert codes(rules(effects)) == ["refusal-after-chance"]


@pytest.mark.parametrize(
    ("effects", "words"),
    [
        ("- draw 1 from deck to show", "`show` may be full"),
        ("- purse -= die", "`purse` may leave 0..9"),
        ("- place cube at far", "no `cube` left to place"),
        ("- move 1 unit of actor from yard to far", "no `unit` to move"),
    ],
)
def test_semantics_05_the_report_names_what_it_is_about(effects: str, words: str) -> None:
    (found,) = lw.compile_text(markdown(rules(effects))).diagnostics.errors
    assert words in found.message
    assert found.span is not None
    assert found.span.line == markdown(rules(effects)).splitlines().index(f"      {effects}") + 1


BEST = """
vars: { used: 0..9, die: 0..6 }
actions:
  - id: gamble
    BEST
    effects:
      - menu:
          options:
            sure: [used = 5]
            daring: [roll die in 1..6, used = die]
"""


@pytest.mark.parametrize("more", ["used = die", "{ chooseOne: { bind: $x, options: 1..2 } }"])
def test_semantics_05_no_die_falls_where_ways_are_compared(more: str) -> None:
    text = BEST.replace("used = die", more)
    assert codes(text.replace("BEST", "best: used")) == ["refusal-after-chance"]
    assert codes(text.replace("BEST", "pre: used < 9")) == []


def test_semantics_05_a_die_may_fall_before_ways_are_compared() -> None:
    text = """
    vars: { used: 0..9 }
    procs:
      spend(most):
        best: used
        do:
          - chooseOne: { bind: $x, options: 1..most }
          - used = $x
    actions:
      - { id: go, effects: [roll die in 1..6, spend(die)] }
    end: [{ when: turn > 6, draw: all, reason: late }]
    """
    text = "\n".join(line[4:] for line in text.splitlines())
    assert codes(text) == []
    game = book(text)
    state = game.initial_state(3)
    while (decision := game.decision(state)) is not None:
        assert len(decision.answers) == 1
        state = game.choose(state, decision.answers[0]).state
