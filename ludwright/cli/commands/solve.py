"""`ludwright solve GAME`: exact values, or an equilibrium where something is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludwright.cli.commands.analyse import table
from ludwright.cli.screen.moves_text import played
from ludwright.cli.shared.loading import first_state, load_game
from ludwright.cli.shared.output import INTERRUPTED, Failure, UsageFailure, print_json

if TYPE_CHECKING:
    from ludwright.bots.solving.solution import Solution
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State


def run(
    name: str, moves: str, seconds: float, memory: int, exploitability: float,
    output: Path | None, players: int | None, parameters: Sequence[str], as_json: bool,
) -> None:  # fmt: skip
    from ludwright.bots.solving.exact import Unsolved, is_open
    from ludwright.bots.solving.game_tree import TooLarge
    from ludwright.bots.solving.solution import CannotSolve, check_solvable, solve

    game = load_game(name, parameters)
    try:
        check_solvable(game, None, players)
        if is_open(game):
            if output is not None:
                raise UsageFailure("--output is for games in which something is hidden or rolled")
            state: State | None = _after(game, players, moves)
        elif moves:
            raise UsageFailure("--moves is for games in which nothing is hidden or rolled")
        else:
            state = None
        found = solve(
            game, state, players=players, seconds=seconds, memory=memory << 20,
            exploitability=exploitability, with_policy=output is not None,
        )  # fmt: skip
    except CannotSolve as error:
        raise UsageFailure(f"{name}: {error}") from None
    except TooLarge as error:
        raise Failure(f"{error}; `ludwright analyse` searches games of any size") from None
    except Unsolved as error:
        if error.interrupted:
            raise Interrupted(str(error)) from None
        raise Failure(f"{error} (--seconds, --memory)") from None
    except ValueError as error:  # a number of players that the game does not take
        raise UsageFailure(str(error)) from None
    if found.policy is not None and output is not None:
        found.policy.write(output)
    if as_json:
        print_json(_report(name, found))
    elif found.analysis is not None:
        print(table(found.analysis))
    else:
        print(_text(found, exploitability, output))


class Interrupted(Failure):
    """Ctrl-C, before there was anything to tell."""

    code = INTERRUPTED


def _after(game: Game, players: int | None, moves: str) -> State:
    state, _ = played(game, first_state(game, 0, players), moves)
    if game.decision(state) is None:
        raise UsageFailure("the game is over after these moves")
    return state


def _report(name: str, found: Solution) -> dict[str, object]:
    if found.analysis is not None:
        return {
            "game": name, "solved": True, "seat": found.analysis.seat,
            "values": dict(found.values), "best": found.best, "line": list(found.line),
            "seconds": round(found.seconds, 6), "positions": found.positions,
        }  # fmt: skip
    return {
        "game": name, "value": next(iter(found.values.values())),
        "exploitability": found.exploitability, "iterations": found.iterations,
        "reached": found.reached, "interrupted": found.interrupted,
        "positions": found.positions, "informationSets": found.information_sets,
        "seconds": round(found.seconds, 6),
    }  # fmt: skip


def _text(found: Solution, wanted: float, output: Path | None) -> str:
    seat, value = next(iter(found.values.items()))
    lines = [
        f"value for {seat}: {value:.6f}",
        f"exploitability: {found.exploitability:.6f} after {found.iterations:,} iterations",
        f"{found.positions:,} positions, {found.information_sets:,} information sets, "
        f"{found.seconds:.2f} s",
    ]
    if not found.reached:
        why = "interrupted" if found.interrupted else "the time is up"
        lines.append(f"{why}: {wanted:g} was asked for; this is what was known by then")
    if output is not None:
        lines.append(f"{output}: play against it with --bot policy:{output}")
    return "\n".join(lines)
