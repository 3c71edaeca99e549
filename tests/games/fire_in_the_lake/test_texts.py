"""The page of the game, and the beginnings of three wars that a person can read.

`LUDWRIGHT_UPDATE=1 pytest tests/games` writes them anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludwright.cli.commands.page import page
from ludwright.loading import large_games
from ludwright.simulate.playthrough import playthrough
from tests.games.fire_in_the_lake.support import game

NAME = "fire-in-the-lake"
GOLDEN = Path(__file__).parent / "golden"
PAGE = Path(__file__).parents[3] / "docs" / "games" / f"{NAME}.md"
RULES = 200 * 1024  # bytes of all chapters
DECISIONS = 80  # of a playthrough


def compared(path: Path, text: str) -> None:
    if os.environ.get("LUDWRIGHT_UPDATE"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("scenario", ["short", "medium", "full"])
def test_golden_playthrough(scenario: str) -> None:
    text = playthrough(game("python"), seed=2026, limit=DECISIONS, scenario=scenario)
    compared(GOLDEN / f"{scenario}.txt", text)


def test_page_is_current() -> None:
    compared(PAGE, page(NAME, game("python")))


def test_the_rules_are_short_enough() -> None:
    chapters = large_games()[NAME].glob("[0-9]*.md")
    assert sum(len(path.read_bytes()) for path in chapters) <= RULES
