"""One game of a tournament, wherever it is played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludwright.agents import Agent
from ludwright.bots.naming import AgentMaker, bot_maker
from ludwright.bots.tournament.schedule import Pairing, Schedule
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.loading import load
from ludwright.simulate.driver import play_out


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

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def outcome_from(told: dict[str, Any]) -> Outcome:
    lists = {name: tuple(told[name]) for name in ("seats", "points", "ranks", "scores")}
    return Outcome(**{**told, **lists})


class Player:
    """Plays games of one contest."""

    def __init__(self, contest: Contest, game: Game, makers: Sequence[AgentMaker]) -> None:
        self._contest, self._game, self._makers = contest, game, makers

    @staticmethod
    def of(contest: Contest) -> Player:
        """With the rulebook and the bots that this machine has."""
        given: dict[str, Any] = dict(contest.parameters)
        game = load(contest.game, **given)
        return Player(contest, game, [bot_maker(name) for name in contest.bots])

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
                seat: self._makers[bot](seed)
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


def _undecided(pairing: Pairing, seconds: float, fault: str, reason: str = "") -> Outcome:
    """A game without a winner: everybody has an equal share."""
    n = len(pairing.seats)
    return Outcome(
        pairing.number, pairing.round, pairing.seats, (1 / n,) * n, (1,) * n, (0,) * n, 0, seconds,
        reason, fault,
    )  # fmt: skip


_players: dict[Contest, Player] = {}


def play(contest: Contest, number: int) -> Outcome:
    """One game; what a process needs for a contest is made once."""
    if contest not in _players:
        _players[contest] = Player.of(contest)
    return _players[contest].play(number)
