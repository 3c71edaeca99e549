"""Work in a process of its own, with limits on time and memory: it may be given anything."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from ludwright.errors import LudwrightError

MEMORY = 3 * 2**30  # bytes of address space


class Stopped(LudwrightError):
    """The work took too long, or needed too much memory."""


class _Line(Protocol):
    """One end of the line to the process."""

    def send(self, obj: Any, /) -> None: ...

    def recv(self) -> Any: ...

    def poll(self, timeout: float, /) -> bool: ...


class Apart:
    """A process that answers questions. It is ended where it takes too long, and begun again."""

    def __init__(self, work: Callable[[Any], Any], seconds: float, patient: bool = False) -> None:
        self._work = work
        self._seconds = seconds
        self._patient = patient  # whether it may wait for everything else on the machine
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: _Line | None = None

    def ask(self, question: Any) -> Any:
        with self._lock:
            try:
                line = self._ready()
                line.send(question)
                if not line.poll(self._seconds):
                    raise TimeoutError
                return line.recv()
            except TimeoutError:
                self._end()
                raise Stopped("took too long") from None
            except (EOFError, OSError):
                self._end()
                raise Stopped("needed too much memory") from None

    def _ready(self) -> _Line:
        if self._line is None or self._process is None or not self._process.is_alive():
            # not by fork: this process has threads
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            given = (theirs, self._work, self._patient)
            process = context.Process(target=_answering, args=given, daemon=True)
            process.start()
            theirs.close()
            self._process, self._line = process, ours
        return self._line

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._line = None

    def close(self) -> None:
        with self._lock:
            self._end()


def _answering(line: _Line, work: Callable[[Any], Any], patient: bool) -> None:
    """In the process: one question after the other."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if patient:
        os.nice(10)
    while True:
        try:
            question = line.recv()
        except (EOFError, KeyboardInterrupt):
            return
        line.send(work(question))
