"""Decisions as callers see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.protocol.arguments import plain_answer
from ludwright.kernel.protocol.lazy_record import Lazy, lazy_fields
from ludwright.program.limits import LONG_RANGE

CHANCE = "chance"  # the seat that rolls the dice

DecisionKind = Literal["chooseOne", "chooseN", "chance"]
# Of one option. "illegal" occurs only in a request about an action that cannot be finished.
Legality = Literal["legal", "unknown", "illegal"]


@dataclass(frozen=True, slots=True)
class Range(Sequence[int]):
    """The integers lo..hi, both included, offered as a range instead of a list."""

    lo: int
    hi: int

    def __len__(self) -> int:
        return max(0, self.hi - self.lo + 1)

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is int and 0 <= index <= self.hi - self.lo:
            return self.lo + index  # the common case, without making a range
        return range(self.lo, self.hi + 1)[index]

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lo, self.hi + 1))

    def __contains__(self, value: object) -> bool:
        number = plain_answer(value)
        return number.__class__ is int and self.lo <= number <= self.hi

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        if value not in self:
            raise ValueError(f"{value} is not in {self.lo}..{self.hi}")
        return int(value) - self.lo


class Answerable(Sequence[Any]):
    """A range, and None or STOP behind it: a range may be too long for a list."""

    __slots__ = ("_extra", "_options")

    def __init__(self, options: Range, extra: Sequence[Any]) -> None:
        self._options, self._extra = options, tuple(extra)

    def __len__(self) -> int:
        return len(self._options) + len(self._extra)

    def __getitem__(self, index: Any) -> Any:
        size = len(self._options)
        if isinstance(index, slice):
            return [self[at] for at in range(len(self))[index]]
        at = range(len(self))[index]  # raises IndexError if there is no such answer
        return self._options[at] if at < size else self._extra[at - size]

    def __contains__(self, answer: object) -> bool:
        return answer in self._options or answer in self._extra

    def __iter__(self) -> Iterator[Any]:
        yield from self._options
        yield from self._extra

    def __repr__(self) -> str:
        return f"Answerable({self._options}, {self._extra})"


class Asked(NamedTuple):
    """As much of a decision as it takes to find its answer in a move."""

    decision_id: str
    name: str
    role: str
    many: bool


@dataclass(frozen=True, slots=True)
class Throughout(Sequence[Legality]):
    """One word that holds for every option: a range may be too long for a tuple."""

    word: Legality
    options: int  # how many

    def __len__(self) -> int:
        return self.options

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Throughout(self.word, len(range(self.options)[index]))
        range(self.options)[index]  # raises IndexError if there is no such option
        return self.word

    def __contains__(self, word: object) -> bool:
        return self.options > 0 and word == self.word

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Throughout):
            return len(self) == len(other) and (not len(self) or self.word == other.word)
        if isinstance(other, tuple):
            return len(self) == len(other) and all(word == self.word for word in other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.word, self.options))


@lazy_fields(
    "decision_id", "name", "kind", "legality", "min", "max", "picked", "head", "together",
    "weights", "action", "role", "dead_end",
)  # fmt: skip
@dataclass(frozen=True, slots=True)
class Decision(Lazy):
    """What is asked now, and of whom."""

    seat: str  # "chance" for explicit chance
    decision_id: str  # "$city[1]"
    name: str  # "$city"
    kind: DecisionKind
    options: Sequence[Any]
    legality: Sequence[Legality]  # one word per option
    min: int = 1
    max: int = 1
    picked: tuple[Any, ...] = ()
    optional: bool = False  # None may be answered
    can_stop: bool = False  # STOP may be answered
    head: bool = False  # it opens a move
    together: tuple[str, ...] = ()  # sealed: the seats that have yet to answer
    weights: tuple[int, ...] = ()  # of chance
    action: str | None = None
    role: str = "choice"
    dead_end: bool = False

    def asks(self, seat: str | None) -> bool:
        """Whether this seat is one of those who are asked. None stands for whoever is."""
        return seat is None or seat == self.seat or seat in self.together

    @property
    def forced(self) -> bool:
        """Whether only one answer is possible."""
        return len(self.options) + self.optional + self.can_stop == 1

    @property
    def answers(self) -> Sequence[Any]:
        """Everything `choose` takes here: the options, then None or STOP where allowed.

        A list, unless the options are a long range.
        """
        extra: list[Any] = [None] if self.optional else []
        if self.can_stop:
            extra.append(STOP)
        if isinstance(self.options, Range) and len(self.options) > LONG_RANGE:
            return Answerable(self.options, extra)
        return [*self.options, *extra]
