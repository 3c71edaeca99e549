"""One coin, two coins: words that go with a number."""

from __future__ import annotations

import re

_PAIR = re.compile(r"([\w'’-]+)\|([\w'’-]+)")
_PLURAL = re.compile(r"[^aeiousy\W]s$")
_HISSING = ("s", "x", "z", "ch", "sh")


def fitting(words: str, number: int | None) -> str:
    """Of `coin|coins` the word that goes with a number; without a number the second one."""
    return _PAIR.sub(lambda found: found[1 if number == 1 else 2], words)


def plural(noun: str) -> str:
    """Several of something: `cards`, `boxes`, `cities`."""
    if _PLURAL.search(noun):
        return noun  # `goods` are several already
    if noun.endswith(_HISSING):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"
