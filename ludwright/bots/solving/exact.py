"""Exact values where nothing is hidden and nothing is rolled: a search that goes on until the first
position is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.play.trees.visibility import hides

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.play.trees.analysis import Analysis
    from ludwright.kernel.protocol.state import State


EXPLORATION = 0.2  # a proof needs one good answer of each seat, not a fair look at all of them


class Unsolved(LudwrightError):
    """Time or memory ran out first, or somebody interrupted."""

    interrupted = False


def is_open(game: Game) -> bool:
    """Whether every seat knows all there is to know, the future included."""
    return not hides(game.program) and not any(
        isinstance(instr, ir.Chance) for instr in game.program.code
    )


def solve(game: Game, state: State, seconds: float, memory: int) -> Analysis:
    """The exact value of a position and the best line."""
    found = game.search(state, seconds=seconds, memory=memory, margin=0, exploration=EXPLORATION)
    if found.solved:
        return found
    if found.interrupted:
        error = Unsolved(f"interrupted, not solved by then ({found.nodes:,} positions)")
        error.interrupted = True
        raise error
    why = "memory was used up" if found.full else f"{seconds:g} seconds were not enough"
    raise Unsolved(
        f"not solved: {why} ({found.nodes:,} positions); give more `seconds` or `memory`"
    )
