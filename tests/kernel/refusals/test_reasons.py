"""A refusal says why: the author's words, the condition that fails with its values, the filter."""

from __future__ import annotations

import pytest

import ludwright as lw

BOOK = """
```yaml
game: { id: why, title: Why, players: 2 }
seats: [red, blue]
vars: { total: 0..99, limit: 0..9 = 4, Seat.coins: 0..9 = 2 }
fns: { "fits(x)": x <= limit and x != 3 }
actions:
  - id: some
    effects: [ { chooseN: { bind: $s, options: x for x in 1..9 if fits(x), max: 2 } } ]
  - id: each
    effects: [ { chooseN: { bind: $e, options: x for x in 1..9 if fits(x), max: 2, each: [total += $e] } } ]
  - id: add
    pre: { when: actor.coins > 0, else: you have no coins left }
    params: { n: x for x in 1..9 if x <= limit and x != 3 }
    effects:
      - require total + n < 6 else "six is too much"
      - total += n
  - id: double
    pre: total >= 2 and actor.coins == limit
    effects: [total += total]
  - id: step
    params: { n: 1..3 }
    effects:
      - require n * 2 > total + 2
      - total = n
  - { id: lose, effects: [actor.coins = 0, opponent(actor).coins = 0] }
```
"""


def reason(setup: str, action: str, n: int | None = None) -> str:
    game = lw.load_text(BOOK)
    state = game.position(setup) if setup else game.initial_state()
    try:
        state = game.choose(state, action).state
        if n is not None:
            game.choose(state, n)
    except lw.IllegalMove as error:
        return error.reason if error.span is not None else "no place"
    return "it is possible"


@pytest.mark.parametrize(
    ("setup", "action", "n", "wanted"),
    [
        ("", "double", None, "it needs `total >= 2` (total is 0)"),
        ("total = 3", "double", None, "`actor.coins == limit` (actor.coins is 2, limit is 4)"),
        ("red.coins = 0", "add", None, "you have no coins left"),
        ("total = 4", "add", 2, "six is too much"),
        ("", "add", 5, "it needs `x <= limit` (x is 5, limit is 4)"),
        ("", "add", 3, "it needs `x != 3` (x is 3)"),
        ("", "some", 5, "it needs `x <= limit` (x is 5, limit is 4)"),  # a function says `and`
        ("", "some", 3, "it needs `x != 3` (x is 3)"),
        ("", "each", 5, "it needs `x <= limit` (x is 5, limit is 4)"),
        ("total = 2", "step", 1, "it needs `n * 2 > total + 2` (n * 2 is 2, total + 2 is 4)"),
        ("", "add", 2, "it is possible"),
    ],
)
def test_what_is_needed_is_told_with_its_values(
    setup: str, action: str, n: int | None, wanted: str
) -> None:
    assert wanted in reason(setup, action, n)


def test_words_are_no_rules() -> None:
    one, two = lw.load_text(BOOK), lw.load_text(BOOK.replace("six is too much", "no"))
    assert one.gamedef_hash == two.gamedef_hash
    assert one.program.fingerprint == two.program.fingerprint
