"""Rulebooks that the owner of a server sends to it from a page.

Off unless the server is started with a folder for them. Every request carries the owner's secret. A
text is compiled in a process of its own, with limits on time and memory, before anything else
happens to it; one with mistakes is refused with them. What was taken lies in the folder as a file
whose name was made here, and is played like a file that was named on the command line.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from pathlib import Path

from ludwright.errors import LudwrightError
from ludwright.table.editor import SECONDS, Checker

MOST_RULEBOOKS = 200  # rulebooks in the folder
SHORT = 40  # characters of a name


class NotTaken(LudwrightError):
    """A rulebook that cannot be played, or not here."""


class Uploads:
    def __init__(
        self, folder: Path, owner: str, known: frozenset[str] = frozenset(),
        seconds: float = SECONDS,
    ) -> None:  # fmt: skip
        self.folder = folder
        self.owner = owner
        self._known = known  # names that mean something else
        self._checker = Checker(seconds)

    def is_owner(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.owner.encode())

    def files(self) -> dict[str, Path]:
        """What was taken before, by name."""
        return {path.stem: path for path in sorted(self.folder.glob("*.md"))[:MOST_RULEBOOKS]}

    def take(self, name: str, text: str) -> tuple[str, Path]:
        """Keeps a rulebook that compiles; gives the name that it has here, and its file."""
        slug = slug_of(name)
        if slug in self._known:
            raise NotTaken(f"there is another game called `{slug}`: name the file differently")
        if slug not in self.files() and len(self.files()) >= MOST_RULEBOOKS:
            raise NotTaken(f"there are {MOST_RULEBOOKS} rulebooks already")
        told = self._checker.check({f"{slug}.md": text})
        if not told["ok"]:
            raise NotTaken(_mistakes(told))
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{slug}.md"
        beside = self.folder / f".{slug}.{secrets.token_hex(4)}"
        try:
            with beside.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        return slug, path

    def close(self) -> None:
        self._checker.close()


def slug_of(name: str) -> str:
    """The name of a file in small letters, digits and hyphens: it leads nowhere else."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or name
    slug = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:SHORT].strip("-")
    if not slug:
        raise NotTaken("the name of the file needs a letter or a digit")
    return slug


def _mistakes(told: dict[str, object]) -> str:
    if "stopped" in told:
        return str(told["stopped"])
    found = told["diagnostics"]
    assert isinstance(found, list)
    lines = [f"line {one['line']}: {one['message']}" for one in found if one["severity"] == "error"]
    return "\n".join(lines[:20]) or "this is no rulebook"
