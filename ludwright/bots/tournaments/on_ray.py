"""Games on the machines of a Ray cluster.

A game is one task, and depends on the contest and its number alone. The rulebook and the bots
travel with the tasks, so other machines need Ludwright and nothing else. What a task has finished
is fetched at once. If a process or a machine is lost, the games it was playing are given to others.
"""

from __future__ import annotations

import pickle
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ludwright.bots.tournaments.playing import Contest, Outcome, Player
from ludwright.bots.tournaments.running import AHEAD, BREAKDOWNS, Runner
from ludwright.errors import LudwrightError
from ludwright.version import __version__

PATIENCE = 10.0  # seconds until a machine must have answered
LOCAL = "local"  # the address of a cluster that is started for this tournament


class RayTrouble(LudwrightError):
    """There is no Ray, no cluster, or one that cannot play."""


def on_ray(address: str, player: Player | None = None) -> Runner:
    """A runner on the cluster at an address: `auto`, `local`, `host:port`, `ray://host:port`."""

    def run(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        ray = _imported()
        with _connected(ray, address):
            yield from _Cluster(ray, contest, player or Player.of(contest)).played(numbers)

    return run


def _imported() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise RayTrouble(
            "games on a cluster need the package ray: pip install 'ludwright[ray]'"
        ) from None


@contextmanager
def _connected(ray: Any, address: str) -> Iterator[None]:
    """Use the connection that there is, or make one and end it."""
    if ray.is_initialized():
        yield
        return
    _check_answers(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        raise _no_answer(address, str(error)) from None
    try:
        yield
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Ray itself would wait for minutes for a machine that is not there."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise _no_answer(address, str(error)) from None


def _no_answer(address: str, why: str) -> RayTrouble:
    first = (why.strip().splitlines() or ["no reason given"])[0]
    return RayTrouble(
        f"no Ray cluster answers at `{address}` ({first}); start one with `ray start --head`, "
        f"or give --ray {LOCAL}"
    )


class _Cluster:
    """One contest on the cluster that is connected."""

    def __init__(self, ray: Any, contest: Contest, player: Player) -> None:
        self._ray, self._contest = ray, contest
        self._play = ray.remote(num_cpus=1, max_retries=0)(play_shipped)
        self._shipped = ray.put(pickle.dumps(player.shipped()))
        self._fingerprint = player.fingerprint

    def played(self, numbers: Sequence[int]) -> Iterator[Outcome]:
        """Gives outcomes in the order in which games end."""
        running: dict[Any, int] = {}
        try:
            yield from self._played(numbers, running)
        finally:  # the caller may want no more of them
            for task in running:
                self._ray.cancel(task, force=True)

    def _played(self, numbers: Sequence[int], running: dict[Any, int]) -> Iterator[Outcome]:
        ray, breakdowns = self._ray, 0
        waiting = list(reversed(numbers))
        while waiting or running:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while waiting and len(running) < room:
                number = waiting.pop()
                running[self._submitted(number)] = number
            (done,), _ = ray.wait(list(running), num_returns=1)
            number = running.pop(done)
            try:
                outcome: Outcome = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise RayTrouble(f"game {number} could not be played: {error.cause}") from None
            except ray.exceptions.RayError as error:  # a process or a machine was lost
                breakdowns += 1
                if breakdowns > BREAKDOWNS:
                    raise RayTrouble(f"the cluster loses every game it is given: {error}") from None
                waiting.append(number)
                continue
            breakdowns = 0
            yield outcome

    def _submitted(self, number: int) -> Any:
        given = (self._contest, self._shipped, self._fingerprint, __version__, number)
        return self._play.remote(*given)


_players: dict[Contest, Player] = {}


def play_shipped(
    contest: Contest, shipped: bytes, fingerprint: str, version: str, number: int
) -> Outcome:
    """One game, on any machine; what a process needs for a contest is made once."""
    if version != __version__:
        raise LudwrightError(f"this worker has Ludwright {__version__}, the tournament {version}")
    if contest not in _players:
        _players[contest] = Player(contest, *pickle.loads(shipped))
        if _players[contest].fingerprint != fingerprint:
            raise LudwrightError("this worker compiles the rulebook to another program")
    return _players[contest].play(number)
