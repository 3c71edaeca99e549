"""`ludwright simulate GAME`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ludwright.agents import AGENTS
from ludwright.cli.shared import faults
from ludwright.cli.shared.bots import fitting, named_maker
from ludwright.cli.shared.loading import first_state, load_game, parse_parameters
from ludwright.cli.shared.output import Failure, UsageFailure, plural, print_json, share
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game
from ludwright.kernel.views.board import table
from ludwright.program.limits import GAME_LIMIT
from ludwright.simulate import Recorder, Summary, simulate
from ludwright.simulate.averages import played_for_score
from ludwright.simulate.series import Series as PlayedGames
from ludwright.simulate.usage import Usage, usage_of

MANY_REASONS = 8  # that are listed
MANY_USES = 12  # actions, options or cards that are listed


def run(
    name: str,
    n: int,
    agents: str,
    seed: int,
    players: int | None,
    parameters: Sequence[str],
    limit: int,
    as_json: bool,
    scenario: str | None = None,
    traces: Path | None = None,
    threads: int | None = None,
    first: int = 0,
) -> None:
    names = [item.strip() for item in agents.split(",")]
    makers = [named_maker(item) for item in names]
    game = load_game(name, parameters)
    values = parse_parameters(parameters)
    with suppress(LudwrightError):  # a fault in set-up belongs to the games that meet it
        # a wrong number of players or scenario is refused before anything is played
        first_state(game, seed, players, scenario)
    seated = players or game.program.world.min_players
    if len(names) > seated:
        raise UsageFailure(f"--agents names {len(names)} agents, but {seated} seats play")
    fitting(dict(zip(names, makers, strict=True)), game, seated)
    keep = None if traces is None else _keeper(traces, name, game, values, seated, scenario)
    with progress(n, shown=not as_json and sys.stderr.isatty()) as on_game:
        summary = simulate(
            game, n, makers, seed, players=players, limit=limit, scenario=scenario, first=first,
            threads=threads or os.cpu_count() or 1, on_game=on_game, on_record=keep,
        )  # fmt: skip
    series = faults.Series(
        name, game, values, seed, seated, players, scenario, agents,
        None if limit == GAME_LIMIT else limit,
    )  # fmt: skip
    found = faults.reports(series, summary.faults, traces, summary.mistakes)
    games = PlayedGames(game, makers, seed, players, limit, scenario, summary.seats)
    quick = all(item in AGENTS for item in names)  # bots that search would think it all again
    usage = usage_of(games, first, summary.played) if quick else Usage()
    if as_json:
        told = {**report(summary), "usage": _usage_report(usage), "faults": found}
        print_json({"game": name, "seed": seed, "agents": names, "players": seated, **told})
    else:
        print(describe(summary, n, names, played_for_score(game.program)))
        print("\n".join([*_usage(usage), *_players(game, seated)]))
    if summary.faulted:
        raise Failure(faults.describe(summary.faulted, summary.played, found))


def _keeper(
    folder: Path,
    name: str,
    game: Game,
    parameters: Mapping[str, int | bool],
    players: int,
    scenario: str | None,
) -> Callable[[int, int, Recorder], None]:
    """Writes every game as soon as it is finished, so that an interrupt loses none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{folder} can't be used: {error.strerror or error}") from None

    def keep(number: int, seed: int, recorder: Recorder) -> None:
        trace = recorder.trace(name, game.gamedef_hash, parameters, players, seed, scenario)
        try:
            trace.write(folder / f"{number:06}.json")
        except OSError as error:
            raise Failure(f"{folder} can't be written: {error.strerror or error}") from None

    return keep


