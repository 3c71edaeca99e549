"""The page about moves is executed: every block of Python in it runs, in order."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from ludwright.kernel.moves import ChoiceRequest

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
