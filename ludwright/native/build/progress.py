"""Reporting long waits for machine code."""

from __future__ import annotations

from collections.abc import Callable

Watcher = Callable[[float, bool], None]

_watchers: list[Watcher] = []


def watch(watcher: Watcher | None) -> None:
    """Have a function called during long waits, with the seconds so far and whether the wait is
    over. None: call no function any more."""
    _watchers[:] = [] if watcher is None else [watcher]


def tell(seconds: float, done: bool) -> None:
    for watcher in _watchers:
        watcher(seconds, done)
