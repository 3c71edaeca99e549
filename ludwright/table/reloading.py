"""For designers: a rulebook that is saved is played on at once.

A running match never changes its rules. Where its file does, a new match begins with the new rules
and the same seats, and the answers so far are given again, up to the first that they no longer
allow. The pages go over to it. A file with mistakes changes nothing; they are shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ludwright.errors import LudwrightError, RulebookError
from ludwright.table.match import Match
from ludwright.table.records import Entry, new_token
from ludwright.table.rules import Rules, mistakes, rules_of_file

log = logging.getLogger("ludwright.table")
POLL = 0.4  # seconds


@dataclass(frozen=True)
class Carried:
    """A match under new rules, and why it goes no further, if it does not."""

    match: Match
    entries: tuple[Entry, ...]
    differs: str


def carried_over(match: Match, rules: Rules) -> Carried:
    """The same answers under other rules."""
    record = replace(match.record, id=new_token(), rules=rules.hash, title=rules.gamedef.title)
    new = Match(record, rules)
    for number, position in enumerate(match.positions[1:], 1):
        try:
            entry = new.entry(position.seat, position.answer)
            new.take(entry, new.stepped(entry))
        except (LudwrightError, ValueError) as refused:
            why = rules.told(refused)
            differs = f"decision {number} of {position.seat} is no longer possible: {why}"
            return Carried(new, tuple(new.entries), differs)
    return Carried(new, tuple(new.entries), "")


class Watcher:
    """Looks after files; says which has changed."""

    def __init__(
        self, files: Mapping[str, Path], changed: Callable[[str], Awaitable[None]]
    ) -> None:
        self._files = dict(files)
        self._changed = changed
        self._seen = {name: stamp(path) for name, path in self._files.items()}
        self._task: asyncio.Task[None] | None = None

    def add(self, name: str, path: Path) -> None:
        """One more file; one that was known and is new is told as changed."""
        known = name in self._files
        self._files[name] = path
        if not known:
            self._seen[name] = stamp(path)
        if self._task is None:
            self.start()

    def start(self) -> None:
        if self._files:
            self._task = asyncio.create_task(self._watch())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(POLL)
            for name, path in self._files.items():
                now = await asyncio.to_thread(stamp, path)
                if now != self._seen[name]:
                    self._seen[name] = now
                    try:
                        await self._changed(name)
                    except LudwrightError as problem:
                        log.error("%s: %s", name, problem)


def stamp(path: Path) -> tuple[tuple[str, int, int], ...]:
    """When a rulebook was last written: one file, or all of a folder."""
    files = sorted(path.glob("*.*")) if path.is_dir() else [path]
    found = []
    for file in files:
        try:
            state = file.stat()
        except OSError:
            continue  # between two writes
        found.append((file.name, state.st_mtime_ns, state.st_size))
    return tuple(found)


def compiled(path: Path, parameters: Mapping[str, int | bool]) -> Rules | str:
    """The rules in a file, or what is wrong with them, in words."""
    try:
        return rules_of_file(path, parameters)
    except RulebookError as error:
        return mistakes(error, path)
    except OSError as error:
        return f"{path.name} cannot be read: {error.strerror or error}"
