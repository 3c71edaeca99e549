"""Comprehensions over comprehensions as one, and sets that leave single spaces out."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.passes.flat_streams import with_flat_streams
from ludwright.program.nodes import walk
from tests.native.support import needs_native, plays_alike

pytestmark = needs_native

# Views along rays in all directions, with spaces that are left out and one that stops them; what
# stands there; loops that end by themselves around loops that do; elements that are computed.
RULEBOOK = """
```yaml
game: { id: views, title: Views, players: 2 }
seats: [dark, pale]
spaces: { board: { grid: [WIDTH, HEIGHT] } }
enums: { sort: [rock, tree, bush] }
pieces: { stone: { owner: seat, what: sort } }
vars: { seen: 0..100000, turns: 0..50, last: board? = none }
fns:
  view(c, ds, gone, stop): x for d in ds for x in ray(c, d) until x == stop or (x.piece != none and x != gone)
  sorts(cs, foe, gone): x.piece.what for x in cs if x.piece.owner == foe and x != gone
  sights(c, foe, gone, stop): count(k for k in sorts(view(c, all, gone, stop), foe, gone) if k == rock or k == bush)
  nearest(c): first(x for x in view(c, orthogonal, none, none) if x.piece != none)
  some(c): count(x for x in view(c, all, none, none) until x.piece != none if x.row > 1)
  far(c): count(n for n in [x.row + x.column for x in view(c, diagonal, none, none)] if n > 4)
  pairs(c): count(x for x in view(c, [east, north], none, none) for y in view(x, [west], c, none) if y != c)
  worth(c, me): |
    sights(c, opponent(me), last, c) + 3 * sights(c, me, none, last) + 5 * default(nearest(c).row, 0)
    + 7 * some(c) + 11 * far(c) + 13 * pairs(c)
    + 17 * count(x for x in board if x != c and x.piece.owner == me)
actions:
  - id: lay
    params: { cell: c for c in board if c.piece == none, kind: sort }
    effects: [place stone of actor at cell with what=kind, noted(cell)]
  - id: take
    params: { cell: c for c in board if c.piece != none and c.piece.owner != actor }
    effects: [noted(cell), remove cell.piece]
procs:
  noted(c):
    - seen = (seen * 7 + worth(c, actor)) % 99991
    - last = c
    - turns += 1
    - if turns == 50 then end game
noMoves: [end game]
score: seen
```
"""


def views(width: int, height: int) -> ir.Program:
    text = RULEBOOK.replace("WIDTH", str(width)).replace("HEIGHT", str(height))
    return lw.load_text(text, engine="python").program


@pytest.mark.parametrize(("width", "height"), [(5, 4), (8, 8), (9, 13)])
def test_flat_comprehensions_have_the_same_elements(width: int, height: int) -> None:
    """Step by step beside the interpreter, whole games beside code that keeps them as they are."""
    plays_alike(
        views(width, height), {"flat_streams"}, {"flat_streams", "space_sets"},
        seeds=range(2), least=60,
    )  # fmt: skip


def _nested(program: ir.Program, name: str) -> int:
    """Loops of a function over the elements of a comprehension."""
    return sum(
        isinstance(node, ir.Loop) and any(isinstance(part, ir.Stream) for part in walk(node.source))
        for function in program.functions
        if function.name == name
        for node in walk(function.body)
    )


def test_a_loop_that_ends_early_is_left_alone() -> None:
    program = views(5, 4)
    flat = with_flat_streams(program, Inference(program))
    before, after = ({name: _nested(each, name) for name in ("sights", "some", "worth")}
                     for each in (program, flat))  # fmt: skip
    assert before["sights"] > after["sights"] == 0
    assert before["some"] == after["some"] > 0
