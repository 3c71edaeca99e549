"""What beginners type: one mistake is told once, where it is, with the word they were looking for."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostic

HEAD = """game: { id: first, title: First, players: 2 }
seats: [red, blue]
spaces: { board: { grid: [3, 1] } }
pieces: { man: { owner: seat, count: 3 } }
end: [{ when: turn > 9, draw: all, reason: late }]
"""
ZONES = (
    "zones: { box: { of: man, init: all }, pot: { of: man } }\nvars: { n: 0..9, Seat.coins: 0..9 }"
)
EFFECT = ZONES.replace("{", "{{").replace("}", "}}") + "\nactions: [{{ id: act, effects: [{}] }}]"
FIRST_LINE = 2 + HEAD.count("\n")  # of the rules, in the whole text


def mistakes(rules: str) -> list[Diagnostic]:
    return lw.compile_text(f"```yaml\n{HEAD}{rules}\n```\n").diagnostics.items


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        ("variables: { n: 0..9 }\nactions: [{ id: pass }]", "`vars`"),
        ("players: [a, b]\nactions: [{ id: pass }]", "`seats`"),
        ("vars: { n: 0-100 }\nactions: [{ id: pass }]", "`0..100`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, effects: ['n = len(board)'] }]", "`count`"),
        ("vars: { Seat.n: 0..9 }\nactions: [{ id: act, effects: [me.n += 1] }]", "`actor`"),
        ("actions: [{ id: act, params: { c: for c in board }, effects: [remove c.piece] }]",
         "`c for c in …`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, effects: ['n = random(6)'] }]", "`roll x in 1..6`"),
        ("vars: { b: bool }\nactions: [{ id: act, effects: [b = True] }]", "`true`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, effects: [n = d6] }]", "`roll x in 1..6`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, effects: [roll 2d8, n = 1] }]", "`roll x in 1..8`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, pre: a1.piece == man, effects: [n = 1] }]",
         "`….kind == KIND`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, pre: a1.owner == red, effects: [n = 1] }]",
         "`….piece.owner`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, effects: [for c in board n = 1] }]",
         "`for x in A do S`"),
        ("actions: [{ id: act, effects: [end_turn] }]", "`end turn`"),
        ("actions: [{ id: act, params: { c: board }, effects: [place man on c] }]",
         "`place KIND at SPACE`"),
        ("vars: { n: 0..9 }\nactions:\n  - id: act\n    effects:\n"
         "      - if n > 1 then n = 0 elif n > 2 then n = 1", "`else if c then S`"),
        ("vars: { n: 0..9 }\nactions:\n  - id: act\n    effects:\n      - say it is: {n}",
         "single quotes"),
        ("vars: { n: 0..9 }\nactions:\n  id: act\n  effects:\n    - n += 1", "`- id: …`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, params: [c], effects: [n += 1] }]",
         "`params: { c: … }`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, effects: ['let s: 0..3 = 1', n = 1] }]",
         "`let s = …`"),
        ("variables: { Seat.n: 0..9 }\nactions: [{ id: act, pre: actor.n < 5, effects: [actor.n += 1] }]",
         "`vars`"),  # and nothing about n
        ("vars: { Seat.n: 0..9 }\nactions: [{ id: act, effects: [n += 1] }]", "`actor.n`"),
        ("vars: { n: 0..9 }\nactions:\n  - id act\n    effects: [n += 1]", "`id: act`"),
        ("vars: { n: 0..9 }\nactions:\n  - id: act\n    effects:\n      - if n > 3: n = 0",
         "`if c then S`"),
        ("vars: { n: 0..9 }\nactions:\n  - id: act\n    effects:\n"
         '      - say "round over: {actor} leads"', "'say \"round over: {actor} leads\"'"),
        ("actions: [{ id: act, params: { c: board }, effects: [move c.piece to discard] }]",
         "`zones:`"),
        (EFFECT.format("add 2 to n"), "`x += 2`"),
        (EFFECT.format("n--"), "`x -= 1`"),
        (EFFECT.format("n++"), "`x += 1`"),
        (EFFECT.format("if n > 2 then pass else n = 0"), "leave it out"),
        (EFFECT.format("pass"), "leave it out"),
        (EFFECT.format("'say the count is {n}'"), '`say "the count is {n}"`'),
        (EFFECT.format("let half = n / 2, n = half"), "`//`"),  # and nothing about half
        (EFFECT.format("actor.n += 1"), "`Seat.n`"),
        (EFFECT.format("n = actor.n"), "`Seat.n`"),
        ("vars: { b: bool }\nactions: [{ id: act, effects: [b = yes] }]", "`true`"),
        ("zones: box, pot\nactions: [{ id: pass }]", "`[box, pot]`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, pre: { when: n < 3, else too many }, effects: [n += 1] }]",
         "`else: too many`"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, text: First this, then that, effects: [n += 1] }]",
         "the whole text into quotes"),
        ("vars: { n: { type: 0..9, default: 1, or more } }\nactions: [{ id: pass }]", '"1, or more"'),
        (EFFECT.format("if n > 2 n = 0"), "`then` before `n`"),
        (EFFECT.format("'n = n > 2 ? 1 : 0'"), "`a if c else b`"),
        (EFFECT.format("draw 2 cards from box to pot"), "remove `cards`"),
        (EFFECT.format("shuffle(box)"), "`shuffle Z`"),
        (EFFECT.format("n = roll(6)"), "`roll x in 1..6`"),
        (EFFECT.format("place man of actor on a1"), "`place KIND at SPACE`"),
        (EFFECT.format("remove man at a1"), "`remove SPACE.piece`"),
        (EFFECT.format("capture a1.piece"), "`remove X`"),
        (EFFECT.format("choose a space"), "`chooseOne: { bind: $x, options: A }`"),
        (EFFECT.format("skip turn"), "`end turn`"),
        (EFFECT.format("End turn"), "`end turn`"),
        (EFFECT.format("actor wins"), "`end game win actor`"),
        (EFFECT.format("currentPlayer.coins += 1"), "`actor`"),
        (EFFECT.format("for each player do n = 1"), "`for p in seats do S`"),
        (EFFECT.format("say hello world"), '`say "hello world"`'),
        (EFFECT.format("n = box.length"), "`count`"),
        (EFFECT.format("'place man of actor at board(1, 1)'"), "`a1`"),
        (EFFECT.format("'if n <> 3 then n = 1'"), "`!=`"),
        (EFFECT.format("if a1 is empty then n = 1"), "`empty(x)`"),
        (EFFECT.format("'if n > 2 then n = 0 otherwise n = 1'"), "`else`"),
        (EFFECT.format("n = coins"), "`actor.coins`"),
        (f"{EFFECT.format('n = 1')}\nscore: Seat.coins", "say whose"),
        (f"{EFFECT.format('n = 1')}\nscore: coins", "`it.coins`"),
        (f"{ZONES}\nactions: [{{ id: act, condition: n > 2, effects: [n = 1] }}]", "`pre`"),
        (EFFECT.format("{ chooseOne: { bind: $c, options: 1..2, among: 3 } }, n = 1"), "`options`"),
        (EFFECT.format("{ chooseOne: { bind: $c, options: 1..2 } }, n = c"), "`$c`"),
    ],
)  # fmt: skip
def test_the_word_they_were_looking_for(rules: str, word: str) -> None:
    (found,) = mistakes(rules)
    assert word in (found.suggestion or "")


@pytest.mark.parametrize(
    "spoilt",
    [
        "vars: { n: 0..9\n",
        "vars:\n  n: 0..9: 3\n",
        "fns: { twice(x): [x, }\n",
    ],
)
def test_what_yaml_cannot_read_has_no_consequences(spoilt: str) -> None:
    rules = "actions:\n  - id: act\n    effects:\n      - n += 1\n      - m = twice(n)\n"
    found = mistakes(spoilt + rules)
    assert [item.code for item in found] == ["yaml-syntax"]


def test_other_mistakes_are_still_told() -> None:
    found = mistakes("vars: { n: 0..9\nactions:\n  - { id: act, effects: [n =+ 1] }\n")
    first, second = found
    assert first.code == "yaml-syntax"
    assert second.code.startswith("syntax-")


@pytest.mark.parametrize("mark", ['"', "'"])
def test_a_quote_that_is_not_closed_is_shown_where_it_opens(mark: str) -> None:
    rules = f"""vars: {{ n: 0..9 }}
