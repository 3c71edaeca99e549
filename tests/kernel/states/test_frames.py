"""Frames of procedures, and counters of the engine: what no play leaves in them is refused."""

from __future__ import annotations

import struct

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State

RULEBOOK = """# Errands

```yaml
game: { id: errands, title: Errands, players: 2 }
vars: { n: 0..99 clamp }
procs:
  one: [{ chooseOne: { bind: $x, options: 1..3 } }, n += $x]
  two: [{ chooseOne: { bind: $y, options: 1..3 } }, n += $y]
actions:
  - { id: both, effects: [one(), two(), one(), two()] }
  - id: list
    effects:
      - let seen = [p for p in seats]
      - let crowd = set([p for p in seats])
      - let pair = (n, red)
      - chooseOne: { bind: $z, options: 1..2 }
      - n += count(seen) + count(crowd) + pair[0]
seats: [red, blue]
```
"""


def packed(cells: list[int]) -> bytes:
    return struct.pack(f"<{len(cells)}i", *cells)


def refused(game: Game, state: State, match: str, **changed: int) -> None:
    cells = list(state.cells)
    for place, value in changed.items():
        cells[int(place[1:])] = value
    with pytest.raises(ValueError, match=match):
        game.state_from_bytes(packed(cells))


@pytest.fixture(scope="module")
def game(engine: str) -> Game:
    return lw.load_text(RULEBOOK, engine=engine)


def procedure(game: Game, name: str) -> ir.Procedure:
    return next(p for p in game.program.procedures if p.name == name)


def local(game: Game, name: str) -> int:
    return next(item.addr for p in game.program.procedures for item in p.frame if item.name == name)


def test_a_procedure_returns_to_a_call_of_itself(game: Game) -> None:
    """Two procedures may have their return addresses in one cell."""
    one, two = procedure(game, "one"), procedure(game, "two")
    assert one.ret == two.ret
    state = game.choose(game.initial_state(), "both").state
    assert state.cells[one.ret] > 0
    other = next(at + 1 for at, instr in enumerate(game.program.code)
                 if isinstance(instr, ir.CallProc) and instr.entry == two.entry)  # fmt: skip
    refused(game, state, "`one` does not know where it was called", **{f"_{one.ret}": other})
    refused(game, state, "`one` does not know where it was called", **{f"_{one.ret}": 0})


def test_nobody_calls_the_main_program(game: Game) -> None:
    """Looking for its caller would never end."""
    state = game.initial_state()
    main = game.program.procedures[0]
    refused(game, state, "main program", **{f"_{main.ret}": 1, f"_{ir.HEAD}": 0})


def test_what_no_procedure_uses_is_empty(game: Game) -> None:
    state = game.initial_state()
    refused(game, state, "no procedure uses it", **{f"_{local(game, 'seen')}": 1})


def test_locals_hold_values_of_their_types(game: Game) -> None:
    state = game.choose(game.initial_state(), "list").state
    assert game.state_from_bytes(state.to_bytes()) == state
    seen, crowd, pair = (local(game, name) for name in ("seen", "crowd", "pair"))
    for changed in ({seen: 3}, {seen: -1}, {seen: 1}, {crowd: -1}, {crowd: 4}, {pair + 1: 2}):
        refused(game, state, "holds", **{f"_{at}": value for at, value in changed.items()})


def test_a_finished_game_stands_where_it_ended(engine: str) -> None:
    game = lw.load("nim", engine=engine)
    state = game.initial_state()
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, decision.answers[-1]).state
    assert game.state_from_bytes(state.to_bytes()) == state
    refused(game, state, "where its game ended", **{f"_{ir.PC}": state.cells[ir.PC] - 1})


def test_events_that_can_no_longer_be_numbered_are_a_fault(game: Game) -> None:
    """The count never wraps: a full one is refused, and reaching it is a fault."""
    state = game.initial_state()
    refused(game, state, "header", **{f"_{ir.LOG}": 2**31 - 1})
    cells = list(state.cells)
    cells[ir.LOG] = 2**31 - 2
    last = game.state_from_bytes(packed(cells))
    with pytest.raises(lw.RulebookFault, match=r"log-full.*events can be numbered"):
        game.choose(last, "both")


LONG = """# Long

```yaml
game: { id: long, title: Long, players: 2 }
vars: { n: 0..9 }
history: { recent: { of: [n], keep: last 3 } }
actions:
  - { id: go, effects: [n = (n + 1) % 10, record recent] }
```
"""


def test_a_ring_of_positions_is_not_counted_beyond_a_cell(engine: str) -> None:
    game = lw.load_text(LONG, engine=engine)
    state = game.initial_state()
    cells = list(state.cells)
    addr = game.program.histories[0].addr
    refused(game, state, "recorded -1", **{f"_{addr}": -1})
    cells[addr] = 2**31 - 1
    full = game.state_from_bytes(packed(cells))
    with pytest.raises(lw.RulebookFault, match=r"history-full.*`recent`"):
        game.choose(full, "go")


UNREAD = """# Unread

```yaml
game: { id: unread, title: Unread, players: 2 }
vars: { n: 0..99 clamp }
procs:
  leave(k):
    - if true then return
    - chooseOne: { bind: $x, options: 1..3 }
    - n += k
actions:
  - { id: go, params: { a: 1..3 }, effects: [leave(a), n += 1] }
```
"""


def test_an_argument_that_is_never_read_leaves_no_trace(engine: str) -> None:
    """The caller fills its cell; equal positions are equal bytes all the same."""
    game = lw.load_text(UNREAD, engine=engine)
    after = [game.choose(game.initial_state(), answer).state for answer in (1, 3)]
    cells = [state.cells[ir.HEADER :] for state in after]
    assert cells[0] == cells[1]
    assert game.state_from_bytes(after[0].to_bytes()) == after[0]
