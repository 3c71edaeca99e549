"""Many games in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ludwright.agents.protocol import Game
from ludwright.errors import LudwrightError
from ludwright.forking import importing
from ludwright.kernel.play.agent_dice import game_seed
from ludwright.kernel.protocol.arguments import THREADS, counted, whole
from ludwright.program.limits import GAME_LIMIT
from ludwright.simulate.recorder import Recorder
from ludwright.simulate.series import AgentMaker, Series, Summary, add_fault


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
    n, first, limit = counted("n", n), counted("first", first), counted("limit", limit)
    seed, threads = whole("seed", seed), whole("threads", threads, 1, THREADS)
    if not agents:
        raise ValueError("`agents` is empty: somebody must answer")
    seats = _seats(game, n, seed, players, scenario, first)
    series = Series(game, agents, seed, players, limit, scenario, seats)
    summary = Summary(seats=series.seats)
    rows: Iterator[object]
    if on_record is None and series.is_random and getattr(game, "engine", "python") == "native":
        # Imported late: it needs numpy, which not everyone has.
        with importing:
            from ludwright.simulate.native_series import add_games

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
