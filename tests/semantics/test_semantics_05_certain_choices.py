"""Rule 5: a choice after a roll is allowed where it certainly has an option, and only there."""

from __future__ import annotations

import pytest

from ludwright import program as ir
from tests.semantics.books import HEADER, assert_no_dead_end, book, codes, ending_with

GAME = """
spaces: { land: { spaces: { hue: { adjacent: [saigon] }, saigon: {}, far: {} } } }
pieces: { unit: { owner: seat, count: 6 }, card: { each: { rank: 1..9 } } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  pile: { of: card }
vars: { n: 0..99 clamp, left: 0..5 = 3, Space.hits: 0..9 clamp }
setup:
  - for p in seats do place 3 unit of p at hue
fns:
  occupied(s): count(s) > 0
  open(): c for c in land if c.piece == none
procs:
  pay(): [n += 1]
  sweep_out(s): [for x in s.pieces do remove x]
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


CERTAIN = {
    "an if of its own": "- chooseOne: { bind: $x, options: x for x in hue, if: any(hue) }",
    "a condition around it": """
        - if:
            when: any(hue)
            then:
              - chooseOne: { bind: $x, options: hue }
              - remove $x
    """,
    "counted": "- chooseOne: { bind: $x, options: hue, if: count(hue) >= 1 }",
    "counted with a filter": """
        - chooseOne:
            bind: $x
            options: x for x in hue if x.owner == actor
            if: count(x for x in hue if x.owner == actor) > 0
    """,
    "fewer conditions than the guard": """
        - chooseOne:
            bind: $x
            options: x for x in hue if x.owner == actor
            if: any(x for x in hue if x.owner == actor and n > 3)
    """,
    "not full": "- chooseOne: { bind: $x, options: s for s in land if s.piece == none, if: not full(land) }",
    "not empty": "- chooseOne: { bind: $x, options: hue, if: not empty(hue) }",
    "the first of them": "- chooseOne: { bind: $x, options: hue, if: hue.piece != none }",
    "a function": "- chooseOne: { bind: $x, options: hue, if: occupied(hue) }",
    "a function that gives the options": "- chooseOne: { bind: $x, options: open(), if: any(open()) }",
    "the other side of a condition": """
        - if:
            when: count(hue) == 0
            then: [n += 1]
            else: [{ chooseOne: { bind: $x, options: hue } }]
    """,
    "a card that was drawn": """
        - draw 1 from deck to hand(actor)
        - chooseOne: { bind: $x, options: c for c in hand(actor) }
        - move $x to pile
    """,
    "cards that were drawn": """
        - draw 2 from deck to hand(actor)
        - chooseOne: { bind: $x, options: hand(actor) }
        - move $x to pile
    """,
    "a card that someone else draws after it": """
        - draw 1 from deck to hand(actor)
        - draw 1 from deck to hand(opponent(actor))
        - chooseOne: { bind: $x, options: hand(actor) }
        - move $x to pile
    """,
    "a range to the die": "- chooseOne: { bind: $x, options: 1..die }",
    "a range to a count": "- chooseOne: { bind: $x, options: 0..count(hue) }",
    "a range to what is left": "- chooseOne: { bind: $x, options: 0..left }",
    "a range to a maximum": '- chooseOne: { bind: $x, options: "1..max(1, n)" }',
    "the others": "- chooseOne: { bind: $x, options: p for p in seats if p != actor }",
    "neighbours that all spaces here have": "- chooseOne: { bind: $x, options: hue.adjacent }",
    "a piece of a space that has some": """
        - if:
            when: any(s for s in land if any(s))
            then:
              - chooseOne: { bind: $s, options: s for s in land if any(s) }
              - chooseOne: { bind: $x, options: $s.pieces }
    """,
    "as many as there are": '- chooseN: { bind: $x, options: hue, n: "min(2, count(hue))" }',
    "at least one": "- chooseN: { bind: $x, options: hue, min: 1, if: any(hue) }",
    "one after another": """
        - if:
            when: any(s for s in land if s.hits < 9)
            then:
              - chooseN:
                  bind: $s
                  options: s for s in land if s.hits < 9
                  min: 1
                  each: [roll more in 1..6, $s.hits += more]
    """,
    "a menu whose conditions complete each other": """
        - menu:
            bind: $m
            options: { low: { if: die < 4, do: [n += 1] }, high: { if: die >= 4, do: [n += 2] } }
    """,
    "a call that changes something else": """
        - if:
            when: any(hue)
            then:
              - pay()
              - chooseOne: { bind: $x, options: hue }
    """,
    "a move elsewhere": """
        - if:
            when: any(hue)
            then:
              - draw 1 from deck to pile
              - chooseOne: { bind: $x, options: hue }
    """,
}
PERHAPS = {
    "no guard": "- chooseOne: { bind: $x, options: hue }",
    "a guard of another place": "- chooseOne: { bind: $x, options: hue, if: any(saigon) }",
    "a weaker guard": """
        - chooseOne: { bind: $x, options: x for x in hue if x.owner == actor, if: any(hue) }
    """,
    "one of two": "- chooseOne: { bind: $x, options: hue, if: any(hue) or any(saigon) }",
    "the opposite": "- chooseOne: { bind: $x, options: hue, if: not any(hue) }",
    "emptied in between": """
        - if:
            when: any(hue)
            then:
              - for x in hue.pieces do move x to saigon
              - chooseOne: { bind: $x, options: hue }
    """,
    "one taken in between": """
        - if:
            when: any(hue)
            then:
              - move hue.piece to far
              - chooseOne: { bind: $x, options: hue }
    """,
    "emptied by a procedure": """
        - if:
            when: any(hue)
            then:
              - sweep_out(hue)
              - chooseOne: { bind: $x, options: hue }
    """,
    "a guard outside of the loop": """
        - if:
            when: any(hue)
            then:
              - forEach:
                  bind: i
                  over: 1..9
                  do: [{ chooseOne: { bind: $x, options: hue } }, remove $x]
    """,
    "discarded again": """
        - draw 1 from deck to hand(actor)
        - for c in hand(actor).pieces do move c to pile
        - chooseOne: { bind: $x, options: hand(actor) }
    """,
    "someone else's card": """
        - draw 1 from deck to hand(opponent(actor))
        - chooseOne: { bind: $x, options: hand(actor) }
    """,
    "perhaps a card": """
        - draw up to 1 from deck to hand(actor)
        - chooseOne: { bind: $x, options: hand(actor) }
    """,
    "as many cards as a number says": """
        - draw n from deck to hand(actor)
        - chooseOne: { bind: $x, options: hand(actor) }
    """,
    "a range that may be empty": '- chooseOne: { bind: $x, options: "1..die - 1" }',
    "a range from a count": "- chooseOne: { bind: $x, options: 1..count(hue) }",
    "others than two": """
        - chooseOne: { bind: $x, options: p for p in seats if p != actor and p != active }
    """,
    "a space without neighbours": "- chooseOne: { bind: $x, options: far.adjacent }",
    "more than there may be": "- chooseN: { bind: $x, options: hue, n: 2, if: any(hue) }",
    "another number changed": """
        - if:
            when: n <= 3
            then:
              - pay()
              - chooseOne: { bind: $x, options: n..3 }
    """,
    "a menu with a gap": """
        - menu:
            bind: $m
            options: { low: { if: die < 3, do: [n += 1] }, high: { if: die > 3, do: [n += 2] } }
    """,
}


@pytest.mark.parametrize("effects", CERTAIN.values(), ids=CERTAIN)
def test_semantics_05_a_choice_that_is_certain(effects: str) -> None:
    assert_no_dead_end(rules(effects), games=12)


@pytest.mark.parametrize("effects", PERHAPS.values(), ids=PERHAPS)
def test_semantics_05_a_choice_that_may_be_empty(effects: str) -> None:
    assert codes(rules(effects)) == ["refusal-after-chance"]


def test_semantics_05_others_exist_only_in_company() -> None:
    alone = HEADER.replace("players: 2", "players: 1..2")
    text = rules(CERTAIN["the others"])
    assert codes(text, alone) == ["refusal-after-chance"]


CALLS = """
vars: { Seat.money: 0..9 = 5 clamp }
spaces: { land: { track: 4 } }
pieces: { unit: { owner: seat } }
procs:
  pay(p): [p.money -= 1]
  settle():
    - chooseOne: { bind: $s, options: s for s in land if s.piece == none }
    - place unit of actor at $s
