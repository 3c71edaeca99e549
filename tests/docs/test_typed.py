"""The Python on the pages passes `mypy --strict`, as the code of whoever copies it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import fences

ROOT = Path(__file__).resolve().parents[2]


def python_of(page: Path) -> str:
    """All blocks of a page as one module; every line has the number that it has on the page."""
    lines: list[str] = []
    for fence in fences(page):
        if fence.mark == "python":
            lines += [""] * (fence.line - len(lines))
            lines += fence.text.splitlines()
    if lines:
        lines[0] = 'BOOK = ""'  # the rulebook of the page
    return "\n".join(lines) + "\n"


def test_the_python_on_the_pages_is_typed(tmp_path: Path) -> None:
    modules: list[Path] = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = python_of(page)
        if text.strip():
            modules.append(tmp_path / f"{page.stem.replace('-', '_')}.py")
            modules[-1].write_text(text, encoding="utf-8")
    assert len(modules) >= 2
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *map(str, modules)],
        cwd=ROOT, env={**os.environ, "MYPYPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
