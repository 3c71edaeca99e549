"""A real PostgreSQL server for the tests, or a loud word that there is none."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

OTHERS = ("postgres", "nobody")  # PostgreSQL refuses to run as root


def binaries() -> Path | None:
    """Where `initdb` and `postgres` are: on the path, or where Debian puts them."""
    found = shutil.which("initdb")
    if found and (Path(found).parent / "postgres").exists():
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def missing() -> str | None:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is missing: pip install 'ludwright[postgres]'"
    if binaries() is None:
        return "no PostgreSQL server: install one (Debian: apt install postgresql)"
    return None


def _as_other() -> list[str]:
    """How to run a command as somebody who is not root."""
    if os.geteuid() != 0:
        return []
    name = next(name for name in OTHERS if _known(name))
    tool = shutil.which("setpriv")
    if tool is None:
        pytest.skip("PostgreSQL does not run as root: install setpriv (util-linux)")
    user = pwd.getpwnam(name)
    return [tool, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


class Database:
    """A server in a folder of its own, which can be stopped hard and started again."""

    def __init__(self, folder: Path, port: int) -> None:
        found = binaries()
        assert found is not None
        self._folder, self._port, self._bin = folder, port, found
        self._process: subprocess.Popen[bytes] | None = None

    def address(self, name: str = "postgres") -> str:
        return f"host=127.0.0.1 port={self._port} user=table dbname={name}"

    def make(self) -> None:
        command = [
            *_as_other(), str(self._bin / "initdb"), "-D", str(self._folder / "data"), "-U",
            "table", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C",
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder)

    def start(self) -> None:
        import psycopg

        command = [
            *_as_other(), str(self._bin / "postgres"), "-D", str(self._folder / "data"), "-p",
            str(self._port), "-c", "listen_addresses=127.0.0.1", "-c",
            f"unix_socket_directories={self._folder}", "-c", "fsync=off",  # only this server crashes
        ]  # fmt: skip
        log = (self._folder / "log").open("ab")
        self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise
                time.sleep(0.1)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def fresh(self, name: str) -> str:
        """An empty database."""
        import psycopg

        with psycopg.connect(self.address(), autocommit=True) as db:
            db.execute(f"create database {name}".encode())
        return self.address(name)


@contextmanager
def database() -> Iterator[Database]:
    why = missing()
    if why is not None:
        warnings.warn(f"POSTGRESQL TESTS SKIPPED: {why}", stacklevel=2)
        pytest.skip(why)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="ludwright-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        name = next(name for name in OTHERS if _known(name))
        user = pwd.getpwnam(name)
        os.chown(folder, user.pw_uid, user.pw_gid)
    made = Database(folder, port)
    try:
        made.make()
        made.start()
        yield made
    finally:
        made.stop(signal.SIGQUIT)  # nobody needs it again
        shutil.rmtree(folder, ignore_errors=True)
