"""The statements of every store in an SQL database, once.

They are written as SQLite reads them, with `?` for values. What differs between databases has a
name: the words for types and tables (`Dialect`), how a transaction is run and a question asked
(`_writing`, `_read`), how the number of an entry is taken (`_take_number`), and how other servers
hear of a change (`_tell`).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from ludwright.table.records import Contact, Entry, MatchRecord, RulesRecord, SeatRecord
from ludwright.table.store import Append, StoreFailed, Taken

_AT_ONCE = 500  # matches in one question: databases take only so many values
_TABLES = """
create table if not exists rules (
    hash text primary key, gamedef {bytes} not null, sources text not null,
    parameters text not null
){plain};
create table if not exists matches (
    id text primary key, rules text not null references rules, title text not null,
    seed text not null, players integer not null, scenario text, created {real} not null{version}
){plain};
create table if not exists seats (
    match text not null references matches, position integer not null, name text not null,
    holder text not null, token_hash text not null, bot text not null, label text not null,
    primary key (match, position)
){keyed};
create table if not exists entries (
    match text not null references matches, number integer not null, body text not null,
    primary key (match, number)
){keyed};
create table if not exists contacts (
    match text not null references matches, seat text not null, webhook text not null,
    mail text not null, primary key (match, seat)
){keyed};
create table if not exists messages (
    match text not null references matches, seat text not null, decision integer not null,
    primary key (match, seat, decision)
){keyed};
"""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The words of one kind of database."""

    bytes: str
    real: str
    plain: str = ""  # what stands behind a table
    keyed: str = ""  # and behind one that is looked up by its key
    version: str = ""  # a further column of matches
    more_tables: str = ""

    def tables(self) -> str:
        words = {
            name: getattr(self, name) for name in ("bytes", "real", "plain", "keyed", "version")
        }
        return _TABLES.format(**words) + self.more_tables


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...


class Transaction(Protocol):
    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Cursor: ...


class SqlStore(ABC):
    """All that a `Store` does, apart from what databases do in different ways."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that is on the disk when this ends without an error."""

    @abstractmethod
    def _read(self, query: str, *values: Any) -> list[Any]:
        """All rows that answer a question."""

    @abstractmethod
    def _take_number(self, db: Transaction, one: Append) -> int:
        """The number that an entry of a match must have; if it is the wanted one, it is taken."""

    @abstractmethod
    def _tell(self, db: Transaction, id: str) -> None:
        """Let other servers know that a match has changed."""

    # ------------------------------------------------------------------ rules

    def keep_rules(self, rules: RulesRecord) -> None:
        row = (
            rules.hash, rules.gamedef, json.dumps(dict(rules.sources)),
            json.dumps(dict(rules.parameters)),
        )  # fmt: skip
        with self._writing() as db:
            db.execute(
                "insert into rules values (?, ?, ?, ?) on conflict (hash) do update set "
                "gamedef = excluded.gamedef, sources = excluded.sources, "
                "parameters = excluded.parameters",
                row,
            )

    def rules(self, hash: str) -> RulesRecord | None:
        rows = self._read("select * from rules where hash = ?", hash)
        if not rows:
            return None
        found, gamedef, sources, parameters = rows[0]
        return RulesRecord(found, bytes(gamedef), json.loads(sources), json.loads(parameters))

    # ---------------------------------------------------------------- matches

    def create(self, match: MatchRecord) -> None:
        row = (
            match.id, match.rules, match.title, str(match.seed), match.players, match.scenario,
            match.created,
        )  # fmt: skip
        with self._writing() as db:
            db.execute(
                "insert into matches (id, rules, title, seed, players, scenario, created) "
                "values (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            for at, seat in enumerate(match.seats):
                db.execute(
                    "insert into seats values (?, ?, ?, ?, ?, ?, ?)",
                    (
                        match.id, at, seat.name, seat.holder, seat.token_hash, seat.bot,
                        seat.label,
                    ),
                )  # fmt: skip

    def match(self, id: str) -> MatchRecord | None:
        return next(iter(self.matches([id])), None)

    def matches(self, ids: Iterable[str]) -> list[MatchRecord]:
        wanted = iter(dict.fromkeys(ids))
        found: list[MatchRecord] = []
        while some := list(islice(wanted, _AT_ONCE)):
            found += self._some_matches(some)
        return sorted(found, key=lambda match: -match.created)

    def _some_matches(self, ids: list[str]) -> list[MatchRecord]:
        among = f"in ({', '.join('?' * len(ids))})"
        seats: dict[str, list[SeatRecord]] = {}
        for match, *seat in self._read(
            "select match, name, holder, token_hash, bot, label from seats "
            f"where match {among} order by position",
            *ids,
        ):
            seats.setdefault(match, []).append(SeatRecord(*seat))
        rows = self._read(
            "select id, rules, title, seed, players, scenario, created from matches "
            f"where id {among}",
            *ids,
        )
        return [
            MatchRecord(
                id, rules, title, int(seed), players, scenario, created, tuple(seats.get(id, ()))
            )
            for id, rules, title, seed, players, scenario, created in rows
        ]

    def entries(self, id: str, first: int = 0) -> list[Entry]:
        rows = self._read(
            "select body from entries where match = ? and number >= ? order by number", id, first
        )
        return [Entry.from_json(json.loads(body)) for (body,) in rows]

    def append(self, wanted: Sequence[Append]) -> list[Taken | None]:
        found: dict[int, Taken | None] = {}
        # always in the same order: two servers that wait for each other's rows would never end
        order = sorted(range(len(wanted)), key=lambda at: (wanted[at].match, wanted[at].number))
        with self._writing() as db:
            for at in order:
                found[at] = self._append(db, wanted[at])
        return [found[at] for at in range(len(wanted))]

    def _append(self, db: Transaction, one: Append) -> Taken | None:
        number = self._take_number(db, one)
        if number != one.number:
            return Taken(f"entry {one.number} cannot follow {number - 1}")
        row = (one.match, one.number, json.dumps(one.entry.to_json()))
        db.execute("insert into entries values (?, ?, ?)", row)
        self._tell(db, one.match)
        return None

    def set_seat(self, id: str, seat: SeatRecord) -> None:
        row = (seat.holder, seat.token_hash, seat.bot, seat.label, id, seat.name)
        with self._writing() as db:
            done = db.execute(
                "update seats set holder = ?, token_hash = ?, bot = ?, label = ? "
                "where match = ? and name = ?",
                row,
            )
            if done.rowcount != 1:
                raise StoreFailed(f"there is no seat `{seat.name}` in this match")
            self._tell(db, id)

    # --------------------------------------------------------------- messages

    def set_contact(self, id: str, seat: str, contact: Contact) -> None:
        with self._writing() as db:
            db.execute("delete from contacts where match = ? and seat = ?", (id, seat))
            if contact != Contact():
                row = (id, seat, contact.webhook, contact.mail)
                db.execute("insert into contacts values (?, ?, ?, ?)", row)

    def contacts(self, id: str) -> dict[str, Contact]:
        rows = self._read("select seat, webhook, mail from contacts where match = ?", id)
        return {seat: Contact(webhook, mail) for seat, webhook, mail in rows}

    def claim_message(self, id: str, seat: str, decision: int) -> bool:
        with self._writing() as db:
            done = db.execute(
                "insert into messages values (?, ?, ?) on conflict do nothing", (id, seat, decision)
            )
            return done.rowcount == 1
