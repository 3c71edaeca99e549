"""Addresses in code under construction.

A plain number is a cell of the state. A `Symbol` stands for a number that is not known yet:
`linking` puts the real one in its place. Its type says what it is. Its value only tells it from
other addresses, so that both can be keys of one table and ends of one range of cells.
"""

from __future__ import annotations

_REGISTERS = 1 << 40  # no state has as many cells
_LOCALS = 1 << 41
_LABELS = 1 << 42
_OFFSET_BITS = 16  # of the offset within a local of several cells

CELLS_END = _REGISTERS  # behind every cell of a state


class Symbol(int):
    """A number that `linking` replaces."""


class Register(Symbol):
    """Holds one value until the next decision."""

    @classmethod
    def numbered(cls, number: int) -> Register:
        return cls(_REGISTERS + number)


class LocalCell(Symbol):
    """A cell of a local: of the state if the local must outlive a decision, else a register."""

    @classmethod
    def numbered(cls, number: int) -> LocalCell:
        """The first cell of a local."""
        return cls(_LOCALS + (number << _OFFSET_BITS))

    @property
    def first(self) -> LocalCell:
        """The first cell of the local that this cell belongs to."""
        return LocalCell(self >> _OFFSET_BITS << _OFFSET_BITS)


class Label(Symbol):
    """A place in the code, before instructions have numbers."""

    @classmethod
    def numbered(cls, number: int) -> Label:
        return cls(_LABELS + number)


def is_local(addr: int) -> bool:
    """Whether this is a register or a local, not a cell of the state."""
    return isinstance(addr, Register | LocalCell)


def first_of(addr: int) -> int:
    """The address of the first cell of the local that an address lies in; registers have one."""
    return addr.first if isinstance(addr, LocalCell) else addr
