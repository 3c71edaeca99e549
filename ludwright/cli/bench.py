"""`ludwright bench GAME`: how fast random games are played."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ludwright.agents import RandomAgent
from ludwright.cli.loading import first_state, load_game
from ludwright.cli.output import print_json
from ludwright.simulate import simulate


def run(
    name: str, seconds: float, players: int | None, parameters: Sequence[str], as_json: bool
) -> None:
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
    elapsed = max(elapsed, 1e-9)
    report = {
        "game": name,
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
        f"{name}: {report['playouts_per_s']:,.1f} playouts/s, "
        f"{report['decisions_per_s']:,.0f} decisions/s, "
        f"{report['avg_decisions']:.1f} decisions per playout"
    )
