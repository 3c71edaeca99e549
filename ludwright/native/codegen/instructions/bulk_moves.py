"""The function that moves a whole list of pieces in one pass.

Taken one by one, each piece would be looked for in the list it leaves, and a bag or row would be
walked for each piece that comes. In one pass, every place that pieces leave is relinked once.

This relies on no place that shows only its top piece. `piece_moves` moves the pieces one by one
where each move is to be noted as an event, the ticks may run out, or a piece is listed twice.
"""

from __future__ import annotations

from ludwright.native.codegen.expressions.sources import members
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.cases import match
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.pieces import PieceCode
from ludwright.native.codegen.state.values import add_bit, bit_of

_NAME = "move_all"
_STACK, _ROW, _BAG = range(3)
_ORDERS = {"deck": _STACK, "stack": _STACK, "row": _ROW, "bag": _BAG}


class BulkMoves:
    """Writes the function that moves a list of pieces to the default end of a place."""

    def __init__(self, module: Module, pieces: PieceCode) -> None:
        self.module = module
        self.pieces = pieces

    def move_all(self, f: Function, listed: Operand, place: Operand) -> Operand:
        """Whether it was done. If not, nothing has changed: they are to be moved one by one."""
        self.module.once(_NAME, self._move_all)
        return f.call("i1", _NAME, f.state, f.context, listed, place)

    def _move_all(self) -> None:
        with self.module.helper(_NAME, "i1", "ptr listed", "i64 place") as f:
            world = self.module.program.world
            listed, place = f.gep(f.param("listed"), 1), f.param("place")
            length = f.load(f.param("listed"))
            with f.block() as refused:
                f.leave_unless(place.below(len(world.places)), refused)
                moved, left = _bits(f, world.piece_count), _bits(f, len(world.places))
                with f.for_range(0, length) as at:
                    piece = f.load(listed, at)
                    f.leave_unless(piece.below(world.piece_count), refused)
                    f.leave_if(bit_of(moved, piece), refused)  # a piece twice moves twice
                    add_bit(moved, piece)
                    origin = f.cell(piece + self.pieces.place)
                    add_bit(left, f.smax(origin, 0), (origin >= 0).i64())
                with f.for_range(0, (len(world.places) + 63) // 64) as word:
                    places = f.load(left, word)
                    members(places, word * 64, lambda origin: self._thin_out(f, origin, moved))
                self._fill(f, place, listed, length)
                f.ret(1)
            f.ret(0)

    def _thin_out(self, f: Function, place: Operand, moved: Operand) -> None:
        """Take the moved pieces out of a place."""
        pieces = self.pieces
        link = Var(f, init=place + pieces.head)  # the cell that leads to the next piece that stays
        piece, kept = Var(f, init=f.cell(link.get())), Var(f, init=0)
        above, below = Var(f, init=0), Var(f, init=0)  # of the known ends of a deck
        position, low = Var(f, init=0), Var(f, init=0)
        ends = pieces.known_ends(place) if pieces.has_decks else None
        if ends is not None:
            with f.if_(ends[0].ne(0)):
                above.set(f.cell(ends[0]))
                below.set(f.cell(ends[1]))
                low.set(f.cell(place + pieces.count) - below.get())
        least, high = low.get(), above.get()
        with f.while_(lambda: piece.get() >= 0):
            now = piece.get()
            goes = bit_of(moved, now)
            following = f.cell(now + pieces.next)
            # No branch: a piece that goes leaves its link to be written again.
            f.set_cell(link.get(), now)
            link.set(f.select(goes, link.get(), now + pieces.next))
            kept.add((~goes).i64())
            if ends is not None:
                at = position.get()
                above.add(f.value(0) - (goes & (at < high)).i64())
                below.add(f.value(0) - (goes & (at >= f.smax(least, high))).i64())
                position.add(1)
            piece.set(following)
        f.set_cell(link.get(), -1)
        f.set_cell(place + pieces.count, kept.get())
        if ends is not None:
            with f.if_(ends[0].ne(0)):
                f.set_cell(ends[0], above.get())
                f.set_cell(ends[1], below.get())

    def _fill(self, f: Function, place: Operand, listed: Operand, length: Operand) -> None:
        """Put pieces that lie nowhere into a place."""
        pieces = self.pieces
        orders = self.module.table(f, [_ORDERS.get(order, _ROW) for order in pieces.orders])
        with match(f, f.load(orders, place, "i32")) as cases:
            with cases.case(_STACK):
                self._fill_stack(f, place, listed, length)
            with cases.case(_ROW):
                self._fill_row(f, place, listed, length)
            with cases.case(_BAG):
                self._fill_bag(f, place, listed, length)
        f.set_cell(place + pieces.count, f.cell(place + pieces.count) + length)

    def _arrive(self, f: Function, piece: Operand, place: Operand) -> None:
        f.set_cell(piece + self.pieces.place, place)
        if self.pieces.revealed >= 0:
            f.set_cell(piece + self.pieces.revealed, 0)

    def _fill_stack(self, f: Function, place: Operand, listed: Operand, length: Operand) -> None:
        pieces = self.pieces
        head = Var(f, init=f.cell(place + pieces.head))
        with f.for_range(0, length) as at:
            piece = f.load(listed, at)
            f.set_cell(piece + pieces.next, head.get())
            head.set(piece)
            self._arrive(f, piece, place)
        f.set_cell(place + pieces.head, head.get())
        if pieces.has_decks:
            top, _ = pieces.known_ends(place)
            with f.if_(top.ne(0)):
                f.set_cell(top, f.cell(top) + length)

    def _fill_row(self, f: Function, place: Operand, listed: Operand, length: Operand) -> None:
        pieces = self.pieces
        link = Var(f, init=place + pieces.head)
        with f.while_(lambda: f.cell(link.get()) >= 0):
            link.set(f.cell(link.get()) + pieces.next)
        with f.for_range(0, length) as at:
            piece = f.load(listed, at)
            f.set_cell(link.get(), piece)
            link.set(piece + pieces.next)
            self._arrive(f, piece, place)
        f.set_cell(link.get(), -1)

    def _fill_bag(self, f: Function, place: Operand, listed: Operand, length: Operand) -> None:
        pieces = self.pieces
        before, link = Var(f, init=-1), Var(f)  # the piece after which the next one comes
        with f.for_range(0, length) as at:
            piece = f.load(listed, at)
            # Lists are ascending as a rule; another order begins again in front.
            before.set(f.select(before.get() < piece, before.get(), -1))
            first = before.get() < 0
            link.set(f.select(first, place + pieces.head, before.get() + pieces.next))
            with f.loop() as found:
                following = f.cell(link.get())
                f.leave_if((following < 0) | (following > piece), found)
                link.set(following + pieces.next)
            f.set_cell(piece + pieces.next, f.cell(link.get()))
            f.set_cell(link.get(), piece)
            before.set(piece)
            self._arrive(f, piece, place)


def _bits(f: Function, size: int) -> Operand:
    """An empty set."""
    words = max(1, (size + 63) // 64)
    found = f.array(words)
    f.zero(found, 8 * words)
    return found
