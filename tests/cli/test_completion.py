"""Tab in the shell completes commands, and the names of shipped games where a game is meant."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMMAND = "import sys; sys.argv = ['ludwright']; from ludwright.cli.main import main; main()"


def completed(line: str) -> list[str]:
    """What bash is told when Tab is pressed at the end of a line."""
    asked = {
        "_LUDWRIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    found = subprocess.run(
        [sys.executable, "-c", COMMAND],
        env={**os.environ, **asked}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return found.stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ludwright sim", ["simulate"]),
        ("ludwright play che", ["chess"]),
        ("ludwright simulate nine", ["nine-mens-morris"]),
        ("ludwright play nothing-is-called-this", []),
    ],
)
def test_what_tab_completes(line: str, words: list[str]) -> None:
    assert completed(line) == words
