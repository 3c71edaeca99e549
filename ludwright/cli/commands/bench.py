"""`ludwright bench GAME`: how fast random games are played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from ludwright.agents import RandomAgent
from ludwright.cli.shared import faults
from ludwright.cli.shared.loading import first_state, load_game, parse_parameters
from ludwright.cli.shared.output import Failure, print_json
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.simulate import FAULTS_KEPT, Fault, Summary, simulate

if TYPE_CHECKING:
    from ludwright.native.game import NativeGame


@dataclass
class Played:
    """Games 0, 1, 2, … of the series with seed 0."""

    games: int = 0
    decisions: int = 0
    elapsed: float = 0.0
    faulted: int = 0
    faults: list[Fault] = field(default_factory=list)


def run(
    name: str,
    seconds: float,
    players: int | None,
    parameters: Sequence[str],
    as_json: bool,
    engine: str = "auto",
    threads: int = 1,
) -> None:
    game = load_game(name, parameters, engine=engine)
    with suppress(LudwrightError):  # a fault in set-up belongs to the games that meet it
        first_state(game, 0, players)  # warms up, and refuses a wrong number of players
    chosen = game.engine
    if chosen == "native":
        played = native(cast("NativeGame", game), seconds, players, threads)
    else:
        played = interpreted(game, seconds, players)
    elapsed = max(played.elapsed, 1e-9)
    finished = played.games - played.faulted
    seated = players or game.program.world.min_players
    series = faults.Series(name, game, parse_parameters(parameters), 0, seated, players)
    found = faults.reports(series, played.faults, None)
    report = {
        "game": name,
        "engine": chosen,
        "engine_reason": game.engine_reason,
        "threads": threads if chosen == "native" else 1,
        "playouts": finished,
        "seconds": round(elapsed, 3),
        "playouts_per_s": round(finished / elapsed, 3),
        "decisions_per_s": round(played.decisions / elapsed, 3),
        "avg_decisions": round(played.decisions / finished, 3) if finished else 0.0,
        "faulted": played.faulted,
        "faults": found,
    }
    if as_json:
        print_json(report)
    else:
        print(
            f"{name} ({chosen} engine): {report['playouts_per_s']:,.1f} playouts/s, "
            f"{report['decisions_per_s']:,.0f} decisions/s, "
            f"{report['avg_decisions']:.1f} decisions per playout"
        )
        if game.engine_reason:
            print(f"interpreted: {game.engine_reason}")
    if played.faulted:
        raise Failure(faults.describe(played.faulted, played.games, found))


def interpreted(game: Game, seconds: float, players: int | None) -> Played:
    played = Played()
    start = time.perf_counter()
    while played.elapsed < seconds or played.games == 0:
        summary = simulate(game, 1, [RandomAgent], 0, players=players, first=played.games)
        if summary.interrupted:
            break
        _add(played, summary)
        played.games += 1
        played.decisions += summary.decisions
        played.elapsed = time.perf_counter() - start
    return played


def native(game: NativeGame, seconds: float, players: int | None, threads: int) -> Played:
    game.playouts(1, 0, players=players, go_on=True)  # makes the code
    played = Played()
    failures: dict[int, LudwrightError] = {}
    chunk = threads
    start = time.perf_counter()
    while played.elapsed < seconds or played.games == 0:
        try:
            found = game.playouts(
                chunk, 0, threads, players=players, first=played.games, go_on=True
            )
        except KeyboardInterrupt:
            break
        failures |= found.failures
        played.games += chunk
        played.decisions += int(found.decisions.sum())
        played.elapsed = time.perf_counter() - start
        # as many at once as fill a quarter of the time that is left
        rate = played.games / played.elapsed
        chunk = max(1, min(int(rate * max(0.05, (seconds - played.elapsed) / 4)), 10**7))
    for number in sorted(failures)[:FAULTS_KEPT]:
        # the same game again, one answer at a time, to be recorded
        _add(played, simulate(game, 1, [RandomAgent], 0, players=players, first=number))
    played.faulted = len(failures)
    return played


def _add(played: Played, summary: Summary) -> None:
    played.faulted += summary.faulted
    played.faults += summary.faults[: FAULTS_KEPT - len(played.faults)]
