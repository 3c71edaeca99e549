"""What happens to code and contexts where a process is copied while other threads work.

Only the thread that forks lives on in the copy. What another one was about to do is never finished
there: locks that it held stay locked, LLVM stays half-way through its work, and contexts are as
they were in the middle of a run. So a fork waits until nobody makes code, and afterwards the copy
takes new locks and contexts.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Protocol
from weakref import WeakSet


class Renewed(Protocol):
    """Something that is not to be used in a copy of the process as it was in the original."""

    def renew(self) -> None: ...


making = threading.RLock()  # whoever imports, translates, compiles or loads code holds it
_things: WeakSet[Renewed] = WeakSet()


def in_copies_renewed(thing: Renewed) -> None:
    """Have `renew` called in every copy of this process, before anything else runs there."""
    _things.add(thing)


def fork_when(settle: Callable[[], None]) -> None:
    """Fork only once `settle` has returned and nobody holds `making`."""
    if not hasattr(os, "register_at_fork"):
        return

    def before() -> None:
        making.acquire()
        settle()

    def in_copy() -> None:
        for thing in list(_things):
            thing.renew()
        making.release()

    os.register_at_fork(before=before, after_in_parent=making.release, after_in_child=in_copy)
