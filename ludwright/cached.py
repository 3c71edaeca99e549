"""`cached_property` without a lock.

In Python 3.11 the one of `functools` holds a lock while it works. A process that forks meanwhile
has a copy in which that lock is never freed. Working a value out twice does no harm here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class cached_property(Generic[T]):
    """Worked out when first read, then kept in the object's `__dict__`."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value: T = self._make(instance)
        instance.__dict__[self._name] = value
        return value
