"""Words for what is drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_HUMPS = re.compile(r"(?<=[a-z0-9])([A-Z])(?=[a-z])")


def worded(name: str) -> str:
    """A name as people write it: `from_base` is `from base`, and `youngTurks` `young turks`."""
    bare = name.lstrip("$").replace("_", " ").strip()
    return _HUMPS.sub(lambda found: f" {found[1].lower()}", bare)


def titled(name: str) -> str:
    """A name at the head of something: `old-town` is `Old town`."""
    words = worded(name).replace("-", " ")
    return words[:1].upper() + words[1:]


def in_words(value: Any) -> str:
    """A value in words."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(map(in_words, value)) or "none"
        case Mapping():
            return ", ".join(f"{key} {in_words(part)}" for key, part in value.items())
        case _:
            return worded(str(value))
