"""The page of requirements and the numbered tests name each other, without a gap."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "requirements.md"
NUMBERED = re.compile(r"test_(25b|25b1|25b2|50|defaults)_(\d\d)_")
COLUMNS = 5


@cache
def rows() -> dict[str, tuple[str, list[str]]]:
    """Number -> the requirement and the tests named for it."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or cells[0] in ("Number", "---") or len(cells) != COLUMNS:
            continue
        assert cells[0] not in found, f"{cells[0]} stands twice"
        found[cells[0]] = (cells[1], re.findall(r"`(test_\w+)`", cells[-1]))
    return found


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
