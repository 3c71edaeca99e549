"""Values whose fields are found when they are first read.

Most of what a step or a decision could tell is never asked for. An engine may hand out such a value
with only some of its fields set and a way to find the others; reading, comparing, printing and
pickling it are the same as if it had been complete from the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

# How missing fields are found: a function, and what it is given besides the name of a field.
Source = tuple[Any, ...]
_T = TypeVar("_T")


class Lazy:
    """The base of a frozen dataclass with slots; `_source` is set only where fields are missing."""

    __slots__ = ("_source",)

    _source: Source

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Only for fields that are not there yet."""
            if name == "_source" or name not in self.__dataclass_fields__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            find, *given = self._source
            found = find(name, *given)
            for field, value in found.items():
                object.__setattr__(self, field, value)
            return found[name]


def lazily(cls: type[_T], source: Source, **known: Any) -> _T:
    """A value of which only some fields are known."""
    made = object.__new__(cls)
    object.__setattr__(made, "_source", source)
    for field, value in known.items():
        object.__setattr__(made, field, value)
    return made
