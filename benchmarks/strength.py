"""How strong the bots are: `python -m benchmarks.strength`.

`--levels GAME…` lets each level play against the one below; without it the search plays against
greedy and random bots in games with hidden cards, long games and games for many. Budgets are
numbers of simulations, so the same command gives the same games on any machine. Rows are Markdown.
"""

from __future__ import annotations

import argparse
import os

import ludwright
from ludwright.bots.levels import LEVELS
from ludwright.bots.tournaments.playing import Contest
from ludwright.bots.tournaments.running import in_processes, in_this_process
from ludwright.bots.tournaments.tournament import Table, hold

# The game, its players, the simulations of the search, how many games.
AGAINST = (
    ("hearts", 4, 400, 60),
    ("texas-holdem", 2, 300, 120),
    ("harvest-fair", 3, 300, 60),
    ("delta", 2, 300, 120),
    ("liars-dice", 2, 2_000, 1_000),
)


def held(contest: Contest, games: int, workers: int) -> Table:
    runner = in_this_process if workers == 1 else in_processes(workers)
    return hold(contest, games, runner)


def row(contest: Contest, table: Table, said: str) -> str:
    first = next(each for each in table.standings if each.bot == contest.bots[0])
    low, high = first.interval
    faults = f" {len(table.faults)} faults!" if table.faults else ""
    even = f"{1 / contest.players:.2f}"
    return (
        f"| {contest.game} | {said} | {first.games} | {even} | {first.share:.3f} | "
        f"{low:.3f} … {high:.3f} |{faults}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", nargs="*", metavar="GAME")
    parser.add_argument("--from", dest="first", type=int, default=2, help="the first level")
    parser.add_argument("--to", dest="last", type=int, default=len(LEVELS))
    parser.add_argument("--games", nargs="*", help="only these, against greedy and random")
    parser.add_argument("-n", type=int, help="games of each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    for game in given.levels or ():
        players = len(ludwright.load(game).seats_in_play(ludwright.load(game).initial_state(0)))
        for level in range(given.first, given.last + 1):
            bots = (f"level:{level}", f"level:{level - 1}")
            contest = Contest(game, (), bots, players, given.seed, 100_000)
            table = held(contest, given.n or 60, given.workers)
            print(row(contest, table, f"level {level} against {level - 1}"), flush=True)
    if given.levels is not None:
        return
    for game, players, simulations, games in AGAINST:
        if given.games and game not in given.games:
            continue
        for other in ("greedy", "random"):
            # One search among bots of the other kind, in every seat in turn.
            seats = (f"search:{simulations}", *[other] * (players - 1))
            contest = Contest(game, (), seats, players, given.seed, 100_000)
            table = held(contest, given.n or games, given.workers)
            print(row(contest, table, f"search:{simulations} against {other}"), flush=True)


if __name__ == "__main__":
    main()
