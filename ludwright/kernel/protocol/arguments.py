"""Checks of what callers pass in: its kind, and numbers that the engines can hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def real(name: str, value: Any) -> float:
    """The value as a float. It must be a number, and no truth value."""
    if isinstance(value, bool | str | bytes) or not hasattr(value, "__float__"):
        raise TypeError(f"`{name}` must be a number, not {value!r}")
    return float(value)


def picker(pick: Callable[[int], int]) -> Callable[[int], int]:
    """The same way to draw, whose numbers are looked at: `pick(n)` gives one of 0 .. n-1."""
    return lambda count: whole(f"pick({count})", pick(count), 0, count - 1)


def parameters_of(given: Mapping[str, Any] | None) -> dict[str, int | bool]:
    """The parameters of a game: whole numbers, or True and False."""
    found: dict[str, int | bool] = {}
    for name, value in (given or {}).items():
        found[name] = plain_answer(value)
        if not isinstance(found[name], int):
            raise TypeError(f"parameter `{name}` must be a whole number or a bool, not {value!r}")
    return found


def plain_answer(value: Any) -> Any:
    """An answer as decisions write it: text, int, bool, None, and lists of those.

    Whatever counts as a whole number becomes an int, so that the numbers of numpy can be given.
    What is none of these, such as a float, is left as it is, and equals no option.
    """
    cls = value.__class__
    if cls is str or cls is int or cls is bool or value is None:
        return value
    if isinstance(value, list | tuple):
        return [plain_answer(item) for item in value]
    if isinstance(value, str):
        return str.__str__(value)  # of an Enum too, whose own `str` gives something else
    if getattr(getattr(value, "dtype", None), "kind", "") == "b" and not value.shape:
        return bool(value)  # numpy's
    try:
        return int(index(value))
    except TypeError:
        return value


def same_answer(one: Any, other: Any) -> bool:
    """Whether two answers are equal and of the same kind: 1 is neither True nor 1.0."""
    if one.__class__ is not other.__class__:
        return False
    if one.__class__ is list or one.__class__ is tuple:
        return len(one) == len(other) and all(map(same_answer, one, other))
    return bool(one == other)


def players_of(world: World, value: Any) -> int:
    """A number of players that the game allows; None means the smallest."""
    count = world.min_players if value is None else whole("players", value)
    most = len(world.seats)
    if not world.min_players <= count <= most:
        raise ValueError(f"this game is for {world.allowed_players} players, not {count}")
    return count
