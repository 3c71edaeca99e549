"""Lines through a space, asked of masks that are known beforehand."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.native.codegen.llvm.module import Module
from ludwright.program.nodes import walk
from tests.native.support import needs_native, plays_alike

pytestmark = needs_native

# Lines through the last stone, through a space that may be none, and through every stone.
RULEBOOK = """
```yaml
game: { id: rows, title: Rows, players: 2 }
seats: [dark, pale]
spaces: { board: { BOARD } }
pieces: { stone: { owner: seat } }
vars: { seen: 0..100000, turns: 0..60 }
fns:
  beside(c): step(c, east)
  worth(c): |
    (1 if line(c, 2) else 0) + (3 if line(c, 3) else 0) + (5 if line(c, 4) else 0) + (7 if line(c, 9) else 0)
    + (11 if beside(c) != none and line(beside(c), 3) else 0)
    + 13 * count(x for x in board if x.piece != none and line(x, 3))
actions:
  - id: lay
    params: { cell: c for c in board if c.piece == none }
    effects: [place stone of actor at cell, noted(cell)]
  - id: take
    params: { cell: c for c in board if c.piece != none and c.piece.owner != actor }
    effects: [noted(cell), remove cell.piece]
procs:
  noted(c):
    - seen = (seen * 7 + worth(c)) % 99991
    - turns += 1
    - if turns == 60 then end game
noMoves: [end game]
score: seen
```
"""

BOARDS = ("grid: [4, 3]", "grid: [8, 8]", "hex: { shape: hexagon, size: 4 }", "grid: [9, 13]")


def rows(board: str) -> ir.Program:
    return lw.load_text(RULEBOOK.replace("BOARD", board), engine="python").program


@pytest.mark.parametrize("board", BOARDS)
def test_lines_are_where_counting_finds_them(board: str) -> None:
    """Step by step beside the interpreter, whole games beside code that counts along rows."""
    plays_alike(rows(board), {"line_masks"}, seeds=range(2), least=60)


def lines_in(program: ir.Program) -> list[int]:
    """How many masks a space has, by condition."""
    sets = Module(program).sets
    bodies = tuple(function.body for function in program.functions)
    found = (sets.lines.of(node) for node in walk((program.code, program.choices, bodies))
             if isinstance(node, ir.Or))  # fmt: skip
    return [lines.width for lines in found if lines is not None]


def test_a_space_has_a_mask_for_each_full_line() -> None:
    """In the middle of tic-tac-toe four lines meet, at a point of the mill board two."""
    assert max(lines_in(lw.load("tic-tac-toe", engine="python").program)) == 4
    assert set(lines_in(lw.load("nine-mens-morris", engine="python").program)) == {2}


LONG = """
```yaml
game: { id: long, title: Long, players: 2 }
seats: [dark, pale]
spaces: { board: { grid: [7, 8] }, rest: { grid: [2, HEIGHT], names: numbers } }
pieces: { stone: { owner: seat } }
actions:
  - id: lay
    params: { cell: c for c in spaces if c.piece == none }
    effects: [place stone of actor at cell]
    notation: "{cell}"
end: [{ when: "line(cell, 5)", win: actor, reason: a line }]
noMoves: [{ draw: all, reason: full }]
```
"""


def test_where_every_bit_is_a_space_each_must_lie_on_a_line() -> None:
    """Otherwise no mask says that a space lies on none."""
    short, full = (
        lw.load_text(LONG.replace("HEIGHT", str(height)), engine="python").program
        for height in (3, 4)
    )
    assert lines_in(short)
    assert not lines_in(full)