@contextmanager
def progress(n: int, shown: bool) -> Iterator[Callable[[Summary], None] | None]:
    """A bar on stderr, so that stdout holds only the report."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=n)
        yield lambda summary: bar.update(task, completed=summary.played)


def report(summary: Summary) -> dict[str, Any]:
    return {
        "games": summary.games,
        "wins": {seat: summary.wins[seat] for seat in summary.seats},
        "scores": {seat: round(mean, 6) for seat, mean in summary.scores.items()},
        "score_intervals": {seat: list(each) for seat, each in summary.score_intervals.items()},
        "draws": summary.draws,
        "unfinished": summary.unfinished,
        "faulted": summary.faulted,
        "decisions": summary.decisions,
        "avg_decisions": round(summary.average_decisions, 3),
        "avg_moves": round(summary.average_moves, 3),
        "reasons": dict(summary.reasons.most_common()),
        "interrupted": summary.interrupted,
    }


def describe(summary: Summary, n: int, agents: Sequence[str], by_score: bool = False) -> str:
    """`by_score`: the game is played for its score, so that is told as well."""
    lines = []
    if summary.interrupted:
        lines.append(f"interrupted after {summary.played:,} of {plural(n, 'game')}")
    rows = [
        [
            seat, agents[i % len(agents)], share(summary.wins[seat], summary.games),
            *(_score(summary, seat) if by_score else ("", "")),
        ]
        for i, seat in enumerate(summary.seats)
    ]  # fmt: skip
    lines += table(("seat", "agent", "wins", "mean score", "95 % interval"), rows)
    if sum(summary.wins.values()) + summary.draws + summary.unfinished > summary.games:
        lines.append("a win that several share counts for each of them")
    lines.append(f"draws: {share(summary.draws, summary.games)}")
    if summary.unfinished:
        lines.append(f"not finished: {share(summary.unfinished, summary.games)}")
    lines.append(
        f"{plural(summary.games, 'game')}, on average {summary.average_moves:.1f} moves and "
        f"{summary.average_decisions:.1f} decisions"
    )
    lines += _reasons(summary)
    return "\n".join(lines)


def _score(summary: Summary, seat: str) -> tuple[str, str]:
    """The mean score of a seat and its interval, as far as they are known."""
    mean, interval = summary.scores.get(seat), summary.score_intervals.get(seat)
    return (
        "" if mean is None else f"{mean:.3f}",
        "" if interval is None else f"{interval[0]:.3f} … {interval[1]:.3f}",
    )


def _reasons(summary: Summary) -> Iterator[str]:
    """Why games ended. Reasons that tell numbers are many; the rare ones are counted together."""
    listed = summary.reasons.most_common()
    shown = listed if len(listed) <= MANY_REASONS + 1 else listed[:MANY_REASONS]
    for reason, count in shown:
        yield f"  {reason or 'no reason given'}: {share(count, summary.games)}"
    rest = listed[len(shown) :]
    if rest:
        games = sum(count for _, count in rest)
        yield f"  {len(rest)} other reasons: {share(games, summary.games)}"


def _usage_report(usage: Usage) -> dict[str, Any]:
    return {
        "games": usage.games,
        "actions": dict(usage.actions.most_common()),
        "options": dict(usage.options.most_common()),
        "cards": dict(usage.cards.most_common()),
    }


def _usage(usage: Usage) -> Iterator[str]:
    """What was played how often in a game, the most frequent first."""
    for what, counts in (
        ("actions", usage.actions), ("menus", usage.options), ("cards chosen", usage.cards),
    ):  # fmt: skip
        if not counts:
            continue
        listed = counts.most_common()
        told = [f"{name} {count / usage.games:.2g}" for name, count in listed[:MANY_USES]]
        if len(listed) > MANY_USES:
            told.append(f"and {len(listed) - MANY_USES} others")
        yield f"{what} per game (of {plural(usage.games, 'game')}): {', '.join(told)}"


def _players(game: Game, seated: int) -> Iterator[str]:
    """That others may play too, where the game has several numbers of players."""
    world = game.program.world
    if world.min_players < len(world.seats):
        yield (
            f"played with {plural(seated, 'player')}; the game is for {world.min_players} to "
            f"{len(world.seats)} (`--players`)"
        )
