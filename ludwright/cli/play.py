"""`ludwright play GAME`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ludwright.cli.loading import compile_rulebook, first_state, parse_parameters
from ludwright.cli.output import Failure, UsageFailure
from ludwright.cli.rules import rules_text
from ludwright.cli.simulate import agent_maker
from ludwright.cli.table import Setting, Table
from ludwright.diagnostics import did_you_mean
from ludwright.loading import game_from
from ludwright.program.rng import mix
from ludwright.simulate import Trace, TraceError, read_trace

ALL = "all"


class Screen:
    """The real terminal."""

    def __init__(self) -> None:
        self.width = shutil.get_terminal_size((100, 24)).columns

    def ask(self, prompt: str) -> str:
        return input(prompt)

    def say(self, text: str) -> None:
        print(text, flush=True)


def run(
    name: str | None,
    seed: int | None,
    players: int | None,
    seats: Sequence[str],
    bot: str,
    parameters: Sequence[str],
    resume: Path | None,
) -> None:
    maker = agent_maker(bot)
    trace = _read(resume, name, seed, players, parameters)
    if trace is not None:
        setting = Setting(trace.game, trace.parameters, trace.seed, trace.players)
    elif name is None:
        raise UsageFailure("which game? `ludwright games` lists the shipped ones")
    else:
        # Without a seed, every game is different; a save records the seed drawn here.
        setting = Setting(name, parse_parameters(parameters), _seed(seed), players or 0)
    compilation = compile_rulebook(setting.name, setting.parameters)
    game = game_from(compilation)
    if trace is None:
        first_state(game, setting.seed, players)
        setting = Setting(
            setting.name,
            setting.parameters,
            setting.seed,
            players or game.program.world.min_players,
        )
    in_play = game.seats[: setting.players]
    at_terminal = sys.stdin.isatty()
    people = _people(seats, in_play) if at_terminal else frozenset()
    bots = {
        seat: maker(mix(setting.seed ^ (i + 1)))
        for i, seat in enumerate(in_play)
        if seat not in people
    }
    if at_terminal:
        _enable_line_editing()
    rules = rules_text(compilation.sources)
    table = Table(game, setting, people, bots, Screen(), rules)
    if trace is not None:
        try:
            table.resume(trace)
        except TraceError as error:
            raise Failure(f"{resume}: {error}") from None
    title = getattr(game.gamedef, "title", "") or setting.name
    print(title + ("; type `help` for help" if people else ""))
    table.play()
    # The seed reveals every card and roll, so it is printed only when the game is over.
    if game.result(table.state) is not None:
        print(f"seed {setting.seed}")


def _read(
    resume: Path | None,
    name: str | None,
    seed: int | None,
    players: int | None,
    parameters: Sequence[str],
) -> Trace | None:
    if resume is None:
        return None
    if seed is not None or players is not None or parameters:
        raise UsageFailure("--resume takes seed, players and parameters from the saved game")
    try:
        trace = read_trace(resume)
    except TraceError as error:
        raise Failure(str(error)) from None
    if name is not None and name != trace.game:
        raise UsageFailure(f"{resume} is a game of `{trace.game}`, not of `{name}`")
    return trace


def _seed(seed: int | None) -> int:
    if seed is not None:
        return seed
    import secrets

    return secrets.randbelow(2**32)


def _people(wanted: Sequence[str], seats: Sequence[str]) -> frozenset[str]:
    if ALL in wanted:
        return frozenset(seats)
    for seat in wanted:
        if seat not in seats:
            hint = did_you_mean(seat, seats) or f"there are {', '.join(seats)}"
            raise UsageFailure(f"there is no seat `{seat}`; {hint}")
    return frozenset(wanted or seats[:1])


def _enable_line_editing() -> None:
    """`input` gets arrow keys and history once readline is loaded, where the system has it."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
