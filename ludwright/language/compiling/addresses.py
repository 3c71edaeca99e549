"""Addresses in code under construction.

An address below `REGISTER` is a cell of the state. All others are symbolic: registers, locals in
the frames of procedures, and labels, which are told apart by their size. `linking` puts real
numbers in their place.
"""

from __future__ import annotations

REGISTER = 1 << 40
FRAME = 1 << 41
LABEL = 1 << 42
FRAME_BITS = 16  # of the offset within a local of several cells


def is_local(addr: int) -> bool:
    """Whether this is a register or a local, not a cell of the state."""
    return addr >= REGISTER


def in_frame(addr: int) -> bool:
    """Whether this is a local that may live in the frame of a procedure."""
    return addr >= FRAME


def frame_slot(number: int) -> int:
    """The address of the first cell of a local, by its number."""
    return FRAME + (number << FRAME_BITS)


def first_of(addr: int) -> int:
    """The address of the first cell of the local that an address lies in; registers have one."""
    return addr >> FRAME_BITS << FRAME_BITS if in_frame(addr) else addr
