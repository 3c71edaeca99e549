"""Machine code made in a thread of its own: one may wait for it, or go on and use it later.

LLVM works without the interpreter's lock. The threads are ordinary ones, so the interpreter waits
for them before it ends, and what was begun is kept on disk for the next time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from ludwright.native import assembling
from ludwright.native.forking import fork_when, making
from ludwright.native.watching import tell

LONG = 1.0  # seconds after which a wait is told to whoever watches
_PAUSE = 0.1

_log = logging.getLogger("ludwright.native")
_under_way: set[Build] = set()


class Build:
    """The optimised code of one text, on its way."""

    def __init__(self, text: str, level: int, finish: Callable[[bytes], None]) -> None:
        """`finish` is given the code, in the thread that made it."""
        self._text, self._level, self._finish = text, level, finish
        self._failure: Exception | None = None
        self._begun = time.monotonic()
        # Not `Thread.join`: interrupted while it waits, it takes the thread for ended.
        self._done = threading.Event()
        with making:
            _under_way.add(self)
            threading.Thread(target=self._work, name="ludwright-native").start()

    def _work(self) -> None:
        try:
            self._finish(assembling.optimised(self._text, self._level))
            _log.info("machine code made in %.2f s", time.monotonic() - self._begun)
        except Exception as failure:
            self._failure = failure
            _log.warning("no optimised machine code: %s", failure)
        finally:
            self._text = ""
            self._done.set()
            _under_way.discard(self)  # last of all: a process may be copied from now on

    def wait(self) -> None:
        """Until the code is finished; an interrupt ends the wait at once, not the work."""
        told = False
        try:
            while not self._done.wait(_PAUSE):
                passed = time.monotonic() - self._begun
                if passed >= LONG:
                    told = True
                    tell(passed, False)
        finally:
            if told:
                tell(time.monotonic() - self._begun, True)
        if self._failure is not None:
            raise self._failure


def _wait_for_all() -> None:
    """A copy of this process would wait for ever: only its original goes on with a build."""
    while _under_way:
        for build in list(_under_way):
            with suppress(Exception):
                build.wait()


fork_when(_wait_for_all)
