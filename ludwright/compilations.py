"""The result of a run of the compiler, and how those that took long are kept on disk.

Everything that the compiler looks at is in the key: its own sources, the texts with their names,
and the parameters. What belongs to the text (GameDef, examples) is read only when somebody asks for
it; the Program is enough to play.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.diagnostics import Diagnostic, Diagnostics
from ludwright.disk_cache import Shelf, key, sources
from ludwright.language.canonical import gamedef_bytes, gamedef_hash
from ludwright.language.gamedef import GameDef
from ludwright.language.parsing.examples import ExampleDecl
from ludwright.records import Unreadable, packed, unpacked

SHELF = Shelf("compiled", b"ludwright-compiled-1\n", most=60, left=40)
WORTH_KEEPING = 1.0  # seconds of work; what is quicker is done again
_LENGTH = 8


@dataclass(frozen=True)
class Compilation:
    """The result of one run of the compiler, with or without errors."""

    diagnostics: Diagnostics
    sources: Mapping[str, str]
    gamedef: GameDef | None = None
    program: ir.Program | None = None
    examples: tuple[ExampleDecl, ...] = ()
    key: str = ""  # under which it is kept on disk; empty if it is not

    @property
    def ok(self) -> bool:
        return self.diagnostics.ok and self.program is not None

    @property
    def definition(self) -> GameDef:
        """The GameDef of a rulebook that could be read."""
        assert self.gamedef is not None
        return self.gamedef

    @cached_property
    def gamedef_json(self) -> bytes:
        return gamedef_bytes(self.definition)

    @cached_property
    def gamedef_hash(self) -> str:
        return gamedef_hash(self.definition)


class StoredCompilation(Compilation):
    """A compilation from the disk, whose text is read when it is asked for."""

    def __init__(self, key: str, first: Any, text: bytes) -> None:
        diagnostics, found, program, json, hash_ = first
        if not isinstance(program, ir.Program):
            raise TypeError("not a Program")
        self.__dict__.update(
            diagnostics=Diagnostics(list(diagnostics)), sources=found, program=program,
            gamedef_json=json, gamedef_hash=hash_, key=key, _text=text,
        )  # fmt: skip

    @cached_property
    def gamedef(self) -> GameDef:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._read[0]

    @cached_property
    def examples(  # pyright: ignore[reportIncompatibleVariableOverride]
        self,
    ) -> tuple[ExampleDecl, ...]:
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[GameDef, tuple[ExampleDecl, ...]]:
        gamedef, examples = unpacked(self.__dict__["_text"])
        return gamedef, examples


def key_of(texts: Iterable[tuple[str, str]], parameters: Mapping[str, int | bool]) -> str:
    """The key of a rulebook: (name, text) of every file, in order."""
    return key(
        str(sys.implementation.cache_tag),
        sources("program", "language", "compilations.py", "diagnostics.py", "records.py"),
        repr([*texts]),
        repr(sorted(parameters.items())),
    )


def find(name: str) -> StoredCompilation | None:
    """The compilation under a key, if there is one."""
    body = SHELF.load(name)
    if body is None:
        return None
    split = _LENGTH + int.from_bytes(body[:_LENGTH], "little")
    try:
        return StoredCompilation(name, unpacked(body[_LENGTH:split]), body[split:])
    except (Unreadable, ValueError, TypeError):
        return None


def keep(name: str, made: Compilation) -> None:
    """Save a compilation without errors under a key."""
    if not made.ok or SHELF.folder() is None:
        return
    assert made.program is not None
    assert made.program.fingerprint  # worked out now, it is saved with the Program
    items: tuple[Diagnostic, ...] = tuple(made.diagnostics.items)
    first = packed((items, dict(made.sources), made.program, made.gamedef_json, made.gamedef_hash))
    text = packed((made.gamedef, made.examples))
    SHELF.save(name, len(first).to_bytes(_LENGTH, "little") + first + text, SHELF.folder())
    made.__dict__["key"] = name
