"""What `import ludwright` gives."""

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludwright as lw
from ludwright import errors
from ludwright.agents import EndlessChoices
from ludwright.kernel.play import game as game_module
from ludwright.simulate import DeadEnd, TraceError

ROOT = Path(__file__).resolve().parents[1]


def test_every_name_is_there_and_no_other() -> None:
    assert sorted(lw._HOMES) == sorted(lw.__all__)
    for name in lw.__all__:
        assert getattr(lw, name) is not None


def test_a_name_that_does_not_exist_is_an_error_for_checkers_too() -> None:
    # mypy would call the comment below unused if the package seemed to have every name
    with pytest.raises(AttributeError, match="Nonsense"):
        _ = lw.Nonsense  # type: ignore[attr-defined]


def test_importing_it_imports_next_to_nothing() -> None:
    code = "import sys, ludwright; print(sorted(m for m in sys.modules if 'ludwright.' in m))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # The locks must be there from the start, and with them what imports the rest when it is used.
    assert found.stdout.strip() == "['ludwright.forking', 'ludwright.lazy_names']"


def test_everything_raised_on_purpose_is_a_ludwright_error() -> None:
    found = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception)
    ]
    for kind in [*found, DeadEnd, EndlessChoices, TraceError]:
        assert issubclass(kind, lw.LudwrightError)


@pytest.mark.parametrize("what", ["playouts", "batch"])
def test_without_numpy_a_game_says_what_to_install(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_module, "find_spec", lambda name: None)
    game = lw.load("nim", engine="python")
    with pytest.raises(lw.LudwrightError, match=r"ludwright\[native\]"):
        getattr(game, what)(10)


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == lw.__version__
    command = [sys.executable, "-m", "ludwright", "--version"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout == f"ludwright {lw.__version__}\n"


def test_all_that_a_game_returns_can_be_named() -> None:
    """Every class in the signature of a public method is exported."""
    named = set(re.findall(r"\b[A-Z]\w+", " ".join(_annotations(lw.Game))))
    known = {"Any", "Callable", "Sequence", "None", "ChanceMode"}
    assert named - known <= set(lw.__all__)


def _annotations(cls: type) -> Iterator[str]:
    for name, member in inspect.getmembers(cls):
        method = member.fget if isinstance(member, property) else member
        if not name.startswith("_") and inspect.isfunction(method):
            yield from map(str, method.__annotations__.values())


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_games_can_be_pickled(engine: str) -> None:
    game = lw.load("tic-tac-toe", engine=engine, chance="explicit", search_budget=50, size=4, run=4)
    again: lw.Game = pickle.loads(pickle.dumps(game))
    assert (again.engine, again.chance) == (game.engine, "explicit")
    assert again.gamedef_hash == game.gamedef_hash
    state = game.choose(game.initial_state(), "b2").state
    assert again.choose(state, "a1").state == game.choose(state, "a1").state
    move = lw.Move("place", {"cell": "b2"})
    assert again.why(state, move) == game.why(state, move)
    assert pickle.loads(pickle.dumps(again)).gamedef_hash == game.gamedef_hash


def test_a_game_made_from_a_program_alone_cannot_be_pickled() -> None:
    bare = lw.Game(lw.load("nim").program)
    with pytest.raises(TypeError, match="loaded from a rulebook"):
        pickle.dumps(bare)
    with pytest.raises(lw.LudwrightError, match="no GameDef"):
        _ = bare.gamedef
    assert "instructions" in repr(bare)


def test_a_game_says_what_it_is() -> None:
    assert repr(lw.load("nim")) == "<Game nim: first, second>"
    assert "(run=4, size=4)" in repr(lw.load("tic-tac-toe", size=4, run=4))


def test_a_state_draws_itself() -> None:
    game = lw.load("tic-tac-toe")
    state = game.choose(game.initial_state(), "b2").state
    assert str(state).splitlines()[:3] == ["3 . . .", "2 . X .", "1 . . ."]
    loose = lw.State(state.game_id, state.cells)
    assert str(loose) == repr(loose), "nobody knows what it shows"
    game.decision(loose)
    assert str(loose) == str(state)
