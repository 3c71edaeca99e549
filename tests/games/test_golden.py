"""Each shipped game has a golden playthrough that a person can read.

`LUDWRIGHT_UPDATE=1 pytest tests/games` writes them anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.simulate.playthrough import playthrough

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_golden_playthrough(name: str) -> None:
    game = lw.load(name)
    text = playthrough(game, seed=2026, players=game.program.world.min_players)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("LUDWRIGHT_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_golden_copy_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(lw.shipped_games())


@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_shipped_games_compile_without_a_warning(name: str) -> None:
    compilation = lw.compile_files(lw.shipped_games()[name])
    assert compilation.ok
    assert compilation.diagnostics.items == []