actions:
  - id: act
    effects:
      - {mark}n += 1
      - n += 2
  - id: more
    notation: {mark}x{mark}
"""
    (found,) = mistakes(rules)
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == ("yaml-syntax", FIRST_LINE + 4, 9)


def test_a_text_over_several_lines_is_no_mistake() -> None:
    rules = 'actions:\n  - id: act\n    notation: "one\n      two"\n'
    assert mistakes(rules) == []


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        ("vars: { n: 0..9 }\nactions: [{ id: act, notation: '{d}', effects: [n += 1] }]", "'{d}'"),
        ("vars: { n: 0..9 }\nactions: [{ id: act, pre: n, effects: [n += 1] }]", "n"),
        (
            "zones: { hand: { each: seat, of: man, see: owner, init: all } }\n"
            "actions: [{ id: act, params: { m: x for x in hand(opponent(actor)) },"
            " effects: [remove m] }]",
            "x for x in hand(opponent(actor))",
        ),
        (
            "zones: { hand: { each: seat, of: man, see: owner, init: all } }\n"
            "actions: [{ id: act, pre: any(m for m in hand(opponent(actor)) if m.owner == red),"
            " effects: [end turn] }, { id: rest }]",
            "any(m for m in hand(opponent(actor)) if m.owner == red)",
        ),
        ("vars: { n: 0..3 }\nactions: [{ id: act, effects: [n += 7] }]", "7"),
    ],
)
def test_the_expression_is_shown_and_not_the_name_of_the_action(rules: str, shown: str) -> None:
    text = f"```yaml\n{HEAD}{rules}\n```\n"
    (found,) = lw.compile_text(text).diagnostics.items
    assert found.span is not None
    line = text.split("\n")[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] == shown


def test_a_misspelt_action_is_shown_where_it_stands() -> None:
    rules = """actions: [{ id: take }, { id: pass }]
phases:
  - id: main
    onEnter: []
    actions:
      - take
      - pas
"""
    (found,) = mistakes(rules)
    assert found.code == "unknown-action"
    assert found.span is not None
    assert (found.span.line, found.span.column) == (FIRST_LINE + 6, 9)


ENDING = """```yaml
game: {{ id: first, title: First, players: 2 }}
parameters: {{ limit: {{ default: 0, min: 0, max: 9 }} }}
vars: {{ n: 0..3 }}
actions: [{{ id: act, pre: n < 3, effects: [n += 1] }}]
end: [{{ {} }}]
```
"""


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("when: n >= 5, draw: all", ["widen the range"]),
        ("when: n >= 3, winner: p1", ["`win`"]),  # and not that there is no outcome
        # how an author says that there may be no limit
        ("when: limit > 0 and n >= limit, draw: all", []),
    ],
)
def test_endings(entry: str, expected: list[str]) -> None:
    found = lw.compile_text(ENDING.format(entry)).diagnostics.items
    assert len(found) == len(expected)
    assert all(word in (item.suggestion or "") for item, word in zip(found, expected, strict=True))
