"""Game pages are made from the rulebooks; the copies in docs/ are current, their counts true.

`LUDWRIGHT_UPDATE=1 pytest tests/games` writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

import ludwright as lw
from ludwright.cli.commands.page import page
from tests.native.support import needs_native

PAGES = Path(__file__).parents[2] / "docs" / "games"
SMALL = 4000  # sequences counted in the ordinary test run
LARGE = 500_000  # more than the interpreter counts in minutes


@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_page_is_current(name: str) -> None:
    path = PAGES / f"{name}.md"
    if os.environ.get("LUDWRIGHT_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(name), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page(name)


def counts(name: str) -> dict[str, Any]:
    """What the file beside a rulebook says; nothing if there is none."""
    path = lw.shipped_games()[name].parent / "counts.yaml"
    found: dict[str, Any] = yaml.safe_load(path.read_text("utf-8")) if path.is_file() else {}
    return found


COUNTED = [name for name in lw.shipped_games() if counts(name)]


def count(name: str, engine: str, least: int, most: int | None = None) -> None:
    """Compare every count between two sizes with what an engine counts."""
    data = counts(name)
    chance = data.get("chance", "generator")
    game = lw.load(name, chance=chance, engine=engine, **data.get("parameters", {}))
    state = game.initial_state()
    told = dict(enumerate(data["perft"], 1))
    wanted = {d: n for d, n in told.items() if least <= n and (most is None or n <= most)}
    assert {depth: game.perft(state, depth) for depth in wanted} == wanted


@pytest.mark.parametrize("name", COUNTED)
def test_counts(name: str) -> None:
    count(name, "python", 0, SMALL)


@pytest.mark.long
@pytest.mark.parametrize("name", COUNTED)
def test_counts_in_full(name: str) -> None:
    count(name, "python", SMALL, LARGE)


@needs_native
@pytest.mark.parametrize("name", COUNTED)
def test_native_counts(name: str) -> None:
    count(name, "native", 0)
