"""A bound of a `best` block: random play with it is random play without it, and tests less."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from tests.native.support import needs_native

pytestmark = needs_native

# Red steps along a track with two dice, as far as other pieces let it.
RULES = """
game: {{ id: test, title: Test, players: 2 }}
seats: [red, blue]
spaces: {{ field: {{ track: 9 }} }}
pieces: {{ man: {{ owner: seat, count: 6 }} }}
setup:
  - place man of red at field[0]
  - place man of red at field[1]
  - forEach:
      bind: n
      over: 1..3
      do: [roll spot in 2..8, "if empty(field[spot]) then place man of blue at field[spot]"]
vars: {{ dice: "list[1..4, 3]", far: 0..20, played: 0..9, round: 0..9, seen: 0..9 }}
fns:
  fits(z, d): z.piece.owner == red and z.index + d < 9 and empty(field[z.index + d])
  movable(d): z for z in field if fits(z, d)
procs:
  play(me):
    best: {value}
    do:
      - far = 0
      - played = 0
      - repeat:
          while: any(d for d in dice if any(movable(d)))
          max: 4
          do:
            - chooseOne: {{ bind: $die, options: "d for d in distinct(dice) if any(movable(d))" }}
            - chooseOne: {{ bind: $from, options: movable($die) }}
            - step($from, $die)
            {inside}
      - dice = []
  step(origin, die):
    - played += 1
    - far += die
    - dice = rest(dice) if first(dice) == die else [d for d in dice if d != die]
    - move origin.piece to field[origin.index + die]
flow:
  - repeat:
      while: round < 3
      max: 9
      do:
        - round += 1
        - roll a in 1..4
        - roll b in 1..4
        - dice = [a, b] if a != b else [a, a, a]
        - play(red, by=red)
score: far
"""


def program(value: str, inside: str = "") -> ir.Program:
    rules = RULES.format(value=value, inside=inside)
    return lw.load_text(f"# Test\n\n```yaml\n{rules}```\n", engine="python").program


def bounded(rules: ir.Program) -> bool:
    from ludwright.native.passes.best_bound import with_bounds

    return bool(with_bounds(rules)[1])


def test_every_real_way_is_below_the_bound() -> None:
    """Where the bound is too low, some games with it would end otherwise, or be refused."""
    import numpy as np

    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    inside = "- if $die > 2 then seen += 1"  # a condition that is known, and a cell of no account
    for value in ("(played, far)", "far", "0 - far", "(played, 0 - far)", "far % 3", "(seen, far)"):
        rules = program(value, inside)
        assert bounded(rules)
        with_bound, plain = (
            playouts(Engine(rules, 0, without=without), 200, 5, finals=True)
            for without in ((), ("best_bound", "open_answers"))
        )
        assert with_bound.finals is not None
        assert plain.finals is not None
        assert np.array_equal(with_bound.finals, plain.finals)
        assert np.array_equal(with_bound.decisions, plain.decisions)


@pytest.mark.parametrize(
    ("value", "inside"),
    [
        ("count(movable(1))", ""),  # the value depends on where pieces lie
        ("(played, seen)", "- seen = count(movable(1))"),
        ("far", "- chooseOne: { bind: $more, options: 1..2, optional: true }"),
        ("far", "- chooseN: { bind: $more, options: 1..2, max: 1 }"),
        # a name that is needed behind a question which the rules themselves do not ask
        ("far", "- let twice = $die * 2\n            - if empty(field[8]) then far += 1"
                "\n            - far += twice % 2"),
    ],
)  # fmt: skip
def test_what_is_not_understood_has_no_bound(value: str, inside: str) -> None:
    assert not bounded(program(value, inside))


def test_dice_are_what_is_left_of_backgammon() -> None:
    from ludwright.native.passes.best_bound import with_bounds

    rules = lw.load("backgammon").program
    relaxed, bounds = with_bounds(rules)
    (bound,) = bounds.values()
    assert bound.entry == len(rules.code)
    added = relaxed.code[bound.entry :]
    assert not any(isinstance(instr, ir.MovePiece | ir.CallProc) for instr in added)
    asked = [
        relaxed.choice_at(bound.entry + at)
        for at, i in enumerate(added)
        if isinstance(i, ir.Choose)
    ]
    assert [choice.name for choice in asked] == ["", "$die"]  # whether it goes on, and how
