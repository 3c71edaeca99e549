"""The README's rulebook compiles, its error message is real, and its Python runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.diagnostic_text import render_text
from ludwright.loading import VARIABLE

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def first_rulebook() -> str:
    found = re.search(r"^````markdown\n(.*?)^````$", README, re.M | re.S)
    assert found is not None
    return found.group(1)


def test_the_first_rulebook_plays() -> None:
    game = lw.load_text(first_rulebook())
    state = game.initial_state()
    for _ in range(100):
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.apply_move(state, moves[-1]).state
    result = game.result(state)
    assert result is not None
    assert result.reason == "said 20"


def test_the_first_rulebook_has_about_twenty_lines() -> None:
    assert len(first_rulebook().strip().splitlines()) <= 20


def test_the_error_message_is_what_check_prints() -> None:
    broken = first_rulebook().replace("if total + n", "if totl + n")
    compilation = lw.compile_text(broken, "race.md")
    shown = re.search(r"^```text\n(.*?)^```$", README, re.M | re.S)
    assert shown is not None
    text = render_text(compilation.diagnostics.items, compilation.sources)
    assert text.strip() == shown.group(1).strip()


def test_the_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)  # readers have not chosen an engine
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.M | re.S)
    assert len(blocks) >= 2
    names: dict[str, object] = {}  # a later block goes on where the one before ended
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
