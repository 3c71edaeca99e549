"""What `import ludwright` gives."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import ludwright as lw
from ludwright import errors
from ludwright.agents import EndlessChoices
from ludwright.simulate import DeadEnd, TraceError


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
    assert found.stdout.strip() == "[]"


def test_everything_raised_on_purpose_is_a_ludwright_error() -> None:
    found = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception)
    ]
    for kind in [*found, DeadEnd, EndlessChoices, TraceError]:
        assert issubclass(kind, lw.LudwrightError)


@pytest.mark.parametrize("what", ["playouts", "batch"])
def test_an_interpreted_game_says_what_playouts_need(what: str) -> None:
    game = lw.load("nim", engine="python")
    with pytest.raises(lw.LudwrightError, match=r"ludwright\[native\]"):
        getattr(game, what)(10)
