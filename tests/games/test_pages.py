"""Game pages are made from the rulebooks; the copies in docs/ are current, their counts true.

`LUDWRIGHT_UPDATE=1 pytest tests/games` writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

import ludwright as lw
from ludwright.cli.page import page

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


def counted() -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for name, rulebook in lw.shipped_games().items():
        path = rulebook.parent / "counts.yaml"
        if path.is_file():
            numbers = yaml.safe_load(path.read_text(encoding="utf-8"))["perft"]
            found += [(name, depth, nodes) for depth, nodes in enumerate(numbers, 1)]
    return found


def count(name: str, depth: int) -> int:
    path = lw.shipped_games()[name].parent / "counts.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    chance = data.get("chance", "generator")
    game = lw.load(name, chance=chance, **data.get("parameters", {}))
    return game.perft(game.initial_state(), depth)


@pytest.mark.parametrize(("name", "depth", "nodes"), [c for c in counted() if c[2] <= SMALL])
def test_counts(name: str, depth: int, nodes: int) -> None:
    assert count(name, depth) == nodes


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "depth", "nodes"), [c for c in counted() if SMALL < c[2] <= LARGE]
)
def test_counts_in_full(name: str, depth: int, nodes: int) -> None:
    assert count(name, depth) == nodes
