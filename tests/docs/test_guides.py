"""The guides run: their Python, their commands, the rulebooks of the card game."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.cli.main import app
from ludwright.diagnostic_text import render_text

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDES = ("agents", "bots", "simulation", "hidden", "saving", "card-game", "research")
CARD_GAME = (DOCS / "card-game.md").read_text(encoding="utf-8")
STEPS = re.findall(r"````markdown step\n(.*?)````", CARD_GAME, re.S)
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", CARD_GAME, re.S)
    for line in block.splitlines()
    if not line.startswith("ludwright play")
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the rulebook of the last step lies."""
    (tmp_path / "lanterns.md").write_text(STEPS[-1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", GUIDES)
@pytest.mark.usefixtures("folder")
def test_the_python_of_a_guide_runs(name: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / f"{name}.md").read_text("utf-8"), re.S)
    assert blocks
    scope: dict[str, object] = {"__name__": name}
    for block in blocks:
        exec(
            compile(block, f"{name}.md", "exec"), scope
        )  # the page's own code, nothing from outside


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_each_step_of_the_card_game_is_sound(step: int) -> None:
    compilation = lw.compile_text(STEPS[step], "lanterns.md")
    assert compilation.diagnostics.items == [], render_text(
        compilation.diagnostics.items, compilation.sources
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("folder")
def test_the_commands_of_the_card_game_succeed(command: str) -> None:
    with pytest.raises(SystemExit) as left:
        app(shlex.split(command)[1:])
    assert left.value.code in (0, None)


@pytest.mark.usefixtures("folder")
def test_the_changed_example_fails_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lanterns.md").write_text(STEPS[-1].replace("== 6", "== 9"), encoding="utf-8")
    with pytest.raises(Exception, match=r"."):
        app(["test", "lanterns.md"], standalone_mode=False)
    assert "shine(ann)" in capsys.readouterr().out
