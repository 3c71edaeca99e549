"""What a store promises; `tests/table/test_stores.py` holds every store to it.

The stores are `sqlite_store` and `postgres_store`, with what they share in `sql_store`; answers
reach them through `writer`. Every method either has done what it says, durably, or raises. An
entry has the number that follows the last one; of two writers who want the same number, one is
told `Taken`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ludwright.errors import LudwrightError
from ludwright.table.records import Contact, Entry, MatchRecord, RulesRecord, SeatRecord


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
    @property
    def shared(self) -> bool:
        """Whether several servers may use it at once."""
        ...

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

    def set_contact(self, id: str, seat: str, contact: Contact) -> None:
        """Where a seat is told of its turns; an empty contact ends that."""
        ...

    def contacts(self, id: str) -> dict[str, Contact]: ...

    def claim_message(self, id: str, seat: str, decision: int) -> bool:
        """True for one asker only, ever: who gets it tells the seat of this decision."""
        ...

    def be_present(self, id: str, seats: Iterable[str], server: str, until: float) -> None:
        """Tell other servers which seats have a page open at this one, until a moment."""
        ...

    def present(self, id: str, server: str) -> set[str]:
        """Seats that have a page open at another server."""
        ...

    def listen(self, changed: Callable[[str], None]) -> None:
        """Call back, from any thread, with the id of a match that another server has changed."""
        ...

    def close(self) -> None: ...
