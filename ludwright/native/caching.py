"""Object code kept on disk between runs.

A file is named by everything that went into it: the LLVM text, llvmlite and LLVM versions, the
processor and its features. It begins with a checksum, is written beside its final name and moved
there in one step; whatever does not add up is built again, never trusted.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_MAGIC = b"ludwright-native-1\n"
_DIGEST = 32


def folder() -> Path | None:
    """Where code is kept; None where the user wants none (LUDWRIGHT_CACHE set to nothing)."""
    named = os.environ.get("LUDWRIGHT_CACHE")
    if named is not None:
        return Path(named) / "native" if named else None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        root = Path(base) if base else Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "ludwright" / "native"


def key(text: str, *circumstances: str) -> str:
    digest = hashlib.sha256(text.encode())
    for part in circumstances:
        digest.update(b"\0" + part.encode())
    return digest.hexdigest()


def load(name: str) -> bytes | None:
    """The code under a key, if it is there and whole."""
    base = folder()
    if base is None:
        return None
    try:
        data = (base / name).read_bytes()
    except OSError:
        return None
    head = len(_MAGIC) + _DIGEST
    code = data[head:]
    whole = data.startswith(_MAGIC + hashlib.sha256(name.encode() + code).digest())
    return code if whole and code else None


def save(name: str, code: bytes) -> None:
    """Keep code under a key; a disk that is full or read-only is no error."""
    base = folder()
    if base is None:
        return
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=base, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(name.encode() + code).digest() + code)
            os.replace(temporary, base / name)
        except OSError:
            os.unlink(temporary)
            raise
