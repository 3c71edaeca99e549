"""Machine code kept on disk between runs.

A file is named by everything that went into it: what the Program does, the sources that translate
it, llvmlite and LLVM, the processor and its features. It begins with a checksum, is written beside
its final name and moved there in one step, so several writers do no harm. Whatever does not add up
or belongs to somebody else is built again, never trusted.
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

import ludwright

_MAGIC = b"ludwright-native-2\n"
_DIGEST = 32
_LENGTH = 8
_MOST, _KEPT = 400, 300  # files: how many are too many, how many are then left
_ABANDONED = 3600  # seconds after which an unfinished file has no writer any more
_UNFINISHED = ".new-"
_OTHERS_MAY_WRITE = 0o022
_BELOW_HOME = {"win32": "AppData/Local", "darwin": "Library/Caches"}
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # opening a pipe does not wait for somebody to write


def folder() -> Path | None:
    """Where code is kept; None where there is no such place, or none is wanted.

    LUDWRIGHT_CACHE names it, and set to nothing says that nothing is to be kept. A user who is not
    in the list of users, as in many containers, may have no home.
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
    """The version of this library, down to the last change of what translates Programs."""
    digest = hashlib.sha256(ludwright.__version__.encode())
    root = Path(__file__).parent.parent
    with suppress(OSError):  # a library packed into one file is only ever changed with its version
        for part in ("kernel", "native"):
            for file in sorted((root / part).glob("*.py")):
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def key(*circumstances: str) -> str:
    return hashlib.sha256("\0".join(circumstances).encode()).hexdigest()


def load(name: str) -> tuple[bytes, bytes] | None:
    """What was saved under a key, if it is there, whole and ours."""
    base = folder()
    if base is None:
        return None
    try:
        with open(base / name, "rb", opener=_opened) as file:
            if not _ours(os.fstat(file.fileno())):
                return None
            data = file.read()
        os.utime(base / name)  # what is used is not old
    except OSError:
        return None
    body = data[len(_MAGIC) + _DIGEST :]
    if not data.startswith(_MAGIC + _checksum(name, body)):
        return None
    split = _LENGTH + int.from_bytes(body[:_LENGTH], "little")
    return body[_LENGTH:split], body[split:]


def save(name: str, interface: bytes, code: bytes, base: Path | None) -> None:
    """Keep code under a key in a folder; a disk that is full or read-only is no error."""
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
    return os.open(path, flags | _AT_ONCE)


def _ours(status: os.stat_result) -> bool:
    """Code of another user, or that another user could have changed, is not run.

    Nor is anything but a plain file read: a pipe or a device may never come to an end.
    """
    if not stat.S_ISREG(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def _tidy(base: Path) -> None:
    """Every change of a rulebook leaves a file behind: the ones not used for longest go."""
    found = []
    for file in base.iterdir():
        with suppress(OSError):  # another process may have been quicker
            used = file.stat().st_mtime
            if not file.name.startswith(_UNFINISHED):
                found.append((used, file))
            elif used < time.time() - _ABANDONED:
                file.unlink()
    if len(found) > _MOST:
        for _, file in sorted(found)[: len(found) - _KEPT]:
            with suppress(OSError):
                file.unlink()
