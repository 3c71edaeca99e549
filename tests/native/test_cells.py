"""Native code relies on bounds of cells: play must keep to them, and other states must not come in."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.agents.dice import Dice
from ludwright.kernel import program as ir
from tests.native.support import needs_native

pytestmark = needs_native

DECISIONS = 300


@pytest.mark.parametrize("name", lw.shipped_games())
def test_play_keeps_to_the_bounds(name: str) -> None:
    from ludwright.native.cells import outside
    from ludwright.native.inference import Inference

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
    from ludwright.native.inference import Inference

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
