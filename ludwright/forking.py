"""Locks and forks: what a copy of this process may find.

Only the thread that forks lives on in the copy. A lock that another thread held there is never
released, and what that thread was doing stays half done: a module half imported, LLVM in the
middle of its work, a context in the middle of a run. Whoever needs it in the copy waits for ever,
or finds it broken. So there is one rule, in two parts.

**A fork waits for work that is done once.** Whoever makes code (translates, compiles, loads or
disposes of it, everything that calls llvmlite) holds `making`. A thread that makes code in the
background is begun by somebody who holds it, and is waited for (`native.build.background`).
Whoever imports a part of this library when it is first needed holds `importing`. A fork takes both
locks, in this order, and the copy begins with both of them free.

**What runs again and again is not waited for.** Games may be played for hours. Whatever has a lock
for its runs is told in the copy (`renew`), and takes a new lock and new contexts if somebody who
is gone held the old ones.

No other lock is shared between threads, not even one inside what Python offers: hence `cached`
instead of `functools.cached_property`, and `native.workers.Latch` instead of `threading.Event`.
Garbage is collected in the middle of anything, so a finalizer may try to take `making` but never
waits for it.
"""

from __future__ import annotations

import logging  # noqa: F401 - its hook for forks must be there before ours, see below
import os
import threading
from collections.abc import Callable, Generator
from typing import Any, Protocol
from weakref import WeakSet


class Renewed(Protocol):
    """Something that is not to be used in a copy of the process as it was in the original."""

    def renew(self) -> None: ...


making = threading.RLock()
importing = threading.RLock()  # who has it may not go on to take `making`

_things: WeakSet[Renewed] = WeakSet()
_waits: list[Callable[[], None]] = []
_holds: list[Generator[None, None, None]] = []  # of the fork under way; changed under `making`


def in_copies_renewed(thing: Renewed) -> None:
    """Have `renew` called in every copy of this process, before anything else runs there."""
    _things.add(thing)


def free_in_copy(lock: threading.RLock) -> bool:
    """Whether no thread that is gone holds a lock: nobody did, or the thread that forked and lives
    on."""
    free = lock.acquire(blocking=False)
    if free:
        lock.release()
    return free


def fork_after(wait: Callable[[], None]) -> None:
    """Have every fork call `wait`, while it holds `making`."""
    _waits.append(wait)


def _hold() -> Generator[None, None, None]:
    with making:
        for wait in _waits:
            wait()
        with importing:
            yield


def _before() -> None:
    """Python forks whatever is raised here, so an interrupt must not end the wait."""
    interrupt: BaseException | None = None
    hold: Any = _hold()  # the type of a generator function does not know `gi_suspended`
    while not hold.gi_suspended:
        try:
            hold = _hold()
            next(hold)
        except BaseException as raised:
            interrupt = raised
    _holds.append(hold)
    if interrupt is not None:
        raise interrupt


def _after() -> None:
    _holds.pop().close()


def _in_copy() -> None:
    try:
        for thing in list(_things):
            thing.renew()
    finally:
        _after()


# Of several hooks the one that was registered last comes first. That of `logging`, which takes its
# lock, must come after this one: whoever is waited for may have something to log.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_in_copy)
