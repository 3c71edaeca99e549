"""Getting a game for a command, or a refusal that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludwright.cli.output import Failure, UsageFailure, problem_count
from ludwright.cli.shipped import shipped_games
from ludwright.diagnostics import did_you_mean
from ludwright.errors import RulebookError

if TYPE_CHECKING:
    from ludwright.kernel.game import Game
    from ludwright.kernel.state import State


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


def load_game(name: str, parameters: Sequence[str] = (), *, chance: str = "generator") -> Game:
    return load_with(name, parse_parameters(parameters), chance=chance)


def load_with(name: str, values: dict[str, int | bool], *, chance: str = "generator") -> Game:
    import ludwright as lw

    known = shipped_games()
    if name not in known and not Path(name).exists():
        hint = did_you_mean(name, known)
        raise UsageFailure(
            f"there is no game or file `{name}`"
            + (f"; {hint}" if hint else "; `ludwright games` lists the shipped games")
        )
    try:
        return lw.load(name, chance=chance, **values)
    except RulebookError as error:
        from ludwright.language.rendering import render_text

        text = render_text(error.diagnostics, error.sources)
        raise Failure(f"{text}\n{name}: {problem_count(error.diagnostics)}") from None


def first_state(game: Game, seed: int, players: int | None) -> State:
    try:
        return game.initial_state(seed=seed, players=players)
    except ValueError as error:
        raise UsageFailure(f"--players {players}: {error}") from None
