"""The architecture page names files that exist, for every construct and question."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from ludwright.language.compiling import constructs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    _, found, rest = PAGE.partition(f"## {title}\n")
    assert found, title
    return rest.partition("\n## ")[0]


def test_every_stage_of_a_construct_names_a_file_that_exists() -> None:
    rows = [
        row.split("|")[1:-1]
        for row in section("Where each construct lives").splitlines()
        if row.startswith("|") and "---" not in row
    ]
    constructs = [row for row in rows if len(row) == 5][1:]
    assert len(constructs) > 15
    for name, *stages in constructs:
        for stage in stages[:2]:
            assert re.search(r"`[\w/]+\.py`", stage), name
        for stage in stages:
            for file in re.findall(r"`([\w/]+\.py)`", stage):
                assert (ROOT / "ludwright" / file).is_file(), f"{name.strip()}: {file}"


def test_every_module_that_compiles_a_construct_is_in_the_table() -> None:
    named = set(re.findall(r"`([\w/]+\.py)`", section("Where each construct lives")))
    modules = [one.__name__ for one in vars(constructs).values() if inspect.ismodule(one)]
    compilers = [name for name in modules if name.startswith("ludwright.language.compiling.")]
    assert len(compilers) > 20
    for name in compilers:
        file = name.removeprefix("ludwright.").replace(".", "/") + ".py"
        assert file in named, file


def test_every_question_names_a_file_or_folder_that_exists() -> None:
    for row in section("Where each construct lives").splitlines():
        cells = row.split("|")[1:-1]
        if len(cells) == 2:
            for file in re.findall(r"`([\w/]+/[\w.]*)`", cells[1]):
                assert (ROOT / "ludwright" / file).exists(), file


def test_every_folder_exists() -> None:
    rooms = re.findall(r"^\| (`[\w/`, ]+`) \|", section("The folders"), re.MULTILINE)
    for folder in re.findall(r"`([\w/]+)`", " ".join(rooms)):
        assert (ROOT / "ludwright" / folder).is_dir(), folder
