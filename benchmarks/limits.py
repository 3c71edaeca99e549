"""The native engine beside games written by hand in plain C, in one run on one core.

    python benchmarks/limits.py [--rounds 5] [--seconds 0.5] [game ...]

`limits/playouts.c` plays random games on plain arrays. It is compiled with the C compiler of the
system (`CC`, or `cc`); where there is none, nothing is measured. A ratio of 1 means that the rules
of a rulebook run as fast as that code.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import Work, pin, rates, ratios, short, table

import ludwright as lw
from ludwright.native.game import NativeGame

GAMES = ("tic-tac-toe", "connect-four", "reversi", "breakthrough", "amazons")
SOURCE = Path(__file__).parent / "limits" / "playouts.c"


def compiled(folder: str) -> ctypes.CDLL | None:
    """The games in C; None where there is no compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    made = str(Path(folder) / "playouts.so")
    options = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, "-o", made, str(SOURCE)], check=True)
    library = ctypes.CDLL(made)
    library.play.restype = ctypes.c_long
    library.play.argtypes = (ctypes.c_int, ctypes.c_long, ctypes.c_uint64)
    return library


def in_c(library: ctypes.CDLL, number: int) -> Work:
    def work(n: int) -> int:
        library.play(number, n, n)
        return n

    return work


def row(library: ctypes.CDLL, name: str, rounds: int, seconds: float) -> list[str]:
    game = lw.load(name, engine="native")
    assert isinstance(game, NativeGame)

    def ours(n: int) -> int:
        game.playouts(n, seed=n)
        return n

    sample = 2000
    number = GAMES.index(name)
    own = float(game.playouts(sample, seed=1).decisions.mean())
    theirs = library.play(number, sample, 1) / sample
    found, limit = rates([ours, in_c(library, number)], rounds, seconds)
    middles = [short(statistics.median(values)) for values in (found, limit)]
    return [name, middles[0], short(own), middles[1], short(theirs), ratios(found, limit)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", nargs="*", help=", ".join(GAMES))
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=0.5)
    given = arguments.parse_args()
    pin()
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(folder)
        if library is None:
            sys.exit("There is no C compiler: set CC, or install one as `cc`.")
        names = [name for name in GAMES if not given.games or name in given.games]
        rows = [row(library, name, given.rounds, given.seconds) for name in names]
    head = ["game", "games/s", "decisions", "plain C/s", "decisions", "ratio"]
    print(table(head, rows))


if __name__ == "__main__":
    main()
