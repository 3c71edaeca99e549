"""Expressions and streams of a Program: pure, typed, over cells and registers.

Expressions never suspend. Streams are lazy: elements are computed in order, only as far as the
consumer needs. `program` re-exports everything here; see there for cells and registers.
"""

from __future__ import annotations

from typing import Literal

from ludwright.program.types import Type
from ludwright.quick_records import dataclass

# --------------------------------------------------------------- expressions


class Expr:
    """Evaluates to one value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A ready value: an int, a tuple (tuple, list), or a set's bits as an int."""

    value: int | tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Load(Expr):
    """The scalar in a cell, or the whole value in a register."""

    addr: int


@dataclass(frozen=True, slots=True)
class LoadWide(Expr):
    """A tuple, list or set stored in cells from `addr` on (plus index * stride)."""

    addr: int
    type: Type
    index: Expr | None = None
    stride: int = 0
    size: int = 0
    site: int = -1


@dataclass(frozen=True, slots=True)
class LoadAt(Expr):
    """The cell `addr + index * stride`; `none` where the index is negative.

    An index of `size` or more is a Fault (code "range").
    """

    addr: int
    index: Expr
    size: int
    none: int
    stride: int = 1
    site: int = -1


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """`tables[table][index]`; `none` where the index is negative; Fault past the end."""

    table: int
    index: Expr
    none: int
    site: int = -1


ArithOp = Literal["+", "-", "*", "//", "%", "min", "max"]


@dataclass(frozen=True, slots=True)
class Arith(Expr):
    """64-bit integer arithmetic; floor division; a zero divisor or an overflow is a Fault."""

    op: ArithOp
    left: Expr
    right: Expr
    site: int = -1


AggregateOp = Literal["count", "sum", "min", "max", "any", "all", "exists", "first"]
CompareOp = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """Of two scalars, or of two tuples/lists/sets (== and != of any; the others lexicographic)."""

    op: CompareOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class And(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Expr):
    arg: Expr


