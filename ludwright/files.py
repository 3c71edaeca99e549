"""Writing files so that a failure loses nothing."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file entirely or not at all: on a failure, the old file is still there.

    The text goes into a temporary file beside it, reaches the disk, and takes the place of the
    old one in a single step. What is no plain file (a terminal, a pipe) is simply written to.
    """
    path = Path(os.path.realpath(path))  # a link stays a link
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    temporary = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Make sure that the new name reaches the disk too, on systems that can open folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
