"""Native code relies on bounds of cells: play must keep to them, and other states must not come in."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.play.agent_dice import Dice
from tests.native.support import needs_native

pytestmark = needs_native

DECISIONS = 300


@pytest.mark.parametrize("name", lw.shipped_games())
def test_play_keeps_to_the_bounds(name: str) -> None:
    from ludwright.native.analysis.cell_ranges import outside
    from ludwright.native.analysis.shape_inference import Inference

    game = lw.load(name, engine="python")
    lows, highs = Inference(game.program).cells.all()
    made = seed = 0
    while made < DECISIONS:
        dice = Dice(seed)
        state = game.initial_state(seed=seed)
        assert outside(lows, highs, state.cells) is None
        while made < DECISIONS and (decision := game.decision(state)) is not None:
            answers = decision.answers
            state = game.choose(state, answers[dice.pick(len(answers))]).state
            assert outside(lows, highs, state.cells) is None
            made += 1
        seed += 1


def test_bounds_are_narrow_where_rules_say_so() -> None:
    from ludwright.native.analysis.shape_inference import Inference

    program = lw.load("backgammon", engine="python").program
    bounds = Inference(program).cells
    assert (bounds.of(ir.ACTIVE).lo, bounds.of(ir.ACTIVE).hi) == (0, 1)
    played = next(v for v in program.variables if v.name == "played")
    assert (bounds.of(played.addr).lo, bounds.of(played.addr).hi) == (0, 4)


def test_a_local_out_of_bounds_is_refused() -> None:
    """`$die` waits in a local while `$from` is asked: no declared variable, but an index."""
    game = lw.load("backgammon", engine="native")
    state = game.initial_state(seed=1)
    while (decision := game.decision(state)) is not None and decision.name != "$from":
        state = game.choose(state, decision.answers[0]).state
    program = game.program
    choice = next(choice for choice in program.choices if choice.name == "$die")
    cells = list(state.cells)
    assert game.state_from_bytes(state.to_bytes()) == state
    cells[choice.result] = 1_000_000
    data = b"".join(cell.to_bytes(4, "little", signed=True) for cell in cells)
    with pytest.raises(ValueError, match=f"cell {choice.result} holds 1000000"):
        game.state_from_bytes(data)


OVERLAY = """# Overlay

```yaml
game: { id: overlay, title: Overlay, players: 2 }
vars: { n: 0..9, small: 0..500, marked: "set[0..500]", hits: 0..9 }
procs:
  ask: [{ chooseOne: { bind: $z, options: 1..3 } }, n = $z]
actions:
  - { id: twice, effects: [ask(), ask()] }
  - id: hold
    effects:
      - let kept = 100000 + n
      - chooseOne: { bind: $q, options: 1..3 }
      - if $q == 1 then small = kept
      - if $q == 2 then marked = marked + [kept]
      - if $q == 3 and kept in marked then hits = 1
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_number_where_another_procedure_keeps_its_return_address(engine: str) -> None:
    """Both lie in one cell; no check may be left out for what the other one can be."""
    game = lw.load_text(OVERLAY, engine=engine)
    state = game.choose(game.initial_state(), "hold").state
    ask = next(p for p in game.program.procedures if p.name == "ask")
    assert state.cells[ask.ret] == 100_000
    assert game.state_from_bytes(state.to_bytes()) == state
    for answer in (1, 2):
        with pytest.raises(lw.RulebookFault, match=r"\[range\]"):
            game.choose(state, answer)
    after = game.choose(state, 3).state
    assert game.observe(after, None)["variables"]["hits"] == 0


def test_bounds_of_a_cell_join_all_that_is_written_there() -> None:
    from ludwright.native.analysis.shape_inference import Inference

    program = lw.load_text(OVERLAY, engine="python").program
    bounds = Inference(program).cells
    ask = next(p for p in program.procedures if p.name == "ask")
    calls = [at for at, instr in enumerate(program.code)
             if isinstance(instr, ir.CallProc) and instr.ret == ask.ret]  # fmt: skip
    assert len(calls) == 2
    assert bounds.of(ask.ret).lo <= 0
    assert bounds.of(ask.ret).hi >= max(100_003, *calls)


def test_bounds_that_are_joined_later_keep_what_was_known() -> None:
    """Cells that turn out to be indexed together hold what either of them held."""
    from ludwright.native.analysis.cell_ranges import CellBounds
    from ludwright.native.analysis.shapes import Int

    program = lw.load("pig", engine="python").program
    bounds = CellBounds(program)
    first = program.cells - 2
    bounds.bind(first, Int(3, 40))
    bounds.bind(first + 1, Int(-7, 2))
    bounds.unite(first, 1, 2)
    assert (bounds.of(first).lo, bounds.of(first).hi) == (-7, 40)
    assert bounds.of(first + 1) == bounds.of(first)


def test_lockstep_tells_of_a_state_outside_the_bounds() -> None:
    from dataclasses import replace

    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program = lw.load("pig", engine="python").program
    native = Engine(program, 0, events=True)
    machine = NativeMachine(program, engine=native)
    assert lockstep(Machine(program), machine, 1, 2, 30)[1] is None
    highs = list(native.interface.highs)
    highs[ir.TURN] = 1
    native.interface = replace(native.interface, highs=tuple(highs))
    _, difference = lockstep(Machine(program), machine, 1, 2, 30)
    assert difference is not None
    assert f"cell {ir.TURN} holds 2, outside" in str(difference)
