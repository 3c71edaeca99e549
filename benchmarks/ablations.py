"""What each optimisation of the native engine gives: every pass switched off by itself.

    python benchmarks/ablations.py [--rounds 3] [--seconds 0.1] [--only PASS] [--journal FILE]
        [game ...]

A ratio of 1.25 says that the game runs 25 % faster with the pass than without it: the median of
the rounds, in which both kinds of code take turns. A dot stands where the pass changes nothing in
the code of a game. Playouts are measured, or the steps or counts that a pass is for
(`Pass.measured`). First every pair is measured briefly. Then the best games of each pass that
gives little are measured again, long enough to tell whether it is worth its code. What was
measured is kept in the journal, under the texts of both kinds of code: a second call only
measures what is missing or has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from measuring import Work, pin, rates, table

import ludwright as lw
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Run
from ludwright.loading import shipped_games
from ludwright.native.engine import Engine
from ludwright.native.game import NativeGame
from ludwright.native.passes.pass_list import PASSES, Pass
from ludwright.native.perft import Counter
from ludwright.native.playouts import playouts
from ludwright.native.translate import translate
from ludwright.program import Program
from ludwright.program.limits import SEARCH_BUDGET

PLAYERS = {"texas-holdem": 4}
COUNTED_SECONDS = 0.05  # a count takes at least this long
IN_PLAYOUTS_ONLY = {"shared_setup"}  # the code is the same, but is used otherwise
SURE = 1.08  # a pass that gave this much in short rounds is worth its code
AGAIN = 3  # so many of the best games of any other pass are measured again
LONG_ROUNDS, LONG_SECONDS = 15, 0.25


Sized = Callable[[int], object]  # so many playouts or steps, or a count of such a depth


def playing(program: Program, players: int | None, without: set[str]) -> Sized:
    engine = Engine(program, 2, without=without)
    return lambda n: playouts(engine, n, n, players=players)


def counting(program: Program, players: int | None, without: set[str]) -> Sized:
    engine = Engine(program, 2, counting=True, without=without)
    machine = Machine(program)
    fresh = machine.fresh(1, players or program.world.min_players, 0)
    cells = machine.scratch(fresh, Run())
    stop = machine.start(cells)
    kept = cells[: program.cells]
    return lambda depth: Counter(engine, "generator", SEARCH_BUDGET).count(list(kept), stop, depth)


def stepping(program: Program, players: int | None, without: set[str]) -> Sized:
    """Steps as Python asks for them: every step tells its events, and every option is listed."""
    game = NativeGame(program, engine=Engine(program, 2, events=True, without=without))
    first = game.initial_state(1, players)

    def steps(n: int) -> None:
        state, dice = first, random.Random(1)
        for _ in range(n):
            decision = game.decision(state)
            if decision is None:
                state = first
            else:
                state = game.choose(state, dice.choice(decision.answers)).state

    return steps


def deep_enough(count: Sized) -> int:
    """The least depth of which a count takes long enough."""
    for depth in range(1, 12):
        start = time.process_time()
        count(depth)
        if time.process_time() - start >= COUNTED_SECONDS:
            return depth
    return 12


def repeated(run: Sized, depth: int | None) -> Work:
    """Playouts or steps, or counts of one depth."""

    def work(n: int) -> int:
        if depth is None:
            run(n)
        else:
            for _ in range(n):
                run(depth)
        return n

    return work


MAKERS = {"playouts": playing, "steps": stepping, "counts": counting}


def text_of(program: Program, each: Pass, without: tuple[str, ...] = ()) -> str:
    """The code whose speed is measured for a pass."""
    return translate(
        program,
        events=each.measured == "steps",
        counting=each.measured == "counts",
        without=without,
    ).text


class Subject:
    """A game whose passes are measured. Its code with all passes is made once."""

    def __init__(self, name: str) -> None:
        self.program = lw.load(name, engine="python").program
        self._players = PLAYERS.get(name)
        self._texts: dict[str, str] = {}
        self._whole: dict[str, Sized] = {}

    def texts(self, each: Pass) -> str | None:
        """A hash of the code with and without a pass; None if they are the same."""
        if each.measured not in self._texts:
            self._texts[each.measured] = text_of(self.program, each)
        whole = self._texts[each.measured]
        text = text_of(self.program, each, (each.name,))
        if text == whole and each.name not in IN_PLAYOUTS_ONLY:
            return None
        return hashlib.sha256(f"{whole}\0{text}".encode()).hexdigest()[:16]

    def ratio(self, each: Pass, rounds: int, seconds: float) -> float:
        make = MAKERS[each.measured]
        if each.measured not in self._whole:
            self._whole[each.measured] = make(self.program, self._players, set())
        lacking = make(self.program, self._players, {each.name})
        depth = deep_enough(lacking) if each.measured == "counts" else None
        sides = [repeated(run, depth) for run in (self._whole[each.measured], lacking)]
        on, off = rates(sides, rounds, seconds)
        return statistics.median(a / b for a, b in zip(on, off, strict=True))


class Journal:
    """Ratios that were measured, on disk, with the number of rounds of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, tuple[int, float]] = {}
        if path.exists():
            self._known = json.loads(path.read_text())

    def measure(
        self, subject: Subject, name: str, each: Pass, rounds: int, seconds: float
    ) -> float | None:
        """None: the pass changes nothing in this game."""
        texts = subject.texts(each)
        if texts is None:
            return None
        key = f"{each.name} {name} {texts}"
        if self._known.get(key, (0, 0.0))[0] < rounds:
            self._known[key] = rounds, subject.ratio(each, rounds, seconds)
            self._path.write_text(json.dumps(self._known))
            print(f"{name} {each.name} {self._known[key][1]:.3f} ({rounds} rounds)", flush=True)
        return self._known[key][1]


