"""Pieces in places, natively: the same linked lists as `kernel.pieces`."""

from __future__ import annotations

from collections.abc import Callable

from ludwright.kernel.pieces import PieceClasses
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import Module
from ludwright.native.sorted_places import SortedPlaces

FEW = 2  # pieces in a bag that are sooner looked at one by one
SHALLOW = 6  # the same in a deck, where the end of the walk is drawn
_PIECE = (("i64", "piece"),)


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
        self.top = [program.deck_top.get(at, 0) for at in range(len(self.orders))]
        self.bottom = [program.deck_bottom.get(at, 0) for at in range(len(self.orders))]
        self.classes = PieceClasses(program)
        ordered = SortedPlaces(program)
        many = program.world.piece_count > SHALLOW
        self.sorted = ordered if many and ordered.known(program.cells) else None

    @property
    def has_decks(self) -> bool:
        return any(self.top)

    def known_ends(self, f: F, place: V) -> tuple[V, V]:
        """The cells that count the known pieces on top of a deck and at its bottom; 0 for other
        places."""
        top, bottom = (V(f, self.module.table(cells), "ptr") for cells in (self.top, self.bottom))
        return f.load(top, place, "i32"), f.load(bottom, place, "i32")

    # -------------------------------------------------------------- taking

    def take(self, f: F, piece: V) -> None:
        f.call("void", self.module.once("take", self._take), f.state, f.context, piece)

    def _take(self) -> F:
        f = self.module.helper("take", "void", _PIECE)
        piece = f.param("piece")
        place = f.cell(piece + self.place)
        done = f.label()
        f.leave_if(place < 0, done)
        following = f.cell(piece + self.next)
        position = Var(f, init=0)
        at = Var(f, init=f.cell(place + self.head))
        first, inner, lifted, unlinked = f.label(), f.label(), f.label(), f.label()
        if self.has_decks:
            self._lift_drawn(f, piece, place, following, unlinked)
        if self.sorted is not None:
            self._lift_sorted(f, piece, place, following, unlinked)
        f.branch(at.get().eq(piece), first, inner)
        f.place(first)
        f.set_cell(place + self.head, following)
        f.br(lifted)
        f.place(inner)
        position.set(1)
        with f.loop() as (_, out):
            after = f.cell(at.get() + self.next)
            f.leave_if(after.eq(piece) | (after < 0), out)
            at.set(after)
            position.add(1)
        f.set_cell(at.get() + self.next, following)
        f.place(lifted)
        if self.has_decks:
            self._forget_end(f, place, position)
        f.place(unlinked)
        f.set_cell(place + self.count, f.cell(place + self.count) - 1)
        f.set_cell(piece + self.next, -1)
        f.set_cell(piece + self.place, -1)
        f.place(done)
        f.end("ret void")
        return f

    def _lift_drawn(self, f: F, piece: V, place: V, following: V, unlinked: str) -> None:
        """A card just drawn from a deck of which nothing is known need not be looked for again."""
        link = f.ctx(layout.LINK) - 1
        top, bottom = self.known_ends(f, place)
        drawn, search = f.label(), f.label()
        f.leave_if((link < 0) | top.eq(0), search)
        nothing = (f.cell(top) | f.cell(bottom)).eq(0)
        f.branch(nothing & f.cell(link).eq(piece), drawn, search)
        f.place(drawn)
        f.set_cell(link, following)
        f.br(unlinked)
        f.place(search)

    def _lift_sorted(self, f: F, piece: V, place: V, following: V, unlinked: str) -> None:
        """Out of a bag."""
        assert self.sorted is not None
        search = f.label()
        f.leave_if(f.cell(place + self.count) <= FEW, search)
        if any(order != "bag" for order in self.orders):
            bags = self.module.table([int(order == "bag") for order in self.orders])
            f.leave_if(f.load(V(f, bags, "ptr"), place, "i32").eq(0), search)
        members = self.sorted.members(f, place)
        f.set_cell(self.sorted.link(f, place, members, piece), following)
        f.br(unlinked)
        f.place(search)

    def _forget_end(self, f: F, place: V, position: Var) -> None:
        top, bottom = self.known_ends(f, place)
        plain = f.label()
        f.leave_if(top.eq(0), plain)
        above, below = f.label(), f.label()
        f.branch(position.get() < f.cell(top), above, below)
        f.place(above)
        f.set_cell(top, f.cell(top) - 1)
        f.br(plain)
        f.place(below)
        size = f.cell(place + self.count)
        f.leave_if(position.get() < size - f.cell(bottom), plain)
        f.set_cell(bottom, f.cell(bottom) - 1)
        f.place(plain)

    # ------------------------------------------------------------- putting

    def put(self, f: F, piece: V, place: V, where: str, at: V) -> None:
        name = f"put_{where}"
        self.module.once(name, lambda: self._put(name, where))
        f.call("void", name, f.state, f.context, piece, place, at)

    def _put(self, name: str, where: str) -> F:
        f = self.module.helper(name, "void", (*_PIECE, ("i64", "place"), ("i64", "at")))
        piece, place = f.param("piece"), f.param("place")
        done = f.label()
        f.leave_if(place < 0, done)
        ways: dict[str, Callable[[], None]] = {
            "bag": lambda: self._into_bag(f, piece, place),
            "deck": lambda: self._into_deck(f, piece, place, where),
            "stack": lambda: self._into_order(f, piece, place, where, True),
            "row": lambda: self._into_order(f, piece, place, where, False),
        }
        kinds = list(ways)
        used = sorted({kinds.index(o) if o in ways else 3 for o in self.orders})
        labels = [f.label() for _ in used]
        if len(used) > 1:
            table = self.module.table([kinds.index(o) if o in ways else 3 for o in self.orders])
            order = f.load(V(f, table, "ptr"), place, "i32")
            f.switch(order, list(zip(used[1:], labels[1:], strict=True)), labels[0])
        for kind, label in zip(used, labels, strict=True):
            if len(used) > 1:
                f.place(label)
            ways[kinds[kind]]()
            f.br(done)
        f.place(done)
        f.end("ret void")
        return f

    def _into_bag(self, f: F, piece: V, place: V) -> None:
        """Kept sorted by number."""
        if self.sorted is not None:
            with f.if_(f.cell(place + self.count) > FEW):
                link = self.sorted.link(f, place, self.sorted.members(f, place), piece)
                self._link(f, piece, place, link, f.cell(link))
                f.end("ret void")
                f.place(f.label())
        self._link_sorted(f, piece, place, f.value(0), None)

    def _link_sorted(self, f: F, piece: V, place: V, start: V, end: V | None) -> None:
        before, at = Var(f, init=-1), Var(f, init=f.cell(place + self.head))
        position = Var(f, init=0)

        def step() -> None:
            before.set(at.get())
            at.set(f.cell(at.get() + self.next))
            position.add(1)

        if start.constant != 0:
            with f.loop() as (_, out):
                f.leave_unless((position.get() < start) & (at.get() >= 0), out)
                step()
        with f.loop() as (_, out):
            now = at.get()
            inside = (now >= 0) & (now < piece)
            if end is not None:
                inside = inside & (position.get() < end)
            f.leave_unless(inside, out)
            step()
        self._link_after(f, piece, place, before.get(), at.get())

    def _link_after(self, f: F, piece: V, place: V, before: V, after: V) -> None:
        link = f.select(before < 0, place + self.head, before + self.next)
        self._link(f, piece, place, link, after)

    def _link(self, f: F, piece: V, place: V, link: V, after: V) -> None:
        """`link`: the cell that leads to the piece from now on."""
        f.set_cell(piece + self.next, after)
        f.set_cell(link, piece)
        f.set_cell(place + self.count, f.cell(place + self.count) + 1)
        f.set_cell(piece + self.place, place)

    def _insert(self, f: F, piece: V, place: V, position: V) -> None:
        before, at = Var(f, init=-1), Var(f, init=f.cell(place + self.head))
        with f.count(0, position), f.if_(at.get() >= 0):
            before.set(at.get())
            at.set(f.cell(at.get() + self.next))
        self._link_after(f, piece, place, before.get(), at.get())

    def _into_order(self, f: F, piece: V, place: V, where: str, stack: bool) -> None:
        size = f.cell(place + self.count)
        if where == "top" or (where == "default" and stack):
            position = f.value(0)
        elif where == "at":
            position = f.smax(f.smin(f.param("at"), size), 0)
        else:
            position = size
        self._insert(f, piece, place, position)

    def _into_deck(self, f: F, piece: V, place: V, where: str) -> None:
        top, bottom = self.known_ends(f, place)
        size = f.cell(place + self.count)
        done = f.label()

        def known(cell: V, position: V) -> None:
            f.set_cell(cell, f.cell(cell) + 1)
            self._insert(f, piece, place, position)

        if where in ("default", "top"):
            known(top, f.value(0))
        elif where == "bottom":
            known(bottom, size)
        else:
            if where == "at":
                at = f.param("at")
                above, below, low, inside = (f.label() for _ in range(4))
                f.branch(at <= f.cell(top), above, below)
                f.place(above)
                known(top, f.smax(at, 0))
                f.br(done)
                f.place(below)
                f.branch(at >= size - f.cell(bottom), low, inside)
                f.place(low)
                known(bottom, f.smin(at, size))
                f.br(done)
                f.place(inside)
            self._link_sorted(f, piece, place, f.cell(top), size - f.cell(bottom))
        f.place(done)

    # ------------------------------------------------------ whole places

    def nth(self, f: F, place: V, position: V) -> V:
        """The piece at a position from the top, -1 past the end; notes what leads to it."""
        self.module.once("nth", self._nth)
        return f.call("i64", "nth", f.state, f.context, place, position)

    def _nth(self) -> F:
        f = self.module.helper("nth", "i64", (("i64", "place"), ("i64", "position")))
        if self.sorted is not None and self.has_decks:
            self._nth_sorted(f, self.sorted, f.param("place"), f.param("position"))
        link = Var(f, init=f.param("place") + self.head)
        piece = Var(f, init=f.cell(link.get()))
        left = Var(f, init=f.param("position"))
        with f.loop() as (_, out):
            f.leave_if((left.get() <= 0) | (piece.get() < 0), out)
            link.set(piece.get() + self.next)
            piece.set(f.cell(link.get()))
            left.add(-1)
        f.set_ctx(layout.LINK, link.get() + 1)
        f.ret(piece.get())
        return f

    def _nth_sorted(self, f: F, places: SortedPlaces, place: V, position: V) -> None:
        """In a deck of which nothing is known."""
        top, bottom = self.known_ends(f, place)
        search = f.label()
        f.leave_if(top.eq(0), search)
        f.leave_unless((f.cell(top) | f.cell(bottom)).eq(0), search)
        held = f.cell(place + self.count)
        f.leave_unless((held > SHALLOW) & position.below(held), search)
        members = places.members(f, place)
        piece = places.nth(f, members, position)
        f.set_ctx(layout.LINK, places.link(f, place, members, piece) + 1)
        f.ret(piece)
        f.place(search)

    def swap(self, f: F, place: V, first: V, second: V) -> None:
        self.module.once("swap", self._swap)
        f.call("void", "swap", f.state, f.context, place, first, second)

    def _swap(self) -> F:
        """Exchange the pieces at two positions of a place."""
        f = self.module.helper("swap", "void", (("i64", "place"), ("i64", "one"), ("i64", "two")))
        pieces = self._listed(f, f.param("place"))
        one, two = f.param("one"), f.param("two")
        held = f.load(pieces, one)
        f.store(pieces, one, f.load(pieces, two))
        f.store(pieces, two, held)
        self._relink(f, f.param("place"), pieces)
        f.end("ret void")
        return f

    def mix(self, f: F, place: V) -> None:
        self.module.once("mix_deck", self._mix)
        f.call("void", "mix_deck", f.state, f.context, place)

    def _mix(self) -> F:
        """Link the pieces of a place by number, whatever order they were in."""
        f = self.module.helper("mix_deck", "void", (("i64", "place"),))
        place = f.param("place")
        link = Var(f, init=place + self.head)  # the cell that tells the next piece
        every = f.count(0, self.module.program.world.piece_count)
        with every as piece, f.if_(f.cell(piece + self.place).eq(place)):
            f.set_cell(link.get(), piece)
            link.set(piece + self.next)
        f.set_cell(link.get(), -1)
        if self.has_decks:
            plain = f.label()
            top, bottom = self.known_ends(f, place)
            f.leave_if(top.eq(0), plain)
            f.set_cell(top, 0)
            f.set_cell(bottom, 0)
            f.place(plain)
        f.end("ret void")
        return f

    def _listed(self, f: F, place: V) -> V:
        total = max(1, self.module.program.world.piece_count)
        pieces = V(f, f.alloca(f"[{total} x i64]"), "ptr")
        piece, number = Var(f, init=f.cell(place + self.head)), Var(f, init=0)
        with f.loop() as (_, out):
            f.leave_if((piece.get() < 0) | (number.get() >= total), out)
            f.store(pieces, number.get(), piece.get())
            number.add(1)
            piece.set(f.cell(piece.get() + self.next))
        return pieces

    def _relink(self, f: F, place: V, pieces: V) -> None:
        count = Var(f, init=f.cell(place + self.count))
        before = Var(f, init=-1)
        with f.count(0, count.get()) as at:
            piece = f.load(pieces, at)
            cell = f.select(before.get() < 0, place + self.head, before.get() + self.next)
            f.set_cell(cell, piece)
            before.set(piece)
        with f.if_(before.get() >= 0):
            f.set_cell(before.get() + self.next, -1)

    # -------------------------------------------------------------- viewers

    def viewers(self, f: F, piece: V) -> V:
        """The set of seats that see what a piece is."""
        self.module.once("viewers", self._viewers)
        return f.call("i64", "viewers", f.state, f.context, piece)

    def _viewers(self) -> F:
        f = self.module.helper("viewers", "i64", _PIECE)
        world = self.module.program.world
        piece = f.param("piece")
        everyone = f.value((1 << len(world.seats)) - 1)
        mask = f.cell(piece + self.revealed) if self.revealed >= 0 else f.value(0)
        place = f.cell(piece + self.place)
        all_, hidden = f.label(), f.label()
        f.leave_if(place < 0, all_)
        kinds = {"all": 0, "owner": 1, "top": 2}
        sees = self.module.table([kinds.get(place.see, 3) for place in world.places])
        owners = self.module.table([place.owner for place in world.places])
        see = f.load(V(f, sees, "ptr"), place, "i32")
        f.leave_if(see.eq(0), all_)
        owner = f.load(V(f, owners, "ptr"), place, "i32")
        own = f.label()
        f.leave_unless(see.eq(1) & (owner >= 0), own)
        f.ret(mask | (f.value(1) << owner))
        f.place(own)
        f.branch(see.eq(2) & f.cell(place + self.head).eq(piece), all_, hidden)
        f.place(all_)
        f.ret(everyone)
        f.place(hidden)
        f.ret(mask)
        return f

    def beneath(self, f: F, place: V) -> V:
        """The piece that comes to light when the top one leaves; -1 if none does."""
        shows = V(f, self.module.table([int(shows) for shows in self.tops]), "ptr")
        found = Var(f, init=-1)
        with f.if_(place >= 0), f.if_(f.load(shows, place, "i32").ne(0)):
            top = f.cell(place + self.head)
            with f.if_(top >= 0):
                found.set(f.cell(top + self.next))
        return found.get()

    # ------------------------------------------------------------- classes

    def alike(self, f: F, one: V, two: V) -> V:
        self.module.once("alike", self._alike)
        return f.call("i1", "alike", f.state, f.context, one, two)

    def _alike(self) -> F:
        """Whether no rule can tell two pieces apart."""
        f = self.module.helper("alike", "i1", (("i64", "one"), ("i64", "two")))
        one, two = f.param("one"), f.param("two")
        same, differ = f.label(), f.label()
        constants = [
            number if self.classes.alike[piece] else -1 - piece
            for piece, number in enumerate(self.classes._constant)
        ]
        table = V(f, self.module.table(constants), "ptr")
        f.leave_if(one.eq(two), same)
        f.leave_unless(f.load(table, one, "i32").eq(f.load(table, two, "i32")), differ)
        arrays = [self.place, *self.classes._arrays]
        if self.revealed >= 0:
            arrays.append(self.revealed)
        for array in arrays:
            f.leave_unless(f.cell(one + array).eq(f.cell(two + array)), differ)
        f.place(same)
        f.ret(1)
        f.place(differ)
        f.ret(0)
        return f

    def lowest(self, f: F, count: V) -> V:
        self.module.once("lowest", self._lowest)
        return f.call("i64", "lowest", f.state, f.context, count)

    def _lowest(self) -> F:
        """Of the answers in the buffer, one piece per class, in the order of first appearance."""
        f = self.module.helper("lowest", "i64", (("i64", "count"),))
        buffer = f.ctx_ptr(layout.ANSWERS)
        kept = Var(f, init=0)
        with f.count(0, f.param("count")) as at:
            piece = f.load(buffer, at)
            known = f.label()
            with f.count(0, kept.get()) as index:
                other = f.load(buffer, index)
                same, differ = f.label(), f.label()
                f.branch(self.alike(f, piece, other), same, differ)
                f.place(same)
                f.store(buffer, index, f.smin(piece, other))
                f.br(known)
                f.place(differ)
            f.store(buffer, kept.get(), piece)
            kept.add(1)
            f.place(known)
        f.ret(kept.get())
        return f
