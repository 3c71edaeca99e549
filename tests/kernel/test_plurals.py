"""Words that go with a number, in sentences, questions and reasons."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.kernel.views.plurals import fitting, plural

RULES = """# T
```yaml
game: { id: t, title: T, players: 2 }
seats: [red, blue]
pieces: { wolf: { each: { n: 1..3 }, title: fox } }
zones: { den: { of: wolf, init: all }, lair: { of: wolf, each: seat, see: owner } }
vars: { coins: 0..9 = 2 }
actions:
  - id: pay
    params: { n: { options: 1..coins, ask: "You have {coins} coin|coins" } }
    effects:
      - coins -= n
      - say "{actor} pays|pay, and {coins} coin|coins is|are left"
  - id: hide
    effects:
      - chooseN: { bind: $x, options: den, n: 2 }
      - move all of $x to lair(actor)
      - say "{actor} hides {$x}"
  - { id: look, params: { s: seats, w: den }, effects: [move w to lair(s)] }
end: [{ when: coins == 0, win: actor, reason: "{1 + coins} coin|coins too many" }]
```
"""


def heard(game: lw.Game, step: lw.Step, seat: str) -> list[str]:
    return [event.fields["text"] for event in step.events(seat) if event.kind == "said"]


def test_words_follow_the_last_number_before_them() -> None:
    game = lw.load_text(RULES)
    step = game.choose(game.initial_state(), "pay")
    assert game.question(step.state) == "You have 2 coins"
    step = game.choose(step.state, 1)
    # before any number the sign stays: nothing says which word is meant
    assert heard(game, step, "blue") == ["red pays|pay, and 1 coin is left"]
    step = game.choose(step.state, "pay")
    assert game.question(step.state) == "You have 1 coin"
    result = game.result(game.choose(step.state, 1).state)
    assert result is not None
    assert result.reason == "1 coin too many"


def test_pieces_that_are_not_seen_are_told_in_the_plural() -> None:
    game = lw.load_text(RULES)
    state = game.choose(game.initial_state(), "hide").state
    assert game.question(state) == "Hide: which foxes? (2)"
    state = game.choose(state, "1").state
    step = game.choose(state, "2")
    assert heard(game, step, "blue") == ["red hides foxes"]


def test_a_choice_named_by_a_letter_is_named_by_its_kind() -> None:
    game = lw.load_text(RULES)
    state = game.choose(game.initial_state(), "look").state
    assert game.question(state) == "Look: who?"
    assert game.question(game.choose(state, "red").state) == "Look: which fox?"


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("card", "cards"),
        ("box", "boxes"),
        ("city", "cities"),
        ("key", "keys"),
        ("witch", "witches"),
    ],
)
def test_nouns(noun: str, several: str) -> None:
    assert plural(noun) == several


def test_without_a_number_there_are_many() -> None:
    assert fitting("some coin|coins", None) == "some coins"
    assert fitting("0 coin|coins", 0) == "0 coins"


def test_what_is_several_already_stays() -> None:
    assert [plural(noun) for noun in ("goods", "bus", "pass", "box")] == [
        "goods", "buses", "passes", "boxes",
    ]  # fmt: skip
