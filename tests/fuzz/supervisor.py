"""Starts workers one after another, notices how they end, and goes on behind the last case."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.worker import Progress

ROOT = Path(__file__).parents[2]
SILENCE_SECONDS = 120.0  # a worker that waits for something that never comes
START_SECONDS = 1_200.0  # before the first case it makes the code of all games


@dataclass
class Report:
    """What one kind of case came to."""

    kind: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {name}" for name, number in sorted(self.counts.items()))
        lines = [f"{self.kind} (seed {self.seed}): {counts}; {len(self.findings)} findings"]
        return "\n".join(lines + self.findings)


def fuzz(
    kind: str, seed: int, seconds: float, *, first: int = 0, cases: int = 10**9, chunk: int = 400,
    level: int = 2,
) -> Report:  # fmt: skip
    """Cases of one kind until the time or their number is used up.

    `level` is that of optimisation of shipped games; code at 0 is quick to make.
    """
    from tests.fuzz.cases import ALL_KINDS

    report = Report(kind, seed)
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
                report.findings.append(
                    _told(kind, seed, found["case"], found["what"], found["trace"])
                )
            reached, counts = Progress.read(path, ALL_KINDS[kind].COUNTS)
            report.counts += counts
            if stopped in {"", "time is up"}:
                number = max(reached, number + 1)
                continue
            if reached < 0:
                report.findings.append(f"{kind}: the worker ended before its first case\n{errors}")
                break
            report.findings.append(_told(kind, seed, reached, stopped, errors[-2000:]))
            number = reached + 1
        report.counts["cases"] = number - first
    return report


def _attend(args: list[str], path: Path, end: float) -> tuple[str, str, str]:
    """How a worker ended ("" if well), and what it printed."""
    with (
        tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err,
        subprocess.Popen(args, stdout=out, stderr=err, text=True, cwd=ROOT) as child,
    ):  # fmt: skip
        stopped, last, moved = "", path.read_bytes(), time.monotonic()
        while True:
            try:
                child.wait(0.25)
                break
            except subprocess.TimeoutExpired:
                now = path.read_bytes()
                if now != last:
                    last, moved = now, time.monotonic()
                patience = SILENCE_SECONDS if _begun(now) else START_SECONDS
                if time.monotonic() - moved > patience:
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


def _begun(record: bytes) -> bool:
    return int.from_bytes(record[:8], "little", signed=True) >= 0


def _ending(code: int) -> str:
    if code == -signal.SIGPROF:
        return "one call took too long"
    return f"the worker was ended by {signal.Signals(-code).name}" if code < 0 else f"exit {code}"


def _told(kind: str, seed: int, case: int, what: str, trace: str) -> str:
    again = f"python -m tests.fuzz --only {kind} --seed {seed} --case {case}"
    return f"--- {kind}, case {case}: {what}\n    again: {again}\n{trace}"
