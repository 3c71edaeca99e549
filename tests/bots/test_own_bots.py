"""Bots of one's own: by class from Python, by module:Class on the command line and nowhere else."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ludwright
from ludwright.agents import RandomAgent
from ludwright.bots import Question, UnknownBot, bot_maker, tournament
from ludwright.bots.naming import imported_maker
from ludwright.cli.main import app
from ludwright.cli.shared.bots import named_maker
from ludwright.simulate import Recorder, play_out
from ludwright.table.bots import Task, think

CODE = """
from pathlib import Path

Path("imported").touch()

class Least:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, view):
        return view.decision.answers[0]

class Two:
    def __init__(self, one, two):
        pass

class Mute:
    def __init__(self, seed):
        pass

number = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of bots, in which commands are given."""
    (tmp_path / "own_bots.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "broken_bots.py").write_text("1 / 0", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in ("own_bots", "broken_bots"):
        sys.modules.pop(name, None)


def run(*words: str) -> Any:
    return CliRunner().invoke(app, words)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_class_of_ones_own_enters_a_tournament(workers: str) -> None:
    bots = "own_bots:Least,random"
    given = ("--bots", bots, "-n", "6", "--workers", workers, "--json")
    result = run("tournament", "nim", *given)
    assert result.exit_code == 0, result.exception
    told = json.loads(result.stdout)
    assert {each["bot"] for each in told["bots"]} == {"own_bots:Least", "random"}
    assert (told["games"], told["faults"]) == (6, 0)


@pytest.mark.usefixtures("folder")
def test_it_also_plays_in_series() -> None:
    assert run("simulate", "nim", "--agents", "own_bots:Least,random", "-n", "4").exit_code == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere:Bot", "there is no module `nowhere`"),
        ("serch:x", "there is no module `serch`"),
        ("broken_bots:Bot", "importing `broken_bots` failed: ZeroDivisionError"),
        ("own_bots:Leats", "did you mean `Least`"),
        ("own_bots:number", "has no `number` that makes bots"),
        ("own_bots:Two", "makes no bot from a seed"),
        ("own_bots:Mute", "has no `choose(view)`"),
    ],
)
def test_what_makes_no_bot_is_refused_before_play(name: str, why: str) -> None:
    for words in (("tournament", "nim", "--bots", f"{name},random"),
                  ("simulate", "nim", "--agents", name)):  # fmt: skip
        result = run(*words)
        assert why in str(result.exception)
        assert getattr(result.exception, "code", None) == 2
        assert result.stdout == ""


def test_names_from_elsewhere_import_nothing(folder: Path) -> None:
    """A saved game, the table's page and a journal may name anything."""
    with pytest.raises(UnknownBot):
        bot_maker("own_bots:Least")
    with pytest.raises(Exception, match="there is no bot `own_bots:Least`"):
        named_maker("own_bots:Least", own=False)
    game = ludwright.load("nim")
    task = Task(game.gamedef_json, game.initial_state().to_bytes(), "first", "own_bots:Least", 1)
    with pytest.raises(UnknownBot):
        think(task)
    with pytest.raises(UnknownBot):
        tournament("nim", ["own_bots:Least", "random"], 2)
    assert not (folder / "imported").exists()
    imported_maker("own_bots:Least")
    assert (folder / "imported").exists()


def test_a_saved_game_imports_nothing(folder: Path) -> None:
    game = ludwright.load("nim")
    state = game.initial_state(3)
    recorder = Recorder(game, state)
    play_out(game, state, dict.fromkeys(game.seats, RandomAgent(1)), limit=1, recorder=recorder)
    sitting = dict.fromkeys(game.seats, "own_bots:Least")
    trace = recorder.trace("nim", game.gamedef_hash, {}, 2, 3, sitting=sitting)
    trace.write(folder / "saved.json")
    result = run("play", "--resume", str(folder / "saved.json"))
    assert "there is no bot `own_bots:Least`" in str(result.exception), result.exception
    assert not (folder / "imported").exists()


class First:
    """Gives the first answer."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, view: Any) -> Any:
        return view.decision.answers[0]


def test_nothing_is_played_where_the_results_cannot_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ludwright.LudwrightError, match="need the package pyarrow"):
        tournament("nim", ["greedy", "random"], 2, output=folder / "out.parquet")
    assert not list(folder.glob("out.*"))


def test_tournaments_from_python(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    game, path = ludwright.load("nim"), folder / "out.parquet"
    own = imported_maker("own_bots:Least")  # of a module that other processes find
    alone = tournament(game, {"mine": own, "theirs": "random"}, 8, seed=3)
    pooled = tournament(game, {"mine": own, "theirs": "random"}, 8, seed=3, workers=2, output=path)
    assert [each.points for each in alone.outcomes] == [each.points for each in pooled.outcomes]
    assert path.exists()
    asked = tournament("nim", ["greedy", First], 400, question=Question(0.5, 0.9))
    assert asked.verdict in ("yes", "no")
    assert len(asked.outcomes) < 400

    def local(seed: int) -> First:
        return First(seed)

    with pytest.raises(ValueError, match="cannot be sent"):
        tournament(game, {"mine": local, "theirs": "random"}, 2, workers=2)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("lvl:3", "did you mean `level:3`?"),
        ("serch:500", "did you mean `search:500`?"),
        ("my_bots.Least", "a bot of your own is written `my_bots:Least`"),
    ],
)
def test_a_misspelt_bot_is_told_what_was_meant(name: str, hint: str) -> None:
    with pytest.raises(UnknownBot, match=re.escape(hint)):
        bot_maker(name)
