"""Files on disk that spare work: made again whenever they are missing.

The name of a file is a hash of everything that its content depends on. A file begins with a
checksum. It is written under another name and then renamed, so several writers do no harm. A file
with a wrong checksum, or of another user, is never used; its content is made again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludwright.version import __version__

_DIGEST = 32
_ABANDONED = 3600  # seconds after which an unfinished file has lost its writer
_UNFINISHED = ".new-"
_OTHERS_MAY_WRITE = 0o022
_BELOW_HOME = {"win32": "AppData/Local", "darwin": "Library/Caches"}
_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for a writer


def key(*circumstances: str) -> str:
    return hashlib.sha256("\0".join(circumstances).encode()).hexdigest()


@cache
def sources(*parts: str) -> str:
    """A hash of this library's version and of some of its files and folders."""
    digest = hashlib.sha256(__version__.encode())
    root = Path(__file__).parent
    with suppress(OSError):  # a library packed into one file changes only with its version
        for part in parts:
            whole = root / part
            for file in [whole] if whole.is_file() else sorted(whole.rglob("*.py")):
                digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Shelf:
    """The files of one kind; more than `most` of them are reduced to `left`."""

    name: str
    magic: bytes
    most: int = 400
    left: int = 300

    def folder(self) -> Path | None:
        """The folder of the files; None where there is none, or none is wanted.

        LUDWRIGHT_CACHE names it; set to nothing, it switches the cache off. A user who is not in
        the list of users, as in many containers, may have no home.
        """
        named = os.environ.get("LUDWRIGHT_CACHE")
        if named is not None:
            return Path(named) / self.name if named else None
        platform = {"win32": "LOCALAPPDATA", "darwin": ""}.get(sys.platform, "XDG_CACHE_HOME")
        base = os.environ.get(platform) if platform else None
        try:
            root = Path(base) if base else Path.home() / _BELOW_HOME.get(sys.platform, ".cache")
        except RuntimeError:
            return None
        return root / "ludwright" / self.name

    def load(self, name: str) -> bytes | None:
        """What was saved under a key, if it is whole and ours."""
        base = self.folder()
        if base is None:
            return None
        try:
            with open(base / name, "rb", opener=_opened) as file:
                if not _ours(os.fstat(file.fileno())):
                    return None
                data = file.read()
            os.utime(base / name)  # `_tidy` keeps the files used last
        except OSError:
            return None
        body = data[len(self.magic) + _DIGEST :]
        return body if data.startswith(self.magic + _checksum(name, body)) else None

    def save(self, name: str, body: bytes, base: Path | None) -> None:
        """Save under a key in a folder; a disk that is full or read-only is no error."""
        if base is None:
            return
        with suppress(OSError):
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=base, prefix=_UNFINISHED)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(self.magic + _checksum(name, body) + body)
                os.replace(temporary, base / name)
            except OSError:
                os.unlink(temporary)
                raise
            self._tidy(base)

    def _tidy(self, base: Path) -> None:
        """Remove the files that have not been used for longest: every change of a rulebook adds
        one."""
        found = []
        for file in base.iterdir():
            with suppress(OSError):  # another process may have removed it
                used = file.stat().st_mtime
                if not file.name.startswith(_UNFINISHED):
                    found.append((used, file))
                elif used < time.time() - _ABANDONED:
                    file.unlink()
        if len(found) > self.most:
            for _, file in sorted(found)[: len(found) - self.left]:
                with suppress(OSError):
                    file.unlink()


def _checksum(name: str, body: bytes) -> bytes:
    return hashlib.sha256(name.encode() + body).digest()


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | _WITHOUT_WAITING)


def _ours(status: os.stat_result) -> bool:
    """Whether a file may be used: a regular file of this user that nobody else can change.

    A pipe or a device might never end.
    """
    if not stat.S_ISREG(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE
