"""Native code on threads of its own, while the main one stays within reach of an interrupt."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence


def wait_for(work: Sequence[Callable[[], None]], halt: Callable[[], None]) -> None:
    """Run everything at once and wait for it; `halt` must make it end early."""
    workers = [threading.Thread(target=item, daemon=True) for item in work]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            while worker.is_alive():
                worker.join(0.1)
    except BaseException:
        halt()
        for worker in workers:
            worker.join()
        raise
