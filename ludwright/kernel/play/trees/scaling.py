"""How large margins are in a game, from a few random games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.driver import Driver
from ludwright.kernel.play.trees.plain import drawn
from ludwright.kernel.play.trees.settings import SAMPLES, Settings
from ludwright.kernel.play.trees.valuing import Scale, lead, only_won_or_lost
from ludwright.program.limits import GAME_LIMIT
from ludwright.program.rng import seed_cells


def needs_samples(program: ir.Program, settings: Settings, players: int) -> bool:
    """Whether games are valued by scores, at their end or before."""
    cut = settings.cutoff < GAME_LIMIT and program.score is not None
    counts = settings.margin > 0 or players == 1  # otherwise only ranks do
    return cut or (counts and not only_won_or_lost(program))


def last_states(core: Core, cells: Cells, settings: Settings) -> list[Cells]:
    """Where random games from a state end."""
    found: list[Cells] = []
    for number in range(SAMPLES):
        own = list(cells)
        seed_cells(own, game_seed(settings.seed, number))
        answer = partial(drawn, core, Dice(policy_seed(settings.seed, number)))
        driver = Driver(core, answer, settings.cutoff, move_limit=None)
        found.append(driver.play(core.new_state(own)).state.shared_cells)
    return found


def scale_of(
    program: ir.Program, players: int, ends: Sequence[Cells], measure: Callable[[Cells], list[int]]
) -> Scale:
    """The largest margins among states where games ended or were cut off; without any, those of
    games that are won or lost. `measure` gives the scores of a game that is not over."""
    over = [cells for cells in ends if cells[ir.OVER]]
    cut = [cells for cells in ends if not cells[ir.OVER]]
    scores = [cells[program.scores : program.scores + players] for cells in over]
    result = max((lead([int(each) for each in own]) for own in scores), default=0)
    largest = max((lead(measure(list(cells))) for cells in cut), default=0)
    if only_won_or_lost(program):
        result = 2 * (players - 1) or 1
    return Scale(max(1, result), max(1, largest))
