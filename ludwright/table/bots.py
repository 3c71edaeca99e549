"""Bots think in processes of their own, never in the event loop.

A worker is given the GameDef, the state and the seat; it keeps the games it has met. What the bot
itself gets is a `View`, which shows only what its seat may know.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

from ludwright.agents import View
from ludwright.agents.agent import careful_answer
from ludwright.bots.naming import bot_maker
from ludwright.errors import LudwrightError, RulebookFault
from ludwright.kernel.play.game import Game

WORKERS = 1
# what a page may ask for; of all bots by name, those that need no file and little time
NAMES = ("random", "greedy", "level:3", "level:6", "search:1s")


@dataclass(frozen=True, slots=True)
class Task:
    """What a bot has to decide."""

    gamedef: bytes
    state: bytes
    seat: str
    bot: str
    seed: int


@dataclass(frozen=True, slots=True)
class Thought:
    """What a bot answers; of a choice of several, the list of its picks."""

    answer: Any
    faults: tuple[RulebookFault, ...] = ()  # of the rulebook, met in states that the bot imagined


class Bots:
    """A pool of workers, started with the first bot."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def answer(self, task: Task) -> Thought:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._ready(), think, task)
        except BrokenProcessPool:  # a worker was killed: one more try with new ones
            self._pool = None
            return await loop.run_in_executor(self._ready(), think, task)

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # not by fork: this process has threads
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


@lru_cache(maxsize=32)
def _game(gamedef: bytes) -> Game:
    import json

    from ludwright.diagnostics import Diagnostics
    from ludwright.language.canonical import from_json
    from ludwright.loading import reloaded

    found = from_json(json.loads(gamedef), Diagnostics())
    if found is None:
        raise LudwrightError("a bot was given a GameDef that cannot be read")
    return reloaded(found, "generator", None, "auto")


def think(task: Task) -> Thought:
    """In a worker: the whole answer to the decision that a seat is asked."""
    from ludwright.kernel.interpreter.stop import STOP

    game = _game(task.gamedef)
    state = game.state_from_bytes(task.state)
    agent = bot_maker(task.bot)(task.seed)
    decision = game.decision(state, task.seat)
    if decision is None:
        raise LudwrightError(f"`{task.seat}` is not asked")
    first, picks, faults = decision, list[Any](), list[RulebookFault]()
    seats = game.seats_in_play(state)
    while True:
        view = View(game, state, decision, seats)
        answer = careful_answer(agent, view)
        faults += view.faults[:1]
        if first.kind != "chooseN":
            return Thought(answer, tuple(faults))
        if answer == STOP:
            return Thought(picks, tuple(faults))
        picks.append(answer)
        state = game.choose(state, answer, task.seat).state
        following = game.decision(state, task.seat)
        if following is None or following.picked == () or following.name != first.name:
            return Thought(picks, tuple(faults))
        decision = following
