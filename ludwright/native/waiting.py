"""Native code on threads of its own, while the main one stays within reach of an interrupt."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

_SECONDS_TO_START = 5.0


class _Worker:
    """A thread that says itself when it is done.

    `Thread.join` cannot be asked: an interrupt while it waits makes Python 3.11 believe that the
    thread has ended.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self.begun, self.done = threading.Event(), threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        self.begun.set()
        try:
            self._work()
        finally:
            self.done.set()


def wait_for(work: Sequence[Callable[[], None]], halt: Callable[[], None]) -> None:
    """Run everything at once and wait for it; `halt` must make it end early."""
    workers = [_Worker(item) for item in work]
    launched: list[_Worker] = []
    try:
        for worker in workers:
            launched.append(worker)
            worker.start()
        for worker in workers:
            while not worker.done.wait(0.1):
                pass
    except BaseException:
        halt()
        for worker in launched:
            # the interrupt may have come before the thread was made
            if worker.begun.wait(_SECONDS_TO_START):
                worker.done.wait()
        raise