actions:
"""
OPEN = "any(s for s in land if s.piece == none)"


def test_semantics_05_a_procedure_returns_to_its_own_caller() -> None:
    """A roll in one action says nothing about another one that calls the same procedure."""
    text = CALLS + "  - { id: gamble, effects: [roll die in 1..6, pay(actor)] }\n"
    text += "  - { id: build, effects: [pay(actor), settle()] }\n"
    assert codes(text) == []


def test_semantics_05_a_procedure_knows_what_all_its_callers_know() -> None:
    guarded = f"  - id: one\n    effects: [roll die in 1..6, 'if {OPEN} then settle()']\n"
    careless = "  - { id: two, effects: [roll die in 1..6, settle()] }\n"
    assert codes(CALLS + guarded) == []
    assert codes(CALLS + guarded + guarded.replace("id: one", "id: two")) == []
    assert codes(CALLS + guarded + careless) == ["refusal-after-chance"]


def test_semantics_05_all_late_refusals_are_told_at_once() -> None:
    text = rules("""
        - chooseOne: { bind: $x, options: hue }
        - roll again in 1..6
        - require again > 3
        - chooseOne: { bind: $y, options: saigon }
    """)
    assert codes(text) == ["refusal-after-chance"] * 3


def test_semantics_06_certain_choices_need_no_search() -> None:
    """The guard proves the second choice, so the first one cannot come to nothing."""
    text = """
spaces: { land: { track: 4 } }
vars: { n: 0..99 clamp }
pieces: { unit: { owner: seat, count: 3 } }
setup: ['place unit of red at land[0]']
actions:
  - id: act
    effects:
      - chooseOne: { bind: $k, options: 1..3 }
      - n += $k
      - chooseOne: { bind: $s, options: s for s in land if any(s), if: any(s for s in land if any(s)) }
  - { id: pass }
"""
    program = book(text).program
    assert not [at for at in program.refusing if isinstance(program.code[at], ir.Choose)]
    assert all(choice.safe for choice in program.choices)
    program = book(text.replace(", if: any(s for s in land if any(s))", "")).program
    assert [at for at in program.refusing if isinstance(program.code[at], ir.Choose)]
    assert not all(choice.safe for choice in program.choices)


def test_semantics_05_a_parameter_with_a_condition_may_find_nothing() -> None:
    """The guard of an action tests its first parameter only where it is always asked."""
    game = book("""
spaces: { land: { track: 4 } }
vars: { n: 0..9 }
pieces: { unit: { owner: seat, count: 3 } }
actions:
  - { id: act, params: { s: { if: n == 0, options: s for s in land if any(s) } }, effects: [n += 1] }
  - { id: pass }
""")
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert list(decision.answers) == ["pass"]
