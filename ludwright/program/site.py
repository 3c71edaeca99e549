"""Places in the rulebook that code comes from, and what a refusal there can say."""

from __future__ import annotations

from ludwright.diagnostics import Span
from ludwright.program.expressions import Expr, Source
from ludwright.program.types import Type
from ludwright.quick_records import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A value in a condition, as its author writes it."""

    text: str
    value: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition that must hold, with the values it compares."""

    text: str
    when: Expr
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """The filters of `x for x in A if c`: `element` is the register of x, `among` is A."""

    element: int
    among: Source
    filters: tuple[Condition, ...]
    where: tuple[Expr, ...] = ()  # these hold where the options are those of A at all


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the rulebook an instruction comes from, for errors and `why`."""

    span: Span | None
    rule: str  # in the author's words: "action place, param cell"
    words: str = ""  # what the author says to whoever is refused here
    conditions: tuple[Condition, ...] = ()  # all must hold
    dropped: tuple[Dropped, ...] = ()  # of a choice: why an option is missing
