"""`ludwright bench GAME`: how fast random games are played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ludwright.agents import RandomAgent
from ludwright.cli.loading import first_state, load_game
from ludwright.cli.output import print_json
from ludwright.kernel.game import Game
from ludwright.simulate import simulate

if TYPE_CHECKING:
    from ludwright.native.game import NativeGame


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
    first_state(game, 0, players)  # the first one warms up, and tells a wrong number of players
    chosen = game.engine
    if chosen == "native":
        games, decisions, elapsed = native(cast("NativeGame", game), seconds, players, threads)
    else:
        games, decisions, elapsed = interpreted(game, seconds, players)
    elapsed = max(elapsed, 1e-9)
    report = {
        "game": name,
        "engine": chosen,
        "engine_reason": game.engine_reason,
        "threads": threads if chosen == "native" else 1,
        "playouts": games,
        "seconds": round(elapsed, 3),
        "playouts_per_s": round(games / elapsed, 3),
        "decisions_per_s": round(decisions / elapsed, 3),
        "avg_decisions": round(decisions / games, 3) if games else 0.0,
    }
    if as_json:
        print_json(report)
        return
    print(
        f"{name} ({chosen} engine): {report['playouts_per_s']:,.1f} playouts/s, "
        f"{report['decisions_per_s']:,.0f} decisions/s, "
        f"{report['avg_decisions']:.1f} decisions per playout"
    )
    if game.engine_reason:
        print(f"interpreted: {game.engine_reason}")


def interpreted(game: Game, seconds: float, players: int | None) -> tuple[int, int, float]:
    games = decisions = 0
    start = time.perf_counter()
    elapsed = 0.0
    while elapsed < seconds or games == 0:
        summary = simulate(game, 1, [RandomAgent], games, players=players)
        if summary.interrupted:
            break
        games += 1
        decisions += summary.decisions
        elapsed = time.perf_counter() - start
    return games, decisions, elapsed


def native(
    game: NativeGame, seconds: float, players: int | None, threads: int
) -> tuple[int, int, float]:
    game.playouts(1, 0, players=players)  # makes the code
    games = decisions = 0
    chunk = threads
    start = time.perf_counter()
    elapsed = 0.0
    while elapsed < seconds or games == 0:
        try:
            found = game.playouts(chunk, games, threads, players=players)
        except KeyboardInterrupt:
            break
        games += chunk
        decisions += int(found.decisions.sum())
        elapsed = time.perf_counter() - start
        # as many at once as fill a good part of the time that is left
        rate = games / elapsed
        chunk = max(1, min(int(rate * max(0.05, (seconds - elapsed) / 4)), 10**7))
    return games, decisions, elapsed
