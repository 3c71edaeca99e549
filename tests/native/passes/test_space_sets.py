"""Sets of spaces as bits: facts that stay true, rays in both directions, floods by shifts."""

from __future__ import annotations

import random

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.native.analysis.stream_sizes import StreamSizes
from ludwright.native.passes.flood_shifts import shifts_of
from tests.native.support import needs_native, plays_alike

pytestmark = needs_native

PASSES = {"space_sets", "draw_bits", "flood_shifts"}

# Everything that changes what stands on a space: placing, moving onto others, moving all, removing,
# properties. What is counted afterwards lies in the state.
RULEBOOK = """
```yaml
game: { id: heaps, title: Heaps, players: 2 }
seats: [dark, pale]
spaces: { board: { grid: [WIDTH, HEIGHT] } }
pieces: { stone: { owner: seat, hot: 0..3 } }
vars: { seen: 0..100000, turns: 0..60 }
fns:
  held(p): c for c in board if c.piece.owner == p
  free: c for c in board if c.piece == none
  sight(c, d): x for x in ray(c, d) until x.piece != none
  ends(c): x for d in all for x in ray(c, d) until x.piece != none if x.piece == none
  met(c, d, me): first(x for x in ray(c, d) if x.piece != none).piece.owner == me
  warm(n): count(c for c in board if c.piece.hot == n)
  worth(me): |
    count(held(me)) + 3 * count(free) + 5 * count(x for d in all for x in sight(a1, d))
    + 7 * count(d for d in all if met(c3, d, me)) + 11 * warm(1) + 13 * warm(2)
    + (17 if all(c.piece == none for c in board if c.row == 2) else 0)
    + 19 * count(reach([c3], over=free)) + default(first(held(me)).column, 0)
    + 2 * count(c for c in board if c.column == turns % 4 and c.piece.owner != me and c != c3)
actions:
  - id: lay
    pre: any(free)
    params: { cell: free }
    effects:
      - if any(s for s in stone if s.place == none) then place stone of actor at cell
      - turn_(cell)
  - id: heap
    pre: any(held(actor))
    params:
      origin: held(actor)
      target: { options: x for x in board if x != origin }
    effects:
      - if origin.row == 1 then move all of origin to target else move origin.piece to target
      - turn_(target)
  - id: fly
    params:
      origin: c for c in board if c.piece != none and any(ends(c))
      target: ends(origin)
    effects:
      - move origin.piece to target
      - target.piece.owner = opponent(target.piece.owner)
      - turn_(target)
procs:
  turn_(c):
    - if c.piece != none then c.piece.hot = (c.piece.hot + 1) % 4
    - if seen % 5 == 1 and c.piece != none then remove c.piece
    - seen = (seen * 7 + worth(actor)) % 99991
    - turns += 1
    - if turns == 60 then end game
noMoves: [end game]
score: seen
```
"""


def heaps(width: int, height: int) -> ir.Program:
    """On boards of one word and of several."""
    text = RULEBOOK.replace("WIDTH", str(width)).replace("HEIGHT", str(height))
    return lw.load_text(text, engine="python").program


@pytest.mark.parametrize(("width", "height"), [(5, 4), (8, 8), (10, 9), (13, 12)])
def test_facts_are_what_stands_on_the_spaces(width: int, height: int) -> None:
    """Step by step beside the interpreter, whole games beside code that keeps no facts."""
    plays_alike(heaps(width, height), PASSES, seeds=range(3), least=60)


@pytest.mark.parametrize("board_size", [3, 12, 19])
def test_boards_of_any_size_are_flooded_alike(board_size: int) -> None:
    import numpy as np

    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    program = lw.load("hex", engine="python", board_size=board_size).program
    one, two = (
        playouts(Engine(program, 0, without=without), 20, 5, finals=True).finals
        for without in ((), PASSES)
    )
    assert one is not None
    assert two is not None
    assert np.array_equal(one, two)


def test_shifts_reach_what_a_search_reaches() -> None:
    dice = random.Random(3)
    for _ in range(200):
        width, height = dice.randint(1, 9), dice.randint(1, 9)
        at = [(x, y) for y in range(height) for x in range(width)]
        rows = [
            [at.index((x + dx, y + dy)) for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1))
             if (x + dx, y + dy) in at and dice.random() < 0.8]
            for x, y in at
        ]  # fmt: skip
        shifts = shifts_of(rows)
        assert shifts is not None
        over = {space for space in range(len(at)) if dice.random() < 0.7}
        start = dice.randrange(len(at))
        found, edge = {start}, [start]
        while edge:
            near = {n for n in rows[edge.pop()] if n in over} - found
            found |= near
            edge += near
        bits, before = 1 << start, 0
        while bits != before:
            before = bits
            for distance, spaces in shifts.steps.items():
                here = bits & spaces
                moved = here << distance if distance > 0 else here >> -distance
                bits |= moved & sum(1 << space for space in over)
        assert found == {space for space in range(len(at)) if bits >> space & 1}


def test_neighbours_at_many_distances_are_no_shifts() -> None:
    assert shifts_of([[space * space % 40] for space in range(40)]) is None
    assert shifts_of([[1], ["b"]]) is None


def test_rays_from_one_space_have_nothing_in_common_but_other_rows_may() -> None:
    from ludwright.native.codegen.llvm.module import Module

    program = lw.load("amazons", engine="python").program
    module = Module(program)
    sizes = StreamSizes(program, module.shapes)
    target = program.choices[2].options
    assert isinstance(target, ir.BindSource)
    assert sizes.distinct(target)
    stream = target.body
    assert isinstance(stream, ir.Stream)
    outer, inner, *tests = stream.clauses
    assert isinstance(outer, ir.Loop)
    for values in ((0, 0), (0, 1, 1)):
        again = ir.Loop(outer.regs, ir.ConstSource(values))
        assert not sizes.distinct(ir.Stream((again, inner, *tests), stream.head))
    # ... nor where the rows do not lie at equal distances
    assert isinstance(inner, ir.Loop)
    factor = ir.Arith("*", ir.Load(outer.regs[0]), ir.Load(7))
    other = ir.Loop(inner.regs, ir.RowSource(0, factor))
    assert not sizes.distinct(ir.Stream((outer, other, *tests), stream.head))
