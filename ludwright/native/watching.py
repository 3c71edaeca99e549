"""Whoever wants to know of long waits for machine code."""

from __future__ import annotations

from collections.abc import Callable

Watcher = Callable[[float, bool], None]

_watchers: list[Watcher] = []


def watch(watcher: Watcher | None) -> None:
    """Be told of waits that last: the seconds so far, and whether it is done. None: no longer."""
    _watchers[:] = [] if watcher is None else [watcher]


def tell(seconds: float, done: bool) -> None:
    for watcher in _watchers:
        watcher(seconds, done)
