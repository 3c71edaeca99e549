"""Checks of what callers pass in: its kind, and numbers that the engines can hold."""

from __future__ import annotations

from operator import index
from typing import Any, TypeVar

from ludwright.program.types import INT_MAX
from ludwright.program.world import World

Kind = TypeVar("Kind")
THREADS = 1024  # the most that one series may use


def needed(kind: type[Kind], value: Any) -> Kind:
    """The value, which is an object of this class."""
    if not isinstance(value, kind):
        raise TypeError(f"a {kind.__name__} is needed, not {type(value).__name__}")
    return value


def whole(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """The value as an int. It must be a whole number, and within low..high."""
    number = value
    if value.__class__ is not int:
        if isinstance(value, bool):
            raise TypeError(f"`{name}` must be a whole number, not {value!r}")
        try:
            number = index(value)
        except TypeError:
            raise TypeError(f"`{name}` must be a whole number, not {value!r}") from None
    if low is not None and number < low:
        raise ValueError(f"`{name}` must be at least {low}, not {number}")
    if high is not None and number > high:
        raise ValueError(f"`{name}` must be at most {high}, not {number}")
    return int(number)


def counted(name: str, value: Any, low: int = 0) -> int:
    """A number of things, small enough for a cell."""
    return whole(name, value, low, INT_MAX)


def players_of(world: World, value: Any) -> int:
    """A number of players that the game allows; None means the smallest."""
    count = world.min_players if value is None else whole("players", value)
    most = len(world.seats)
    if not world.min_players <= count <= most:
        raise ValueError(f"this game is for {world.min_players} to {most} players, not {count}")
    return count
