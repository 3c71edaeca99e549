"""`move all of …`: a whole list of pieces changes its place in one pass.

Taken one by one, each piece would be looked for in the list it leaves, and a bag or row would be
walked for each piece that comes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.kernel import program as ir
from ludwright.native.builder import F, V, Var
from ludwright.native.module import Module
from ludwright.native.pieces import PieceCode

_NAME = "move_all"


@dataclass(frozen=True, slots=True)
class WholeMove:
    """The loop of a `move all of …`, from its first instruction to where it goes on."""

    listed: int  # register of the pieces
    index: int  # and of the position in them
    item: int
    place: ir.Expr
    out: int


def whole_move(program: ir.Program, pc: int) -> WholeMove | None:
    """The loop that begins here, if it moves pieces and does nothing else."""
    if any(place.see == "top" for place in program.world.places):
        return None  # the first piece that leaves may bring another to light
    match program.code[pc : pc + 6]:
        case (
            ir.Branch(
                when=ir.Compare(
                    op="<", left=ir.Load(addr=index), right=ir.Length(of=ir.Load(addr=listed))
                ),
                target=out,
                barrier=False,
            ),
            ir.Store(addr=item, index=None, variable=-1) as taken,
            ir.MovePiece(piece=ir.Load(addr=moved), where="default", barrier=False) as move,
            ir.Store(addr=stepped, index=None, variable=-1) as step,
            ir.Tick(ticks=1),
            ir.Jump(target=again),
        ) if again == pc and moved == item and stepped == index:
            pass
        case _:
            return None
    plain = (
        taken.value == ir.ListItem(ir.Load(listed), ir.Load(index), _site(taken.value))
        and isinstance(step.value, ir.Arith)
        and (step.value.op, step.value.left, step.value.right) == ("+", ir.Load(index), ir.Const(1))
    )
    match move.place:
        case ir.Const():
            steady = True
        case ir.Load(addr=addr):
            steady = addr >= program.cells and addr not in (item, index)
        case _:
            steady = False
    # In cells they could be seen by others.
    inside = min(listed, index, item) >= program.cells
    return WholeMove(listed, index, item, move.place, out) if plain and steady and inside else None


def _site(node: ir.Expr) -> int:
    return node.site if isinstance(node, ir.ListItem) else -1


class Moving:
    """Writes the helper that moves a list of pieces to the default end of a place."""

    def __init__(self, module: Module, pieces: PieceCode) -> None:
        self.module = module
        self.pieces = pieces

    def move_all(self, f: F, listed: V, place: V) -> V:
        """Whether it was done. If not, nothing has changed: they are to be moved one by one."""
        self.module.once(_NAME, self._move_all)
        return f.call("i1", _NAME, f.state, f.context, listed, place)

    def _move_all(self) -> F:
        f = self.module.helper(_NAME, "i1", (("ptr", "listed"), ("i64", "place")))
        world = self.module.program.world
        listed, place = f.gep(f.param("listed"), 1), f.param("place")
        length = f.load(f.param("listed"))
        no = f.label()
        f.leave_unless(place.below(len(world.places)), no)
        moved = _bits(f, world.piece_count)
        left = _bits(f, len(world.places))
        with f.count(0, length) as at:
            piece = f.load(listed, at)
            f.leave_unless(piece.below(world.piece_count), no)
            f.leave_if(_has(f, moved, piece), no)  # a piece twice moves twice
            _add(f, moved, piece, f.value(1))
            origin = f.cell(piece + self.pieces.place)
            _add(f, left, f.smax(origin, 0), (origin >= 0).i64())
        words = (len(world.places) + 63) // 64
        with f.count(0, words) as word:
            places = Var(f, init=f.load(left, word))
            with f.loop() as (_, out):
                now = places.get()
                f.leave_if(now.eq(0), out)
                places.set(now & (now - 1))
                self._thin_out(f, f.cttz(now) + word * 64, moved)
        self._fill(f, place, listed, length)
        f.ret(1)
        f.place(no)
        f.ret(0)
        return f

    def _thin_out(self, f: F, place: V, moved: V) -> None:
        """Take the moved pieces out of a place."""
        pieces = self.pieces
        link = Var(f, init=place + pieces.head)  # the cell that leads to the next piece that stays
        piece, kept = Var(f, init=f.cell(link.get())), Var(f, init=0)
        above, below = Var(f, init=0), Var(f, init=0)  # of the known ends of a deck
        position, low = Var(f, init=0), Var(f, init=0)
        ends = pieces.known_ends(f, place) if pieces.has_decks else None
        if ends is not None:
            with f.if_(ends[0].ne(0)):
                above.set(f.cell(ends[0]))
                below.set(f.cell(ends[1]))
                low.set(f.cell(place + pieces.count) - below.get())
        least, high = low.get(), above.get()
        with f.loop() as (_, out):
            now = piece.get()
            f.leave_if(now < 0, out)
            goes = _has(f, moved, now)
            following = f.cell(now + pieces.next)
            # No branch: a piece that goes leaves its link to be written again.
            f.set_cell(link.get(), now)
            link.set(f.select(goes, link.get(), now + pieces.next))
            kept.add(goes.not_().i64())
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

    def _fill(self, f: F, place: V, listed: V, length: V) -> None:
        """Put pieces that lie nowhere into a place."""
        pieces = self.pieces
        ways = {"deck": 0, "stack": 0, "row": 1, "bag": 2}
        orders = [ways.get(order, 1) for order in pieces.orders]
        table = V(f, self.module.table(orders), "ptr")
        stack, row, bag, done = (f.label() for _ in range(4))
        before = Var(f, init=-1)  # the piece after which the next one comes, in a bag
        order = f.load(table, place, "i32")

        def arrive(piece: V) -> None:
            f.set_cell(piece + pieces.place, place)
            if pieces.revealed >= 0:
                f.set_cell(piece + pieces.revealed, 0)

        f.switch(order, [(1, row), (2, bag)], stack)
        f.place(stack)
        head = Var(f, init=f.cell(place + pieces.head))
        with f.count(0, length) as at:
            piece = f.load(listed, at)
            f.set_cell(piece + pieces.next, head.get())
            head.set(piece)
            arrive(piece)
        f.set_cell(place + pieces.head, head.get())
        if pieces.has_decks:
            top, _ = pieces.known_ends(f, place)
            with f.if_(top.ne(0)):
                f.set_cell(top, f.cell(top) + length)
        f.br(done)
        f.place(row)
        link = Var(f, init=place + pieces.head)
        with f.loop() as (_, out):
            last = f.cell(link.get())
            f.leave_if(last < 0, out)
            link.set(last + pieces.next)
        with f.count(0, length) as at:
            piece = f.load(listed, at)
            f.set_cell(link.get(), piece)
            link.set(piece + pieces.next)
            arrive(piece)
        f.set_cell(link.get(), -1)
        f.br(done)
        f.place(bag)
        with f.count(0, length) as at:
            piece = f.load(listed, at)
            # Lists are ascending as a rule; another order begins again in front.
            before.set(f.select(before.get() < piece, before.get(), -1))
            first = before.get() < 0
            link.set(f.select(first, place + pieces.head, before.get() + pieces.next))
            with f.loop() as (_, out):
                following = f.cell(link.get())
                f.leave_if((following < 0) | (following > piece), out)
                link.set(following + pieces.next)
            f.set_cell(piece + pieces.next, f.cell(link.get()))
            f.set_cell(link.get(), piece)
            before.set(piece)
            arrive(piece)
        f.place(done)
        f.set_cell(place + pieces.count, f.cell(place + pieces.count) + length)


def _bits(f: F, size: int) -> V:
    """An empty set."""
    words = max(1, (size + 63) // 64)
    found = V(f, f.alloca(f"[{words} x i64]"), "ptr")
    f.zero(found, 8 * words)
    return found


def _has(f: F, bits: V, at: V) -> V:
    return ((f.load(bits, at >> 6) >> (at & 63)) & 1).ne(0)


def _add(f: F, bits: V, at: V, bit: V) -> None:
    word = at >> 6
    f.store(bits, word, f.load(bits, word) | (bit << (at & 63)))
