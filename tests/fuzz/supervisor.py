"""Starts workers one after another, notices how they end, and goes on behind the last case."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.worker import Progress

ROOT = Path(__file__).parents[2]
SILENCE_SECONDS = 120.0  # of a worker that waits for something that never comes
START_SECONDS = 1_200.0  # before the first case it makes the code of all games


@dataclass
class Report:
    """What one kind of case came to."""

    kind: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def summary(self) -> str:
        counts = ", ".join(f"{number:,} {name}" for name, number in sorted(self.counts.items()))
        return f"{self.kind} (seed {self.seed}): {counts}; {len(self.findings)} findings"

    def __str__(self) -> str:
        return "\n".join([self.summary(), *self.findings])


def _silent(line: str) -> None:
    """Nobody listens."""


def fuzz(
    kind: str, seed: int, seconds: float, *, first: int = 0, cases: int = 10**9, level: int = 2,
    tell: Callable[[str], None] = _silent,
) -> Report:  # fmt: skip
    """Cases of one kind until the time or their number is used up.

    `level` is that of optimisation of shipped games; code at 0 is quick to make. `tell` hears of
    findings when they are made, and where to go on after each worker.
    """
    from tests.fuzz.cases import ALL_KINDS

    report = Report(kind, seed)
    chunk = ALL_KINDS[kind].CHUNK

    def found_out(what: str) -> None:
        report.findings.append(what)
        tell(what)

    end, number, last = time.monotonic() + seconds, first, first + cases
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "progress"
        while number < last and time.monotonic() < end:
            Progress.create(path)
            upto = min(last, number + chunk)
            args = [
                sys.executable,
                "-m",
                "tests.fuzz.worker",
                kind,
                str(seed),
                str(number),
                str(upto),
                str(level),
                str(path),
            ]
            stopped, output, errors = _attend(args, path, end)
            for line in output.splitlines():
                found = json.loads(line)
                found_out(_told(kind, seed, found["case"], found["what"], found["trace"]))
            reached, counts = Progress.read(path, ALL_KINDS[kind].COUNTS)
            report.counts += counts
            if stopped in {"", "time is up"}:
                number = max(reached, number + 1)
            elif reached < 0:
                found_out(f"{kind}: the worker ended before its first case\n{errors}")
                break
            else:
                found_out(_told(kind, seed, reached, stopped, errors[-2000:]))
                number = reached + 1
            tell(f"{report.summary()}; go on with --seed {seed} --first {number}")
        report.counts["cases"] = number - first
    return report


def _attend(args: list[str], path: Path, end: float) -> tuple[str, str, str]:
    """How a worker ended ("" if well), and what it printed."""
    with (
        tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err,
        subprocess.Popen(args, stdout=out, stderr=err, text=True, cwd=ROOT) as child,
    ):  # fmt: skip
        stopped, watch = "", _Watch(child.pid)
        while True:
            try:
                child.wait(0.25)
                break
            except subprocess.TimeoutExpired:
                now = path.read_bytes()
                patience = SILENCE_SECONDS if _begun(now) else START_SECONDS
                if watch.silent(now, patience):
                    stopped = f"nothing happened for {patience:.0f} s"
                elif time.monotonic() > end and _begun(now):
                    stopped = "time is up"
                if stopped:
                    child.kill()
                    child.wait()
                    break
        out.seek(0)
        err.seek(0)
        if not stopped and child.returncode:
            stopped = _ending(child.returncode)
        return stopped, out.read(), err.read()


class _Watch:
    """How long a worker has come no further: in its own processor time, which other programs do not
    take from it, or by the clock if it does not even use any."""

    def __init__(self, pid: int) -> None:
        self._stat = Path(f"/proc/{pid}/stat")
        self._record, self._used, self._since = b"", self._seconds(), time.monotonic()
        self._begun = self._used

    def silent(self, record: bytes, patience: float) -> bool:
        used = self._seconds()
        if record != self._record:
            self._record, self._begun = record, used
        if used > self._used:
            self._used, self._since = used, time.monotonic()
        return used - self._begun > patience or time.monotonic() - self._since > patience

    def _seconds(self) -> float:
        try:
            fields = self._stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended, or this system has no such file
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _begun(record: bytes) -> bool:
    return int.from_bytes(record[:8], "little", signed=True) >= 0


def _ending(code: int) -> str:
    if code == -signal.SIGPROF:
        return "one call took too long"
    return f"the worker was ended by {signal.Signals(-code).name}" if code < 0 else f"exit {code}"


def _told(kind: str, seed: int, case: int, what: str, trace: str) -> str:
    again = f"python -m tests.fuzz --only {kind} --seed {seed} --case {case}"
    return f"--- {kind}, case {case}: {what}\n    again: {again}\n{trace}"
