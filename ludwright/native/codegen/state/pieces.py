"""Pieces in places, natively: the same linked lists as `kernel.interpreter.pieces`."""

from __future__ import annotations

from collections.abc import Callable

from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.cases import match
from ludwright.native.codegen.llvm.module import INLINED, Module
from ludwright.native.codegen.state.bitset_places import SortedPlaces

_SMALL_BAG = 2  # looking at so few pieces one by one is quicker
_SMALL_DECK = 6  # the same in a deck, where the piece that ends the walk is drawn
_ORDERS = ("bag", "deck", "stack", "row")
_ALL, _OWNER, _TOP, _NOBODY = range(4)  # who sees the pieces of a place
_SEES = {"all": _ALL, "owner": _OWNER, "top": _TOP}


class PieceCode:
    """Writes the helpers that move pieces, each when it is first called."""

    def __init__(self, module: Module) -> None:
        self.module = module
        program = module.program
        self.place = program.piece_place
        self.next = program.piece_next
        self.head = program.place_head
        self.count = program.place_count
        self.revealed = program.revealed
        self.orders = [place.order for place in program.world.places]
        self.tops = [place.see == "top" for place in program.world.places]
        self._deck_tops = [program.deck_top.get(at, 0) for at in range(len(self.orders))]
        self._deck_bottoms = [program.deck_bottom.get(at, 0) for at in range(len(self.orders))]
        self.has_decks = any(self._deck_tops)
        self.classes = PieceClasses(program)
        sorted_places = SortedPlaces(program)
        many = program.world.piece_count > _SMALL_DECK and module.uses("bitset_places")
        self._sorted = sorted_places if many and sorted_places.fits else None

    def known_ends(self, place: Operand) -> tuple[Operand, Operand]:
        """The cells that count the known pieces on top of a deck and at its bottom; 0 for other
        places."""
        f = place.f
        top, bottom = (
            f.load(self.module.table(f, cells), place, "i32")
            for cells in (self._deck_tops, self._deck_bottoms)
        )
        return top, bottom

    # -------------------------------------------------------------- taking

    def take(self, f: Function, piece: Operand) -> None:
        """Take a piece out of its place."""
        f.call("void", self.module.once("take", self._take), f.state, f.context, piece)

    def _take(self) -> None:
        with self.module.helper("take", "void", "i64 piece") as f:
            f.attributes = INLINED
            piece = f.param("piece")
            place = f.cell(piece + self.place)
            with f.if_(place >= 0):
                with f.block() as unlinked:
                    self._unlink(f, piece, place, unlinked)
                f.set_cell(place + self.count, f.cell(place + self.count) - 1)
                f.set_cell(piece + self.next, -1)
                f.set_cell(piece + self.place, -1)
            f.ret()

    def _unlink(self, f: Function, piece: Operand, place: Operand, unlinked: Label) -> None:
        following = f.cell(piece + self.next)
        at, position = Var(f, init=f.cell(place + self.head)), Var(f, init=0)
        if self.has_decks and self.module.uses("drawn_link"):
            self._unlink_drawn(f, piece, place, following, unlinked)
        if self._sorted is not None:
            self._unlink_sorted(self._sorted, piece, place, following, unlinked)
        with f.if_(at.get().eq(piece)):
            f.set_cell(place + self.head, following)
        with f.else_():
            position.set(1)
            with f.loop() as found:
                after = f.cell(at.get() + self.next)
                f.leave_if(after.eq(piece) | (after < 0), found)
                at.set(after)
                position.add(1)
            f.set_cell(at.get() + self.next, following)
        if self.has_decks:
            self._forget_end(f, place, position)

    def _unlink_drawn(
        self, f: Function, piece: Operand, place: Operand, following: Operand, unlinked: Label
    ) -> None:
        """A piece just drawn from a deck of which no order is known need not be looked for again.

        `nth` has noted the cell that leads to it; it is used only if it still does.
        """
        link = f.ctx[layout.LINK] - 1
        top, bottom = self.known_ends(place)
        with f.if_((link >= 0) & top.ne(0)):
            unordered = (f.cell(top) | f.cell(bottom)).eq(0)
            with f.if_(unordered & f.cell(link).eq(piece)):
                f.set_cell(link, following)
                f.br(unlinked)

    def _unlink_sorted(
        self, places: SortedPlaces, piece: Operand, place: Operand, following: Operand,
        unlinked: Label,
    ) -> None:  # fmt: skip
        """Out of a bag."""
        f = piece.f
        with f.block() as search:
            f.leave_if(f.cell(place + self.count) <= _SMALL_BAG, search)
            if any(order != "bag" for order in self.orders):
                bags = self.module.table(f, [int(order == "bag") for order in self.orders])
                f.leave_if(f.load(bags, place, "i32").eq(0), search)
            f.set_cell(places.link(place, places.members(place), piece), following)
            f.br(unlinked)

    def _forget_end(self, f: Function, place: Operand, position: Var) -> None:
        """A piece that was known at one end of a deck has left it."""
        top, bottom = self.known_ends(place)
        with f.if_(top.ne(0)):
            with f.if_(position.get() < f.cell(top)):
                f.set_cell(top, f.cell(top) - 1)
            with f.else_():
                size = f.cell(place + self.count)
                with f.if_(position.get() >= size - f.cell(bottom)):
                    f.set_cell(bottom, f.cell(bottom) - 1)

    # ------------------------------------------------------------- putting

    def put(self, f: Function, piece: Operand, place: Operand, where: str, at: Operand) -> None:
        """Put a piece that lies nowhere into a place."""
        name = self.module.once(f"put_{where}", lambda: self._put(where))
        f.call("void", name, f.state, f.context, piece, place, at)

    def _put(self, where: str) -> None:
        params = ("i64 piece", "i64 place", "i64 at")
        with self.module.helper(f"put_{where}", "void", *params) as f:
            f.attributes = INLINED
            piece, place = f.params("piece", "place")
            ways: dict[str, Callable[[], None]] = {
                "bag": lambda: self._into_bag(f, piece, place),
                "deck": lambda: self._into_deck(f, piece, place, where),
                "stack": lambda: self._into_order(f, piece, place, where, True),
                "row": lambda: self._into_order(f, piece, place, where, False),
            }
            orders = [_ORDERS.index(o) if o in _ORDERS else 3 for o in self.orders]
            first, *others = sorted(set(orders))
            with f.if_(place >= 0):
                order = f.load(self.module.table(f, orders), place, "i32") if others else None
                with match(f, f.value(first) if order is None else order) as cases:
                    with cases.default():
                        ways[_ORDERS[first]]()
                    for other in others:
                        with cases.case(other):
                            ways[_ORDERS[other]]()
            f.ret()

    def _into_bag(self, f: Function, piece: Operand, place: Operand) -> None:
        """Linked by number."""
        if self._sorted is not None:
            with f.if_(f.cell(place + self.count) > _SMALL_BAG):
                link = self._sorted.link(place, self._sorted.members(place), piece)
                self._link(f, piece, place, link, f.cell(link))
                f.ret()
        self._link_sorted(f, piece, place, f.value(0), None)

    def _link_sorted(
        self, f: Function, piece: Operand, place: Operand, start: Operand, end: Operand | None
    ) -> None:
        """By number, between two positions."""
        before, at = Var(f, init=-1), Var(f, init=f.cell(place + self.head))
        position = Var(f, init=0)

        def step() -> None:
            before.set(at.get())
            at.set(f.cell(at.get() + self.next))
            position.add(1)

        if start.constant != 0:
            with f.while_(lambda: (position.get() < start) & (at.get() >= 0)):
                step()

        def follows() -> Operand:
            lower = (at.get() >= 0) & (at.get() < piece)
            return lower if end is None else lower & (position.get() < end)

        with f.while_(follows):
            step()
        self._link_after(f, piece, place, before.get(), at.get())

    def _link_after(
        self, f: Function, piece: Operand, place: Operand, before: Operand, after: Operand
    ) -> None:
        link = f.select(before < 0, place + self.head, before + self.next)
        self._link(f, piece, place, link, after)

    def _link(
        self, f: Function, piece: Operand, place: Operand, link: Operand, after: Operand
    ) -> None:
        """`link`: the cell that leads to the piece from now on."""
        f.set_cell(piece + self.next, after)
        f.set_cell(link, piece)
        f.set_cell(place + self.count, f.cell(place + self.count) + 1)
        f.set_cell(piece + self.place, place)

    def _insert(self, f: Function, piece: Operand, place: Operand, position: Operand) -> None:
        before, at = Var(f, init=-1), Var(f, init=f.cell(place + self.head))
        with f.for_range(0, position), f.if_(at.get() >= 0):
            before.set(at.get())
            at.set(f.cell(at.get() + self.next))
        self._link_after(f, piece, place, before.get(), at.get())

    def _into_order(
        self, f: Function, piece: Operand, place: Operand, where: str, stack: bool
    ) -> None:
        size = f.cell(place + self.count)
        if where == "top" or (where == "default" and stack):
            position = f.value(0)
        elif where == "at":
            position = f.smax(f.smin(f.param("at"), size), 0)
        else:
            position = size
        self._insert(f, piece, place, position)

    def _into_deck(self, f: Function, piece: Operand, place: Operand, where: str) -> None:
        top, bottom = self.known_ends(place)
        size = f.cell(place + self.count)

        def known(cell: Operand, position: Operand) -> None:
            f.set_cell(cell, f.cell(cell) + 1)
            self._insert(f, piece, place, position)

        def unknown() -> None:
            self._link_sorted(f, piece, place, f.cell(top), size - f.cell(bottom))

        if where in ("default", "top"):
            known(top, f.value(0))
        elif where == "bottom":
            known(bottom, size)
        elif where != "at":
            unknown()
        else:
            at = f.param("at")
            with f.if_(at <= f.cell(top)):
                known(top, f.smax(at, 0))
            with f.else_():
                with f.if_(at >= size - f.cell(bottom)):
                    known(bottom, f.smin(at, size))
                with f.else_():
                    unknown()

    # ------------------------------------------------------ whole places

    def nth(self, f: Function, place: Operand, position: Operand) -> Operand:
        """The piece at a position from the top, -1 past the end; notes what leads to it."""
        return f.call(
            "i64", self.module.once("nth", self._nth), f.state, f.context, place, position
        )

    def _nth(self) -> None:
        with self.module.helper("nth", "i64", "i64 place", "i64 position") as f:
            place, position = f.params("place", "position")
            if self._sorted is not None and self.has_decks:
                self._nth_sorted(f, self._sorted, place, position)
            link = Var(f, init=place + self.head)
            piece = Var(f, init=f.cell(link.get()))
            left = Var(f, init=position)
            with f.while_(lambda: (left.get() > 0) & (piece.get() >= 0)):
                link.set(piece.get() + self.next)
                piece.set(f.cell(link.get()))
                left.add(-1)
            f.ctx[layout.LINK] = link.get() + 1
            f.ret(piece.get())

    def _nth_sorted(
        self, f: Function, places: SortedPlaces, place: Operand, position: Operand
    ) -> None:
        """In a deck of which no order is known."""
        top, bottom = self.known_ends(place)
        with f.block() as search:
            f.leave_if(top.eq(0), search)
            f.leave_unless((f.cell(top) | f.cell(bottom)).eq(0), search)
            size = f.cell(place + self.count)
            f.leave_unless((size > _SMALL_DECK) & position.below(size), search)
            members = places.members(place)
            piece = places.nth(f, members, position)
            f.ctx[layout.LINK] = places.link(place, members, piece) + 1
            f.ret(piece)

    def swap(self, f: Function, place: Operand, first: Operand, second: Operand) -> None:
        """Exchange the pieces at two positions of a place."""
        name = self.module.once("swap", self._swap)
        f.call("void", name, f.state, f.context, place, first, second)

    def _swap(self) -> None:
        with self.module.helper("swap", "void", "i64 place", "i64 one", "i64 two") as f:
            place, one, two = f.params("place", "one", "two")
            pieces = self._listed(f, place)
            held = f.load(pieces, one)
            f.store(pieces, one, f.load(pieces, two))
            f.store(pieces, two, held)
            self._relink(f, place, pieces)
            f.ret()

    def mix(self, f: Function, place: Operand) -> None:
        """Link the pieces of a place by number, whatever order they were in."""
        f.call("void", self.module.once("mix_deck", self._mix), f.state, f.context, place)

    def _mix(self) -> None:
        with self.module.helper("mix_deck", "void", "i64 place") as f:
            place = f.param("place")
            link = Var(f, init=place + self.head)  # the cell that leads to the next piece
            every = f.for_range(0, self.module.program.world.piece_count)
            with every as piece, f.if_(f.cell(piece + self.place).eq(place)):
                f.set_cell(link.get(), piece)
                link.set(piece + self.next)
            f.set_cell(link.get(), -1)
            if self.has_decks:
                top, bottom = self.known_ends(place)
                with f.if_(top.ne(0)):
                    f.set_cell(top, 0)
                    f.set_cell(bottom, 0)
            f.ret()

    def _listed(self, f: Function, place: Operand) -> Operand:
        total = max(1, self.module.program.world.piece_count)
        pieces = f.array(total)
        piece, number = Var(f, init=f.cell(place + self.head)), Var(f, init=0)
        with f.while_(lambda: (piece.get() >= 0) & (number.get() < total)):
            f.store(pieces, number.get(), piece.get())
            number.add(1)
            piece.set(f.cell(piece.get() + self.next))
        return pieces

    def _relink(self, f: Function, place: Operand, pieces: Operand) -> None:
        before = Var(f, init=-1)
        with f.for_range(0, f.cell(place + self.count)) as at:
            piece = f.load(pieces, at)
            link = f.select(before.get() < 0, place + self.head, before.get() + self.next)
            f.set_cell(link, piece)
            before.set(piece)
        with f.if_(before.get() >= 0):
            f.set_cell(before.get() + self.next, -1)

    # -------------------------------------------------------------- viewers

    def viewers(self, f: Function, piece: Operand) -> Operand:
        """The set of seats that see what a piece is."""
        return f.call("i64", self.module.once("viewers", self._viewers), f.state, f.context, piece)

    def _viewers(self) -> None:
        with self.module.helper("viewers", "i64", "i64 piece") as f:
            world = self.module.program.world
            piece, everyone = f.param("piece"), (1 << len(world.seats)) - 1
            shown = f.cell(piece + self.revealed) if self.revealed >= 0 else f.value(0)
            place = f.cell(piece + self.place)
            with f.if_(place < 0):
                f.ret(everyone)
            sees = self.module.table(f, [_SEES.get(each.see, _NOBODY) for each in world.places])
            owners = self.module.table(f, [each.owner for each in world.places])
            see, owner = f.load(sees, place, "i32"), f.load(owners, place, "i32")
            on_top = see.eq(_TOP) & f.cell(place + self.head).eq(piece)
            with f.if_(see.eq(_ALL) | on_top):
                f.ret(everyone)
            with f.if_(see.eq(_OWNER) & (owner >= 0)):
                f.ret(shown | (f.value(1) << owner))
            f.ret(shown)

    def beneath(self, f: Function, place: Operand) -> Operand:
        """The piece that comes to light when the top one leaves; -1 if none does."""
        shows = self.module.table(f, [int(shows) for shows in self.tops])
        found = Var(f, init=-1)
        with f.if_(place >= 0), f.if_(f.load(shows, place, "i32").ne(0)):
            top = f.cell(place + self.head)
            with f.if_(top >= 0):
                found.set(f.cell(top + self.next))
        return found.get()

    # ------------------------------------------------------------- classes

    def alike(self, f: Function, one: Operand, two: Operand) -> Operand:
        """Whether no rule can tell two pieces apart."""
        return f.call("i1", self.module.once("alike", self._alike), f.state, f.context, one, two)

    def _alike(self) -> None:
        with self.module.helper("alike", "i1", "i64 one", "i64 two") as f:
            one, two = f.params("one", "two")
            constants = [
                number if self.classes.alike[piece] else -1 - piece
                for piece, number in enumerate(self.classes.constants)
            ]
            table = self.module.table(f, constants)
            arrays = [self.place, *([self.revealed] if self.revealed >= 0 else [])]
            with f.if_(one.eq(two)):
                f.ret(1)
            with f.block() as differ:
                same = f.load(table, one, "i32").eq(f.load(table, two, "i32"))
                f.leave_unless(same, differ)
                for array in arrays:
                    f.leave_unless(f.cell(one + array).eq(f.cell(two + array)), differ)
                for each in self.classes.properties:
                    # both are of one kind: where it does not have the property, any cell will do
                    cells = [
                        f.cell(f.smax(f.smin(piece - each.first, each.count - 1), 0) + each.addr)
                        for piece in (one, two)
                    ]
                    f.leave_unless(cells[0].eq(cells[1]), differ)
                f.ret(1)
            f.ret(0)

    def lowest(self, f: Function, count: Operand) -> Operand:
        """Of the answers in the buffer, one piece per class, in the order of first appearance."""
        return f.call("i64", self.module.once("lowest", self._lowest), f.state, f.context, count)

    def _lowest(self) -> None:
        with self.module.helper("lowest", "i64", "i64 count") as f:
            buffer = f.ctx[layout.ANSWERS]
            kept = Var(f, init=0)
            with f.for_range(0, f.param("count")) as at, f.block() as known:
                piece = f.load(buffer, at)
                with f.for_range(0, kept.get()) as index:
                    other = f.load(buffer, index)
                    with f.if_(self.alike(f, piece, other)):
                        f.store(buffer, index, f.smin(piece, other))
                        f.br(known)
                f.store(buffer, kept.get(), piece)
                kept.add(1)
            f.ret(kept.get())
