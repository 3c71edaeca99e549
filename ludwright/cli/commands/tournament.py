"""`ludwright tournament GAME --bots A,B`: bots against bots."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ludwright.bots.naming import UnknownBot
from ludwright.bots.policy import PolicyError
from ludwright.bots.tournaments.entering import enter, held, runner_for
from ludwright.bots.tournaments.evidence import Question
from ludwright.bots.tournaments.tournament import Table
from ludwright.cli.shared.bots import named_maker
from ludwright.cli.shared.loading import load_game
from ludwright.cli.shared.output import Failure, UsageFailure, plural, print_json
from ludwright.errors import LudwrightError

FAULTS_TOLD = 10


def run(
    name: str, bots: str, games: int, seed: int, players: int | None, parameters: Sequence[str],
    limit: int, workers: int | None, ray: str | None, output: Path | None, sprt: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    names = tuple(each.strip() for each in bots.split(",") if each.strip())
    if len(names) < 2:
        raise UsageFailure("a tournament needs at least two bots: --bots greedy,search:1000")
    makers = {each: named_maker(each) for each in names}
    if ray is not None and workers is not None:
        raise UsageFailure("--ray plays on as many processes as the cluster has; leave --workers")
    question = _question(sprt)
    game = load_game(name, parameters)
    try:
        entrants = [(each, makers[each]) for each in names]
        entered = enter(game, entrants, seed, players, limit, name)
        runner = runner_for(entered, workers or os.cpu_count() or 1, ray)
        with _bar(games, not as_json) as progress:
            table = held(entered, games, runner, output, question, progress)
    except (ValueError, UnknownBot, PolicyError) as error:
        raise UsageFailure(str(error)) from None
    if as_json:
        print_json(_report(name, table, question))
    else:
        print(_text(table, question))
    if table.faults:
        raise Failure(_faults(table))


def _question(sprt: str | None) -> Question | None:
    """`0.5:0.55`: is the share of the first bot more like the second number? `score:0:0.5`: is its
    mean score?"""
    if sprt is None:
        return None
    try:
        match sprt.split(":"):
            case [low, high] | ["share", low, high]:
                return Question(float(low), float(high))
            case ["score", low, high]:
                return Question(float(low), float(high), of="score")
            case _:
                raise ValueError
    except LudwrightError as error:
        raise UsageFailure(f"--sprt {sprt}: {error}") from None
    except ValueError:
        raise UsageFailure(
            "--sprt takes two shares, for example 0.5:0.55, or two mean scores: score:0:0.5"
        ) from None


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


def _text(table: Table, question: Question | None) -> str:
    rows: list[tuple[str, ...]] = [
        ("bot", "games", "score", "95 % interval", "share", "95 % interval", "rating")
    ]
    for each in table.standings:
        rating = (
            "" if each.rating is None else f"{each.rating:.1f} ± {2 * (each.deviation or 0):.1f}"
        )
        score = "–" if each.score is None else f"{each.score:.3f}"
        rows.append(
            (
                each.bot, f"{each.games:,}", score, _interval(each.score_interval),
                f"{each.share:.3f}", _interval(each.interval), rating,
            )
        )  # fmt: skip
    if not any(row[-1] for row in rows[1:]):  # nothing that rates is installed
        rows = [row[:-1] for row in rows]
    if not table.by_score:
        rows = [(*row[:2], *row[4:]) for row in rows]
    widths = [max(len(text) for text in column) for column in zip(*rows, strict=True)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
             for row in rows]  # fmt: skip
    lines.append(plural(table.games, "game"))
    if table.unfinished:
        lines.append(f"{plural(table.unfinished, 'game')} not finished: drawn, without a score")
    lines += _verdict(table, question)
    if table.interrupted:
        lines.append("interrupted; with --output the same command goes on from here")
    return "\n".join(lines)


def _interval(given: tuple[float, float] | None) -> str:
    return "–" if given is None else f"{given[0]:.3f} … {given[1]:.3f}"


def _verdict(table: Table, question: Question | None) -> Iterator[str]:
    """What was asked and what came out, in words."""
    if question is None:
        return
    about = "share of wins" if question.of == "share" else "mean score"
    low, high = f"{question.low:g}", f"{question.high:g}"
    if table.verdict:
        likely, other = (high, low) if table.verdict == "yes" else (low, high)
        yield f"decided: the {about} of the first bot is more like {likely} than {other}"
    else:
        yield f"not decided whether the {about} of the first bot is more like {high} than {low}"
    if table.by_score and question.of == "share":
        yield "a share counts wins alone; this game is played for its score: --sprt score:LOW:HIGH"


def _faults(table: Table) -> str:
    told = [f"  game {each.number}: {each.fault}" for each in table.faults[:FAULTS_TOLD]]
    if len(table.faults) > FAULTS_TOLD:
        told.append(f"  … and {len(table.faults) - FAULTS_TOLD} more")
    count = plural(len(table.faults), "game")
    return "\n".join([f"{count} ended in a fault and counted for nobody:", *told])


def _report(name: str, table: Table, question: Question | None) -> dict[str, object]:
    return {
        "game": name, "games": table.games, "rankedBy": "score" if table.by_score else "share",
        "tested": None if question is None else question.of, "verdict": table.verdict,
        "faults": len(table.faults), "unfinished": table.unfinished,
        "interrupted": table.interrupted,
        "bots": [
            {
                "bot": each.bot, "games": each.games, "points": each.points, "share": each.share,
                "interval": list(each.interval), "score": each.score,
                "scoreInterval": None if each.score_interval is None else list(each.score_interval),
                "rating": each.rating, "deviation": each.deviation,
            }
            for each in table.standings
        ],
    }  # fmt: skip
