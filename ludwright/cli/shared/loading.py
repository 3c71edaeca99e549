"""Getting a game for a command, or a refusal that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludwright.cli.shared.output import Failure, UsageFailure, problem_count
from ludwright.spelling import did_you_mean

if TYPE_CHECKING:
    from ludwright.kernel.interpreter.machine import ChanceMode
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State
    from ludwright.loading import Compilation

Parameters = Mapping[str, int | bool]


def parse_parameters(items: Sequence[str]) -> dict[str, int | bool]:
    """`size=4`, `wrap=true`, or only `wrap`."""
    values: dict[str, int | bool] = {}
    for item in items:
        name, equals, text = item.partition("=")
        name, text = name.strip(), text.strip()
        if not name.isidentifier():
            raise UsageFailure(f"--param {item}: write it as NAME=VALUE, for example size=4")
        if name in values:
            raise UsageFailure(f"--param {name} is given twice")
        if not equals or text in ("true", "false"):
            values[name] = text != "false"
        else:
            try:
                values[name] = int(text)
            except ValueError:
                raise UsageFailure(
                    f"--param {item}: `{text}` is neither a whole number nor true or false"
                ) from None
    return values


def find_rulebook(name: str) -> Path:
    """A file or folder, or else the rulebook of a shipped game."""
    from ludwright.loading import large_games, shipped_games

    if Path(name).exists():
        return Path(name)
    games = shipped_games() | large_games()
    if name in games:
        return games[name]
    folder = Path(name).parent
    beside = [str(path) for path in folder.glob("*.md")] if folder.is_dir() else []
    hint = did_you_mean(name, [*games, *beside]) or "`ludwright games` lists the shipped games"
    raise UsageFailure(f"there is no game and no file `{name}`; {hint}")


def compile_rulebook(name: str, parameters: Parameters) -> Compilation:
    """A compilation without errors."""
    from ludwright.diagnostic_text import render_text
    from ludwright.loading import compile_files

    compilation = compile_files(find_rulebook(name), parameters)
    if not compilation.ok:
        items = compilation.diagnostics.items
        text = render_text(items, compilation.sources)
        raise Failure(f"{text}\n{name}: {problem_count(items)}")
    return compilation


def load_game(
    name: str,
    parameters: Sequence[str] = (),
    *,
    chance: ChanceMode = "generator",
    engine: str = "auto",
) -> Game:
    from ludwright.loading import chosen_engine, game_from

    values = parse_parameters(parameters)
    try:
        engine = chosen_engine(engine)
    except ValueError as error:
        raise UsageFailure(str(error)) from None
    return game_from(compile_rulebook(name, values), chance, None, engine)


def first_state(game: Game, seed: int, players: int | None, scenario: str | None = None) -> State:
    try:
        return game.initial_state(seed, players, scenario)
    except ValueError as error:
        raise UsageFailure(str(error)) from None
