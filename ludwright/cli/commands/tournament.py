"""`ludwright tournament GAME --bots random,greedy,search:1000 -n 400`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ludwright.bots.naming import UnknownBot, bot_maker
from ludwright.bots.tournament.deciding import Question
from ludwright.bots.tournament.keeping import Journal, write_parquet
from ludwright.bots.tournament.on_ray import on_ray
from ludwright.bots.tournament.playing import Contest
from ludwright.bots.tournament.running import Runner, in_processes, in_this_process
from ludwright.bots.tournament.tournament import Table, hold
from ludwright.cli.shared.loading import first_state, load_game, parse_parameters
from ludwright.cli.shared.output import UsageFailure, plural, print_json


def run(
    name: str, bots: str, games: int, seed: int, players: int | None, parameters: Sequence[str],
    limit: int, workers: int | None, ray: str | None, output: Path | None, sprt: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    names = tuple(each.strip() for each in bots.split(",") if each.strip())
    if len(names) < 2:
        raise UsageFailure("a tournament needs at least two bots: --bots greedy,search:1000")
    try:
        for each in names:
            bot_maker(each)
    except UnknownBot as error:
        raise UsageFailure(str(error)) from None
    if ray is not None and workers is not None:
        raise UsageFailure("--ray plays on as many processes as the cluster has; leave --workers")
    question = _question(sprt, names)
    game = load_game(name, parameters)
    state = first_state(game, 0, players)
    count = len(game.seats_in_play(state))
    if count < 2:
        raise UsageFailure("one seat alone plays no tournament: give --players")
    given = tuple(sorted(parse_parameters(parameters).items()))
    contest = Contest(name, given, names, count, seed, limit)
    journal = None
    if output is not None:
        if output.suffix != ".parquet":
            raise UsageFailure(f"{output}: write a name that ends in .parquet")
        journal = Journal(output.with_suffix(".journal"), contest, game.gamedef_hash)
    with _bar(games, not as_json) as progress:
        table = hold(contest, games, _runner(workers, ray), journal, question, progress)
    if output is not None and journal is not None:
        journal.close()
        write_parquet(output, names, table.outcomes)
    if as_json:
        print_json(_report(name, table))
    else:
        print(_text(table))


def _runner(workers: int | None, ray: str | None) -> Runner:
    if ray is not None:
        return on_ray(ray)
    count = workers or os.cpu_count() or 1
    return in_this_process if count == 1 else in_processes(count)


def _question(sprt: str | None, bots: Sequence[str]) -> Question | None:
    """`0.5:0.55`: is the first bot's share more like the second number?"""
    if sprt is None:
        return None
    if len(bots) != 2:
        raise UsageFailure("--sprt compares two bots")
    low, _, high = sprt.partition(":")
    try:
        return Question(float(low), float(high))
    except ValueError:
        raise UsageFailure("--sprt takes two shares, for example 0.5:0.55") from None


@contextmanager
def _bar(total: int, shown: bool) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, so that stdout holds only the report."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not shown or not console.is_terminal:
        yield lambda done: None
        return
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("games", total=total)
        yield lambda done: progress.update(task, completed=done)


def _text(table: Table) -> str:
    rows = [("bot", "games", "share", "95 % interval", "rating")]
    for each in table.standings:
        low, high = each.interval
        rating = (
            "" if each.rating is None else f"{each.rating:.1f} ± {2 * (each.deviation or 0):.1f}"
        )
        rows.append(
            (each.bot, f"{each.games:,}", f"{each.share:.3f}", f"{low:.3f} … {high:.3f}", rating)
        )
    widths = [max(len(row[at]) for row in rows) for at in range(5)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
             for row in rows]  # fmt: skip
    lines.append(f"{plural(len(table.outcomes), 'game')}")
    if table.verdict:
        said = "better" if table.verdict == "yes" else "not better"
        lines.append(f"decided: the first bot is {said} by the margin asked for")
    if table.faults:
        first = table.faults[0]
        lines.append(f"{plural(len(table.faults), 'fault')}; game {first.number}: {first.fault}")
    if table.interrupted:
        lines.append("interrupted; with --output the same command goes on from here")
    return "\n".join(lines)


def _report(name: str, table: Table) -> dict[str, object]:
    return {
        "game": name, "games": len(table.outcomes), "verdict": table.verdict,
        "faults": len(table.faults), "interrupted": table.interrupted,
        "bots": [
            {
                "bot": each.bot, "games": each.games, "points": each.points, "share": each.share,
                "interval": list(each.interval), "rating": each.rating,
                "deviation": each.deviation,
            }
            for each in table.standings
        ],
    }  # fmt: skip
