"""What can be known at an instruction, beside conditions in normal form."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.quick_records import dataclass


@dataclass(frozen=True, slots=True)
class Is:
    """The cell holds the value of an expression."""

    addr: int
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class LiesIn:
    """The piece, if it is one, lies in the place."""

    piece: ir.Expr
    place: ir.Expr


@dataclass(frozen=True, slots=True)
class LiesAmong:
    """The piece lies in one of these places: `c for s in map for c in s` has met it there."""

    piece: ir.Expr
    places: int  # bit of each place; see `value_sets`


@dataclass(frozen=True, slots=True)
class Shown:
    """All pieces in the place have been revealed to a set of seats."""

    place: ir.Expr
    seats: ir.Expr


Fact = ir.Expr | Is | LiesIn | LiesAmong | Shown
