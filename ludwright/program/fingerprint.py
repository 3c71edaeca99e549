"""A short name for what a Program does: equal for Programs that play alike in every byte.

Where in its text a rule stands (`sites`) does not count, nor do the words of sentences: a change of
prose changes nothing.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ludwright.program.nodes import fields_of

_PROSE = {("Sentence", "words"), ("CallSite", "ask")}
_ATOMS = (int, str, bool, type(None))
_WITHOUT_SHARING = 2  # the version of marshal's format in which only values count, not identities


def fingerprint(program: Any) -> str:
    """Of a `Program`, which is named here by its fields only: it imports this module."""
    content = marshal.dumps(_plain(replace(program, sites=(), words={})), _WITHOUT_SHARING)
    return hashlib.sha256(content).hexdigest()


def _plain(value: Any) -> Any:
    """Tuples of numbers and texts in the place of records."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple:
        return tuple(map(_plain, value))
    if isinstance(value, Mapping):
        return "", *((key, _plain(item)) for key, item in value.items())
    return kind.__name__, *map(_plain, _reader(kind)(value))


_readers: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def _reader(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of a record's fields."""
    if kind not in _readers:
        names = tuple(name for name in fields_of(kind) if (kind.__name__, name) not in _PROSE)
        _readers[kind] = (
            attrgetter(*names)
            if len(names) > 1
            else lambda value: tuple(getattr(value, name) for name in names)
        )
    return _readers[kind]
