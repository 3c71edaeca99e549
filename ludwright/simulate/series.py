"""Many games in a row, and what they say about the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ludwright.agents.agent import Agent, RandomAgent, View
from ludwright.agents.dice import Dice, game_seed, policy_seed
from ludwright.agents.protocol import Game, Option, State
from ludwright.errors import LudwrightError
from ludwright.kernel.generator import mix
from ludwright.simulate.driver import GAME_LIMIT, Playout, play_out
from ludwright.simulate.recorder import Recorder

AgentMaker = Callable[[int], Agent]
UNFINISHED = "not finished within the limit"
FAULTS_KEPT = 10  # of the games that ended in a fault


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that could not be played on. `recorder` holds what was answered until then.

    It is None where the game was played again to write it down, and that went well.
    """

    number: int
    seed: int
    told: str
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
        winners = playout.result.winners
        # A first place that everyone shares is nobody's win.
        if not winners or (len(self.seats) > 1 and len(winners) == len(self.seats)):
            self.draws += 1
        else:
            self.wins.update(winners)


def simulate(
    game: Game,
    n: int,
    agents: Sequence[AgentMaker],
    seed: int,
    *,
    players: int | None = None,
    limit: int = GAME_LIMIT,
    scenario: str | None = None,
    threads: int = 1,
    first: int = 0,
    on_game: Callable[[Summary], None] | None = None,
    on_record: Callable[[int, int, Recorder], None] | None = None,
) -> Summary:
    """Play `n` games. Agents are dealt to the seats in order, again from the first if too few.

    Game i depends on `seed` and i only, so that a single one can be played again; `first` is the
    number of the first one. A game that ends in an error is counted as faulted, and the others are
    played all the same. An interrupt (Ctrl-C) ends the series and keeps what was finished.
    `on_record` is given each finished game: its number, its seed and what was answered. Games of
    random agents alone that nobody records are played inside the native engine, where there is
    one, on that many threads. They are the same games.
    """
    seats = _seats(game, n, seed, players, scenario, first)
    series = Series(game, agents, seed, players, limit, scenario, seats)
    summary = Summary(seats=series.seats)
    rows: Iterator[object]
    if on_record is None and series.is_random and getattr(game, "engine", "python") == "native":
        # Imported late: it needs numpy, which not everyone has.
        from ludwright.simulate.natively import add_games

        rows = add_games(series, summary, first, n, threads)
    else:
        rows = _add_games(series, summary, first, n, on_record)
    try:
        for _ in rows:
            if on_game:
                on_game(summary)
    except KeyboardInterrupt:
        summary.interrupted = True
    return summary


def _seats(
    game: Game, n: int, seed: int, players: int | None, scenario: str | None, first: int
) -> tuple[str, ...]:
    """Who plays: the same seats in all games, found in the first one that can be set up."""
    for number in range(first, first + n):
        try:
            state = game.initial_state(game_seed(seed, number), players, scenario)
        except LudwrightError:
            continue
        return game.seats_in_play(state)
    return game.seats


def _add_games(
    series: Series,
    summary: Summary,
    first: int,
    n: int,
    on_record: Callable[[int, int, Recorder], None] | None,
) -> Iterator[None]:
    for number in range(first, first + n):
        try:
            recorder = Recorder(series.game, series.start(number)) if on_record else None
            playout = series.play(number, recorder)
        except LudwrightError as error:
            add_fault(series, summary, number, error)
        else:
            summary.add(playout)
            if on_record and recorder:
                on_record(number, game_seed(series.seed, number), recorder)
        yield


def add_fault(series: Series, summary: Summary, number: int, error: LudwrightError) -> None:
    """Count a game that could not be played on; the first ones are played again, to be kept."""
    summary.faulted += 1
    if len(summary.faults) >= FAULTS_KEPT:
        return
    recorder = series.recorded(number)
    kept = recorder if recorder.stopped is not None else None
    summary.faults.append(Fault(number, game_seed(series.seed, number), str(error), error, kept))


@dataclass(frozen=True)
class Series:
    """Games that differ in nothing but their numbers."""

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
        """One game by its number, written down until it ends or cannot go on."""
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
    """A random agent with the draws of the native engine's playouts."""

    def __init__(self, seed: int) -> None:
        self._dice = Dice(seed)

    def choose(self, view: View) -> Option:
        return view.drawn(self._dice)
