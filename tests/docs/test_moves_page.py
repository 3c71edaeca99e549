"""The page about moves is executed: every block of Python in it runs, in order."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

import ludwright
from ludwright.kernel.protocol.decision import DecisionKind, Legality
from ludwright.kernel.protocol.move import ChoiceRequest
from ludwright.native.layout import BARRIERS

PAGE = (Path(__file__).parents[2] / "docs" / "moves.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("engine", ["python", "native"])
def test_the_python_on_the_page_runs(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    monkeypatch.setenv("LUDWRIGHT_ENGINE", engine)
    book = re.search(r"^````markdown\n(.*?)^````$", PAGE, re.M | re.S)
    assert book is not None
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    assert sum(block.count("assert ") for block in blocks) > 25
    names: dict[str, object] = {"BOOK": book.group(1)}
    for block in blocks:
        exec(compile(block, "moves.md", "exec"), names)


def test_every_field_of_a_request_is_explained() -> None:
    for field in fields(ChoiceRequest):
        assert f"`{field.name}`" in PAGE, field.name


def test_every_code_of_a_refusal_is_explained() -> None:
    """The codes that the sources can give, read from them."""
    kernel = Path(ludwright.__file__).parent
    found: set[str] = set()
    for path in [*(kernel / "kernel").rglob("*.py"), *(kernel / "native").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'(?:IllegalMove|_NotOffered|_wrong)\(\s*"([a-z-]+)"', text))
        found |= set(re.findall(r'(?:Refused|\.refusal)\([^,()]+, "([a-z-]+)"', text))
    assert len(found) > 14
    assert {code for code in found if f"`{code}`" not in PAGE} == set()


def test_every_word_of_a_request_is_explained() -> None:
    for word in (*get_args(Legality), *get_args(DecisionKind), *filter(None, BARRIERS)):
        assert f"`{word}`" in PAGE, word
