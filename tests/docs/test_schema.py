"""The published JSON Schema is current, and every shipped game's GameDef follows it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostics
from ludwright.language.canonical import from_json, gamedef_bytes, json_schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "gamedef.schema.json"


def test_published_schema_is_current() -> None:
    text = json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"
    assert PUBLISHED.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_shipped_gamedefs_follow_it_and_load_again(name: str, tmp_path: Path) -> None:
    game = lw.load(name)
    data = json.loads(game.gamedef_json)
    jsonschema.validate(data, json_schema())
    diagnostics = Diagnostics()
    again = from_json(data, diagnostics)
    assert diagnostics.items == []
    assert again is not None
    assert gamedef_bytes(again) == game.gamedef_json
    path = tmp_path / "game.json"
    path.write_bytes(game.gamedef_json)
    loaded = lw.load(path)
    assert loaded.gamedef_hash == game.gamedef_hash
    assert loaded.initial_state(seed=3).to_bytes() == game.initial_state(seed=3).to_bytes()


def test_a_change_of_prose_keeps_the_hash() -> None:
    text = lw.shipped_games()["tic-tac-toe"].read_text(encoding="utf-8")
    first = lw.load_text(text)
    second = lw.load_text(
        text.replace("Two players take turns", "\n\nBoth players, in turn, go on")
    )
    assert first.gamedef_hash == second.gamedef_hash
