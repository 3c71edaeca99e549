"""The words of the reference: the first columns of its tables, and which of them rulebooks use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

PAGES = Path(__file__).parents[3] / "docs" / "language"
# Tables whose first column names keys, and tables whose first column names words of expressions.
_KEYS = ("Field", "Key", "Field of a template", "Effect")
_WORDS = ("Name", "`op`", "`ref`", "`query`", "`on`", "Word", "Seat", "Statement", "Function")
_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.M | re.S)
_NAME = re.compile(r"`(\w+)(?=[`:( ])")


def documented() -> set[str]:
    """Every word of the language that a table of the reference explains."""
    found: set[str] = set()
    for page in sorted(PAGES.glob("[01]*.md")):
        head: str | None = None
        for line in page.read_text(encoding="utf-8").splitlines():
            if not line.startswith("|"):
                head = None
                continue
            first = line.split("|")[1].strip()
            if head is None:
                head = first
            elif head in (*_KEYS, *_WORDS):
                found.update(_NAME.findall(first))
    return found


def used(texts: Iterable[str]) -> set[str]:
    """The keys of rulebooks, and all words in what stands behind them."""
    return {
        word
        for text in texts
        for block in _BLOCK.findall(text)
        for word in _words(yaml.safe_load(block))
    }


def _words(block: Any) -> Iterator[str]:
    if isinstance(block, dict):
        for key, value in block.items():
            yield from re.findall(r"\w+", str(key))
            yield from _words(value)
    elif isinstance(block, list):
        for item in block:
            yield from _words(item)
    else:
        yield from re.findall(r"\w+", str(block))
