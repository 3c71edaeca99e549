"""The docs site builds without a warning, is whole, and fetches nothing from elsewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludwright as lw

pytest.importorskip("mkdocs", reason="the docs site needs `pip install 'ludwright[docs]'`")
pytest.importorskip("material")
pytest.importorskip("mkdocstrings")
ROOT = Path(__file__).resolve().parents[2]
# what a browser fetches by itself; links that a reader may follow are no concern
FETCHED = re.compile(r'<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="https?://[^"]*"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr, built.stderr
    return folder


@pytest.mark.long
def test_the_site_has_every_page_and_rulebook(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        at = page.relative_to(ROOT / "docs").with_suffix("")
        home = at.parent if at.name in ("README", "index") else at
        assert (site / home / "index.html").is_file(), at
    for name in lw.shipped_games():
        text = (site / "rulebooks" / name / "index.html").read_text(encoding="utf-8")
        assert '<span class="nt">game</span>' in text, f"the rulebook of {name} is not highlighted"


@pytest.mark.long
def test_the_reference_has_every_public_name_with_its_docstring(site: Path) -> None:
    text = (site / "api" / "index.html").read_text(encoding="utf-8")
    for method in ("initial_state", "legal_choices", "determinize", "playouts"):
        assert f"Game.{method}" in text
    assert "The next open decision of a partial move." in text


@pytest.mark.long
def test_the_search_finds_a_word_of_the_language(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"] for entry in index["docs"] if "declassify" in entry["text"]}
    assert any(location.startswith("language/13-hidden") for location in found)


@pytest.mark.long
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        found = [f for f in FETCHED.findall(page.read_text("utf-8")) if 'rel="canonical"' not in f]
        assert found == [], page
