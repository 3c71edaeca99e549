"""The store in one SQLite file: write-ahead log, flushed to the disk at every commit."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludwright.table.records import Contact, Entry, MatchRecord, RulesRecord, SeatRecord
from ludwright.table.store import Append, StoreFailed, Taken

_TABLES = """
create table if not exists rules (
    hash text primary key, gamedef blob not null, sources text not null, parameters text not null
) strict;
create table if not exists matches (
    id text primary key, rules text not null references rules, title text not null,
    seed text not null, players integer not null, scenario text, created real not null
) strict;
create table if not exists seats (
    match text not null references matches, position integer not null, name text not null,
    holder text not null, token_hash text not null, bot text not null, label text not null,
    primary key (match, position)
) strict, without rowid;
create table if not exists entries (
    match text not null references matches, number integer not null, body text not null,
    primary key (match, number)
) strict, without rowid;
create table if not exists contacts (
    match text not null references matches, seat text not null, webhook text not null,
    mail text not null, primary key (match, seat)
) strict, without rowid;
create table if not exists messages (
    match text not null references matches, seat text not null, decision integer not null,
    primary key (match, seat, decision)
) strict, without rowid;
"""
BUSY_SECONDS = 5.0


class SqliteStore:
    """One connection, used by one thread at a time."""

    shared = False

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            self._db.execute("pragma foreign_keys = on")
            self._db.executescript(_TABLES)
        except sqlite3.Error as error:
            raise StoreFailed(f"{path} cannot be used as a store: {error}") from None

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on the disk when this ends without an error."""
        with self._lock:
            try:
                self._db.execute("begin immediate")
                yield self._db
                self._db.execute("commit")
            except sqlite3.Error as error:
                self._roll_back()
                raise StoreFailed(f"the store could not write: {error}") from error
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("rollback")

    def _read(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise StoreFailed(f"the store could not read: {error}") from error

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
        return RulesRecord(found, gamedef, json.loads(sources), json.loads(parameters))

    # ---------------------------------------------------------------- matches

    def create(self, match: MatchRecord) -> None:
        row = (
            match.id, match.rules, match.title, str(match.seed), match.players, match.scenario,
            match.created,
        )  # fmt: skip
        with self._writing() as db:
            db.execute("insert into matches values (?, ?, ?, ?, ?, ?, ?)", row)
            db.executemany(
                "insert into seats values (?, ?, ?, ?, ?, ?, ?)",
                [
                    (match.id, at, s.name, s.holder, s.token_hash, s.bot, s.label)
                    for at, s in enumerate(match.seats)
                ],
            )

    def match(self, id: str) -> MatchRecord | None:
        return next(iter(self.matches([id])), None)

    def matches(self, ids: Iterable[str]) -> list[MatchRecord]:
        found: list[MatchRecord] = []
        for id_ in dict.fromkeys(ids):
            for row in self._read("select * from matches where id = ?", id_):
                seats = self._read(
                    "select name, holder, token_hash, bot, label from seats where match = ? "
                    "order by position",
                    id_,
                )
                match, rules, title, seed, players, scenario, created = row
                found.append(
                    MatchRecord(
                        match, rules, title, int(seed), players, scenario, created,
                        tuple(SeatRecord(*seat) for seat in seats),
                    )
                )  # fmt: skip
        return sorted(found, key=lambda match: -match.created)

    def entries(self, id: str, first: int = 0) -> list[Entry]:
        rows = self._read(
            "select body from entries where match = ? and number >= ? order by number", id, first
        )
        return [Entry.from_json(json.loads(body)) for (body,) in rows]

    def append(self, wanted: Sequence[Append]) -> list[Taken | None]:
        found: list[Taken | None] = []
        with self._writing() as db:
            for one in wanted:
                (next_number,) = db.execute(
                    "select coalesce(max(number) + 1, 0) from entries where match = ?", (one.match,)
                ).fetchone()
                if next_number != one.number:
                    found.append(Taken(f"entry {one.number} cannot follow {next_number - 1}"))
                    continue
                row = (one.match, one.number, json.dumps(one.entry.to_json()))
                db.execute("insert into entries values (?, ?, ?)", row)
                found.append(None)
        return found

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
            row = (id, seat, decision)
            return db.execute("insert or ignore into messages values (?, ?, ?)", row).rowcount == 1

    # ---------------------------------------------------------- other servers

    def be_present(self, id: str, seats: Iterable[str], server: str, until: float) -> None:
        """One server at a time uses the file: nobody else needs to know."""

    def present(self, id: str, server: str) -> set[str]:
        return set()

    def listen(self, changed: Callable[[str], None]) -> None:
        """Nobody else changes a match."""
