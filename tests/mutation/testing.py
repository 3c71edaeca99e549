"""The tests as pytest collects them, each of which can be run in a copy of the process.

Collecting takes as long as a hundred tests. Done once, a fork has all of them ready.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# what the tests need besides Ludwright; a fork need not import it again
PACKAGES = (
    "numpy", "llvmlite.binding", "hypothesis", "chess", "pokerkit", "pyspiel", "jsonschema", "yaml",
    "markdown_it", "typer.testing", "rich.console",
)  # fmt: skip
# a limit by the clock says nothing on a busy machine; `limit_cpu` ends what hangs
_ARGUMENTS = ("-q", "-s", "-n", "0", "-p", "no:cacheprovider", "--timeout", "0", "--disable-warnings")  # fmt: skip

DONE, BROKEN = "done", "broken"
LOOK, ASLEEP = 5.0, 60.0  # seconds: how often a copy is looked at, how long it may do nothing
Tell = Callable[[Any], None]


def prepare() -> None:
    """Import the packages; failing properties are not made small, and draw the same each time."""
    for package in PACKAGES:
        with suppress(ImportError):
            importlib.import_module(package)
    from hypothesis import Phase, settings

    settings.register_profile(
        "mutants", phases=(Phase.explicit, Phase.generate), database=None, derandomize=True
    )
    settings.load_profile("mutants")


class Tests:
    """A plugin of pytest: what was collected is given to `work` instead of being run."""

    def __init__(self, work: Callable[[Tests], None]) -> None:
        self._work = work
        self._errors: list[str] = []
        self.items: dict[str, pytest.Item] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True
        self.items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()  # so that a fork shares it
        self._work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._errors.append(str(report.longrepr)[-600:])

    def run(self, names: Sequence[str]) -> Iterator[Outcome]:
        """In this process, in this order."""
        items = [self.items[name] for name in names]
        for item, following in zip(items, [*items[1:], None], strict=True):
            begun = _cpu()
            self._errors.clear()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            yield Outcome(item.nodeid, _cpu() - begun, "".join(self._errors[:1]))


def with_tests(files: Sequence[str], work: Callable[[Tests], None]) -> bool:
    """Collect the tests of some files in this process and work with them; False if they cannot be
    collected."""
    tests = Tests(work)
    pytest.main([*_ARGUMENTS, *files], plugins=[tests])
    return bool(tests.items)


@dataclass(frozen=True)
class Outcome:
    test: str
    seconds: float  # of processor time
    error: str  # empty if it passed


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@dataclass(frozen=True)
class Ended:
    """Told of a copy that did not come to its end by itself."""

    hung: bool  # or else it crashed


def in_a_copy(work: Callable[[Tell], None]) -> Iterator[Any | Ended]:
    """Fork, and give what the copy tells as it comes."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _as_copy(work, writing)
    with suppress(OSError):  # the copy does so, too, and may have been first
        os.setpgid(child, child)
    os.close(writing)
    asleep = done = False
    try:
        for line in _lines(reading, child):
            asleep = line is None
            if line is None:
                break
            message = json.loads(line)
            done = message == DONE
            if isinstance(message, dict) and BROKEN in message:
                raise RuntimeError(message[BROKEN])
            if done:
                break
            yield message
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # the copy and what it started
        os.close(reading)
        _, status = os.waitpid(child, 0)
    if not done:
        yield Ended(asleep or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU))


def _as_copy(work: Callable[[Tell], None], writing: int) -> None:
    os.setpgid(0, 0)
    code = 1
    try:
        with os.fdopen(writing, "wb") as pipe:

            def tell(message: Any) -> None:
                pipe.write(json.dumps(message).encode() + b"\n")
                pipe.flush()

            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            try:
                work(tell)
                tell(DONE)
            except BaseException:
                tell({BROKEN: traceback.format_exc()})
            code = 0
    finally:
        os._exit(code)


def _lines(reading: int, child: int) -> Iterator[bytes | None]:
    """Lines as they come; None once the child and what it started sleep for long."""
    data, used, idle = b"", 0, 0.0
    while True:
        ready, _, _ = select.select([reading], [], [], LOOK)
        if ready:
            chunk = os.read(reading, 65536)
            if not chunk:
                return
            *lines, data = (data + chunk).split(b"\n")
            yield from lines
            idle = 0.0
            continue
        before = used
        used, wants_more = _work_of(child)
        idle = 0.0 if wants_more or used != before else idle + LOOK
        if idle > ASLEEP:
            yield None


def _work_of(root: int) -> tuple[int, bool]:
    """The processor time of a process and of those it started, as far as the system tells, and
    whether one of them could use more."""
    parents, ticks, running = {}, {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, fields = stat.read_text().rsplit(")", 1)
            process, state, *rest = int(name.split()[0]), *fields.split()
            parents[process] = int(rest[0])
            ticks[process] = sum(map(int, rest[10:14]))
            running[process] = state in ("R", "D")
    ours = {root}
    for process in sorted(parents):  # a child is nearly always younger than its parent
        if parents[process] in ours:
            ours.add(process)
    known = ours & parents.keys()
    return sum(ticks[process] for process in known), any(running[process] for process in known)


def limit_cpu(seconds: float) -> None:
    """This process ends when it has used so much more processor time; even in native code."""
    used = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, resource.RLIM_INFINITY))


def files_of(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(test.split("::")[0] for test in tests))
