"""Commits entries for many rooms at once, away from the event loop.

A commit waits for the disk. All entries that arrive meanwhile go into the next one, so that many
matches share one flush. A room is told only after the commit that holds its entry.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from contextlib import suppress

from ludwright.table.store import Append, Store, StoreFailed

_Job = tuple[Append, "asyncio.Future[None]", asyncio.AbstractEventLoop]
MOST_AT_ONCE = 256  # entries in one commit


class Writer:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    async def append(self, wanted: Append) -> None:
        """Returns once the entry is stored; raises `Taken` or `StoreFailed` if it is not."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put((wanted, done, loop))
        await done

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while True:
            first = self._jobs.get()
            if first is None:
                return
            jobs, stop = [first], False
            while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    stop = True
                    break
                jobs.append(job)
            self._commit(jobs)
            if stop:
                return

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            found = self._store.append([job[0] for job in jobs])
        except Exception as error:
            failed = error if isinstance(error, StoreFailed) else StoreFailed(str(error))
            if len(jobs) > 1:  # one bad entry must not take the others with it
                for job in jobs:
                    self._commit([job])
                return
            _resolve(jobs[0], failed)
            return
        for job, taken in zip(jobs, found, strict=True):
            _resolve(job, taken)


def _resolve(job: _Job, error: Exception | None) -> None:
    _, done, loop = job

    def tell() -> None:
        if done.done():
            return  # whoever waited has left
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    with suppress(RuntimeError):  # the loop has ended; the entry is stored, or it is not
        loop.call_soon_threadsafe(tell)
