"""The page of requirements and the numbered tests name each other, without a gap."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cache
from pathlib import Path

import pytest

import ludwright as lw
from ludwright import agents, simulate
from ludwright.kernel.protocol.move import ChoiceRequest
from ludwright.language.codes import CODES

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "requirements.md"
NUMBERED = re.compile(r"test_(25b|25b1|25b2|50|defaults)_(\d\d)_")
COLUMNS = 5


@cache
def table() -> dict[str, list[str]]:
    """Number -> the other cells of its row."""
    found: dict[str, list[str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        number, *cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
        if not line.startswith("|") or number in ("Number", "---") or len(cells) != COLUMNS - 1:
            continue
        assert number not in found, f"{number} stands twice"
        found[number] = cells
    return found


def rows() -> dict[str, tuple[str, list[str]]]:
    """Number -> the requirement and the tests named for it."""
    return {
        number: (cells[0], re.findall(r"`(test_\w+)`", cells[-1]))
        for number, cells in table().items()
    }


@cache
def names_in(folder: Path) -> frozenset[str]:
    return frozenset(
        node.name
        for path in folder.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_every_requirement_has_words_and_a_test_that_exists() -> None:
    assert len(rows()) > 80
    for number, (words, tests) in rows().items():
        assert words, number
        assert tests, f"{number} has no test"
        assert set(tests) <= names_in(TESTS), number


def test_every_numbered_test_is_on_the_page() -> None:
    named = {test for _, tests in rows().values() for test in tests}
    assert names_in(TESTS / "seeds") - named == set()


def test_a_number_in_the_name_of_a_test_is_the_number_on_the_page() -> None:
    for number, (_, tests) in rows().items():
        for test in tests:
            found = NUMBERED.match(test)
            if found is not None and number.startswith(f"{found[1]}-"):
                assert number.rstrip("a") == f"{found[1]}-{found[2]}", test
    numbers = {found.groups() for test in names_in(TESTS) if (found := NUMBERED.match(test))}
    assert {f"{group}-{number}" for group, number in numbers} <= set(rows())


@pytest.mark.parametrize(
    ("group", "count"), [("25b", 22), ("25b1", 10), ("25b2", 6), ("50", 11), ("defaults", 12)]
)
def test_no_number_is_missing(group: str, count: int) -> None:
    for number in range(1, count + 1):
        assert f"{group}-{number:02}" in rows()
        assert any(test.startswith(f"test_{group}_{number:02}_") for test in names_in(TESTS))


@pytest.mark.parametrize("number", table())
def test_what_the_api_is_said_to_have_it_has(number: str) -> None:
    for name in re.findall(r"`([A-Za-z_][\w.-]*)[^`]*`", table()[number][2]):
        owner, _, member = name.rpartition(".")
        if owner:
            assert hasattr(getattr(lw, owner, ChoiceRequest), member), name
        else:
            assert _known(name), name


def _known(name: str) -> bool:
    if "-" in name:
        return name in CODES
    owners = (lw, agents, simulate, lw.Game, lw.Compilation, ChoiceRequest, builtins)
    return any(name in dir(owner) for owner in owners)
