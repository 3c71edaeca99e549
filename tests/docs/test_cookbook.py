"""Every recipe of the cookbook is a whole game that is short, clean, played as shown, and ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludwright.loading import compile_text, game_from
from tests.docs.pages import Example, Play, compiled, examples, steps
from tests.engines import engine, under_test

__all__ = ["engine"]

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "cookbook"
RECIPES = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")


def recipe(page: Path) -> Example:
    (found,) = examples(page)
    return found


def test_the_index_names_every_recipe() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\]\(([\w-]+\.md)\)", index)) == [page.name for page in RECIPES]


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.stem)
def test_a_recipe_is_short_clean_and_plays_as_shown(page: Path) -> None:
    example = recipe(page)
    assert example.blocks[0].count("\n") < 60
    assert compiled(example).diagnostics.items == []
    assert example.plays
    for play in example.plays:
        Play(example, play).run(steps(play))


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.stem)
def test_random_games_of_a_recipe_end(page: Path) -> None:
    text = f"```yaml\n{recipe(page).blocks[0]}```\n"
    game = game_from(compile_text(text, page.name), engine=under_test())
    assert (game.playouts(20, seed=1).ends >= 0).all()
