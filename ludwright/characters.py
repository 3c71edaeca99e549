"""Characters that nobody sees: they steer a terminal, turn text around, or are no text at all.

Rulebooks, tables, saved games and names come from strangers and are shown in terminals, logs and
pages. So such characters are refused wherever text comes in, and what is told of a refused text
shows them as escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# Control characters but tab and newline, line separators, overrides of the direction of writing,
# halves of surrogate pairs, the byte order mark, and code points that are no characters.
UNSEEN = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    r"\U00010000-\U0010ffff]"
)


def code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def escaped(text: str) -> str:
    """The text with escapes in the place of unseen characters; JSON reads them back."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def is_line(text: str) -> bool:
    """Whether a text is one line that can be shown as it is."""
    return UNSEEN.search(text) is None and "\n" not in text and "\t" not in text


def unseen_in(data: Any, path: str = "") -> tuple[str, str] | None:
    """The first unseen character in data as JSON gives it, and where it stands."""
    for where, text in _texts(data, path):
        found = UNSEEN.search(text)
        if found is not None:
            return found.group(), escaped(where)
    return None


def _texts(data: Any, path: str) -> Iterator[tuple[str, str]]:
    stack: list[tuple[str, Any]] = [(path, data)]
    while stack:
        where, item = stack.pop()
        if isinstance(item, str):
            yield where, item
        elif isinstance(item, dict):
            for name, value in reversed(item.items()):
                stack.append((f"{where}.{name}" if where else str(name), value))
            for name in item:
                if isinstance(name, str):
                    yield where or "a name", name
        elif isinstance(item, list | tuple):
            numbered = enumerate(item)
            stack.extend((f"{where}[{at}]", value) for at, value in reversed(list(numbered)))
