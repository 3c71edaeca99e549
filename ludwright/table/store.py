"""What a store promises; `tests/table/test_stores.py` holds every store to it.

Every method either has done what it says, durably, or raises. An entry has the number that follows
the last one; of two writers who want the same number, one is told `Taken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ludwright.errors import LudwrightError
from ludwright.table.records import Entry, MatchRecord, RulesRecord, SeatRecord


class StoreFailed(LudwrightError):
    """The store could not keep something; nothing of it may be told as done."""


class Taken(LudwrightError):
    """Another entry has this number already."""


@dataclass(frozen=True, slots=True)
class Append:
    """An entry that is to be stored under a number."""

    match: str
    number: int
    entry: Entry


class Store(Protocol):
    def keep_rules(self, rules: RulesRecord) -> None:
        """Rules with the same hash are the same: the words and the look of the last are kept."""
        ...

    def rules(self, hash: str) -> RulesRecord | None: ...

    def create(self, match: MatchRecord) -> None: ...

    def match(self, id: str) -> MatchRecord | None: ...

    def matches(self, ids: Iterable[str]) -> list[MatchRecord]:
        """Those of these matches that there are, the newest first."""
        ...

    def entries(self, id: str, first: int = 0) -> list[Entry]:
        """The entries of a match, from one number on."""
        ...

    def append(self, wanted: Sequence[Append]) -> list[Taken | None]:
        """Store entries of any matches in one commit; for each, whether its number was free."""
        ...

    def set_seat(self, id: str, seat: SeatRecord) -> None: ...

    def close(self) -> None: ...
