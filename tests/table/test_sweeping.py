"""Unused memory is found without a look through everything while people play."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest

from ludwright.table import sweeping
from ludwright.table.sweeping import Sweeper


class Knot:
    """Something that only holds itself: nothing but a look through memory frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.fixture
def sweeper(monkeypatch: pytest.MonkeyPatch) -> Sweeper:
    monkeypatch.setattr(sweeping, "YOUNG", 100)
    monkeypatch.setattr(sweeping, "FEW", 200)
    found = Sweeper()
    found.sweep_all()
    return found


def test_a_tick_frees_what_is_new_and_leaves_out_what_stays(sweeper: Sweeper) -> None:
    before = gc.get_freeze_count()
    kept = [Knot() for _ in range(150)]
    gone = weakref.ref(Knot())
    sweeper.tick()
    assert gone() is None
    assert gc.get_freeze_count() >= before + len(kept)
    assert len(gc.get_objects(2)) < 100  # the next look does not see them


def test_little_is_not_looked_through(sweeper: Sweeper) -> None:
    gone = weakref.ref(Knot())
    sweeper.tick()
    assert gone() is not None


def test_what_was_left_out_is_freed_once_memory_has_doubled(
    sweeper: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    knots = [Knot() for _ in range(150)]
    left = weakref.ref(knots[0])
    sweeper.tick()
    knots.clear()
    more = [Knot() for _ in range(150)]
    sweeper.tick()
    assert left() is not None  # memory has grown by next to nothing
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: 10**12)
    more += [Knot() for _ in range(250)]
    sweeper.tick()
    assert left() is None


def test_what_was_left_out_is_freed_when_it_is_quiet(
    sweeper: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "QUIET", 3)
    knots = [Knot() for _ in range(250)]
    left = weakref.ref(knots[0])
    sweeper.tick()
    knots.clear()
    for _ in range(2):
        sweeper.tick()
    assert left() is not None
    sweeper.tick()
    assert left() is None


def test_python_looks_for_itself_again_afterwards() -> None:
    before = gc.get_threshold()

    async def run() -> None:
        task = asyncio.create_task(Sweeper().work())
        await asyncio.sleep(0)
        assert gc.get_threshold()[2] > before[2]
        assert gc.get_freeze_count() > 0
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_other_threads_are_making_is_not_held(sweeper: Sweeper) -> None:
    """A tuple that is held twice while it is filled is an error of Python: a match could not be
    opened now and then while rules were compiled in another thread."""
    found: list[SystemError] = []
    done = threading.Event()

    def fill() -> None:
        while not done.is_set():
            try:
                tuple(each for each in range(300))
            except SystemError as error:
                found.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=fill) for _ in range(2)]
    try:
        for thread in threads:
            thread.start()
        for _ in range(1_500):
            sweeping._objects(0, 1, 2)
    finally:
        done.set()
        sys.setswitchinterval(interval)
        for thread in threads:
            thread.join()
    assert not found
