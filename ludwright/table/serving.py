"""Starts the server: a store, a hall, and uvicorn around them."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from ludwright.loading import known_games
from ludwright.table.store import Store, StoreFailed

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class CannotListen(Exception):
    """The address is taken, or is none of this machine's."""


def check_address(host: str, port: int) -> None:
    """Refuse an address that cannot be listened at, before it is printed."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            told = f"port {port} is in use; choose another one, for example --port {port + 1}"
        else:
            told = f"the server cannot listen at {host}, port {port}: {error.strerror or error}"
        raise CannotListen(told) from None


def default_store() -> Path:
    """Where matches are kept: beside other data of the user."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    folder = Path(home) / "ludwright"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "matches.db"


def shown_store(store: Path | str) -> str:
    """A store as it may be printed: an address may hold a password."""
    return "PostgreSQL" if is_database(store) else str(store)


def is_database(store: Path | str) -> bool:
    """Whether a store is the address of a PostgreSQL database, not a file."""
    return str(store).startswith(("postgresql://", "postgres://"))


def opened(store: Path | str) -> Store:
    if not is_database(store):
        from ludwright.table.sqlite_store import SqliteStore

        return SqliteStore(store)
    try:
        from ludwright.table.postgres_store import PostgresStore
    except ImportError:
        raise StoreFailed(
            "a store in PostgreSQL needs psycopg: pip install 'ludwright[postgres]'"
        ) from None
    return PostgresStore(str(store))


def own_files(given: Sequence[str]) -> dict[str, Path]:
    """Rulebooks that were named on the command line, by what the page calls them."""
    found: dict[str, Path] = {}
    for name in given:
        if name in known_games():
            continue
        path = Path(name)
        stem = path.parent.name if path.name == "rulebook.md" else path.stem
        found[stem or path.name] = path.resolve()
    return found


def serve(
    files: dict[str, Path],
    store: Path | str,
    host: str,
    port: int,
    browse: bool,
    pause: float,
    develop: bool,
    uploads: Path | None = None,
) -> None:
    """Runs until it is interrupted."""
    check_address(host, port)
    import uvicorn

    from ludwright.table.editor import Writing
    from ludwright.table.frames import LARGEST
    from ludwright.table.hall import Hall
    from ludwright.table.messages import Settings
    from ludwright.table.server import app_of
    from ludwright.table.sweeping import Sweeper
    from ludwright.table.uploads import Uploads

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    shown = "localhost" if host in (*LOOPBACK, "0.0.0.0", "::") else host
    settings = Settings.from_environment(os.environ, f"http://{shown}:{port}")
    owner = secrets.token_urlsafe(16)
    writing = Writing(files, owner=owner) if files and host in LOOPBACK else None
    taken = Uploads(uploads, owner, frozenset([*known_games(), *files])) if uploads else None
    everything = {**(taken.files() if taken is not None else {}), **files}
    hall = Hall(opened(store), everything, pause, settings=settings)
    app = app_of(hall, develop=develop, writing=writing, uploads=taken, sweeper=Sweeper())
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", access_log=False, ws_max_size=LARGEST,
        ws_max_queue=16, server_header=False, timeout_graceful_shutdown=2, lifespan="on",
    )  # fmt: skip
    address = f"http://{shown}:{port}/"
    if len(files) == 1:
        address += f"#game={next(iter(files))}"
    print(
        f"The table is at {address}  (Ctrl-C ends it; matches are kept in {shown_store(store)})",
        flush=True,
    )
    if writing is not None:
        for name, path in files.items():
            write = f"http://{shown}:{port}/write/{name}#owner={writing.owner}"
            print(f"Write {path.name} at {write}", flush=True)
    if taken is not None:
        print(f"Upload rulebooks at http://{shown}:{port}/#owner={owner}", flush=True)
    if browse:
        webbrowser.open(address)
    uvicorn.Server(config).run()
