"""Threads that are waited for, while the one that waits stays within reach of an interrupt."""

from __future__ import annotations

import _thread
import math
import os
import threading
import time
from collections.abc import Callable, Sequence

from ludwright.native.errors import ProcessCopied

_PAUSE = 0.1
_SECONDS_TO_START = 5.0


class Latch:
    """Opened once, and open ever after.

    `threading.Event` takes a lock for a moment even where nobody has to wait. In a copy of the
    process that lock may belong to a thread that is gone. Here an open latch is not waited for,
    and a wait for a closed one ends by the clock.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._gate = threading.Lock()
        self._gate.acquire()

    def open(self) -> None:
        self.is_open = True
        self._gate.release()

    def wait(self, seconds: float) -> bool:
        """Whether it is open, after at most this many seconds."""
        if not self.is_open and self._gate.acquire(timeout=seconds):
            self._gate.release()  # for the next one who waits
        return self.is_open


class Worker:
    """A thread with latches for its beginning and its end.

    `Thread.join` will not do: if an interrupt ends the wait, Python 3.11 takes the thread for
    ended.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self.error: BaseException | None = None  # what ended its work
        self._begun, self._done = Latch(), Latch()
        self._process, self._ident = os.getpid(), 0
        self._latest = math.inf  # when it must have begun, if it ever does

    def start(self) -> None:
        self._latest = time.monotonic() + _SECONDS_TO_START
        try:
            self._launch()
        except RuntimeError:  # no thread could be made
            self._done.open()
            raise
        self._latest = math.inf  # no interrupt came in between: it is there

    def _launch(self) -> None:
        # Not `Thread.start`, which waits for an event: see `Latch`.
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        self._ident = threading.get_ident()
        self._begun.open()
        try:
            self._work()
        except BaseException as error:  # whoever waits raises it
            self.error = error
        finally:
            self._done.open()

    @property
    def is_current(self) -> bool:
        """Whether it is this very thread."""
        return threading.get_ident() == self._ident

    @property
    def is_lost(self) -> bool:
        """Whether it will never be done: in a copy of its process, or if it was never made."""
        if os.getpid() != self._process:
            return not (self._done.is_open or self.is_current)
        return not self._begun.is_open and time.monotonic() > self._latest

    def ended(self) -> bool:
        """Whether it is done or lost, after a short wait."""
        return self._done.wait(_PAUSE) or self.is_lost


def wait_for(work: Sequence[Callable[[], None]], halt: Callable[[], None]) -> None:
    """Run everything at once and wait for it; `halt` must make it end early. An error in one thread
    ends the others, and is raised here."""
    workers = [Worker(item) for item in work]
    launched: list[Worker] = []
    try:
        for worker in workers:
            launched.append(worker)
            worker.start()
        for worker in workers:
            while not worker.ended():
                pass
            if worker.error is not None:
                raise worker.error
            if worker.is_lost:
                raise ProcessCopied("native work")
    except BaseException:
        halt()
        for worker in launched:
            while not worker.ended():
                pass
        raise
