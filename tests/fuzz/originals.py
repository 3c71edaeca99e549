"""Rulebooks to be spoilt: those that the tests write, small and each about one thing.

A change hits something that matters in a small rulebook more often than in a large one, and it is
checked and compiled in a fraction of the time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ludwright as lw

TESTS = Path(__file__).parents[1]
HEADER = "game: { id: small, title: Small, players: 2 }\n"
LONGEST = 6_000  # characters; anything longer is no small rulebook


BLOCKS = re.compile(r"^(actions|flow|phases|operations|turns):", re.MULTILINE)


@cache
def small() -> list[str]:
    """Every text in the tests that is a valid rulebook, in a fixed order."""
    found: dict[str, None] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for text in _texts(ast.parse(path.read_text("utf-8"))):
            if "\n" in text and len(text) < LONGEST and BLOCKS.search(text):
                found[_whole(text)] = None
    return [text for text in found if lw.compile_text(text).ok]


def _texts(tree: ast.AST) -> Iterator[str]:
    formatted = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in formatted:
            yield text


def _whole(text: str) -> str:
    """With a header and a fence where a test adds them, and without the braces of `format`."""
    text = text.replace("{{", "{").replace("}}", "}") if "game: {{" in text else text
    if "game:" in text:
        return text
    seats = "" if "seats:" in text else "seats: [red, blue]\n"
    return f"```yaml\n{HEADER}{seats}{text}\n```\n"