Found = dict[str, dict[str, float]]  # by pass and game


def measured(
    journal: Journal, pairs: Iterable[tuple[str, Pass]], rounds: int, seconds: float, into: Found
) -> None:
    """Pairs come game by game."""
    name, subject = "", None
    for game, each in pairs:
        if subject is None or game != name:
            name, subject = game, Subject(game)
        value = journal.measure(subject, name, each, rounds, seconds)
        if value is not None:
            into[each.name][name] = value


def undecided(found: Found, passes: Iterable[Pass]) -> list[tuple[str, Pass]]:
    """The best games of passes that gave little, game by game."""
    pairs: list[tuple[str, Pass]] = []
    for each in passes:
        best = sorted(found[each.name].items(), key=lambda entry: -entry[1])
        if best and best[0][1] < SURE:
            pairs += [(name, each) for name, _ in best[:AGAIN]]
    return sorted(pairs, key=lambda pair: pair[0])


def summary(found: Found, passes: Iterable[Pass], names: list[str]) -> str:
    rows: list[list[str]] = []
    for each in passes:
        ratios = found[each.name]
        best = max(ratios, key=ratios.__getitem__, default="")
        cells = [f"{ratios[name]:.2f}" if name in ratios else "." for name in names]
        rows.append(
            [each.name, f"{ratios.get(best, 1.0):.2f} {best}", str(len(ratios)), *cells]
        )  # fmt: skip
    return table(["pass", "best", "games", *names], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument(
        "--journal", type=Path, default=Path(tempfile.gettempdir()) / "ludwright-ablations.json"
    )
    given = parser.parse_args()
    pin()
    names = given.games or list(shipped_games())
    passes = [each for each in PASSES if not given.only or each.name in given.only]
    found: Found = {each.name: {} for each in passes}
    journal = Journal(given.journal)
    pairs = [(name, each) for name in names for each in passes]
    measured(journal, pairs, given.rounds, given.seconds, found)
    again = undecided(found, passes)
    measured(journal, again, max(LONG_ROUNDS, given.rounds), LONG_SECONDS, found)
    print()
    print(summary(found, passes, names))


if __name__ == "__main__":
    main()
