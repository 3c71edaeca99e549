"""The store in a PostgreSQL database, which several servers share.

A match has a version, the number of its entries. An entry is stored by raising the version from the
number it wants; of two servers that want the same, one changes no row. Every change is told to the
other servers by NOTIFY in the same transaction: they hear of it if, and only if, it was committed.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from ludwright.table.sql_store import Cursor, Dialect, SqlStore, Transaction
from ludwright.table.store import Append, StoreFailed

log = logging.getLogger("ludwright.table")
CHANNEL = "ludwright"
CONNECTING = 10  # seconds
AGAIN = 1.0  # seconds before a lost line to the database is opened again
_DIALECT = Dialect(
    bytes="bytea",
    real="double precision",
    version=", version integer not null default 0",
    more_tables="""
create unlogged table if not exists presence (
    match text not null, seat text not null, server text not null, until double precision not null,
    primary key (match, seat, server)
);
""",
)
_SETTING_UP = 7253  # the lock under which one server makes the tables


class _Transaction:
    """Statements inside a transaction."""

    def __init__(self, db: psycopg.Connection[Any]) -> None:
        self._db = db

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Cursor:
        done: Cursor = self._db.execute(_spelled(statement), values)
        return done


def _spelled(statement: str) -> bytes:
    """A statement with the mark that this database has for values."""
    return statement.replace("?", "%s").encode()


class PostgresStore(SqlStore):
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
                self._connected().execute(_DIALECT.tables().encode())
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
    def _writing(self) -> Iterator[Transaction]:
        """A transaction that is on the disk of the database when this ends without an error."""
        with self._lock:
            try:
                db = self._connected()
                with db.transaction():
                    yield _Transaction(db)
            except psycopg.Error as error:
                if isinstance(error, psycopg.OperationalError):
                    self._lost()
                raise StoreFailed(f"the store could not write: {error}") from error

    def _read(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            for last in (False, True):
                try:
                    rows: list[Any] = self._connected().execute(_spelled(query), values).fetchall()
                    return rows
                except psycopg.OperationalError as error:
                    self._lost()  # the database may have been started again: one more try
                    if last:
                        raise StoreFailed(f"the store could not read: {error}") from error
                except psycopg.Error as error:
                    raise StoreFailed(f"the store could not read: {error}") from error
        raise AssertionError

    def _take_number(self, db: Transaction, one: Append) -> int:
        raised = db.execute(
            "update matches set version = version + 1 where id = ? and version = ?",
            (one.match, one.number),
        )
        if raised.rowcount == 1:
            return one.number
        known = db.execute("select version from matches where id = ?", (one.match,)).fetchone()
        if known is None:
            raise StoreFailed("there is no such match in the store")
        return int(known[0])

    def _tell(self, db: Transaction, id: str) -> None:
        db.execute("select pg_notify(?, ?)", (CHANNEL, f"{self._origin} {id}"))

    # ---------------------------------------------------------- other servers

    def be_present(self, id: str, seats: Iterable[str], server: str, until: float) -> None:
        with self._writing() as db:
            db.execute("delete from presence where match = ? and server = ?", (id, server))
            for seat in seats:
                db.execute("insert into presence values (?, ?, ?, ?)", (id, seat, server, until))
            self._tell(db, id)

    def present(self, id: str, server: str) -> set[str]:
        rows = self._read(
            "select seat from presence where match = ? and server <> ? and until > ?",
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