@dataclass(frozen=True, slots=True)
class Select(Expr):
    when: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Bind(Expr):
    """Put `value` into register `reg`, then evaluate `body`."""

    reg: int
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class CallFn(Expr):
    """All arguments are evaluated, then put into the function's parameter registers."""

    fn: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeTuple(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Item(Expr):
    """Item `index` of a tuple."""

    of: Expr
    index: int


@dataclass(frozen=True, slots=True)
class ListItem(Expr):
    """`list[index]`, from 0; Fault (code "range") outside."""

    of: Expr
    index: Expr
    site: int = -1


@dataclass(frozen=True, slots=True)
class Length(Expr):
    """Elements of a list or set (`of_set`)."""

    of: Expr
    of_set: bool = False


@dataclass(frozen=True, slots=True)
class MakeList(Expr):
    """All elements of a stream; more than `cap` is a Fault. `distinct` drops repeats."""

    stream: Source
    cap: int
    distinct: bool = False
    site: int = -1


@dataclass(frozen=True, slots=True)
class MakeSet(Expr):
    """The set of a stream's elements; bit = element - lo; outside lo..hi is a Fault."""

    stream: Source
    lo: int
    hi: int
    site: int = -1


@dataclass(frozen=True, slots=True)
class SetOp(Expr):
    op: Literal["union", "minus", "both"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class InSet(Expr):
    item: Expr
    of: Expr
    lo: int


@dataclass(frozen=True, slots=True)
class InStream(Expr):
    item: Expr
    stream: Source


@dataclass(frozen=True, slots=True)
class Sorted(Expr):
    """A list, sorted ascending (stable), or descending."""

    of: Expr
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Group(Expr):
    """List of (key, count), ascending by key, of a stream of keys; a fault beyond `cap` keys."""

    stream: Source
    cap: int
    site: int = -1


@dataclass(frozen=True, slots=True)
class Reach(Expr):
    """The spaces reached from `starts` by steps between neighbours, as a set (lo = 0).

    It holds the starts themselves and every member of `over` that can be reached through members
    of `over`. Starts that are no spaces lead nowhere. `steps` bounds the distance.
    """

    starts: Source
    over: Expr | None  # a set; all spaces when None
    steps: Expr | None
    table: int  # row table of neighbours


@dataclass(frozen=True, slots=True)
class Travel(Expr):
    """Going from space to space for the least cost: what is reached, for how much, on which way.

    `ways` is a comprehension of all steps, `(to, cost) for here in spaces for to in step`. It is
    never run as a whole: its first loop is left out, and the rest is evaluated for a space when
    one stands there. Spaces come in the order of their cost, those that cost the same in the order
    in which they were found. Members of `halts`, `s for s in spaces if condition`, are entered but
    not left, unless one starts there; its first loop is left out in the same way.

    A cost of `none` (`NO_INT`) means that there is no such step; one below 0 is a fault. Without
    `costed` every step costs 1, and nothing is looked at beyond `within`. With a `goal` the search
    ends there. It gives all spaces as a set, or (space, cost) of all as a list, or for the goal its
    cost (none if it is out of reach) or a list of the spaces on the way (empty then).
    """

    starts: Source
    ways: Stream
    halts: Stream | None
    within: Expr | None
    goal: Expr | None
    gives: Literal["spaces", "costs", "cost", "path"]
    spaces: int
    costed: bool
    site: int = -1


@dataclass(frozen=True, slots=True)
class Trail(Expr):
    """How many `links` the longest trail has: each is used once, and joints lie between them.

    All three are sets of spaces (lo = 0). A trail goes on from one link to another at a joint that
    both are neighbours of, if it is a member of `through` (None: all are). Each time a trail is
    made longer, `spend` is evaluated: the number of trails can grow exponentially.
    """

    links: Expr
    joints: Expr
    through: Expr | None
    table: int  # row table of neighbours
    spend: Spend


@dataclass(frozen=True, slots=True)
class Aggregate(Expr):
    """count, sum, any, all, exists, min, max or first of a stream.

    `any`/`all` see bool elements; `exists` is true when there is an element at all. `min`, `max`
    of nothing give `default`, or a Refusal without one; `first` of nothing gives `default`.
    """

    op: AggregateOp
    stream: Source
    default: Expr | None = None
    site: int = -1


@dataclass(frozen=True, slots=True)
class Times(Expr):
    """How often the current position stands in history `history`."""

    history: int


@dataclass(frozen=True, slots=True)
class Present(Expr):
    """The seat; a Fault (code "absent") if its number is `players` or more: nobody plays it."""

    seat: Expr
    players: Expr
    site: int = -1


@dataclass(frozen=True, slots=True)
class Spend(Expr):
    """Always 1. Counts work as `Tick` does, where an expression could take very long."""

    ticks: int
    site: int = -1


# ------------------------------------------------------------------- streams


UNSTATED = 1 << 30  # or more numbers in a range: its bounds are those of numbers as such


class Source:
    """A lazy stream of values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RangeSource(Source):
    """lo..hi, both included; at most `most` numbers, as far as that is known."""

    lo: Expr
    hi: Expr
    most: int = UNSTATED
    site: int = -1


@dataclass(frozen=True, slots=True)
class ConstSource(Source):
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class RowSource(Source):
    """`rows[table][index]`; empty where the index is negative, a fault beyond the last row."""

    table: int
    index: Expr
    site: int = -1


@dataclass(frozen=True, slots=True)
class PiecesSource(Source):
    """The pieces in a place, in its order; empty where the place is none."""

    place: Expr
    site: int = -1


@dataclass(frozen=True, slots=True)
class DrawFrom(Source):
    """The pieces of which a draw takes one; none where the place is none.

    They are the first piece of a stack or row, all pieces of a bag, and of a deck its known top or,
    where there is none, its unordered middle.
    """

    place: Expr
    site: int = -1


@dataclass(frozen=True, slots=True)
class SetSource(Source):
    of: Expr
    lo: int


@dataclass(frozen=True, slots=True)
class ListSource(Source):
    of: Expr


@dataclass(frozen=True, slots=True)
class ItemsSource(Source):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ConcatSource(Source):
    parts: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class SelectSource(Source):
    when: Expr
    then: Source
    other: Source


@dataclass(frozen=True, slots=True)
class BindSource(Source):
    reg: int
    value: Expr
    body: Source


@dataclass(frozen=True, slots=True)
class SeatsSource(Source):
    """The seats in play; from `start` (or after it) once around when given."""

    start: Expr | None = None
    after: bool = False


@dataclass(frozen=True, slots=True)
class CombosSource(Source):
    """All k-element sublists of a list, in lexicographic order of positions."""

    of: Expr
    size: Expr


@dataclass(frozen=True, slots=True)
class Loop:
    """`for reg in source`; several registers unpack a tuple."""

    regs: tuple[int, ...]
    source: Source
    site: int = -1


@dataclass(frozen=True, slots=True)
class Filter:
    when: Expr


@dataclass(frozen=True, slots=True)
class Until:
    """Ends the innermost loop after the element for which it first holds."""

    when: Expr


@dataclass(frozen=True, slots=True)
class Stream(Source):
    """A comprehension: clauses nest from left to right, `head` is the element."""

    clauses: tuple[Loop | Filter | Until, ...]
    head: Expr


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function for one combination of argument types."""

    name: str
    params: tuple[int, ...]  # registers
    body: Expr
    type: Type
    param_types: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words for people with values between them: `words[0] values[0] words[1] …`.

    `seen`: where a value holds pieces, the set of seats that see what they are; None: all do.
    The words are no part of what a Program does (see `fingerprint`).
    """

    words: tuple[str, ...]
    values: tuple[Expr, ...] = ()
    types: tuple[Type, ...] = ()
    seen: tuple[Expr | None, ...] = ()
