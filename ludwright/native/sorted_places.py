"""Places whose pieces lie in the order of their numbers, without walking along their links.

Every piece knows its place. Where there are few enough pieces, one comparison of all of them tells
who lies in a place, as a set of bits: the piece before another one is then the next lower bit. A
walk would end in a branch that no processor foresees.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native.builder import F, V, Var

_WIDTHS = (8, 16, 32, 64)


class SortedPlaces:
    """Writes what bags and the unordered part of decks need."""

    def __init__(self, program: ir.Program) -> None:
        self.place = program.piece_place
        self.next = program.piece_next
        self.head = program.place_head
        self.pieces = program.world.piece_count
        fitting = [width for width in _WIDTHS if width >= self.pieces]
        self.width = fitting[0] if fitting else 0

    def known(self, cells: int) -> bool:
        """Whether all pieces can be compared at once; what lies behind them is compared as well."""
        return 0 < self.width <= cells - self.place

    def members(self, f: F, place: V) -> V:
        """The pieces in a place."""
        width = self.width
        vector = f"<{width} x i32>"
        at = f.gep(f.state, self.place, "i32")
        places = f.emit(f"load {vector}, ptr {at.text}, align 4", vector)
        wanted = f.emit(f"trunc i64 {place.text} to i32", "i32")
        one = f.emit(f"insertelement {vector} poison, i32 {wanted.text}, i64 0", vector)
        all_ = f.emit(
            f"shufflevector {vector} {one.text}, {vector} poison, <{width} x i32> zeroinitializer",
            vector,
        )
        same = f.emit(f"icmp eq {vector} {places.text}, {all_.text}", f"<{width} x i1>")
        bits = f.emit(f"bitcast <{width} x i1> {same.text} to i{width}", f"i{width}")
        if width < 64:
            bits = f.emit(f"zext i{width} {bits.text} to i64")
        return bits & ((1 << self.pieces) - 1) if self.pieces < width else bits

    def link(self, f: F, place: V, members: V, piece: V) -> V:
        """The cell that leads to a piece, or would if it lay there."""
        lower = members & ((f.value(1) << piece) - 1)
        before = f.value(63) - f.emit(f"call i64 @llvm.ctlz.i64(i64 {lower.text}, i1 false)")
        return f.select(lower.eq(0), place + self.head, before + self.next)

    def nth(self, f: F, members: V, position: V) -> V:
        """The piece at a position that is taken."""
        left, bits = Var(f, init=position), Var(f, init=members)
        with f.loop() as (_, out):
            f.leave_if(left.get() <= 0, out)
            bits.set(bits.get() & (bits.get() - 1))
            left.add(-1)
        return f.cttz(bits.get())
