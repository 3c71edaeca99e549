"""Places whose pieces lie in the order of their numbers, without walking along their links.

Every piece knows its place. Where there are few enough pieces, one vector comparison of all of them
gives the pieces of a place as a set of bits: the piece before another one is then the next lower
bit. A walk would end in a branch that no processor can predict.

This relies on bags, and decks of which no order is known, being linked in ascending order: a state
from outside is checked for that. It also reads as many cells as the vector has elements, which must
all belong to the state.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.codegen.llvm.builder import Function, Operand

_WIDTHS = (8, 16, 32, 64)


class SortedPlaces:
    """Writes what bags and the unordered part of decks need."""

    def __init__(self, program: ir.Program) -> None:
        self.place = program.piece_place
        self.next = program.piece_next
        self.head = program.place_head
        self.pieces = program.world.piece_count
        self._width = next((width for width in _WIDTHS if width >= self.pieces), 0)
        # What lies behind the places of the pieces is compared as well.
        self.fits = 0 < self._width <= program.cells - self.place

    def members(self, place: Operand) -> Operand:
        """The pieces in a place."""
        f, width = place.f, self._width
        vector = f"<{width} x i32>"
        at = f.gep(f.state, self.place, "i32")
        places = f.emit(f"load {vector}, ptr {at.text}, align 4", vector)
        wanted = f.emit(f"trunc i64 {place.text} to i32", "i32")
        one = f.emit(f"insertelement {vector} poison, i32 {wanted.text}, i64 0", vector)
        all_ = f.emit(
            f"shufflevector {vector} {one.text}, {vector} poison, {vector} zeroinitializer", vector
        )
        same = f.emit(f"icmp eq {vector} {places.text}, {all_.text}", f"<{width} x i1>")
        bits = f.emit(f"bitcast <{width} x i1> {same.text} to i{width}", f"i{width}")
        if width < 64:
            bits = f.emit(f"zext i{width} {bits.text} to i64")
        return bits & ((1 << self.pieces) - 1) if self.pieces < width else bits

    def link(self, place: Operand, members: Operand, piece: Operand) -> Operand:
        """The cell that leads to a piece, or would if it lay there."""
        f = place.f
        lower = members & ((f.value(1) << piece) - 1)
        before = f.value(63) - f.ctlz(lower)
        return f.select(lower.eq(0), place + self.head, before + self.next)

    def nth(self, f: Function, members: Operand, position: Operand) -> Operand:
        """The piece at a position that is taken."""
        return f.call("i64", "nth_bit", members, position)
