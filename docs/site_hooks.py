"""What the docs site shows besides the pages in `docs`: the rulebooks and the benchmarks.

mkdocs calls these functions. Links that leave the folder `docs` lead to the copies, so that the
site is whole and every link in it is checked.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "ludwright" / "games"
BENCHMARKS = ROOT / "benchmarks" / "README.md"

_TO_RULEBOOK = re.compile(r"\]\((?:\.\./)+ludwright/games/([\w-]+)/rulebook\.md\)")
_TO_BENCHMARKS = re.compile(r"\]\((?:\.\./)+benchmarks/README\.md\)")
_OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+(?:tests|ludwright|benchmarks|page)/[^)]*\)")


def on_files(files: Any, config: Any) -> Any:
    """Adds the copies."""
    for path in sorted(GAMES.glob("*/rulebook.md")):
        text = path.read_text(encoding="utf-8")
        files.append(File.generated(config, f"rulebooks/{path.parent.name}.md", content=text))
    text = BENCHMARKS.read_text(encoding="utf-8")
    files.append(File.generated(config, "benchmarks.md", content=text))
    config["nav"] = [_expanded(entry, files) for entry in config["nav"]]
    return files


def _expanded(entry: Any, files: Any) -> Any:
    """A folder in the navigation stands for its pages, its own page first."""
    if isinstance(entry, dict):
        return {name: _expanded(value, files) for name, value in entry.items()}
    if isinstance(entry, list):
        return [_expanded(value, files) for value in entry]
    if not entry.endswith("/"):
        return entry
    pages = [file.src_uri for file in files.documentation_pages() if file.src_uri.startswith(entry)]
    return sorted(pages, key=lambda page: (not page.endswith("README.md"), page))


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links to what was copied, and plain words for what was not."""
    depth = page.file.src_uri.count("/")
    up = "../" * depth
    text = _TO_RULEBOOK.sub(lambda found: f"]({up}rulebooks/{found[1]}.md)", markdown)
    text = _TO_BENCHMARKS.sub(f"]({up}benchmarks.md)", text)
    if page.file.src_uri == "benchmarks.md" or page.file.src_uri.startswith("rulebooks/"):
        text = re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]*\)", r"\1", text)
    return _OUTSIDE.sub(r"\1", text)
