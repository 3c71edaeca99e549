"""The store in a PostgreSQL database, which several servers share.

A match has a version, the number of its entries. An entry is stored by raising the version from the
number it wants; of two servers that want the same, one changes no row. Every change is told to the
other servers by NOTIFY in the same transaction: they hear of it if, and only if, it was committed.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from ludwright.table.records import Contact, Entry, MatchRecord, RulesRecord, SeatRecord
from ludwright.table.store import Append, StoreFailed, Taken

log = logging.getLogger("ludwright.table")
CHANNEL = "ludwright"
CONNECTING = 10  # seconds
AGAIN = 1.0  # seconds before a lost line to the database is opened again
_TABLES = """
create table if not exists rules (
    hash text primary key, gamedef bytea not null, sources text not null, parameters text not null
);
create table if not exists matches (
    id text primary key, rules text not null references rules, title text not null,
    seed text not null, players integer not null, scenario text, created double precision not null,
    version integer not null default 0
);
create table if not exists seats (
    match text not null references matches, position integer not null, name text not null,
    holder text not null, token_hash text not null, bot text not null, label text not null,
    primary key (match, position)
);
create table if not exists entries (
    match text not null references matches, number integer not null, body text not null,
    primary key (match, number)
);
create table if not exists contacts (
    match text not null references matches, seat text not null, webhook text not null,
    mail text not null, primary key (match, seat)
);
create table if not exists messages (
    match text not null references matches, seat text not null, decision integer not null,
    primary key (match, seat, decision)
);
create unlogged table if not exists presence (
    match text not null, seat text not null, server text not null, until double precision not null,
    primary key (match, seat, server)
);
"""
_SETTING_UP = 7253  # the lock under which one server makes the tables


class PostgresStore:
    """One connection, used by one thread at a time; opened again after it was lost."""

    shared = True

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._db: psycopg.Connection[Any] | None = None
        self._origin = secrets.token_hex(4)  # how this server signs what it tells the others
        self._closed = threading.Event()
        self._listener: threading.Thread | None = None
        try:
            with self._lock, self._connected().transaction():
                self._connected().execute("select pg_advisory_xact_lock(%s)", (_SETTING_UP,))
                self._connected().execute(_TABLES)
        except psycopg.Error as error:
            raise StoreFailed(f"the database cannot be used as a store: {error}") from None

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            if self._db is not None:
                self._db.close()
        if self._listener is not None:
            self._listener.join()

    def _connected(self) -> psycopg.Connection[Any]:
        if self._db is None or self._db.closed:
            self._db = psycopg.connect(
                self._address, autocommit=True, connect_timeout=CONNECTING,
                options="-c synchronous_commit=on",
            )  # fmt: skip
        return self._db

    def _lost(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
            self._db = None

    @contextmanager
    def _writing(self) -> Iterator[psycopg.Connection[Any]]:
        """A transaction that is on the disk of the database when this ends without an error."""
        with self._lock:
            try:
                db = self._connected()
                with db.transaction():
                    yield db
            except psycopg.Error as error:
                if isinstance(error, psycopg.OperationalError):
                    self._lost()
                raise StoreFailed(f"the store could not write: {error}") from error

    def _read(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            for last in (False, True):
                try:
                    rows: list[Any] = self._connected().execute(query.encode(), values).fetchall()
                    return rows
                except psycopg.OperationalError as error:
                    self._lost()  # the database may have been started again: one more try
                    if last:
                        raise StoreFailed(f"the store could not read: {error}") from error
                except psycopg.Error as error:
                    raise StoreFailed(f"the store could not read: {error}") from error
        raise AssertionError

    def _tell(self, db: psycopg.Connection[Any], id: str) -> None:
        db.execute("select pg_notify(%s, %s)", (CHANNEL, f"{self._origin} {id}"))

    # ------------------------------------------------------------------ rules

    def keep_rules(self, rules: RulesRecord) -> None:
        row = (
            rules.hash, rules.gamedef, json.dumps(dict(rules.sources)),
            json.dumps(dict(rules.parameters)),
        )  # fmt: skip
        with self._writing() as db:
            db.execute(
                "insert into rules values (%s, %s, %s, %s) on conflict (hash) do update set "
                "gamedef = excluded.gamedef, sources = excluded.sources, "
                "parameters = excluded.parameters",
                row,
            )

    def rules(self, hash: str) -> RulesRecord | None:
        rows = self._read("select * from rules where hash = %s", hash)
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
            db.execute("insert into matches values (%s, %s, %s, %s, %s, %s, %s)", row)
            db.cursor().executemany(
                "insert into seats values (%s, %s, %s, %s, %s, %s, %s)",
                [
                    (match.id, at, s.name, s.holder, s.token_hash, s.bot, s.label)
                    for at, s in enumerate(match.seats)
                ],
            )

    def match(self, id: str) -> MatchRecord | None:
        return next(iter(self.matches([id])), None)

    def matches(self, ids: Iterable[str]) -> list[MatchRecord]:
        wanted = list(dict.fromkeys(ids))
        seats: dict[str, list[SeatRecord]] = {}
        for match, *seat in self._read(
            "select match, name, holder, token_hash, bot, label from seats where match = any(%s) "
            "order by position",
            wanted,
        ):
            seats.setdefault(match, []).append(SeatRecord(*seat))
        rows = self._read(
            "select id, rules, title, seed, players, scenario, created from matches "
            "where id = any(%s) order by created desc",
            wanted,
        )
        return [
            MatchRecord(
                id, rules, title, int(seed), players, scenario, created, tuple(seats.get(id, ()))
            )
            for id, rules, title, seed, players, scenario, created in rows
        ]

    def entries(self, id: str, first: int = 0) -> list[Entry]:
        rows = self._read(
            "select body from entries where match = %s and number >= %s order by number", id, first
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

    def _append(self, db: psycopg.Connection[Any], one: Append) -> Taken | None:
        raised = db.execute(
            "update matches set version = version + 1 where id = %s and version = %s",
            (one.match, one.number),
        )
        if raised.rowcount != 1:
            known = db.execute("select version from matches where id = %s", (one.match,)).fetchone()
            if known is None:
                raise StoreFailed("there is no such match in the store")
            return Taken(f"entry {one.number} cannot follow {known[0] - 1}")
        row = (one.match, one.number, json.dumps(one.entry.to_json()))
        db.execute("insert into entries values (%s, %s, %s)", row)
        self._tell(db, one.match)
        return None

    def set_seat(self, id: str, seat: SeatRecord) -> None:
        row = (seat.holder, seat.token_hash, seat.bot, seat.label, id, seat.name)
        with self._writing() as db:
            done = db.execute(
                "update seats set holder = %s, token_hash = %s, bot = %s, label = %s "
                "where match = %s and name = %s",
                row,
            )
            if done.rowcount != 1:
                raise StoreFailed(f"there is no seat `{seat.name}` in this match")
            self._tell(db, id)

    # --------------------------------------------------------------- messages

    def set_contact(self, id: str, seat: str, contact: Contact) -> None:
        with self._writing() as db:
            db.execute("delete from contacts where match = %s and seat = %s", (id, seat))
            if contact != Contact():
                row = (id, seat, contact.webhook, contact.mail)
                db.execute("insert into contacts values (%s, %s, %s, %s)", row)

    def contacts(self, id: str) -> dict[str, Contact]:
        rows = self._read("select seat, webhook, mail from contacts where match = %s", id)
        return {seat: Contact(webhook, mail) for seat, webhook, mail in rows}

    def claim_message(self, id: str, seat: str, decision: int) -> bool:
        with self._writing() as db:
            done = db.execute(
                "insert into messages values (%s, %s, %s) on conflict do nothing",
                (id, seat, decision),
            )
            return bool(done.rowcount == 1)

    # ---------------------------------------------------------- other servers

    def be_present(self, id: str, seats: Iterable[str], server: str, until: float) -> None:
        with self._writing() as db:
            db.execute("delete from presence where match = %s and server = %s", (id, server))
            db.cursor().executemany(
                "insert into presence values (%s, %s, %s, %s)",
                [(id, seat, server, until) for seat in seats],
            )
            self._tell(db, id)

    def present(self, id: str, server: str) -> set[str]:
        rows = self._read(
            "select seat from presence where match = %s and server <> %s and until > %s",
            id, server, time.time(),
        )  # fmt: skip
        return {seat for (seat,) in rows}

    def listen(self, changed: Callable[[str], None]) -> None:
        self._listener = threading.Thread(
            target=self._listening, args=(changed,), name="listener", daemon=True
        )
        self._listener.start()

    def _listening(self, changed: Callable[[str], None]) -> None:
        """Hears what other servers tell, on a line of its own that comes back by itself."""
        while not self._closed.is_set():
            try:
                with psycopg.connect(
                    self._address, autocommit=True, connect_timeout=CONNECTING
                ) as db:
                    db.execute(f"listen {CHANNEL}".encode())
                    changed("")  # anything may have happened before
                    while not self._closed.is_set():
                        for notice in db.notifies(timeout=0.5):
                            origin, _, id_ = notice.payload.partition(" ")
                            if origin != self._origin:
                                changed(id_)
            except psycopg.Error as error:
                if not self._closed.wait(AGAIN):
                    log.warning("the line to the database was lost: %s", error)
