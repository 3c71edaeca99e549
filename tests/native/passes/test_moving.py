"""Whole lists of pieces that move at once."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from tests.native.support import needs_native

pytestmark = needs_native

PLACES = ("deck", "bag", "line", "pile")

RULEBOOK = """
```yaml
game: { id: removal, title: Removal, players: 2 }
pieces: { stone: { each: { n: 1..STONES } } }
zones:
  deck: { of: stone, order: deck, init: all }
  bag: { of: stone }
  line: { of: stone, order: row }
  pile: { of: stone, order: stack }
vars: { steps: 0..200 }
procs:
  spread():
    - draw 3 from deck to pile
    - draw 2 from deck to line
    - draw 2 from deck to bag
    - if count(line) > 4 then move line[2] to deck at bottom
    - if count(pile) > 5 then move pile[1] to deck at bottom
phases:
  - id: play
actions:
MOVES
score: 0
```
"""

_ACTION = """\
  - id: {id}
    effects:
      - spread()
      - move all of {source} to {place}
      - move first(x for x in stone if x.n % 7 == steps % 7) to bag
      - for x in [y for y in bag if y.n % 5 == steps % 5] do move x to {place}
      - steps += 1
      - if count(deck) < 12 then move all of stone to deck
      - if steps == 60 then end game
"""


def _rulebook(stones: int) -> str:
    sources = {
        "all": "stone",
        "odd": "[x for x in stone if x.n % 2 == 1]",
        "falling": "sort([x for x in stone if x.n % 3 == 1], desc=true)",
        "again": "[x for z in [pile, pile, line] for x in z]",
        "few": "[x for x in pile if x.n > 30]",
    }
    sources |= {name: name for name in PLACES}
    return RULEBOOK.replace("STONES", str(stones)).replace(
        "MOVES\n",
        "".join(
            _ACTION.format(id=f"{name}_{place}", source=source, place=place)
            for name, source in sources.items()
            for place in PLACES
            if source != place
        ),
    )


@pytest.mark.parametrize("stones", [13, 40, 64, 70])
def test_pieces_that_move_together_lie_as_if_they_moved_one_by_one(stones: int) -> None:
    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program = lw.load_text(_rulebook(stones)).program
    assert any(isinstance(instr, ir.MoveAll) for instr in program.code)
    native = NativeMachine(program, engine=Engine(program, 0, events=True))
    for seed in range(4):
        made, difference = lockstep(Machine(program), native, seed, 2)
        assert difference is None, difference
        assert made == 60


@pytest.mark.parametrize("name", ["hearts", "texas-holdem"])
def test_games_of_cards_collect_them_at_once(name: str) -> None:
    program = lw.load(name).program
    assert any(isinstance(instr, ir.MoveAll) for instr in program.code)


@pytest.mark.parametrize("limit", [1, 7, 13, 14, 20, 40])
def test_ticks_run_out_in_the_middle_of_move_all(limit: int) -> None:
    """One tick for each piece, told or not: the same error after the same number of them."""
    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program = lw.load_text(_rulebook(13)).program
    native = NativeMachine(program, tick_limit=limit, engine=Engine(program, 0, events=True))
    for seed in range(3):
        _, difference = lockstep(Machine(program, tick_limit=limit), native, seed, 2)
        assert difference is None, difference
