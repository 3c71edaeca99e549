"""The cache of machine code on disk.

The name of a file is a hash of everything that its code depends on: the Program, the sources that
translate it, llvmlite and LLVM, the processor and its features. A file begins with a checksum. It
is written under another name and then renamed, so several writers do no harm. A file with a wrong
checksum, or of another user, is never used; the code is built again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from ludwright.version import __version__

_MAGIC = b"ludwright-native-2\n"
_DIGEST = 32
_LENGTH = 8
_MOST_FILES, _FILES_LEFT = 400, 300  # more than the first are reduced to the second
_ABANDONED = 3600  # seconds after which an unfinished file has lost its writer
_UNFINISHED = ".new-"
_OTHERS_MAY_WRITE = 0o022
_BELOW_HOME = {"win32": "AppData/Local", "darwin": "Library/Caches"}
_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for a writer


def folder() -> Path | None:
    """The folder of the cache; None where there is none, or none is wanted.

    LUDWRIGHT_CACHE names it; set to nothing, it switches the cache off. A user who is not in the
    list of users, as in many containers, may have no home.
    """
    named = os.environ.get("LUDWRIGHT_CACHE")
    if named is not None:
        return Path(named) / "native" if named else None
    platform = {"win32": "LOCALAPPDATA", "darwin": ""}.get(sys.platform, "XDG_CACHE_HOME")
    base = os.environ.get(platform) if platform else None
    try:
        root = Path(base) if base else Path.home() / _BELOW_HOME.get(sys.platform, ".cache")
    except RuntimeError:
        return None
    return root / "ludwright" / "native"


@cache
def sources() -> str:
    """A hash of this library's version and of all sources that the code depends on."""
    digest = hashlib.sha256(__version__.encode())
    root = Path(__file__).parents[2]
    with suppress(OSError):  # a library packed into one file changes only with its version
        for part in ("program", "kernel", "native"):
            for file in sorted((root / part).rglob("*.py")):
                digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def key(*circumstances: str) -> str:
    return hashlib.sha256("\0".join(circumstances).encode()).hexdigest()


def load(name: str) -> tuple[bytes, bytes] | None:
    """The interface and the code saved under a key, if they are whole and ours."""
    base = folder()
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
    body = data[len(_MAGIC) + _DIGEST :]
    if not data.startswith(_MAGIC + _checksum(name, body)):
        return None
    split = _LENGTH + int.from_bytes(body[:_LENGTH], "little")
    return body[_LENGTH:split], body[split:]


def save(name: str, interface: bytes, code: bytes, base: Path | None) -> None:
    """Save code under a key in a folder; a disk that is full or read-only is no error."""
    if base is None:
        return
    body = len(interface).to_bytes(_LENGTH, "little") + interface + code
    with suppress(OSError):
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=base, prefix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + _checksum(name, body) + body)
            os.replace(temporary, base / name)
        except OSError:
            os.unlink(temporary)
            raise
        _tidy(base)


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


def _tidy(base: Path) -> None:
    """Remove the files that have not been used for longest: every change of a rulebook adds one."""
    found = []
    for file in base.iterdir():
        with suppress(OSError):  # another process may have removed it
            used = file.stat().st_mtime
            if not file.name.startswith(_UNFINISHED):
                found.append((used, file))
            elif used < time.time() - _ABANDONED:
                file.unlink()
    if len(found) > _MOST_FILES:
        for _, file in sorted(found)[: len(found) - _FILES_LEFT]:
            with suppress(OSError):
                file.unlink()
