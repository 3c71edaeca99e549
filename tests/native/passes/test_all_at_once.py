"""Conditions on spaces that are tested for all spaces at once."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.passes.all_at_once import AllAtOnce
from ludwright.native.passes.masks import (
    NOTHING,
    Both,
    Fact,
    Families,
    Family,
    Fixed,
    Mask,
    Moved,
    parts,
)
from ludwright.native.passes.simple_sets import Sets
from ludwright.program.nodes import walk
from tests.native.support import needs_native, plays_alike

pytestmark = needs_native

# Neighbours, jumps, rays and lines; directions that depend on the piece; steps off the board.
# What is counted lies in the state.
RULEBOOK = """
```yaml
game: { id: looks, title: Looks, players: 2 }
seats:
  dark: { ahead: [north, northeast] }
  pale: { ahead: [south, west, southwest] }
spaces: { board: { BOARD } }
pieces: { stone: { owner: seat, king: bool } }
vars: { seen: 0..100000, turns: 0..50 }
fns:
  own(me): x for x in board if x.piece.owner == me
  ways(x): diagonal if x.king else x.owner.ahead
  walks(c): t for d in ways(c.piece) for t in steps(c, [d]) if t.piece == none
  jumps(c): t for d in ways(c.piece) for t in steps(c, [d, d]) if t.piece == none and step(c, d).piece.owner == opponent(c.piece.owner)
  encloses(c, d, me): first(x for x in ray(c, d) if x.piece.owner != opponent(me)).piece.owner == me
  enclosed(c, me): x for d in all if encloses(c, d, me) for x in ray(c, d) until x.piece.owner == me if x.piece.owner != me
  alone(c): all(x.piece == none for d in orthogonal for x in ray(c, d) until x.piece != none if x.column != c.column)
  unlike(c): c.piece != none and any(x.piece.king != c.piece.king for d in all for x in steps(c, [d]) if x.piece != none)
  led(c, me): (step(c, east) if c.piece == none else step(c, west)).piece.owner == me
  lost(c, me): step(c, north).piece.owner != me and step(step(c, north), east).piece == none
  ends(c): first(x for x in ray(c, south) until x.piece != none if x.row < 3) != none
  like(c): step(c, east).piece.owner == a1.piece.owner
  crowd(c): count(x for d in orthogonal for x in steps(c, [d]) if x.piece != none)
  worth(me): |
    count(c for c in board if c.piece.owner == me and any(walks(c)))
    + 3 * count(c for c in board if c.piece.owner == me and any(jumps(c)))
    + 5 * count(c for c in board if c.piece == none and any(enclosed(c, me)))
    + 7 * count(c for c in board if alone(c)) + 11 * count(c for c in board if unlike(c))
    + 13 * count(c for c in board if led(c, me)) + 17 * count(c for c in board if lost(c, me))
    + 19 * count(c for c in board if ends(c))
    + 23 * count(c for c in own(me) if not line(c, 3))
    + 31 * count(c for c in board if like(c)) + 37 * count(c for c in board if crowd(c) > 2)
    + 41 * count(c for c in board if crowd(c) <= 1)
    + (29 if any(t for c in board if c.piece.owner == me for t in jumps(c)) else 0)
actions:
  - id: lay
    params: { cell: c for c in board if c.piece == none }
    effects:
      - if any(s for s in stone if s.place == none) then place stone of actor at cell
      - done(cell)
  - id: jump
    params:
      origin: c for c in board if c.piece.owner == actor and any(jumps(c))
      target: jumps(origin)
    effects: [move origin.piece to target, done(target)]
  - id: turn
    params: { cell: "c for c in board if c.piece == none and any(enclosed(c, actor))" }
    effects:
      - for c in enclosed(cell, actor) do turned(c)
      - done(cell)
procs:
  turned(c): [if c.piece != none then c.piece.owner = actor]
  done(c):
    - if c.piece != none then c.piece.king = turns % 3 == 0
    - seen = (seen * 7 + worth(actor)) % 99991
    - turns += 1
    - if turns == 50 then end game
noMoves: [end game]
score: seen
```
"""

BOARDS = ("grid: [5, 4]", "grid: [8, 8], keep: dark", "grid: [8, 8]", "grid: [9, 13]")


def looks(board: str) -> ir.Program:
    return lw.load_text(RULEBOOK.replace("BOARD", board), engine="python").program


@pytest.mark.parametrize("board", BOARDS)
def test_sets_are_the_spaces_that_pass_the_test(board: str) -> None:
    """Step by step beside the interpreter, whole games beside code that tests space by space."""
    plays_alike(looks(board), {"all_at_once"}, seeds=range(3), least=50)


def at_once(program: ir.Program) -> int:
    """How many comprehensions of a Program are sets because of the pass."""
    shapes = Inference(program)
    found = AllAtOnce(program, shapes, Families(program, shapes))
    bodies = tuple(function.body for function in program.functions)
    streams = [
        node
        for node in walk((program.code, program.choices, bodies))
        if isinstance(node, ir.Stream)
    ]
    return sum(any((found.set_of(node), found.givers(node))) for node in streams)


def test_these_conditions_are_tested_at_once() -> None:
    assert at_once(looks(BOARDS[2])) >= 10


def test_what_takes_too_long_is_tested_space_by_space() -> None:
    """Queens of amazons are few, and rays on a large board are long."""
    assert not at_once(lw.load("amazons", engine="python").program)


def test_a_condition_that_can_fail_is_tested_space_by_space() -> None:
    text = RULEBOOK.replace("BOARD", BOARDS[2]).replace(
        "+ 7 * count(c for c in board if alone(c))",
        "+ 7 * count(c for c in board if alone(c) and 6 // turns > 1)",
    )
    program = lw.load_text(text, engine="python").program
    assert at_once(program) == at_once(looks(BOARDS[2])) - 1


def test_more_than_there_are_is_nothing_whatever_the_number() -> None:
    """A rulebook may ask for billions of neighbours: the bound is not counted out."""
    sets = Sets(9, 100, ValueError)
    masks = [Fact(Family("free")), Fact(Family("cells", 7), ir.Const(1))]
    assert sets.at_least(masks, 2_000_000_000) == NOTHING
    assert sets.at_least(masks, 3) == NOTHING
    assert sets.at_least(masks, 2) == Both(*masks)
    assert sets.at_least(masks, 0) == sets.everywhere


def in_rows(distance: int) -> Fixed:
    """Spaces of a board of four columns that have another one so many columns to their east."""
    return SETS.fixed(lambda space: space % 4 + distance < 4)


SETS = Sets(12, 1000, ValueError)
FREE, OWN = Fact(Family("free")), Fact(Family("cells", 7), ir.Const(1))


def east(fact: Fact, distance: int) -> Moved:
    return Moved(fact, ((distance, in_rows(distance).bits),))


def test_what_a_step_says_already_is_not_said_again() -> None:
    """A space with a man two columns away has a space next to it."""
    man = east(OWN, 2)
    assert SETS.both(in_rows(1), man) == man
    beyond = SETS.either(SETS.without(in_rows(1)), east(FREE, 1))
    assert SETS.both(man, beyond) == Both(man, east(FREE, 1))
    assert SETS.both(man, SETS.without(in_rows(1))) == NOTHING


def test_of_two_sets_that_lie_in_each_other_one_is_left() -> None:
    near, far = SETS.without(east(FREE, 1)), SETS.without(east(FREE, 2))
    wide = SETS.both(in_rows(1), near)
    narrow = SETS.both(in_rows(2), SETS.both(near, far))
    assert SETS.either(wide, narrow) == wide == SETS.either(narrow, wide)
    assert SETS.both(wide, narrow) == narrow == SETS.both(narrow, wide)


def test_a_function_written_once_is_followed_once() -> None:
    """Both sides' moves, and those of any seat, are copies with other registers."""
    program = lw.load("reversi", engine="python").program
    shapes = Inference(program)
    found = AllAtOnce(program, shapes, Families(program, shapes))
    bodies = tuple(function.body for function in program.functions)
    nodes = walk((program.code, program.choices, bodies))
    sets = [found.set_of(node) for node in nodes if isinstance(node, ir.Stream)]
    whose = [facts_of(one.mask) for one in sets if one is not None]
    assert len(whose) >= 4
    assert len(set(map(len, whose))) == 1
    assert len(set(whose)) == len(whose), "each is about a seat in a register of its own"


def facts_of(mask: Mask) -> frozenset[object]:
    return frozenset(part for part in parts([mask]) if isinstance(part, Fact))
