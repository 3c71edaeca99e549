"""`ludwright bench GAME`: how fast random games are played."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ludwright.agents import RandomAgent
from ludwright.cli.loading import first_state, load_game
from ludwright.cli.output import UsageFailure, print_json
from ludwright.simulate import simulate


def run(
    name: str,
    seconds: float,
    players: int | None,
    parameters: Sequence[str],
    as_json: bool,
    engine: str = "auto",
) -> None:
    chosen = choose_engine(engine)
    count = native if chosen == "native" else interpreted
    games, decisions, elapsed = count(name, seconds, players, parameters)
    elapsed = max(elapsed, 1e-9)
    report = {
        "game": name,
        "engine": chosen,
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


def choose_engine(engine: str) -> str:
    """The engine asked for; `auto` is the native one where it can run."""
    from ludwright.native import available

    if engine not in ("auto", "native", "python"):
        raise UsageFailure(f"--engine is auto, native or python, not {engine!r}")
    missing = available() if engine != "python" else ""
    if engine == "native" and missing:
        raise UsageFailure(f"{missing}; install them with `pip install 'ludwright[native]'`")
    return "native" if missing is None else "python"


def interpreted(
    name: str, seconds: float, players: int | None, parameters: Sequence[str]
) -> tuple[int, int, float]:
    game = load_game(name, parameters)
    first_state(game, 0, players)  # the first one warms up, and tells a wrong number of players
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
    name: str, seconds: float, players: int | None, parameters: Sequence[str]
) -> tuple[int, int, float]:
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    game = load_game(name, parameters)
    first_state(game, 0, players)
    engine = Engine(game.program)
    playouts(engine, 1, 0, players=players)
    games = decisions = 0
    chunk = 1
    start = time.perf_counter()
    elapsed = 0.0
    while elapsed < seconds or games == 0:
        try:
            found = playouts(engine, chunk, games, players=players)
        except KeyboardInterrupt:
            break
        games += chunk
        decisions += int(found.decisions.sum())
        elapsed = time.perf_counter() - start
        # as many at once as fill a good part of the time that is left
        rate = games / elapsed
        chunk = max(1, min(int(rate * max(0.05, (seconds - elapsed) / 4)), 10**7))
    return games, decisions, elapsed
