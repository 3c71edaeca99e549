"""Building machine code in a thread: callers wait for it, or go on and use it later.

LLVM works without the interpreter's lock. The threads are not daemons, so the interpreter waits for
them before it ends, and the code is cached for the next time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from ludwright.forking import fork_after, making
from ludwright.native.build import llvm
from ludwright.native.build.progress import tell
from ludwright.native.errors import ProcessCopied
from ludwright.native.workers import Worker

THREAD = "ludwright-native"
REPORTED_AFTER = 1.0  # seconds of waiting that are reported to the watcher

_log = logging.getLogger("ludwright.native")
_under_way: set[Build] = set()


def _nothing(code: bytes) -> None:
    pass


class Build(Worker):
    """The build of the optimised code of one text."""

    def __init__(self, text: str, level: int, finish: Callable[[bytes], None]) -> None:
        """`finish` is called with the code, in the thread that built it."""
        super().__init__(self._make)
        self._text, self._level, self._finish = text, level, finish
        self._failure: Exception | None = None
        self._since = time.monotonic()
        with making:
            _under_way.add(self)
            self.start()

    def _launch(self) -> None:
        threading.Thread(target=self._run, name=THREAD).start()

    def _make(self) -> None:
        try:
            self._finish(llvm.optimised(self._text, self._level))
        except Exception as failure:
            self._failure = failure
        finally:
            self._text, self._finish = "", _nothing  # the thread goes on, but keeps no engine

    def _run(self) -> None:
        super()._run()
        _under_way.discard(self)
        # Only now, when no fork waits for it: whoever forks may hold the lock of a handler.
        if self._failure is None:
            _log.info("machine code made in %.2f s", time.monotonic() - self._since)
        else:
            _log.warning("no optimised machine code: %s", self._failure)

    def wait(self) -> None:
        """Wait until the code is ready. An interrupt ends the wait, not the build."""
        self._wait()
        if self.is_lost:
            raise ProcessCopied("the making of code")
        if self._failure is not None:
            raise self._failure

    def wait_before_fork(self) -> None:
        if not self.is_current:
            self._wait()
            _under_way.discard(self)

    def _wait(self) -> None:
        reported = False
        try:
            while not self.ended():
                passed = time.monotonic() - self._since
                if passed >= REPORTED_AFTER:
                    reported = True
                    tell(passed, False)
        finally:
            if reported:
                tell(time.monotonic() - self._since, True)


def _wait_for_all() -> None:
    """Before a fork: a build does not go on in the child, which would wait for it forever."""
    for build in list(_under_way):
        build.wait_before_fork()


fork_after(_wait_for_all)
