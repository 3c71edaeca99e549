"""The store in one SQLite file: write-ahead log, flushed to the disk at every commit."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludwright.table.sql_store import Dialect, SqlStore, Transaction
from ludwright.table.store import Append, StoreFailed

_DIALECT = Dialect(bytes="blob", real="real", plain=" strict", keyed=" strict, without rowid")
BUSY_SECONDS = 5.0


class SqliteStore(SqlStore):
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
            self._db.executescript(_DIALECT.tables())
        except sqlite3.Error as error:
            raise StoreFailed(f"{path} cannot be used as a store: {error}") from None

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[Transaction]:
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

    def _take_number(self, db: Transaction, one: Append) -> int:
        """Nobody else writes during a transaction, so the number after the last is free."""
        (following,) = db.execute(
            "select coalesce(max(number) + 1, 0) from entries where match = ?", (one.match,)
        ).fetchone()
        return int(following)

    # ---------------------------------------------------------- other servers

    def _tell(self, db: Transaction, id: str) -> None:
        """One server at a time uses the file: nobody else needs to know."""

    def be_present(self, id: str, seats: Iterable[str], server: str, until: float) -> None:
        """One server at a time uses the file: nobody else needs to know."""

    def present(self, id: str, server: str) -> set[str]:
        return set()

    def listen(self, changed: Callable[[str], None]) -> None:
        """Nobody else changes a match."""
