"""Many random games, and their results as arrays.

The draws are those of the native engine, so a game has the same result on either of them. Every
game has two generators, made from the seed of the series and the number of the game: one for the
game itself, one for the answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.run import Cells, Run
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.driver import Driver
from ludwright.kernel.play.random_answer import random_answer
from ludwright.kernel.protocol.arguments import THREADS, counted, players_of, whole
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State
from ludwright.program.limits import GAME_LIMIT
from ludwright.program.rng import seed_cells

UNFINISHED, FAILED = -1, -2  # among `Playouts.ends`

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Playouts:
    """Results of a series, by game; they depend on the seed alone.

    `scores`, `ranks` (1 is best) and `winners` are games x seats, as in `Result`; 0 for seats that
    nobody plays, and for all seats of a game that was not finished: that is no draw. `ends` says
    how a game ended: an index into the endings of the Program, -1 where the limit of decisions came
    first, -2 where the game failed. `decisions`, `moves` and `turns` say how long it was. `finals`
    are the last states, games x cells, where they are wanted.
    """

    scores: Numbers
    ranks: Numbers
    winners: npt.NDArray[np.bool_]
    decisions: Numbers
    moves: Numbers
    turns: Numbers
    ends: Numbers
    finals: Numbers | None = None
    failures: dict[int, LudwrightError] = field(default_factory=dict)  # by number of the game

    def __eq__(self, other: object) -> bool:
        """Whether all numbers are the same; failures by what they say."""
        if not isinstance(other, Playouts):
            return NotImplemented
        told = [{at: str(e) for at, e in each.failures.items()} for each in (self, other)]
        names = [field.name for field in fields(self) if field.name != "failures"]
        return told[0] == told[1] and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in names
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash either


def no_results(program: ir.Program, n: int, finals: bool) -> Playouts:
    """Empty results of `n` games."""
    seats = len(program.world.seats)
    decisions, moves, turns, ends = (np.zeros(n, np.int32) for _ in range(4))
    return Playouts(
        np.zeros((n, seats), np.int32), np.zeros((n, seats), np.int32),
        np.zeros((n, seats), np.bool_), decisions, moves, turns, ends,
        np.zeros((n, program.cells), np.int32) if finals else None,
    )  # fmt: skip


def find_winners(program: ir.Program, found: Playouts, players: int) -> None:
    """As in the result of a single game: the first of the ranking, unless it is a draw of all."""
    if not len(found.ends):
        return
    ranks = found.ranks[:, :players]
    draws = [number for number, end in enumerate(program.ends) if end.outcome == "draw"]
    level = (ranks == ranks[:, :1]).all(axis=1) & np.isin(found.ends, draws)
    decided = (found.ends >= 0) & ~level
    best = ranks == ranks.min(axis=1, keepdims=True)
    found.winners[:, :players] = best & decided[:, None]


def note(program: ir.Program, found: Playouts, at: int, cells: Any, moves: int, asked: int) -> None:
    """The result of a game from its last cells."""
    seats = len(program.world.seats)
    found.scores[at] = cells[program.scores : program.scores + seats]
    found.ranks[at] = cells[program.ranks : program.ranks + seats]
    found.decisions[at], found.moves[at] = asked, moves
    found.turns[at], found.ends[at] = cells[ir.TURN], cells[ir.OVER] - 1
    if found.finals is not None:
        found.finals[at] = cells


def playouts(
    core: Core, n: int, seed: int = 0, threads: int = 1, *, players: int | None = None,
    scenario: str | None = None, limit: int = GAME_LIMIT, finals: bool = False, first: int = 0,
    go_on: bool = False, cells: Cells | None = None,
) -> Playouts:  # fmt: skip
    """Play `n` uniformly random games from number `first` on, from `cells` if there are any.

    The first failure is raised; to `go_on` keeps all of them beside the results of the others.
    """
    program = core.program
    n, first, limit = counted("n", n), counted("first", first), counted("limit", limit)
    seed = whole("seed", seed)
    whole("threads", threads, 1, THREADS)  # the interpreter uses one
    count = players_of(program.world, players) if cells is None else cells[ir.PLAYERS]
    core.scenario_number(scenario)
    found = no_results(program, n, finals)
    for at in range(n):
        number = first + at
        try:
            start = _start(core, game_seed(seed, number), players, scenario, cells)
            answer = partial(_drawn, core, Dice(policy_seed(seed, number)))
            played = Driver(core, answer, limit, move_limit=None).play(start)
        except LudwrightError as error:
            error.add_note(f"in playout {number}")
            if not go_on:
                raise
            found.failures[number] = error
            found.ends[at] = FAILED
            continue
        note(program, found, at, played.state.cells, played.moves, played.decisions)
    find_winners(program, found, count)
    return found


def _drawn(core: Core, dice: Dice, state: State, decision: Decision) -> Any:
    return random_answer(core, state, dice.pick)


def _start(
    core: Core, seed: int, players: int | None, scenario: str | None, cells: Cells | None
) -> State:
    """The first decision of a game: after set-up, or from `cells` on."""
    if cells is None:
        return core.initial_state(seed, players, scenario)
    own = cells.copy()
    if own[ir.OVER]:
        return core.new_state(own)
    seed_cells(own, seed)
    pc = own[ir.PC]
    if pc not in core.machine.chances:
        return core.new_state(own)
    memory = core.machine.scratch(own, Run())
    stop = core.machine.resume(memory, pc)
    return core.new_state(core.machine.state_cells(memory), stop)
