"""Games on several processes of this machine.

A game depends on the contest and its number alone, so it does not matter who plays it. A process
that dies takes its unfinished games with it; they are given to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from ludwright.bots.tournaments.playing import Contest, Outcome, Player, Shipped, play, receive
from ludwright.errors import LudwrightError

AHEAD = 4  # games given to each worker before it has finished the first of them
BREAKDOWNS = 20  # in a row, without a finished game in between

Runner = Callable[[Contest, Sequence[int]], Iterator[Outcome]]


def here(player: Player) -> Runner:
    """A runner in this process, with a player that there is."""

    def run(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        for number in numbers:
            yield player.play(number)

    return run


def in_this_process(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
    for number in numbers:
        yield play(contest, number)


def in_processes(workers: int, shipped: Shipped | None = None) -> Runner:
    """A runner with so many processes. They load rulebook and bots by name, or are given them."""

    def run(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        left = dict.fromkeys(numbers)
        breakdowns = 0
        while left:
            done = 0
            try:
                for outcome in _pooled(contest, list(left), workers, shipped):
                    done += 1
                    del left[outcome.number]
                    yield outcome
            except BrokenProcessPool:
                breakdowns = 0 if done else breakdowns + 1
                if breakdowns > BREAKDOWNS:
                    raise LudwrightError("the processes that play games end at once") from None

    return run


def _pooled(
    contest: Contest, numbers: list[int], workers: int, shipped: Shipped | None
) -> Iterator[Outcome]:
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=receive, initargs=(contest, shipped)
    ) as pool:
        waiting = iter(numbers)
        running: set[Future[Outcome]] = set()
        try:
            while True:
                for number in waiting:
                    running.add(pool.submit(play, contest, number))
                    if len(running) >= AHEAD * workers:
                        break
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
