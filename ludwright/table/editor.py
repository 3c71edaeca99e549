"""The Write page: a rulebook in an editor, checked while it is written, and saved to its file.

It exists only for whoever started the server: it listens on loopback, and every request carries a
secret that was printed where the server was started. Only files of rulebooks that were named then
can be read and written. Texts are checked in a process of its own, with limits on time and memory.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ludwright.errors import LudwrightError
from ludwright.table.apart import Apart, Stopped

SECONDS = 20.0  # for one check
LARGEST = 4 * 2**20  # bytes of a rulebook
SUFFIXES = (".md", ".markdown")


class Changed(LudwrightError):
    """The file was changed by somebody else since the page read it."""


class NotWritable(LudwrightError):
    """There is no such rulebook, or no such file of it."""


class Writing:
    def __init__(
        self, files: Mapping[str, Path], seconds: float = SECONDS, owner: str = ""
    ) -> None:
        self.owner = owner or secrets.token_urlsafe(16)
        self._files = dict(files)
        self._checker = Checker(seconds)
        self._lock = threading.Lock()

    def is_owner(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.owner.encode())

    def read(self, game: str) -> dict[str, Any]:
        """The texts of a rulebook, each with its version."""
        return {
            "files": [
                {"name": path.name, "text": text, "version": version(text)}
                for path in self._paths(game).values()
                for text in [_text(path)]
            ]
        }

    def check(self, game: str, texts: Mapping[str, str]) -> dict[str, Any]:
        """What the checker says about texts, and the names that can be completed in them."""
        known = self._paths(game)
        if set(texts) - set(known):
            raise NotWritable("there is no such file in this rulebook")
        return self._checker.check({name: texts.get(name, "") for name in known})

    def save(self, game: str, name: str, text: str, base: str) -> dict[str, str]:
        """Writes one file, whole or not at all; refused if it is no longer what the page read."""
        path = self._paths(game).get(name)
        if path is None:
            raise NotWritable("there is no such file in this rulebook")
        with self._lock:
            if version(_text(path)) != base:
                raise Changed(f"{name} was changed elsewhere since this page read it")
            beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            try:
                with beside.open("w", encoding="utf-8", newline="") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                beside.chmod(path.stat().st_mode & 0o777)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)
        return {"version": version(text)}

    def close(self) -> None:
        self._checker.close()

    def _paths(self, game: str) -> dict[str, Path]:
        """The files of a rulebook by name: the one that was given, or those of a folder."""
        given = self._files.get(game)
        if given is None:
            raise NotWritable("there is no such rulebook")
        files = sorted(given.iterdir()) if given.is_dir() else [given]
        return {path.name: path for path in files if path.suffix in SUFFIXES and path.is_file()}


def version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


# ------------------------------------------------------------------------- checking


class Checker:
    """Compiles texts apart from everything else."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._apart = Apart(checked, seconds)

    def check(self, texts: Mapping[str, str]) -> dict[str, Any]:
        began = time.monotonic()
        try:
            found: dict[str, Any] = self._apart.ask(dict(texts))
        except Stopped as why:
            return {"ok": False, "stopped": f"the check {why}", "diagnostics": [], "names": []}
        return {**found, "milliseconds": round(1000 * (time.monotonic() - began))}

    def close(self) -> None:
        self._apart.close()


def checked(texts: Mapping[str, str]) -> dict[str, Any]:
    from ludwright.diagnostic_text import to_json
    from ludwright.loading import compile_texts

    found = compile_texts(texts)
    told = to_json(found.diagnostics.items, found.sources)
    return {
        "ok": found.ok,
        "diagnostics": [{**one, "fix": fix_of(one, found.sources)} for one in told],
        "names": [{"label": name, "type": kind} for name, kind in names_in(found.gamedef)],
    }


_MEANT = re.compile(r"did you mean `([^`]+)`\?")


def fix_of(told: Mapping[str, Any], sources: Mapping[str, str]) -> dict[str, Any] | None:
    """What to write instead, and where exactly: the word that the message quotes, in its span."""
    meant = _MEANT.fullmatch(told["suggestion"] or "")
    if meant is None or told["line"] is None or told["line"] != told["end_line"]:
        return None
    line = sources[told["file"]].splitlines()[told["line"] - 1]
    first, last = told["column"] - 1, told["end_column"] - 1
    for word in re.findall(r"`([^`]+)`", told["message"]):
        found = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line)]
        inside = [(start, end) for start, end in found if first <= start and end <= last]
        if inside:
            start, end = inside[-1]
            return {"column": start + 1, "end_column": end + 1, "text": meant[1]}
    return None


def names_in(gamedef: Any) -> Iterator[tuple[str, str]]:
    """Words that a text may go on with: what it declares, and the words of the language."""
    from ludwright.language.compiling.expressions.builtins import FUNCTIONS
    from ludwright.language.gamedef import GameDef
    from ludwright.language.parsing.rulebook import SECTIONS

    seen: dict[str, str] = {}
    if isinstance(gamedef, GameDef):
        for name, kind in _declared(gamedef):
            seen.setdefault(name, kind)
    for name in FUNCTIONS:
        seen.setdefault(name, "function")
    for name in SECTIONS:
        seen.setdefault(name, "keyword")
    yield from seen.items()


def _declared(game: Any) -> Iterator[tuple[str, str]]:
    yield from ((seat.name, "constant") for seat in game.seats)
    yield from ((name, "property") for seat in game.seats for name, _ in seat.attributes)
    for enum in game.enums:
        yield enum.name, "type"
        yield from ((value, "constant") for value in enum.values)
    yield from ((var.name, "variable") for var in game.vars)
    yield from ((marker.name, "variable") for marker in game.markers)
    for group in game.spaces:
        yield group.name, "class"
        yield from ((item.name, "constant") for item in group.items)
        yield from ((name, "property") for name, _ in group.attributes)
        yield from ((name, "property") for item in group.items for name, _ in item.attributes)
    yield from ((zone.name, "class") for zone in game.zones)
    for piece in game.pieces:
        yield piece.name, "class"
        yield from ((name, "property") for name, *_ in (*piece.props, *piece.each))
    for table in game.tables:
        yield table.name, "type"
        yield from ((row.key, "constant") for row in table.rows if row.key)
    yield from ((function.name, "function") for function in game.functions)
    yield from ((proc.name, "function") for proc in game.procs)
    yield from ((action.id, "method") for action in game.actions)
    yield from ((phase.id, "constant") for phase in game.phases)
    yield from ((parameter.name, "variable") for parameter in game.parameters)
