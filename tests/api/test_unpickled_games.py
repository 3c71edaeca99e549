"""Games are unpickled from what the compiler has kept, and without it from their GameDef."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import ludwright as lw
from ludwright import compilations, loading
from ludwright.language.compiling import compile_game


@pytest.mark.parametrize("stored", [False, True])
def test_what_was_kept_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("LUDWRIGHT_CACHE", str(cache))
    monkeypatch.setattr(compilations, "WORTH_KEEPING", -1.0)
    game = lw.load("pig", engine="python", goal=30)
    assert any((cache / "compiled").iterdir())
    if stored:
        game = lw.load("pig", engine="python", goal=30)
    data = pickle.dumps(game)
    compiled: list[Any] = []

    def noted(gamedef: Any, *given: Any, **more: Any) -> Any:
        compiled.append(gamedef)
        return compile_game(gamedef, *given, **more)

    monkeypatch.setattr(loading, "compile_game", noted)
    other = pickle.loads(data)
    assert not compiled
    shutil.rmtree(cache)
    again = pickle.loads(data)
    assert len(compiled) == 1
    for made in (other, again):
        assert repr(made) == repr(game)
        assert made.initial_state(1) == game.initial_state(1)
        assert made.gamedef == game.gamedef


def test_games_from_texts_are_compiled_again() -> None:
    text = lw.shipped_games()["nim"].read_text(encoding="utf-8")
    game = lw.load_text(text, engine="python")
    other = pickle.loads(pickle.dumps(game))
    assert other.initial_state() == game.initial_state()
