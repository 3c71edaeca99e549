"""Memory that is no longer used is looked for in short steps, so that nobody waits for it.

Python looks through all objects now and then for those that only hold each other. In a server
with a thousand matches that takes half a second, in which nobody is answered. Here only objects
made since the last look are looked through; those that stay are then left out (`gc.freeze`). All
are looked through when memory has doubled, or when little has happened for a while.
"""

from __future__ import annotations

import asyncio
import gc
import sys

TICK = 0.1  # seconds between looks at how much there is to do
YOUNG = 5_000  # new objects that make it worth while to look through them
QUIET = 600  # ticks with nothing to do after which there is time to look through everything
FEW = 50_000  # objects that need no look of their own


class Sweeper:
    def __init__(self) -> None:
        self._blocks = 0  # of memory, after everything was looked through
        self._since = 0  # objects left out since then
        self._measured = 0  # of these, when memory was last measured
        self._quiet = 0

    async def work(self) -> None:
        """Until it is cancelled; then Python looks for itself again."""
        first, second, third = gc.get_threshold()
        gc.set_threshold(first, second, 1_000_000)
        try:
            self.sweep_all()
            while True:
                await asyncio.sleep(TICK)
                self.tick()
        finally:
            gc.unfreeze()
            gc.set_threshold(first, second, third)

    def tick(self) -> None:
        # counted, since `gc.get_count` takes off what was freed: it stays at nothing where as much
        # is freed as made, however much there is to look through
        if _objects(0, 1, 2) >= YOUNG:
            self._quiet = 0
            self._since += _collected()
        else:
            self._quiet += 1
        if self._since > FEW and self._quiet >= QUIET:
            self.sweep_all()
        elif self._since > self._measured + FEW:
            self._measured = self._since
            if self._doubled():
                self.sweep_all()

    def _doubled(self) -> bool:
        """Most of what was left out goes by itself, when nothing holds it any more. What is left is
        told by memory: `gc.get_freeze_count` would take as long as a look through everything."""
        return sys.getallocatedblocks() > 2 * self._blocks

    def sweep_all(self) -> None:
        gc.unfreeze()
        _collected()
        self._blocks = sys.getallocatedblocks()
        self._since = self._measured = self._quiet = 0


def _collected() -> int:
    """Looks through what is not left out; how many objects stayed, and are left out from now on."""
    gc.collect()
    stayed = _objects(2)
    gc.freeze()
    return stayed


def _objects(*generations: int) -> int:
    """How many there are. The lists of them come and go inside one call: were another thread to
    run meanwhile, a tuple that it is just filling would be held twice, which is a `SystemError`."""
    return sum(map(len, map(gc.get_objects, generations)))
