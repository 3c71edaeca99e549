"""Values whose fields are found when they are first read.

Most fields of a step or a decision are never read. An engine may hand out such a value
with only some of its fields set and a way to find the others; reading, comparing, printing and
pickling it are the same as if it had been complete from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

# How missing fields are found: a function, and what it is given besides the name of a field.
Source = tuple[Any, ...]
_T = TypeVar("_T")
_C = TypeVar("_C", bound=type)


class Lazy:
    """The base of a frozen dataclass with slots; `_source` is set only where fields are missing."""

    __slots__ = ("_source",)

    _source: Source


class _LazySlot:
    """Takes the place of a slot. A field that is missing is found when it is read."""

    __slots__ = ("_name", "_slot")

    def __init__(self, name: str, slot: Any) -> None:
        self._name, self._slot = name, slot

    def __get__(self, value: Any, cls: Any = None) -> Any:
        if value is None:
            return self
        try:
            return self._slot.__get__(value, cls)
        except AttributeError:
            find, *given = value._source
            found = find(self._name, *given)
            for field, what in found.items():
                object.__setattr__(value, field, what)
            return found[self._name]

    def __set__(self, value: Any, what: Any) -> None:
        self._slot.__set__(value, what)


def lazy_fields(*names: str) -> Callable[[_C], _C]:
    """Declare which fields of a lazy dataclass may be missing. The others stay plain slots."""

    def changed(cls: _C) -> _C:
        for name in names:
            setattr(cls, name, _LazySlot(name, cls.__dict__[name]))
        return cls

    return changed


def source_of(value: Lazy) -> Source | None:
    """How the missing fields of a value are found; None if it was complete from the start."""
    source: Source | None = getattr(value, "_source", None)
    return source


def lazily(cls: type[_T], source: Source, **known: Any) -> _T:
    """A value of which only some fields are known."""
    made = object.__new__(cls)
    object.__setattr__(made, "_source", source)
    for field, value in known.items():
        object.__setattr__(made, field, value)
    return made
