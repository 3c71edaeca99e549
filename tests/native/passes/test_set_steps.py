"""The neighbours of all spaces of a set at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Run
from ludwright.native.passes.set_steps import neighbours_of
from ludwright.program.nodes import walk
from tests.native.support import needs_native, plays_alike

pytestmark = needs_native

# Edges of chains and of free regions: with conditions on them, with none, of sets in variables.
RULEBOOK = """
```yaml
game: { id: ponds, title: Ponds, players: 2 }
seats: [dark, pale]
spaces: { board: { BOARD } }
zones: { box: { order: bag } }
pieces: { stone: { owner: seat } }
vars: { seen: 0..100000, turns: 0..60, marked: "set[Space]" }
fns:
  held(p): c for c in board if c.piece.owner == p
  free: c for c in board if c.piece == none
  chain(c): reach([c], over=held(c.piece.owner))
  edge(c): set(x for s in chain(c) for x in s.adjacent)
  liberties(c): set(x for s in chain(c) for x in s.adjacent if x.piece == none)
  meets(c, p): any(x for s in chain(c) for x in s.adjacent if x.piece.owner == p and x != c)
  listed(c): count(x for s in chain(c) for x in s.adjacent if x.piece == none)
  borders(region, p): any(x for s in region for x in s.adjacent if x.piece.owner == p)
  owned(p, c): borders(region, p) and not borders(region, opponent(p)) where region = reach([c], over=free)
  worth(me): |
    count(c for c in free if owned(me, c))
    + 11 * count(set(x for s in marked for x in s.adjacent if x.piece.owner == me))
    + (13 if any(x for s in marked for x in s.adjacent) else 0)
actions:
  - id: lay
    params: { cell: free }
    effects:
      - place stone of actor at cell
      - marked = chain(cell)
      - "seen = (seen * 3 + count(edge(cell)) + 5 * count(liberties(cell)) + 7 * listed(cell)) % 99991"
      - if meets(cell, actor) then seen = (seen + 1) % 99991
      - noted()
  - id: take
    params: { cell: "c for c in board if c.piece.owner not in [none, actor]" }
    effects: [remove cell.piece, noted()]
procs:
  noted():
    - seen = (seen * 7 + worth(actor)) % 99991
    - turns += 1
    - if turns == 60 then end game
noMoves: [end game]
score: seen
```
"""

GRIDS = ("grid: [4, 3]", "grid: [8, 8]", "grid: [9, 9]")


def ponds(board: str) -> ir.Program:
    return lw.load_text(RULEBOOK.replace("BOARD", board), engine="python").program


@pytest.mark.parametrize("board", [*GRIDS, "grid: [13, 12]", "hex: { shape: hexagon, size: 4 }"])
def test_neighbours_of_a_set_are_those_of_its_spaces(board: str) -> None:
    """Step by step beside the interpreter, whole games beside code that looks at each space."""
    plays_alike(ponds(board), {"set_steps"}, {"space_sets"}, seeds=[1], least=60, games=40)


@pytest.mark.parametrize("board", GRIDS)
def test_neighbours_are_found_at_once_unless_their_number_counts(board: str) -> None:
    from ludwright.native.codegen.llvm.module import Module

    module = Module(ponds(board))
    found = {
        function.name
        for function in module.program.functions
        for stream in walk(function.body)
        if isinstance(stream, ir.Stream)
        and neighbours_of(module.program, module.sets, stream, lambda _: True)
    }
    assert {"edge", "liberties", "meets", "borders"} <= found


# `box` is no space. Without a row for it, whoever gets there has a fault.
OUTSIDE = """
```yaml
game: { id: outside, title: Outside, players: 2 }
spaces: { board: { grid: [3, 3] } }
zones: { box: { order: bag } }
pieces: { stone: { count: 2 } }
vars: { marked: "set[Place]", near: 0..9 }
setup: [place stone at a1, "marked = [b1, box]"]
actions:
  - id: list
    effects: [near = count(set(x for s in marked for x in s.adjacent if x.piece == none))]
  - id: meet
    effects: [if any(x for s in marked for x in s.adjacent if x.piece != none) then near = 1]
  - id: miss
    effects: [if any(x for s in marked for x in s.adjacent if x == c3 and x.piece == none) then near = 1]
end: [{ when: turn > 9, draw: all, reason: over }]
```
"""


def test_a_place_without_neighbours_is_left_out_and_one_without_a_row_is_a_fault() -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine

    program = lw.load_text(OUTSIDE, engine="python").program
    short = replace(program, rows=tuple(rows[:9] for rows in program.rows))
    for each, faulty in ((program, []), (short, [0, 2])):
        for machine in (Machine(each), NativeMachine(each, engine=Engine(each, 0, events=True))):
            faults = [fault_of(machine, answer) for answer in range(3)]
            assert [at for at, told in enumerate(faults) if told] == faulty
            assert all("index 9 is outside 0..8" in told for told in faults if told)


def fault_of(machine: Machine, answer: int) -> str:
    """What is told of the fault that the first answer of a game leads to; nothing if to none."""
    cells = machine.scratch(machine.fresh(1, 2, 0), Run())
    stop = machine.start(cells)
    try:
        machine.answer(cells, stop, answer)
    except RulebookFault as fault:
        return str(fault)
    return ""
