"""Native code on threads of its own, while the main one stays within reach of an interrupt."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

_SECONDS_TO_START = 5.0


def wait_for(work: Sequence[Callable[[], None]], halt: Callable[[], None]) -> None:
    """Run everything at once and wait for it; `halt` must make it end early."""
    workers = [threading.Thread(target=item, daemon=True) for item in work]
    launched: list[threading.Thread] = []
    try:
        for worker in workers:
            launched.append(worker)
            worker.start()
        for worker in workers:
            while worker.is_alive():
                worker.join(0.1)
    except BaseException:
        halt()
        for worker in launched:
            _end(worker)
        raise


def _end(worker: threading.Thread) -> None:
    """Wait until a worker has ended, also if the interrupt came while it was being started."""
    patience = time.monotonic() + _SECONDS_TO_START
    while worker.ident is None and time.monotonic() < patience:
        time.sleep(0.001)
    if worker.ident is not None:
        worker.join()
