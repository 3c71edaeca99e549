"""One suite for every store: what is appended is there, in order, once."""

from __future__ import annotations

import random
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludwright.table.match import Match
from ludwright.table.records import Contact, Entry, SeatRecord, token_hash
from ludwright.table.rules import stored_rules
from ludwright.table.sqlite_store import SqliteStore
from ludwright.table.store import Append, Store, StoreFailed, Taken
from tests.table.databases import Database, database
from tests.table.playing import new_match, play

Opening = Callable[[], Store]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Database]:
    with database() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opening]:
    """Opens the same store again and again, as processes do one after the other."""
    opened: list[Store] = []
    address = ""
    if request.param == "postgres":
        address = request.getfixturevalue("postgres").fresh(f"t{secrets.token_hex(6)}")

    def again() -> Store:
        if address:
            from ludwright.table.postgres_store import PostgresStore

            opened.append(PostgresStore(address))
        else:
            opened.append(SqliteStore(tmp_path / "matches.db"))
        return opened[-1]

    yield again
    for store in opened:
        store.close()


def kept(store: Store, game: str) -> Match:
    match = new_match(game)
    store.keep_rules(match.rules.record)
    store.create(match.record)
    return match


def answer(value: int) -> Entry:
    return Entry("answer", "cross", value, "a1")


@pytest.mark.parametrize("game", ["tic-tac-toe", "hearts", "texas-holdem"])
def test_a_match_comes_back_as_it_was(opening: Opening, game: str) -> None:
    store = opening()
    match = kept(store, game)
    entries = play(match, 30, random.Random(3))
    assert store.append([Append(match.record.id, at, e) for at, e in enumerate(entries)]) == [
        None
    ] * len(entries)
    again = opening()
    record, rules = again.match(match.record.id), again.rules(match.rules.hash)
    assert record is not None
    assert record == match.record
    assert rules is not None
    restored = Match(record, stored_rules(rules), again.entries(record.id))
    assert restored.state == match.state
    assert [restored.number(seat) for seat in restored.seats] == [
        match.number(seat) for seat in match.seats
    ]


def test_an_entry_has_the_number_that_comes_next(opening: Opening) -> None:
    store = opening()
    id_ = kept(store, "tic-tac-toe").record.id
    assert store.append([Append(id_, 0, answer(0))]) == [None]
    taken, free, early = store.append(
        [Append(id_, 0, answer(7)), Append(id_, 1, answer(1)), Append(id_, 5, answer(5))]
    )
    assert isinstance(taken, Taken)
    assert free is None
    assert isinstance(early, Taken)
    assert store.entries(id_) == [answer(0), answer(1)]
    assert store.entries(id_, 1) == [answer(1)]


def test_two_writers_do_not_take_the_same_number(opening: Opening) -> None:
    one, two = opening(), opening()
    id_ = kept(one, "tic-tac-toe").record.id
    assert one.append([Append(id_, 0, answer(0))]) == [None]
    assert isinstance(two.append([Append(id_, 0, answer(1))])[0], Taken)
    assert two.append([Append(id_, 1, answer(2))]) == [None]
    assert one.entries(id_) == [answer(0), answer(2)]


def test_an_entry_of_no_match_is_refused_and_leaves_nothing(opening: Opening) -> None:
    store = opening()
    id_ = kept(store, "tic-tac-toe").record.id
    with pytest.raises(StoreFailed):
        store.append([Append(id_, 0, answer(0)), Append("nowhere", 0, answer(0))])
    assert store.entries(id_) == []


def test_seats_change_hands(opening: Opening) -> None:
    store = opening()
    id_ = kept(store, "tic-tac-toe").record.id
    store.set_seat(id_, SeatRecord("cross", "person", token_hash("secret"), "", "Ana"))
    record = opening().match(id_)
    assert record is not None
    assert record.seats[0] == SeatRecord("cross", "person", token_hash("secret"), "", "Ana")
    with pytest.raises(StoreFailed):
        store.set_seat(id_, SeatRecord("nobody", "open"))


def test_only_matches_that_exist_are_listed(opening: Opening) -> None:
    store = opening()
    match = kept(store, "tic-tac-toe")
    assert store.matches(["nowhere", match.record.id]) == [match.record]
    assert store.match("nowhere") is None
    assert store.rules("nowhere") is None


def test_rules_with_other_words_are_the_same_rules(opening: Opening) -> None:
    store = opening()
    record = new_match("tic-tac-toe").rules.record
    store.keep_rules(record)
    other = replace(record, sources={"rulebook.md": "in other words"})
    store.keep_rules(other)
    assert opening().rules(record.hash) == other


def test_where_a_seat_is_told_of_its_turns(opening: Opening) -> None:
    store = opening()
    id_ = kept(store, "tic-tac-toe").record.id
    contact = Contact("https://example.org/hook", "ana@example.org")
    store.set_contact(id_, "cross", contact)
    store.set_contact(id_, "nought", Contact(mail="bo@example.org"))
    assert opening().contacts(id_) == {"cross": contact, "nought": Contact(mail="bo@example.org")}
    store.set_contact(id_, "cross", Contact())
    assert opening().contacts(id_) == {"nought": Contact(mail="bo@example.org")}


def test_a_message_is_claimed_once(opening: Opening) -> None:
    one, two = opening(), opening()
    id_ = kept(one, "tic-tac-toe").record.id
    assert one.claim_message(id_, "cross", 0)
    assert not one.claim_message(id_, "cross", 0)
    assert not two.claim_message(id_, "cross", 0)
    assert two.claim_message(id_, "cross", 2)
    assert two.claim_message(id_, "nought", 0)


# ------------------------------------------------------------------ SQLite's own failures


class Failing:
    """A connection whose commits fail, as on a full disk."""

    def __init__(self, real: sqlite3.Connection, error: sqlite3.Error, at: str) -> None:
        self._real, self._error, self._at = real, error, at

    def execute(self, query: str, *values: object) -> object:
        if query.startswith(self._at):
            raise self._error
        return self._real.execute(query, *values)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


@pytest.mark.parametrize("at", ["begin", "insert", "commit"])
@pytest.mark.parametrize(
    "message", ["database or disk is full", "database is locked", "disk I/O error"]
)
def test_a_failed_commit_is_an_error_and_nothing_is_kept(
    tmp_path: Path, at: str, message: str
) -> None:
    store = SqliteStore(tmp_path / "m.db")
    id_ = kept(store, "tic-tac-toe").record.id
    real = store._db
    store._db = Failing(real, sqlite3.OperationalError(message), at)  # type: ignore[assignment]
    with pytest.raises(StoreFailed, match=message):
        store.append([Append(id_, 0, answer(0))])
    store._db = real
    assert store.entries(id_) == []
    assert store.append([Append(id_, 0, answer(0))]) == [None]


def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "m.db")
    assert store._db.execute("pragma synchronous").fetchone() == (2,)
    assert store._db.execute("pragma journal_mode").fetchone() == ("wal",)


def test_what_is_no_store_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be mistaken for one" * 20)
    with pytest.raises(StoreFailed, match=r"notes\.txt"):
        SqliteStore(path)
