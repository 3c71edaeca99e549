"""The page about trust names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")


def test_every_file_that_the_page_names_exists() -> None:
    files = re.findall(r"`(tests/[\w/.]+)`", PAGE)
    assert len(files) > 40
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_every_attack_names_tests_that_are_there() -> None:
    table = PAGE.partition("## Attacks, and the tests that repeat them\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 30
    for attack, outcome, tests in rows:
        assert attack.strip()
        assert outcome.strip()
        for file, names in re.findall(r"`(tests/[\w/]+\.py)`(?: \(([^)]*)\))?", tests):
            text = (ROOT / file).read_text(encoding="utf-8")
            for name in re.findall(r"`(test_\w+)`", names):
                assert f"def {name}(" in text, f"{file}: {name}"
