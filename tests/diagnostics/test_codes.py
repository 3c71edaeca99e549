"""Every code is registered, explained and shown by a mistake that gives it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import ludwright.language
from ludwright.language.codes import CODES
from ludwright.language.codes.compiling import COMPILING
from ludwright.language.codes.parsing import PARSING
from ludwright.language.codes.reading import READING
from ludwright.language.codes.world import WORLD
from tests.diagnostics.elsewhere import ELSEWHERE, Maker
from tests.diagnostics.suites import cases, compiled

LANGUAGE = Path(ludwright.language.__file__).parent
# Whatever is called by one of these names gets a code as one of its arguments.
EMITTERS = {
    "error", "warning", "refuse", "_refuse", "Refused", "_report", "_Explanation", "Diagnostic",
}  # fmt: skip


def _modules() -> Iterator[ast.Module]:
    for path in [*LANGUAGE.rglob("*.py"), LANGUAGE.parent / "loading.py"]:
        if LANGUAGE / "codes" not in path.parents:
            yield ast.parse(path.read_text("utf-8"))


def _is_code(text: str) -> bool:
    return text.replace("-", "").isalnum() and text.islower() and text.isascii()


@cache
def _written() -> frozenset[str]:
    """Every code that stands in a call that reports something."""
    found: set[str] = set()
    for module in _modules():
        for node in ast.walk(module):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else ""
            name = function.id if isinstance(function, ast.Name) else name
            if name not in EMITTERS:
                continue
            for position, argument in enumerate(node.args):
                given = [argument]
                if isinstance(argument, ast.IfExp):
                    given = [argument.body, argument.orelse]
                for part in given:
                    text = part.value if isinstance(part, ast.Constant) else None
                    if isinstance(text, str) and (position == 0 or "-" in text) and _is_code(text):
                        found.add(text)
    return frozenset(found)


@cache
def _texts() -> frozenset[str]:
    return frozenset(
        node.value
        for module in _modules()
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def test_every_code_in_the_source_is_registered() -> None:
    assert len(_written()) > 100
    assert _written() - set(CODES) == set()


def test_every_registered_code_is_in_the_source() -> None:
    assert set(CODES) - _texts() == set()


def test_no_code_is_registered_twice() -> None:
    assert len(CODES) == len(READING) + len(PARSING) + len(WORLD) + len(COMPILING)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(code: str) -> None:
    entry = CODES[code]
    assert _is_code(code)
    assert entry.summary
    assert not entry.summary.endswith(".")
    assert entry.help.endswith(".")


@pytest.mark.parametrize(
    ("code", "make"),
    [(code, make) for code, makers in ELSEWHERE.items() for make in makers],
)
def test_mistakes_outside_of_the_text(code: str, make: Maker, tmp_path: Path) -> None:
    compilation = make(tmp_path)
    found = compilation.diagnostics.items
    assert code in [item.code for item in found], found
    assert not compilation.ok
    for item in found:
        assert item.message.strip()
        assert item.suggestion, item
        assert CODES[item.code].severity == item.severity


def test_every_code_is_shown_by_a_mistake() -> None:
    shown = {item.code for case in cases() for item in compiled(case)[1]}
    assert set(CODES) - shown - set(ELSEWHERE) == set()
