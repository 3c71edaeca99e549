"""How many options a choice, and how many outcomes a roll may have; both engines stop at the same."""

from __future__ import annotations

import pytest

from ludwright.errors import RulebookFault
from ludwright.program.limits import OPTION_LIMIT
from tests.semantics.books import book, options

RULES = """
vars: { n: 0..200000, most: 0..200000 }
actions:
  - { id: more, params: { k: [65536, 65537] }, effects: [most = k] }
  - id: act
    effects: [EFFECT]
end: [{ when: turn > 9, draw: all }]
"""
CHOICES = {
    "a roll": "'roll n in (0..most) - [most]'",
    "a choice": "{ chooseOne: { bind: $n, options: '(0..most) - [most]' } }",
    "picks": "{ chooseN: { bind: $n, options: '(0..most) - [most]', max: 2 } }",
}


@pytest.mark.parametrize("effect", CHOICES.values(), ids=CHOICES)
def test_more_than_the_limit_is_a_fault(effect: str) -> None:
    game = book(RULES.replace("EFFECT", effect))
    start = game.initial_state()
    most = {}
    for k in (OPTION_LIMIT, OPTION_LIMIT + 1):
        most[k] = game.choose(game.choose(start, "more").state, k).state
    game.choose(most[OPTION_LIMIT], "act")
    with pytest.raises(RulebookFault) as caught:
        game.choose(most[OPTION_LIMIT + 1], "act")
    assert caught.value.code == "option-limit"
    assert caught.value.span is not None


def test_a_range_may_be_longer() -> None:
    game = book(
        RULES.replace(
            "EFFECT", "{ chooseOne: { bind: $n, options: 1..1000000 } }, roll n in 0..199999"
        )
    )
    state = game.choose(game.initial_state(), "act").state
    assert len(options(game, state)) == 1_000_000
    assert game.choose(state, 999_999).state is not None


def test_outcomes_that_are_answered_by_hand_are_listed() -> None:
    game = book(RULES.replace("EFFECT", "roll n in 0..most"), chance="explicit")
    state = game.choose(game.choose(game.initial_state(), "more").state, OPTION_LIMIT).state
    with pytest.raises(RulebookFault) as caught:  # one more than the limit
        game.choose(state, "act")
    assert caught.value.code == "option-limit"
