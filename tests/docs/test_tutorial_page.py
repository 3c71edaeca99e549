"""The rulebooks of the tutorial compile and can be played to their end."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.language.canonical import gamedef_hash
from ludwright.loading import compile_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
STEPS = re.findall(r"````markdown step\n(.*?)````", PAGE.read_text(encoding="utf-8"), re.DOTALL)
MENDED = re.findall(r"```yaml\n(actions:\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


LOOKS = re.findall(r"```yaml look\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_has_its_steps() -> None:
    assert len(STEPS) == 2
    assert MENDED
    assert LOOKS


def test_the_look_fits_the_game_and_changes_no_rule() -> None:
    dressed = compile_text(f"{STEPS[1]}\n```yaml\n{LOOKS[0]}```\n")
    assert dressed.diagnostics.items == []
    assert dressed.gamedef is not None
    assert gamedef_hash(dressed.gamedef) == lw.load_text(STEPS[1], engine="python").gamedef_hash


def mended() -> str:
    """The first rulebook with the action of the second step."""
    return re.sub(r"actions:\n.*?(?=end:)", MENDED[0], STEPS[0], flags=re.DOTALL)


@pytest.mark.parametrize("text", [mended(), STEPS[1]])
def test_a_game_of_each_step_comes_to_its_end(text: str) -> None:
    game = lw.load_text(text, engine="python")
    state, rng = game.initial_state(seed=1), random.Random(1)
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, rng.choice(list(decision.options))).state
    assert game.result(state) is not None


def test_the_first_version_has_the_fault_that_the_page_speaks_of() -> None:
    game = lw.load_text(STEPS[0], engine="python")
    state = game.initial_state()
    with pytest.raises(lw.RulebookFault):
        for _ in range(3):
            state = game.choose(state, "a1").state
