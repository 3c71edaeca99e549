"""GameDef as JSON: the round trip is identity, the schema agrees, bad data is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ludwright.diagnostics import Diagnostics
from ludwright.language.canonical import (
    from_json,
    gamedef_bytes,
    gamedef_hash,
    json_schema,
    to_json,
)
from ludwright.language.compiling import compile_game
from ludwright.language.gamedef import GameDef
from tests.language.parsing_support import gamedef

SKETCHES = Path(__file__).parent / "sketches"
RULES = """
pieces: { man: { owner: seat, king: bool = false, type: Man, spare: "Man? = none" } }
vars: { x: "Man? = none", y: 0..9 = 0 }
parameters: { size: 3, fast: true }
actions: [{ id: place, params: { n: 1..3 }, effects: [place man of actor at n, x = none] }]
noMoves: [{ draw: all }, stop]
setup:
  - chooseN: { bind: $x, options: spaces, max: all, each: [] }
  - with: { set: [x = none], do: ["f(-3, a=[1, true, (x, y)])"] }
  - let a, b = max((x, y) for x in spaces for y in x until y if x)
"""


@pytest.fixture
def game() -> GameDef:
    return gamedef(RULES)


def test_round_trip_is_identity(game: GameDef) -> None:
    diagnostics = Diagnostics()
    data = json.loads(gamedef_bytes(game))
    again = from_json(data, diagnostics)
    assert diagnostics.items == []
    assert again is not None
    assert again == game
    assert gamedef_bytes(again) == gamedef_bytes(game)


def test_effects_use_the_words_of_the_long_form(game: GameDef) -> None:
    data = to_json(game)
    assert [next(iter(effect)) for effect in data["setup"]] == ["chooseN", "with", "let"]
    assert data["actions"][0]["effects"] == [
        {"createToken": {"kind": {"ref": "man"}, "owner": {"ref": "actor"}, "to": {"ref": "n"}}},
        {"setVar": {"target": {"ref": "x"}, "value": None}},
    ]


def test_both_spellings_and_all_prose_give_the_same_hash() -> None:
    short = gamedef("setup:\n  - if not free then gold -= 3   # pay\n")
    long = gamedef(
        "setup: [{ if: { when: { op: not, arg: { ref: gvar, var: free } }, then: "
        "[{ addVar: { scope: global, var: gold, delta: -3 } }] } }]"
    )
    assert gamedef_hash(short) == gamedef_hash(long)
    assert gamedef_hash(short) != gamedef_hash(gamedef("setup: [gold -= 3]"))


def test_the_schema_is_one_and_accepts_games(game: GameDef) -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    chess = gamedef((SKETCHES / "chess.yaml").read_text("utf-8"))
    for example in (game, chess):
        validator.validate(json.loads(gamedef_bytes(example)))


def _changed(game: GameDef, path: list[Any], new: Any) -> Any:
    data = copy.deepcopy(to_json(game))
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = new
    return data


@pytest.mark.parametrize(
    ("path", "new", "where"),
    [
        (["titel"], "x", "the top"),
        (["title"], 3, "title"),
        (["min_players"], 3, "the top"),
        (["minPlayers"], True, "minPlayers"),
        (["minPlayers"], 2**40, "minPlayers"),
        (["vars", 0, "scope"], "world", "vars[0].scope"),
        (["vars", 0, "type"], None, "vars[0].type"),
        (["setup", 0], "stop", "setup[0]"),
        (["setup", 0], {"chooseX": {}}, "setup[0]"),
        (["setup", 0, "chooseN", "options"], 1.5, "setup[0].chooseN.options"),
        (["setup", 0, "chooseN", "options"], {"ref": 3}, "setup[0].chooseN.options.ref"),
        (["setup", 1, "with", "sets", 0], {"stop": {}}, "setup[1].with.sets[0]"),
        (["parameters", 0, "default"], "3", "parameters[0].default"),
        (["noMoves", 0], "draw", "noMoves[0]"),
    ],
)
def test_bad_data_is_refused_by_decoder_and_schema(
    game: GameDef, path: list[Any], new: Any, where: str
) -> None:
    data = _changed(game, path, new)
    diagnostics = Diagnostics()
    assert from_json(data, diagnostics) is None
    assert {item.code for item in diagnostics.items} == {"json-shape"}
    assert f"at {where}: " in diagnostics.items[0].message
    assert not Draft202012Validator(json_schema()).is_valid(data)


def test_missing_keys_are_refused(game: GameDef) -> None:
    data = to_json(game)
    del data["vars"][0]["type"]
    del data["setup"][1]["with"]["sets"][0]["setVar"]["target"]
    diagnostics = Diagnostics()
    assert from_json(data, diagnostics) is None
    assert len(diagnostics.items) == 2  # all of them in one run


@pytest.mark.parametrize("data", [None, 3, "x", [], True])
def test_what_is_no_object_is_refused(data: Any) -> None:
    diagnostics = Diagnostics()
    assert from_json(data, diagnostics) is None
    assert [item.code for item in diagnostics.items] == ["json-shape"]


def test_another_version_of_the_language_is_refused(game: GameDef) -> None:
    diagnostics = Diagnostics()
    assert from_json({**to_json(game), "language": 2}, diagnostics) is None
    assert [item.code for item in diagnostics.items] == ["language-version"]


def test_bottomless_data_is_refused(game: GameDef) -> None:
    deep: Any = True
    for _ in range(100_000):
        deep = {"unary": {"op": "not", "arg": deep}}
    diagnostics = Diagnostics()
    assert from_json({**to_json(game), "score": deep}, diagnostics) is None
    assert [item.code for item in diagnostics.items] == ["json-too-deep"]


def test_the_deepest_game_the_parser_accepts_survives() -> None:
    expression = "f(" * 31 + "x" + ")" * 31
    effect = f"x = {expression}"
    for _ in range(18):
        effect = f"{{ if: {{ when: '{expression}', then: [{effect}] }} }}"
    game = gamedef(f"setup: [{effect}]")
    diagnostics = Diagnostics()
    assert from_json(json.loads(gamedef_bytes(game)), diagnostics) == game


def test_an_ending_by_score_says_which() -> None:
    game = gamedef("end: [{ when: true, score: 1 for p in seats }]")
    data = to_json(game)
    del data["end"][0]["score"]
    diagnostics = Diagnostics()
    found = from_json(data, diagnostics)
    assert found is not None
    assert compile_game(found, {}, diagnostics) is None
    assert "end-outcome" in [item.code for item in diagnostics.items]
