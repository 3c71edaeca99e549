"""The cache of machine code on disk: see `disk_cache`.

The code depends on the Program, the sources that translate it, llvmlite and LLVM, the processor and
its features.
"""

from __future__ import annotations

from pathlib import Path

from ludwright import disk_cache
from ludwright.disk_cache import Shelf, key

__all__ = ["SHELF", "folder", "key", "load", "save", "sources"]

SHELF = Shelf("native", b"ludwright-native-2\n")
_LENGTH = 8


def folder() -> Path | None:
    return SHELF.folder()


def sources() -> str:
    """A hash of all sources that the code depends on."""
    return disk_cache.sources("program", "kernel", "native")


def load(name: str) -> tuple[bytes, bytes] | None:
    """The interface and the code saved under a key, if they are whole and ours."""
    body = SHELF.load(name)
    if body is None:
        return None
    split = _LENGTH + int.from_bytes(body[:_LENGTH], "little")
    return body[_LENGTH:split], body[split:]


def save(name: str, interface: bytes, code: bytes, base: Path | None) -> None:
    """Save code under a key in a folder; a disk that is full or read-only is no error."""
    SHELF.save(name, len(interface).to_bytes(_LENGTH, "little") + interface + code, base)
