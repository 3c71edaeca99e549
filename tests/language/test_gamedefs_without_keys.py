"""A GameDef may come from any program: without one of its keys it is refused, or is a game.

Every kind of key of the shipped games is left out once, wherever it stands first.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostics
from ludwright.language.canonical import from_json, gamedef_bytes
from ludwright.language.compiling import compile_game

LARGE = 60_000  # characters of a rulebook; the others have all constructs
KINDS = 600  # of keys, at least


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries:
        if isinstance(data, dict):
            yield (*path, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*path, key))


def without(data: Any, path: tuple[str | int, ...]) -> Any:
    whole = copy.deepcopy(data)
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return whole


def test_a_gamedef_without_a_key_is_refused_or_is_a_game() -> None:
    seen: set[tuple[str, ...]] = set()
    books = {name: Path(path) for name, path in lw.shipped_games().items()}
    for name, book in books.items():
        if book.stat().st_size > LARGE:
            continue
        game = lw.compile_files(book).gamedef
        assert game is not None
        data = json.loads(gamedef_bytes(game))
        for path in paths(data):
            kind = tuple(key for key in path if isinstance(key, str))[-2:]
            if kind in seen:
                continue
            seen.add(kind)
            diagnostics = Diagnostics()
            try:
                rest = from_json(without(data, path), diagnostics)
                program = None if rest is None else compile_game(rest, {}, diagnostics)
            except Exception as error:
                pytest.fail(f"{name} without {path}: {error!r}")
            assert program is not None or diagnostics.errors, f"{name} without {path}"
    assert len(seen) > KINDS
