"""What a game does once, before its first decision, is known as such."""

from __future__ import annotations

import ludwright as lw
from ludwright import program as ir
from ludwright.native.passes.cold_set_up import set_up

RULEBOOK = """
```yaml
game: { id: apart, title: Apart, players: 2 }
seats: [one, two]
spaces: { board: { grid: [2, 2] } }
pieces: { stone: { owner: seat } }
vars: { first: 0..9, later: 0..9 }
procs:
  mark(c): [place stone of one at c, first += 1]
  count(): [later += 1]
setup: [mark(a1), mark(b1), count()]
actions:
  - { id: put, params: { c: c for c in board if c.piece == none }, effects: [place stone of actor at c, count()] }
```
"""


def test_only_what_nothing_comes_to_after_a_decision_is_set_up() -> None:
    program = lw.load_text(RULEBOOK, engine="python").program
    once = set_up(program)
    moves = [pc for pc, instr in enumerate(program.code) if isinstance(instr, ir.MovePiece)]
    assert [pc in once for pc in moves] == [True, False], "the procedure `mark`, and the action"
    written = {
        variable.name: {
            pc in once
            for pc, instr in enumerate(program.code)
            if isinstance(instr, ir.Store) and instr.addr == variable.addr
        }
        for variable in program.variables
        if variable.name in ("first", "later")
    }
    assert written["first"] == {True}
    assert False in written["later"], "the procedure `count` is called by the action too"
    assert program.entry in once
