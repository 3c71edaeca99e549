"""Runs cases, each call of one under limits of time and memory.

A process of its own: what breaks a limit, or crashes, ends the worker and nothing else. What it
was doing stands in the progress file, which outlives it.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import mmap
import resource
import signal
import struct
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CALL_SECONDS = 2.0  # of processor time, for any one call; checking and playing alike
BUILD_SECONDS = 30.0  # for making native code
MEMORY_BYTES = 256 * 1024 * 1024  # more than what the worker needs before its first case
SLOTS = 8  # counters in the progress file

_RECORD = struct.Struct(f"<q{SLOTS}q")


class Progress:
    """The number of the case under way and the counts so far, in a file that outlives a crash."""

    def __init__(self, path: Path, names: tuple[str, ...]) -> None:
        assert len(names) <= SLOTS
        self.names = names
        self.counts: Counter[str] = Counter()
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _RECORD.size)

    def begin(self, number: int) -> None:
        self._write(number)

    def _write(self, number: int) -> None:
        counts = [self.counts[name] for name in self.names]
        _RECORD.pack_into(self._map, 0, number, *counts, *[0] * (SLOTS - len(counts)))

    @staticmethod
    def create(path: Path) -> None:
        path.write_bytes(_RECORD.pack(-1, *[0] * SLOTS))

    @staticmethod
    def read(path: Path, names: tuple[str, ...]) -> tuple[int, Counter[str]]:
        number, *counts = _RECORD.unpack(path.read_bytes())
        return number, Counter(dict(zip(names, counts, strict=False)))


@contextmanager
def limited(seconds: float = CALL_SECONDS) -> Iterator[None]:
    """Whoever uses more processor time than this ends the worker, also inside native code."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """After so much processor time comes what Ctrl-C would send."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def limit_memory() -> None:
    """From here on the worker may need only so much more."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = used + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def run(cases: Any, first: int, last: int, progress: Progress) -> None:
    """Prints one line of JSON for each finding."""
    if cases.COLLECTED:
        gc.freeze()
        gc.disable()
    for number in range(first, last):
        if cases.COLLECTED and number % cases.COLLECTED == 0:
            gc.collect()
        progress.begin(number)
        try:
            cases.run(number, progress.counts)
        except (Exception, AssertionError) as error:
            found = traceback.format_exc(limit=-6)
            print(json.dumps({"case": number, "what": repr(error)[:300], "trace": found}))
            sys.stdout.flush()
    progress.begin(last)


def main() -> None:
    from ludwright.native import game, machine
    from tests.fuzz.cases import ALL_KINDS

    kind, seed, first, last, level, path = sys.argv[1:7]
    game.LEVEL = machine.LEVEL = int(level)
    # The default action of the signal ends the process; before that the stacks are printed.
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, all_threads=False, chain=True)
    made = ALL_KINDS[kind]
    progress = Progress(Path(path), made.COUNTS)
    cases = made(int(seed))
    limit_memory()
    run(cases, int(first), int(last), progress)


if __name__ == "__main__":
    main()
