"""The command line: declares the commands; each imports what it needs only when it runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludwright.cli.shared.output import INTERRUPTED, REFUSED, Failure, print_failure
from ludwright.cli.shared.progress import show_waits
from ludwright.errors import LudwrightError

app = typer.Typer(
    name="ludwright",
    help="A rulebook that runs: check, play and simulate board games written in Markdown.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from ludwright.version import __version__

        print(f"ludwright {__version__}")
        raise typer.Exit


def _completed(beginning: str) -> list[str]:
    """The shipped games whose names begin like this, for the completion of the shell."""
    from ludwright.loading import shipped_games

    return [name for name in shipped_games() if name.startswith(beginning)]


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print it."),
    ] = False,
) -> None:
    """A rulebook that runs: check, play and simulate board games written in Markdown."""


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A shipped game, or a path to a rulebook.", autocompletion=_completed
    ),
]
Params = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="NAME=VALUE", help="Set a parameter of the game."),
]
Players = Annotated[int | None, typer.Option("--players", min=1, help="How many seats play.")]
Threads = Annotated[
    int | None, typer.Option("--threads", min=1, help="For random games; else one per core.")
]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Of the game's generator.")]


@app.command("games")
def games(as_json: Json = False) -> None:
    """List the shipped games with their seats and parameters."""
    from ludwright.cli.commands.games import run

    run(as_json)


@app.command("check")
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Rulebooks to check.")],
    as_json: Json = False,
) -> None:
    """Check rulebooks and show everything that is wrong with them."""
    from ludwright.cli.commands.check import run

    run(files, as_json)


@app.command("test")
def run_tests(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="Shipped games or files.")],
    engine: Annotated[str, typer.Option("--engine", help="native or python.")] = "python",
    as_json: Json = False,
) -> None:
    """Run the examples of rulebooks: what their authors say must be so."""
    from ludwright.cli.commands.test import run

    run(games, engine, as_json)


@app.command("page")
def page(game: GameName) -> None:
    """Print a page about a game, made from its rulebook."""
    from ludwright.cli.commands.page import run

    run(game)


@app.command("explain")
def explain(
    code: Annotated[str, typer.Argument(help="The code of a diagnostic, as `check` prints it.")],
    as_json: Json = False,
) -> None:
    """Say more about a diagnostic."""
    from ludwright.cli.commands.explain import run

    run(code, as_json)


@app.command("compile")
def compile_(
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="The rulebook.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to a file.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print GameDef's JSON Schema.")] = False,
    param: Params = None,
) -> None:
    """Print a rulebook's GameDef as canonical JSON."""
    from ludwright.cli.commands.compile import run

    run(file, output, schema, param or [])


@app.command("play")
def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", autocompletion=_completed)] = None,
    seed: Seed = None,
    players: Players = None,
    seat: Annotated[
        list[str] | None, typer.Option("--seat", metavar="NAME", help="Your seat; or `all`.")
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            metavar="BOT",
            help="random, greedy (else), search:2s, level:1 to level:10, policy:FILE.",
        ),
    ] = None,
    param: Params = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with a save.")] = None,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Which set-up.")] = None,
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="You are asked for every roll and draw.")
    ] = False,
) -> None:
    """Play a game in the terminal; without a terminal, bots play one game.

    Without a game, you choose from a list."""
    from ludwright.cli.commands.play import Wishes, run

    run(Wishes(game, seed, players, seat or [], bot, param or [], resume, scenario, by_hand))


@app.command("serve")
def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME...]", help="Rulebooks of your own, besides the shipped."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535)] = 8765,
    store: Annotated[
        str | None,
        typer.Option("--store", help="What keeps the matches: a file, or postgresql://…"),
    ] = None,
    browse: Annotated[bool, typer.Option("--browse/--no-browse", help="Open the page.")] = False,
    pause: Annotated[
        float, typer.Option("--pause", min=0, help="Seconds before a bot answers.")
    ] = 0.35,
    develop: Annotated[
        bool, typer.Option("--develop", help="A panel that shows all that is hidden.")
    ] = False,
    uploads: Annotated[
        Path | None,
        typer.Option("--uploads", metavar="FOLDER", help="Keep rulebooks that you upload here."),
    ] = None,
) -> None:
    """Play in the browser: a page for every game, for people and bots."""
    from ludwright.cli.commands.serve import run

    run(games or [], host, port, store, browse, pause, develop, uploads)


@app.command("draw")
def draw(
    game: GameName,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The picture: a .svg or .png file.")
    ],
    moves: Annotated[
        str, typer.Option("--moves", help="Moves from the start, with `;` between them.")
    ] = "",
    seed: Seed = None,
    players: Players = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="NAME", help="Who looks; `all` sees everything.")
    ] = None,
    theme: Annotated[str, typer.Option("--theme", help="auto, light or dark.")] = "auto",
    param: Params = None,
) -> None:
    """Draw a position as a picture."""
    from ludwright.cli.commands.draw import run

    run(game, output, moves, seed or 0, players, seat, theme, param or [])


