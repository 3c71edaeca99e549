"""Running a process, and telling one that hangs from one that is slow.

A machine may be so busy that nothing is done for seconds. But then a thread that has work to do is
waiting for a processor. In a process that hangs no thread wants one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
IDLE = 8.0  # seconds in which a process that is alive has something to do
MOST = 280.0  # seconds, for what goes round in circles, and where there is no /proc
_PAUSE = 0.1
_AT_WORK = "RD"  # runs or could run; waits for the disk
_TICKS = 3  # of a hundred in a second: a thread that polls uses that much


@dataclass(frozen=True)
class Ended:
    """How a process ended. `hung` are the traces of all threads where it did not end by itself."""

    code: int
    output: str
    errors: str
    hung: str = ""


def run(module: str, *arguments: str, idle: float = IDLE, most: float = MOST) -> Ended:
    """Run a module with `python -m`; it and what it forks must register SIGUSR1 for its traces."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", module, *arguments]
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=output, stderr=errors, start_new_session=True
        )
        stuck = _stuck(process, idle, most)
        if stuck:
            for pid in stuck:
                os.kill(pid, signal.SIGUSR1)
            time.sleep(1)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # whatever it left behind
        code = process.wait()
        for file in (output, errors):
            file.seek(0)
        told = errors.read()
        return Ended(code, output.read(), "" if stuck else told, told if stuck else "")


def _stuck(process: subprocess.Popen[bytes], idle: float, most: float) -> list[int]:
    """Wait until a process has ended, or tell which of it and its children hang."""
    begun = time.monotonic()
    watches: dict[int, _Watch] = {}
    while process.poll() is None:
        time.sleep(_PAUSE)
        if time.monotonic() > begun + most:
            return [process.pid, *watches]
        family = _family(process.pid)
        parents = {parent for parent, _ in family.values()}
        for pid, (_, ticks) in family.items():
            # who waits for a child has nothing to do
            active = pid in parents or _is_active(pid)
            if watches.setdefault(pid, _Watch(idle)).hangs(active, ticks):
                return [pid]
        for pid in watches.keys() - family.keys():
            del watches[pid]
    return []


class _Watch:
    """What a process did in the last seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._seen: deque[tuple[float, bool, int]] = deque()

    def hangs(self, active: bool, ticks: int) -> bool:
        now = time.monotonic()
        self._seen.append((now, active, ticks))
        if now - self._seen[0][0] < self._seconds:
            return False
        busy = sum(active for _, active, _ in self._seen)
        used = ticks - self._seen.popleft()[2]
        return busy <= len(self._seen) // 20 and used <= _TICKS


def _family(session: int) -> dict[int, tuple[int, int]]:
    """The processes of a session: the parent of each, and the time it has used."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        fields = _fields(file)
        if fields and int(fields[3]) == session and fields[0] != "Z":
            found[int(file.parent.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    return found


def _is_active(pid: int) -> bool:
    states = [_fields(file)[:1] for file in Path(f"/proc/{pid}/task").glob("*/stat")]
    return any(state and state[0] in _AT_WORK for state in states)


def _fields(file: Path) -> list[str]:
    """What follows the name of a process in its `stat`; nothing if it is gone."""
    try:
        return file.read_text().rpartition(")")[2].split()
    except OSError:
        return []
