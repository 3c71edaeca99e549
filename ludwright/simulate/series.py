"""The games of a series, and what they say about the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ludwright.agents.agent import Agent, RandomAgent, View
from ludwright.agents.protocol import Game, Option, State
from ludwright.errors import LudwrightError
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.program.rng import mix
from ludwright.simulate.averages import Interval, interval_of_sums
from ludwright.simulate.driver import Playout, play_out
from ludwright.simulate.recorder import Recorder

AgentMaker = Callable[[int], Agent]
UNFINISHED = "not finished within the limit"
FAULTS_KEPT = 30  # of the games that ended in a fault
ALIKE_KEPT = 10  # and of those, that ended in the same one

Mistake = tuple[str, str, str]
"""What makes two faults the same: their code, rule and line; not the numbers in the text."""


def mistake_of(error: LudwrightError) -> Mistake:
    span = getattr(error, "span", None)
    line = f"{span.file}:{span.line}" if span is not None else ""
    code = str(getattr(error, "code", ""))
    return (code, str(getattr(error, "rule", "")), line) if code else (str(error), "", "")


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that ended in an error. `recorder` holds the answers until then.

    It is None if the game was played again to be recorded, without the error.
    """

    number: int
    seed: int
    message: str
    error: LudwrightError = field(compare=False)
    recorder: Recorder | None = field(compare=False)


@dataclass(slots=True)
class Summary:
    """Counts over the finished games of a series; grows as games finish.

    Games that ended in a fault are counted apart; the first of them are kept.
    """

    seats: tuple[str, ...] = ()
    games: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    draws: int = 0
    unfinished: int = 0
    moves: int = 0
    decisions: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    interrupted: bool = False
    faulted: int = 0
    faults: list[Fault] = field(default_factory=list)
    # games, by the fault that ended them
    mistakes: Counter[Mistake] = field(default_factory=Counter)
    score_sums: Counter[str] = field(default_factory=Counter)
    score_squares: Counter[str] = field(default_factory=Counter)

    @property
    def scores(self) -> dict[str, float]:
        """By seat: the mean of the result's `scores`, over the games that were finished."""
        finished = self.games - self.unfinished
        if not finished:
            return {}
        return {seat: self.score_sums[seat] / finished for seat in self.seats}

    @property
    def score_intervals(self) -> dict[str, Interval]:
        """By seat: the 95 % interval of its mean score; nothing for fewer than two games."""
        found: dict[str, Interval] = {}
        for seat in self.seats:
            sums = self.score_sums[seat], self.score_squares[seat]
            interval = interval_of_sums(*sums, self.games - self.unfinished)
            if interval is not None:
                found[seat] = interval
        return found

    @property
    def played(self) -> int:
        """Games that were finished or given up."""
        return self.games + self.faulted

    @property
    def average_moves(self) -> float:
        return self.moves / self.games if self.games else 0.0

    @property
    def average_decisions(self) -> float:
        return self.decisions / self.games if self.games else 0.0

    def add(self, playout: Playout) -> None:
        self.games += 1
        self.moves += playout.moves
        self.decisions += playout.decisions
        if playout.result is None:
            self.unfinished += 1
            self.reasons[UNFINISHED] += 1
            return
        self.reasons[playout.result.reason] += 1
        for seat, score in playout.result.scores.items():
            self.score_sums[seat] += score
            self.score_squares[seat] += score * score
        winners = playout.result.winners
        # A first place that everyone shares is nobody's win.
        if not winners or (len(self.seats) > 1 and len(winners) == len(self.seats)):
            self.draws += 1
        else:
            self.wins.update(winners)


def add_fault(series: Series, summary: Summary, number: int, error: LudwrightError) -> None:
    """Count a game that ended in an error. The first ones are played again, to be recorded."""
    mistake = mistake_of(error)
    summary.faulted += 1
    summary.mistakes[mistake] += 1
    # one mistake must not crowd out the others
    if summary.mistakes[mistake] > ALIKE_KEPT or len(summary.faults) >= FAULTS_KEPT:
        return
    recorder = series.recorded(number)
    kept = recorder if recorder.stopped is not None else None
    summary.faults.append(Fault(number, game_seed(series.seed, number), str(error), error, kept))


@dataclass(frozen=True)
class Series:
    """Games that differ only in their numbers."""

    game: Game
    agents: Sequence[AgentMaker]
    seed: int
    players: int | None
    limit: int
    scenario: str | None
    seats: tuple[str, ...]

    @property
    def is_random(self) -> bool:
        return all(maker is RandomAgent for maker in self.agents)

    def start(self, number: int) -> State:
        start = game_seed(self.seed, number)
        return self.game.initial_state(start, self.players, self.scenario)

    def recorded(self, number: int) -> Recorder:
        """One game by its number, recorded until it ends or fails."""
        try:
            recorder = Recorder(self.game, self.start(number))
        except LudwrightError as error:
            recorder = Recorder(self.game, None)
            recorder.stop("set-up", error)
            return recorder
        with suppress(LudwrightError):
            self.play(number, recorder)
        return recorder

    def play(self, number: int, recorder: Recorder | None = None) -> Playout:
        """One game by its number."""
        policy = policy_seed(self.seed, number)
        if self.is_random:
            # One generator for all, as in the playouts of the native engine.
            shared = _Drawing(policy)
            seated: dict[str, Agent] = dict.fromkeys(self.seats, shared)
        else:
            seated = {
                seat: self.agents[i % len(self.agents)](mix(policy ^ i))
                for i, seat in enumerate(self.seats)
            }
        start = self.start(number)
        return play_out(self.game, start, seated, limit=self.limit, recorder=recorder)


class _Drawing:
    """A random agent that draws like the native engine's playouts."""

    def __init__(self, seed: int) -> None:
        self._dice = Dice(seed)

    def choose(self, view: View) -> Option:
        return view.drawn(self._dice)
