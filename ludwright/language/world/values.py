"""Constants as written, before anyone knows which universe their names belong to.

`terrain: jungle` may be an enum value, a space or a new word; only the whole column tells. So
evaluation keeps names as names, and `encoding` turns them into indexes afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from ludwright.diagnostics import Span
from ludwright.spelling import did_you_mean


class Nothing(Enum):
    """The constant `none` (so that Python's None can mean "could not be evaluated")."""

    NONE = "none"


NONE = Nothing.NONE


@dataclass(frozen=True, slots=True)
class Named:
    """A name; `universe` is set where the author qualified it (`Suit.hearts`)."""

    name: str
    universe: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Many:
    """A list, or a tuple when not `is_list`."""

    items: tuple[Raw, ...]
    is_list: bool = True


Raw = int | bool | Nothing | Named | Many


def describe(value: Raw) -> str:
    """What kind of thing a value is, in an author's words."""
    if isinstance(value, bool):
        return "a yes/no value"
    if isinstance(value, int):
        return "a number"
    if isinstance(value, Named):
        return f"the name `{value.name}`"
    if isinstance(value, Many):
        return "a list" if value.is_list else "a tuple"
    return "`none`"


def same(left: Raw, right: Raw) -> bool:
    """Equality; a qualified name equals the bare one."""
    if isinstance(left, Named) and isinstance(right, Named):
        universes_agree = left.universe == right.universe or not (left.universe and right.universe)
        return left.name == right.name and universes_agree
    if isinstance(left, Many) and isinstance(right, Many):
        return len(left.items) == len(right.items) and all(
            same(a, b) for a, b in zip(left.items, right.items, strict=True)
        )
    return type(left) is type(right) and left == right


MAX_SUGGESTION_POOL = 2_000
MAX_SUGGESTION_LENGTH = 60


def suggest(name: str, candidates: Iterable[str], otherwise: str | None = None) -> str | None:
    """`did_you_mean` with bounded work: huge maps must not make one typo slow."""
    pool = list(candidates)
    if len(name) > MAX_SUGGESTION_LENGTH:
        return otherwise
    if len(pool) > MAX_SUGGESTION_POOL:
        pool = [other for other in pool if abs(len(other) - len(name)) <= 1][:MAX_SUGGESTION_POOL]
    pool = [other for other in pool if len(other) <= MAX_SUGGESTION_LENGTH]
    return did_you_mean(name, pool) or otherwise
