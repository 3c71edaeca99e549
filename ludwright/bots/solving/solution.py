"""Solving a small game: exact values, or an equilibrium where something is hidden."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludwright import program as ir
from ludwright.bots.policy import SEATS, Policy
from ludwright.bots.solving.cfr import Equilibrium, equilibrium
from ludwright.bots.solving.exact import Unsolved, is_open
from ludwright.bots.solving.exact import solve as prove
from ludwright.bots.solving.game_tree import whole_tree
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.kernel.play.trees.analysis import Analysis
from ludwright.kernel.play.trees.visibility import hides
from ludwright.kernel.protocol.state import State
from ludwright.loading import load, with_chance

MEMORY = 1 << 30


class CannotSolve(LudwrightError):
    """No solver takes games of this kind."""


@dataclass(frozen=True)
class Solution:
    """What a solver found.

    Where nothing is hidden and nothing is rolled, `values` are between 0 (lost) and 1 (won), they
    are exact, and `best` and `line` say how to reach them. Else `values` are half of the lead in
    score that a seat has at the end, on average, if both follow `policy`; neither can gain more
    than `exploitability` by leaving it.
    """

    values: Mapping[str, float]  # by seat
    exact: bool
    positions: int
    seconds: float
    best: Any = None  # the answer to give
    line: Sequence[str] = ()  # the moves of both
    analysis: Analysis | None = None
    policy: Policy | None = None  # `policy.write(path)`, then the bot `policy:FILE`
    exploitability: float = 0.0
    iterations: int = 0
    information_sets: int = 0
    reached: bool = True  # the exploitability asked for
    interrupted: bool = False


def solve(
    game: Game | str, state: State | None = None, *, players: int | None = None,
    seconds: float = 60.0, memory: int = MEMORY, exploitability: float = 0.001,
    with_policy: bool = True,
) -> Solution:  # fmt: skip
    """Solve a game of two seats: exactly if all is seen and nothing rolled, else by CFR+.

    Args:
        game: What is solved, or its name or path.
        state: Where to begin, in a game in which all is seen; its beginning, unless it is given.
        players: How many seats play.
        seconds: At most, for everything that is done after the game is loaded.
        memory: Bytes for the tree of an exact solution.
        exploitability: How near an equilibrium is near enough.
        with_policy: Name the information sets of an equilibrium, so that a bot can follow it. That
            takes its time, too.

    Raises:
        CannotSolve: At once, where no solver takes a game of this kind.
        Unsolved: Time or memory ran out before an exact solution was found.
        TooLarge: A game with hidden information has too many positions, or laying them out took
            longer than `seconds`.

    Ctrl-C raises `Unsolved` or, once an equilibrium is looked for, gives what was found by then.
    """
    made = load(game) if isinstance(game, str) else game
    check_solvable(made, state, players)
    if is_open(made):
        first = state if state is not None else made.initial_state(0, players)
        found = prove(made, first, seconds, memory)
        return Solution(
            dict(found.values), True, found.nodes, found.seconds, found.best, found.line, found
        )
    begun = time.monotonic()
    explicit = with_chance(made, "explicit")
    tree = whole_tree(explicit, seconds=seconds)
    left = max(0.0, seconds - (time.monotonic() - begun))
    near = equilibrium(tree, exploitability, seconds=left)
    policy = _policy(made, near, tree.set_keys(explicit)) if with_policy else None
    one, two = made.seats[:SEATS]
    return Solution(
        {one: near.value, two: -near.value}, False, len(tree.kinds), time.monotonic() - begun,
        policy=policy, exploitability=near.exploitability, iterations=near.iterations,
        information_sets=len(tree.set_sizes), reached=near.reached, interrupted=near.interrupted,
    )  # fmt: skip


def check_solvable(game: Game, state: State | None = None, players: int | None = None) -> None:
    """Refuse at once what no solver takes."""
    world, is_hidden = game.program.world, hides(game.program)
    if not is_hidden and any(isinstance(each, ir.Chance) for each in game.program.code):
        raise CannotSolve(
            "nothing is hidden in this game, but something is rolled or drawn: it is not solved, "
            "because chance can bring positions back for ever; `ludwright analyse` searches it"
        )
    if is_hidden and state is not None:
        raise CannotSolve(
            "a game with hidden information is solved from its beginning; give no state, no moves"
        )
    count = players or (world.min_players if state is None else len(game.seats_in_play(state)))
    if is_hidden and players is None and world.min_players <= SEATS <= len(world.seats):
        count = SEATS
    if count > SEATS or (is_hidden and count < SEATS):
        raise CannotSolve(
            f"games are solved for two seats, not for {count}; `ludwright analyse` searches games "
            "of any number"
        )


def _policy(game: Game, near: Equilibrium, keys: Sequence[str]) -> Policy:
    facts = {
        "value": near.value, "exploitability": near.exploitability, "iterations": near.iterations,
    }  # fmt: skip
    chances = dict(zip(keys, near.strategy, strict=True))
    return Policy(game.gamedef.id, game.gamedef_hash, chances, facts)


__all__ = ["CannotSolve", "Solution", "Unsolved", "check_solvable", "solve"]
