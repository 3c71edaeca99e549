"""Rule 5: behind a roll or a draw some answer of every decision can be finished, or `check` says so."""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.semantics.books import assert_no_dead_end, codes, markdown
from tests.semantics.test_semantics_05_after_chance import rules

FINISHED = {
    "an entry that costs nothing": """
        - menu: { options: { buy: [purse -= die], leave: [] } }
    """,
    "an entry with a condition that complements another": """
        - menu:
            options:
              cheap: { if: die < 4, do: [if purse >= die then purse -= die] }
              dear: { if: die >= 4, do: [n += 1] }
    """,
    "a word that leads on": """
        - chooseOne: { bind: $how, options: "[pay, keep]" }
        - if $how == pay then purse -= die
    """,
    "declining": """
        - chooseOne: { bind: $s, options: 1..3, optional: true }
        - if $s != none then purse -= die
    """,
    "buying nothing": """
        - chooseOne: { bind: $many, options: 0..die }
        - purse -= $many
    """,
    "picking nothing": """
        - chooseN: { bind: $some, options: land }
        - for s in $some do purse -= 1
    """,
    "a second choice with a way out": """
        - chooseOne: { bind: $one, options: 1..3 }
        - chooseOne: { bind: $u, options: yard, ifNone: skip }
    """,
    "a second choice that the first one asks for": """
        - if:
            when: any(s for s in land if any(s))
            then:
              - chooseOne: { bind: $s, options: s for s in land if any(s) }
              - chooseOne: { bind: $u, options: $s.pieces }
    """,
    "a way out in a procedure": """
        - chooseOne: { bind: $one, options: 1..3 }
        - buy()
    """,
    "another seat's choice in between": """
        - chooseOne: { bind: $one, options: 1..3 }
        - chooseOne: { bind: $two, by: opponent(actor), options: 1..3 }
    """,
    "a loop that can be left": """
        - chooseN: { bind: $s, options: land, max: 2, each: [purse -= 1] }
    """,
}
DEAD = {
    "a second choice that may be empty": """
        - chooseOne: { bind: $one, options: 1..3 }
        - chooseOne: { bind: $u, options: yard }
    """,
    "a second choice of the drawn card": """
        - draw 1 from deck to all_cards
        - chooseOne: { bind: $c, options: all_cards }
        - move $c to deck
        - chooseOne: { bind: $d, options: all_cards }
    """,
    "a demand behind a choice": """
        - chooseOne: { bind: $one, options: 2..3 }
        - require $one > die
    """,
    "every word costs": """
        - chooseOne: { bind: $how, options: "[pay, bribe]" }
        - if $how == pay then purse -= die else purse -= 1
    """,
    "every entry costs": """
        - menu: { options: { buy: [purse -= die], tip: [purse -= 1] } }
    """,
    "the free entry may be closed": """
        - menu: { options: { buy: [purse -= die], leave: { if: die > 3 } } }
    """,
    "at least one": """
        - chooseOne: { bind: $many, options: 1..die }
        - purse -= $many
    """,
    "a procedure without a way out": """
        - chooseOne: { bind: $one, options: 1..3 }
        - pick_one()
    """,
    "no room behind a choice": """
        - chooseOne: { bind: $one, options: 1..3 }
        - draw 1 from deck to show
    """,
}
PROCS = """
  buy():
    - menu: { options: { purchase: [purse -= 1], go: [] } }
  pick_one():
    - chooseOne: { bind: $p, options: yard }
"""


def with_procs(effects: str) -> str:
    return rules(effects).replace("procs:\n", f"procs:{PROCS}", 1)


@pytest.mark.parametrize("effects", FINISHED.values(), ids=FINISHED)
def test_semantics_05_an_answer_can_be_finished(effects: str) -> None:
    assert_no_dead_end(with_procs(effects))


@pytest.mark.parametrize("effects", DEAD.values(), ids=DEAD)
def test_semantics_05_no_answer_may_be_left(effects: str) -> None:
    assert set(codes(with_procs(effects))) == {"refusal-after-chance"}


def test_semantics_05_the_second_choice_is_named() -> None:
    text = markdown(with_procs(DEAD["a second choice that may be empty"]))
    (found,) = lw.compile_text(text).diagnostics.errors
    assert "`$u` must be chosen after a roll" in found.message
    assert found.suggestion is not None
    assert "`ifNone`" in found.suggestion
