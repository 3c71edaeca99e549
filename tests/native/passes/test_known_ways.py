"""Whether there is a way, asked of the way that was found before."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.interpreter.machine import Machine
from ludwright.native.passes.known_ways import way_of
from ludwright.program.nodes import walk
from tests.native.support import needs_native

pytestmark = needs_native

# Walls come and go, walkers move or are away, and ends are a row, free spaces, or one space.
RULEBOOK = """
```yaml
game: { id: moles, title: Moles, players: 2 }
seats: [dark, pale]
spaces: { board: { BOARD } }
pieces: { mole: { owner: seat, count: 1 }, wall: {} }
vars: { seen: 0..100000, turns: 0..60, ground: "set[board] = all", mark: "board?" }
fns:
  spots(p): m.place for m in mole if m.owner == p
  across(p): any(c for c in reach(spots(p), over=ground) if c.row == (1 if p == dark else 3))
  out(p): any(c for c in reach(spots(p), over=ground - [x for x in [mark] if x != none]) if c.piece == none and c.column == 3)
  meets: any(c == mark for c in reach([m.place for m in mole], over=ground))
  worth: count(p for p in seats if across(p)) + 3 * count(p for p in seats if out(p)) + (9 if meets else 0)
actions:
  - id: build
    params: { cell: c for c in board if c.piece == none }
    effects: [place wall at cell, "ground = ground - [cell]", noted(cell)]
  - id: dig
    params: { cell: c for c in board if c.piece.kind == wall }
    effects: [remove cell.piece, "ground = ground + [cell]", noted(cell)]
  - id: go
    params: { cell: c for c in board if c.piece == none }
    effects:
      - for m in mole if m.owner == actor do move m to cell
      - noted(cell)
  - id: leave
    pre: any(m for m in mole if m.owner == actor and m.place != none)
    effects:
      - for m in mole if m.owner == actor do remove m
      - noted(none)
procs:
  noted(c):
    - mark = c
    - seen = (seen * 7 + worth) % 99991
    - turns += 1
    - if turns == 60 then end game
noMoves: [end game]
score: seen
```
"""

ZONE = "grid: [5, 4] } }\nzones: { box: { order: bag"  # a place that is no space
GRIDS = ("grid: [4, 3]", "grid: [8, 8]", "grid: [9, 9]", "grid: [17, 16]", ZONE)


def moles(board: str) -> ir.Program:
    return lw.load_text(RULEBOOK.replace("BOARD", board), engine="python").program


@pytest.mark.parametrize("board", GRIDS)
def test_ways_that_are_kept_give_the_answers_of_floods(board: str) -> None:
    """Step by step beside the interpreter, whole games beside code that floods each time."""
    import numpy as np

    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.native.playouts import playouts
    from ludwright.testing.lockstep import lockstep

    program = moles(board)
    told = NativeMachine(program, engine=Engine(program, 0, events=True))
    decisions, difference = lockstep(Machine(program), told, 1, 2)
    assert difference is None
    assert decisions > 60
    finals = []
    for without in ((), {"known_ways"}, {"flood_shifts"}, {"space_sets"}):
        engine = Engine(program, 0, without=without)
        found = playouts(engine, 200, 5, finals=True).finals
        assert found is not None
        finals.append(found)
    assert all(np.array_equal(finals[0], each) for each in finals[1:])
    assert len({tuple(final) for final in finals[0]}) == 200


def test_questions_for_a_way_are_found() -> None:
    from ludwright.native.codegen.llvm.module import Module

    module = Module(moles(GRIDS[0]))
    found = {
        function.name
        for function in module.program.functions
        for node in walk(function.body)
        if isinstance(node, ir.Aggregate)
        and way_of(module.program, module.sets, node, lambda _: True)
    }
    assert {"across", "out", "meets"} <= found
