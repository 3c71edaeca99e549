"""One game of a tournament, wherever it is played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludwright.agents import Agent, View
from ludwright.agents.protocol import Option
from ludwright.bots.naming import AgentMaker, bot_maker, checked
from ludwright.bots.tournaments.schedule import Pairing, Schedule
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.loading import load
from ludwright.program.types import INT_MAX
from ludwright.simulate.driver import play_out

_ROUNDING = 1e-9  # shares of a point are fractions


@dataclass(frozen=True)
class Contest:
    """All that a worker must know: what is played, by whom, from which seed."""

    game: str
    parameters: tuple[tuple[str, int | bool], ...]
    bots: tuple[str, ...]
    players: int
    seed: int
    limit: int

    @property
    def schedule(self) -> Schedule:
        return Schedule(len(self.bots), self.players, self.seed)


@dataclass(frozen=True)
class Outcome:
    """How a game ended: by seat, which bot sat there, and its share of the point."""

    number: int
    round: int
    seats: tuple[int, ...]
    points: tuple[float, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: int
    seconds: float
    reason: str
    fault: str = ""
    finished: bool = True  # else the limit, or a fault, ended it: its scores say nothing

    def seats_of(self, bot: int) -> list[int]:
        return [seat for seat, sitting in enumerate(self.seats) if sitting == bot]

    def scores_of(self, bot: int) -> list[int]:
        """What a bot scored, in each of its seats; nothing if the game was not finished."""
        return [self.scores[seat] for seat in self.seats_of(bot)] if self.finished else []

    def plain(self) -> dict[str, Any]:
        return asdict(self)


_LISTS = {"seats": int, "points": float, "ranks": int, "scores": int}
_KINDS = {
    "number": int, "round": int, "decisions": int, "seconds": float, "reason": str, "fault": str,
    "finished": bool,
}  # fmt: skip


def outcome_from(told: Any, schedule: Schedule) -> Outcome:
    """What `plain` has told; `ValueError` if that cannot be a game of this schedule."""
    if not isinstance(told, dict) or told.keys() != _LISTS.keys() | _KINDS.keys():
        raise ValueError("these are not the facts of a game")
    for name, kind in (_LISTS | _KINDS).items():
        values = told[name] if name in _LISTS else [told[name]]
        # a truth value is no number here
        if not isinstance(values, list) or any(type(value) is not kind for value in values):
            raise ValueError(f"`{name}` is of another kind")
    lists = {name: tuple(told[name]) for name in _LISTS}
    outcome = Outcome(**{**told, **lists})
    number, n = outcome.number, schedule.players
    if not 0 <= number <= INT_MAX or any(len(each) != n for each in lists.values()):
        raise ValueError("there is no such game")
    pairing = schedule.game(number)
    if (outcome.round, outcome.seats) != (pairing.round, pairing.seats):
        raise ValueError(f"in game {number} other bots play, or in other seats")
    shares = sum(outcome.points)
    if not (all(0 <= each <= 1 for each in outcome.points) and shares <= 1 + _ROUNDING):
        raise ValueError("a game has one point")
    return outcome


class Player:
    """Plays games of one contest."""

    def __init__(self, contest: Contest, game: Game, makers: Sequence[AgentMaker]) -> None:
        self._contest, self._game = contest, game
        self._makers = [
            checked(name, maker, game, contest.players)
            for name, maker in zip(contest.bots, makers, strict=True)
        ]

    @staticmethod
    def of(contest: Contest, makers: Sequence[AgentMaker] | None = None) -> Player:
        """With the rulebook that this machine has, and the bots that it has unless some are given.

        A name here never makes Python import anything: it may have come from elsewhere.
        """
        given: dict[str, Any] = dict(contest.parameters)
        game = load(contest.game, **given)
        if makers is None:
            makers = [bot_maker(name) for name in contest.bots]
        return Player(contest, game, makers)

    def shipped(self) -> tuple[Game, Sequence[AgentMaker]]:
        """What another machine needs besides the contest."""
        return self._game, self._makers

    @property
    def fingerprint(self) -> str:
        """Of the program that is played."""
        return self._game.program.fingerprint

    def play(self, number: int) -> Outcome:
        contest, game = self._contest, self._game
        pairing = contest.schedule.game(number)
        begun = time.perf_counter()
        try:
            start = game.initial_state(pairing.seed, contest.players)
            seats = game.seats_in_play(start)
            agents: dict[str, Agent] = {
                seat: _Guarded(contest.bots[bot], self._makers[bot](seed))
                for seat, bot, seed in zip(seats, pairing.seats, pairing.bot_seeds, strict=True)
            }
            played = play_out(game, start, agents, limit=contest.limit)
        except LudwrightError as error:
            return _undecided(pairing, time.perf_counter() - begun, str(error))
        result = game.result(played.state)
        if result is None:
            return _undecided(pairing, time.perf_counter() - begun, "", "the limit was reached")
        winners = result.winners or seats
        order = {seat: at for at, row in enumerate(result.ranking, 1) for seat in row}
        return Outcome(
            number, pairing.round, pairing.seats,
            tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats),
            tuple(order.get(seat, 1) for seat in seats),
            tuple(result.scores[seat] for seat in seats),
            played.decisions, time.perf_counter() - begun, result.reason,
        )  # fmt: skip


class BotFailed(LudwrightError):
    """A bot raised an error of its own."""


class _Guarded:
    """A bot whose mistakes end its game, not the tournament."""

    def __init__(self, name: str, agent: Agent) -> None:
        self._name, self._agent = name, agent

    def choose(self, view: View) -> Option:
        try:
            return self._agent.choose(view)
        except LudwrightError:
            raise
        except Exception as error:
            raise BotFailed(f"bot `{self._name}`: {type(error).__name__}: {error}") from error


def _undecided(pairing: Pairing, seconds: float, fault: str, reason: str = "") -> Outcome:
    """A game without a winner: everybody has an equal share, or none at all after a fault."""
    n = len(pairing.seats)
    share = 0.0 if fault else 1 / n
    return Outcome(
        pairing.number, pairing.round, pairing.seats, (share,) * n, (1,) * n, (0,) * n, 0, seconds,
        reason, fault, finished=False,
    )  # fmt: skip


# What a process may be given: a game, unless it loads it by its name, and what makes the bots.
Shipped = tuple[Game | None, Sequence[AgentMaker]]
_players: dict[Contest, Player] = {}


def receive(contest: Contest, shipped: Shipped | None) -> None:
    """In a process that plays: what it was given for a contest, if anything."""
    if shipped is None:
        return
    game, makers = shipped
    made = Player.of(contest, makers) if game is None else Player(contest, game, makers)
    _players[contest] = made


def play(contest: Contest, number: int) -> Outcome:
    """One game; what a process needs for a contest is made once."""
    if contest not in _players:
        _players[contest] = Player.of(contest)
    return _players[contest].play(number)
