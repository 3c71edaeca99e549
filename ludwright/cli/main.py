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
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
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
    int | None,
    typer.Option("--threads", min=1, help="Threads for random games; by default one per core."),
]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed of the random generator.")]


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
    engine: Annotated[
        str, typer.Option("--engine", help="Which engine plays: native or python.")
    ] = "python",
    as_json: Json = False,
) -> None:
    """Run the examples of rulebooks: what must be so, in their authors' words."""
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
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print GameDef's JSON Schema.")] = False,
    param: Params = None,
) -> None:
    """Print a rulebook's GameDef as canonical JSON."""
    from ludwright.cli.commands.compile import run

    run(file, output, schema, param or [])


@app.command("play")
def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A shipped game, or a path to a rulebook.",
            autocompletion=_completed,
        ),
    ] = None,
    seed: Seed = None,
    players: Players = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="NAME", help="The seat you play, or `all`; may be repeated."
        ),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            metavar="BOT",
            help="Your opponents: random, greedy (the default), search:2s, level:1 to level:10 or "
            "policy:FILE.",
        ),
    ] = None,
    param: Params = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Continue this saved game.")
    ] = None,
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="The set-up, by its name.")
    ] = None,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Roll and draw yourself: you are asked for every result."),
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
        typer.Argument(
            metavar="[GAME...]", help="Your own rulebooks, in addition to the shipped games."
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen at.")
    ] = 8765,
    store: Annotated[
        str | None,
        typer.Option("--store", help="Where matches are kept: a file, or postgresql://…"),
    ] = None,
    browse: Annotated[
        bool, typer.Option("--browse/--no-browse", help="Open the page in a browser.")
    ] = False,
    pause: Annotated[
        float, typer.Option("--pause", min=0, help="Seconds before a bot answers.")
    ] = 0.35,
    develop: Annotated[
        bool, typer.Option("--develop", help="For authors: the page also shows what is hidden.")
    ] = False,
    uploads: Annotated[
        Path | None,
        typer.Option(
            "--uploads", metavar="FOLDER", help="Allow uploads, and keep them in this folder."
        ),
    ] = None,
) -> None:
    """Play in the browser: a page for every game, for people and bots."""
    from ludwright.cli.commands.serve import run

    run(games or [], host, port, store, browse, pause, develop, uploads)


@app.command("draw")
def draw(
    game: GameName,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write the picture, a .svg or .png file."),
    ],
    moves: Annotated[
        str, typer.Option("--moves", help="Moves from the start, separated by `;`.")
    ] = "",
    seed: Seed = None,
    players: Players = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", metavar="NAME", help="The seat whose view is drawn; `all` sees everything."
        ),
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
    agents: Annotated[
        str, typer.Option("--agents", help="One agent for each seat, separated by commas.")
    ] = "random",
    seed: Seed = None,
    players: Players = None,
    param: Params = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="The most decisions of one game.")
    ] = 100_000,
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="The set-up, by its name.")
    ] = None,
    traces: Annotated[
        Path | None, typer.Option("--traces", help="Write the trace of every game to this folder.")
    ] = None,
    threads: Threads = None,
    first: Annotated[int, typer.Option("--first", min=0, help="The number of the first game.")] = 0,
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
            help="Separated by commas: random,search:1000; module:Class imports your own bot.",
        ),
    ],
    n: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 100,
    seed: Seed = None,
    players: Players = None,
    param: Params = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="The most decisions of one game.")
    ] = 100_000,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="How many processes; by default one per core."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            "--ray", metavar="ADDRESS", help="Play on a Ray cluster: auto, local or host:port."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Keep results in this .parquet file, and continue from it."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="LOW:HIGH",
            help="Stop once it is decided which of the two the first bot's share is; "
            "score:LOW:HIGH decides about its mean score.",
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
        str, typer.Option("--moves", help="Moves from the start, separated by `;`.")
    ] = "",
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="The most time to take.")
    ] = 60.0,
    memory: Annotated[
        int, typer.Option("--memory", min=1, help="Megabytes for the search tree.")
    ] = 1024,
    exploitability: Annotated[
        float, typer.Option("--exploitability", min=0.0, help="How near to an equilibrium to come.")
    ] = 0.001,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the policy to this file.")
    ] = None,
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
        str, typer.Option("--moves", help="Moves from the start, separated by `;`.")
    ] = "",
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.01, help="How long to think.")
    ] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", min=1, help="How many simulations.")
    ] = None,
    memory: Annotated[
        int, typer.Option("--memory", min=1, help="Megabytes for the search tree.")
    ] = 256,
    threads: Annotated[
        int, typer.Option("--threads", min=1, help="Threads of the native engine.")
    ] = 1,
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
        str | None, typer.Option("--game", help="The rulebook, if it is elsewhere now.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a saved game again and verify every step."""
    from ludwright.cli.commands.replay import run

    run(file, game, as_json)


@app.command("perft")
def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, help="How many moves to look ahead.")
    ],
    divide: Annotated[
        bool, typer.Option("--divide", help="Count separately for each first move.")
    ] = False,
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
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="How long to measure.")
    ] = 3.0,
    players: Players = None,
    param: Params = None,
    engine: Annotated[
        str, typer.Option("--engine", help="Which engine plays: auto, native or python.")
    ] = "auto",
    threads: Annotated[
        int, typer.Option("--threads", min=1, help="Threads of the native engine.")
    ] = 1,
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
    except OSError as error:
        if error.filename is None:
            raise
        print_failure(f"{error.filename} can't be used: {error.strerror}")
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