@app.command("simulate")
def simulate(
    game: GameName,
    n: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 100,
    agents: Annotated[str, typer.Option("--agents", help="By seat, comma-separated.")] = "random",
    seed: Seed = None,
    players: Players = None,
    param: Params = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Decisions per game.")] = 100_000,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Which set-up.")] = None,
    traces: Annotated[
        Path | None, typer.Option("--traces", help="Keep every game in this folder.")
    ] = None,
    threads: Threads = None,
    first: Annotated[int, typer.Option("--first", min=0, help="Number of the first game.")] = 0,
    as_json: Json = False,
) -> None:
    """Let agents play many games and show who wins and why."""
    from ludwright.cli.commands.simulate import run

    run(
        game, n, agents, seed or 0, players, param or [], limit, as_json, scenario, traces, threads,
        first,
    )  # fmt: skip


@app.command("tournament")
def tournament(
    game: GameName,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            help="Comma-separated: random,search:1000; module:Class imports one of your own.",
        ),
    ],
    n: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 100,
    seed: Seed = None,
    players: Players = None,
    param: Params = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Decisions per game.")] = 100_000,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes; else one per core.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Of a Ray cluster: auto, local, host:port."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Results as .parquet; goes on with them.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="LOW:HIGH",
            help="Stop once the first bot's share is clear; score:LOW:HIGH: its mean score.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let bots play against each other, seats rotated, and rate them."""
    from ludwright.cli.commands.tournament import run

    run(game, bots, n, seed or 0, players, param or [], limit, workers, ray, output, sprt, as_json)


@app.command("solve")
def solve(
    game: GameName,
    moves: Annotated[
        str, typer.Option("--moves", help="Moves from the start, with `;` between them.")
    ] = "",
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="At most.")] = 60.0,
    memory: Annotated[int, typer.Option("--memory", min=1, help="Megabytes for the tree.")] = 1024,
    exploitability: Annotated[
        float, typer.Option("--exploitability", min=0.0, help="How near an equilibrium.")
    ] = 0.001,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Keep the policy.")] = None,
    players: Players = None,
    param: Params = None,
    as_json: Json = False,
) -> None:
    """Solve a small game: exact values, or an equilibrium where something is hidden."""
    from ludwright.cli.commands.solve import run

    run(game, moves, seconds, memory, exploitability, output, players, param or [], as_json)


@app.command("analyse")
def analyse(
    game: GameName,
    moves: Annotated[
        str, typer.Option("--moves", help="Moves from the start, with `;` between them.")
    ] = "",
    seconds: Annotated[float | None, typer.Option("--seconds", min=0.01)] = None,
    simulations: Annotated[int | None, typer.Option("--simulations", min=1)] = None,
    memory: Annotated[int, typer.Option("--memory", min=1, help="Megabytes for the tree.")] = 256,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Of the native engine.")] = 1,
    seed: Seed = None,
    players: Players = None,
    param: Params = None,
    as_json: Json = False,
) -> None:
    """Say how good the answers in a position are, and how play may go on."""
    from ludwright.cli.commands.analyse import run

    run(
        game, moves, seconds, simulations, memory, threads, seed or 0, players, param or [], as_json
    )


@app.command("replay")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.")],
    game: Annotated[
        str | None, typer.Option("--game", help="The rulebook, where it has moved.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a saved game again and verify every step."""
    from ludwright.cli.commands.replay import run

    run(file, game, as_json)


@app.command("perft")
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", "-d", min=0, help="Moves to look ahead.")],
    divide: Annotated[bool, typer.Option("--divide", help="Count per first move.")] = False,
    players: Players = None,
    param: Params = None,
    as_json: Json = False,
) -> None:
    """Count the sequences of moves of a given length."""
    from ludwright.cli.commands.perft import run

    run(game, depth, divide, players, param or [], as_json)


@app.command("bench")
def bench(
    game: GameName,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, help="How long.")] = 3.0,
    players: Players = None,
    param: Params = None,
    engine: Annotated[str, typer.Option("--engine", help="auto, native or python.")] = "auto",
    threads: Annotated[int, typer.Option("--threads", min=1, help="Of the native engine.")] = 1,
    as_json: Json = False,
) -> None:
    """Measure random playouts."""
    from ludwright.cli.commands.bench import run

    run(game, seconds, players, param or [], as_json, engine, threads)


def main() -> None:
    """Runs the command line; every failure is a message and an exit code, never a traceback."""
    try:
        show_waits()
        app()
    except Failure as failure:
        print_failure(str(failure))
        sys.exit(failure.code)
    except LudwrightError as error:
        # A fault of the rulebook that shows only while playing: it names the rule.
        print_failure(str(error))
        sys.exit(REFUSED)
    except BrokenPipeError:
        # The reader of a pipe left (`| head`); point stdout elsewhere so that exit stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        print_failure("interrupted")
        sys.exit(INTERRUPTED)
    except SystemExit as left:
        if left.code == INTERRUPTED:  # Typer takes Ctrl-C for itself, and says nothing
            print_failure("interrupted")
        raise
    except Exception as error:
        if os.environ.get("LUDWRIGHT_DEBUG"):
            raise
        kind = type(error).__name__
        print_failure(
            f"internal error ({kind}): {error}\n"
            "This is a mistake of Ludwright, not yours; LUDWRIGHT_DEBUG=1 shows where."
        )
        sys.exit(70)
