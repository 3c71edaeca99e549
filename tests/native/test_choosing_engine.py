"""Which engine a game gets: native where it can be had, and never in silence anything else."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ludwright as lw
from ludwright import native
from ludwright.loading import VARIABLE
from ludwright.native import NativeMissing, NativeUnsupported
from tests.native.support import needs_native


@needs_native
def test_native_is_the_default() -> None:
    game = lw.load("nim")
    assert (game.engine, game.engine_reason) == ("native", "")
    assert lw.load("nim", engine="python").engine == "python"


def test_the_environment_takes_the_place_of_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "python")
    assert lw.load("nim").engine == "python"
    monkeypatch.setenv(VARIABLE, "steam")
    with pytest.raises(ValueError, match="LUDWRIGHT_ENGINE is auto, native or python, not 'steam'"):
        lw.load("nim")
    assert lw.load("nim", engine="python").engine == "python"


def test_without_llvm_games_are_interpreted_and_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "find_spec", lambda name: None)
    game = lw.load("nim")
    assert game.engine == "python"
    assert "needs llvmlite and numpy" in game.engine_reason
    assert game.decision(game.initial_state()) is not None
    with pytest.raises(NativeMissing, match="pip install"):
        lw.load("nim", engine="native")


def test_without_the_lock_of_python_games_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    game = lw.load("nim")
    assert game.engine == "python"
    assert "global lock" in game.engine_reason


@needs_native
def test_what_cannot_be_translated_is_interpreted_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ludwright.native import translate

    def refuse(*given: object) -> None:
        raise NativeUnsupported("a game of this kind")

    monkeypatch.setattr(translate, "translate", refuse)
    monkeypatch.setenv("LUDWRIGHT_CACHE", "")  # code on disk needs no translation
    with pytest.raises(NativeUnsupported, match="a game of this kind"):
        lw.load("pig", engine="native")
    game, plain = lw.load("pig"), lw.load("pig", engine="python")
    state = game.initial_state(4)
    assert state == plain.initial_state(4)
    step = game.choose(state, "roll")
    assert step.events() == plain.choose(state, "roll").events()
    assert game.decision(step.state) == plain.decision(step.state)
    assert game.state_from_bytes(state.to_bytes()) == state
    assert game.engine == "python"
    assert "a game of this kind" in game.engine_reason


def test_a_game_that_is_not_played_needs_no_llvm() -> None:
    """`ludwright check`, `compile` and the like must start promptly."""
    program = (
        "import sys, ludwright as lw; game = lw.load('nim'); game.seats, game.gamedef_json;"
        "found = {'llvmlite', 'numpy', 'ludwright.native.translate'} & set(sys.modules);"
        "print(sorted(found))"
    )
    given = [sys.executable, "-c", program]
    told = subprocess.run(given, capture_output=True, text=True, check=False)
    assert told.stdout == "[]\n", told.stderr
