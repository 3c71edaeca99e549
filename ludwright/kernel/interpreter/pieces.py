"""Pieces in places: linked lists through the cells.

Every place knows its first piece and its count, every piece its place and the next piece. Bags
are kept sorted by piece number so that the order of arrival leaves no trace. A deck is a known
top, an unordered middle (sorted like a bag) and a known bottom, with a counter for each known end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Cells

Signature = Callable[[Sequence[int], Sequence[int]], tuple[Any, ...]]

EVERYONE = -1  # a set of seats with all bits on


class Pieces:
    """Moves pieces, and knows who can see them."""

    def __init__(self, program: ir.Program) -> None:
        self.place = program.piece_place
        self.next = program.piece_next
        self.head = program.place_head
        self.count = program.place_count
        self.revealed = program.revealed
        self.deck_top = program.deck_top
        self.deck_bottom = program.deck_bottom
        self.orders = tuple(place.order for place in program.world.places)
        self.sees = tuple(place.see for place in program.world.places)
        self.owners = tuple(place.owner for place in program.world.places)
        self.everyone = (1 << len(program.world.seats)) - 1
        self.shows_top = "top" in self.sees  # a piece that leaves may uncover another
        self.can_hide = any(see != "all" for see in self.sees)  # whether any piece can be hidden

    # ------------------------------------------------------------ reading

    def within(self, cells: Cells, place: int) -> list[int]:
        """The pieces in a place, in its order."""
        found: list[int] = []
        piece = cells[self.head + place]
        following = self.next
        while piece >= 0:
            found.append(piece)
            piece = cells[following + piece]
        return found

    def viewers(self, cells: Cells, piece: int) -> int:
        """The set of seats that see what a piece is."""
        mask: int = cells[self.revealed + piece] if self.revealed >= 0 else 0
        place = cells[self.place + piece]
        if place < 0:
            return self.everyone
        see = self.sees[place]
        if see == "all":
            return self.everyone
        if see == "owner" and self.owners[place] >= 0:
            return mask | 1 << self.owners[place]
        if see == "top" and cells[self.head + place] == piece:
            return self.everyone
        return mask

    def beneath(self, cells: Cells, place: int) -> int:
        """The piece that becomes visible when the top one leaves; -1 if none does."""
        if place < 0 or self.sees[place] != "top" or cells[self.head + place] < 0:
            return -1
        return int(cells[self.next + cells[self.head + place]])

    # ------------------------------------------------------------ writing

    def take(self, cells: Cells, piece: int) -> None:
        """Take a piece out of its place, if it is in one."""
        place = cells[self.place + piece]
        if place < 0:
            return
        at = cells[self.head + place]
        following = self.next
        if at == piece:
            cells[self.head + place] = cells[following + piece]
            position = 0
        else:
            position = 1
            while cells[following + at] != piece:
                at = cells[following + at]
                position += 1
            cells[following + at] = cells[following + piece]
        if place in self.deck_top:
            if position < cells[self.deck_top[place]]:
                cells[self.deck_top[place]] -= 1
            elif position >= cells[self.count + place] - cells[self.deck_bottom[place]]:
                cells[self.deck_bottom[place]] -= 1
        cells[self.count + place] -= 1
        cells[following + piece] = -1
        cells[self.place + piece] = -1

    def put(self, cells: Cells, piece: int, place: int, where: str, at: int = 0) -> None:
        """Put a piece that was taken out into a place."""
        if place < 0:
            return
        order = self.orders[place]
        size = cells[self.count + place]
        if order == "deck":
            position = self._deck_position(cells, piece, place, size, where, at)
        elif order == "bag":
            position = self._sorted_position(cells, piece, place, 0, size)
        elif where == "top" or (where == "default" and order == "stack"):
            position = 0
        elif where == "at":
            position = max(0, min(at, size))
        else:
            position = size
        self._insert(cells, piece, place, position)

    def _deck_position(
        self, cells: Cells, piece: int, place: int, size: int, where: str, at: int
    ) -> int:
        top, bottom = self.deck_top[place], self.deck_bottom[place]
        if where in ("default", "top"):
            at = 0
        elif where == "bottom":
            at = size
        if where in ("default", "top") or (where == "at" and at <= cells[top]):
            cells[top] += 1
            return max(at, 0)
        if where == "bottom" or (where == "at" and at >= size - cells[bottom]):
            cells[bottom] += 1
            return min(at, size)
        return self._sorted_position(cells, piece, place, cells[top], size - cells[bottom])

    def _sorted_position(self, cells: Cells, piece: int, place: int, start: int, end: int) -> int:
        at = cells[self.head + place]
        position = 0
        while position < start:
            at = cells[self.next + at]
            position += 1
        while position < end and at < piece:
            at = cells[self.next + at]
            position += 1
        return position

    def _insert(self, cells: Cells, piece: int, place: int, position: int) -> None:
        following = self.next
        if position == 0:
            cells[following + piece] = cells[self.head + place]
            cells[self.head + place] = piece
        else:
            at = cells[self.head + place]
            for _ in range(position - 1):
                at = cells[following + at]
            cells[following + piece] = cells[following + at]
            cells[following + at] = piece
        cells[self.count + place] += 1
        cells[self.place + piece] = place

    def relink(self, cells: Cells, place: int, pieces: list[int]) -> None:
        """Give a place these pieces in this order; known ends of a deck stay as they are."""
        following = self.next
        cells[self.head + place] = pieces[0] if pieces else -1
        for piece, after in zip(pieces, [*pieces[1:], -1], strict=False):
            cells[following + piece] = after
            cells[self.place + piece] = place
        cells[self.count + place] = len(pieces)

    def swap(self, cells: Cells, place: int, first: int, second: int) -> None:
        pieces = self.within(cells, place)
        pieces[first], pieces[second] = pieces[second], pieces[first]
        self.relink(cells, place, pieces)

    def mix(self, cells: Cells, place: int) -> None:
        """All pieces of a deck become its unordered middle."""
        self.relink(cells, place, sorted(self.within(cells, place)))
        if place in self.deck_top:
            cells[self.deck_top[place]] = 0
            cells[self.deck_bottom[place]] = 0


class PieceClasses:
    """Which pieces no rule can tell apart: same kind, place, properties and viewers.

    Pieces of a kind that is not individual are offered once per class, by the lowest number.
    """

    def __init__(self, program: ir.Program) -> None:
        world = program.world
        self._place = program.piece_place
        self._revealed = program.revealed
        self.properties = tuple(
            variable for variable in program.variables if variable.scope == "piece"
        )
        count = world.piece_count
        self.alike = [False] * count
        kinds = [0] * count
        for number, kind in enumerate(world.kinds):
            for piece in kind.pieces:
                self.alike[piece] = not kind.individual
                kinds[piece] = number
        self.any_alike = any(self.alike)
        tables = [program.tables[table] for table in program.fixed_properties.values()]
        # What never changes about a piece, as one number per distinct combination.
        constants: dict[tuple[int, ...], int] = {}
        self.constants = [
            constants.setdefault(
                (kinds[piece], *(table[piece] for table in tables)), len(constants)
            )
            for piece in range(count)
        ]
        self.signature = self._signatures(len(constants), len(world.places) + 1)

    def _signatures(self, makes: int, room: int) -> Signature:
        """A function of several pieces: equal results mean that they are called by equal names."""
        place = self._place
        # what never changes, with individuals apart, and with room for the number of a place
        fixed = [
            room * (make if alike else makes + piece)
            for piece, (make, alike) in enumerate(zip(self.constants, self.alike, strict=True))
        ]
        revealed = self._revealed
        arrays = [(each.cell_of(0), each.owners) for each in self.properties]

        def brief(cells: Sequence[int], pieces: Sequence[int]) -> tuple[Any, ...]:
            return tuple([fixed[piece] + cells[place + piece] for piece in pieces])

        def full(cells: Sequence[int], pieces: Sequence[int]) -> tuple[Any, ...]:
            rows: list[tuple[Any, ...]] = [brief(cells, pieces)]
            if revealed >= 0:
                rows.append(tuple([cells[revealed + piece] for piece in pieces]))
            for at, owners in arrays:
                rows.append(tuple([cells[at + piece] for piece in pieces if piece in owners]))
            return tuple(rows)

        return full if arrays or revealed >= 0 else brief

    def key(self, cells: Sequence[int], piece: int) -> tuple[Any, ...]:
        """Equal for two pieces that are alike; an individual piece has a key of its own."""
        if not self.alike[piece]:
            return (-1, piece)
        mask = cells[self._revealed + piece] if self._revealed >= 0 else 0
        return (
            self.constants[piece],
            cells[self._place + piece],
            mask,
            *(cells[each.cell_of(piece)] for each in self.properties if piece in each.owners),
        )

    def same_make(self, piece: int, other: int) -> bool:
        """Whether two pieces are alike in everything that never changes."""
        return self.alike[piece] and self.constants[piece] == self.constants[other]

    def lowest(self, cells: Cells, pieces: list[int]) -> list[int]:
        """One piece per class, in the order of first appearance."""
        if not self.any_alike:
            return pieces
        found: dict[tuple[Any, ...], int] = {}
        for piece in pieces:
            key = self.key(cells, piece)
            if key not in found or piece < found[key]:
                found[key] = piece
        return list(found.values())

    def grouped(self, cells: Cells, pieces: list[int]) -> list[list[int]]:
        """The classes among these pieces, each ascending, in the order of first appearance."""
        found: dict[tuple[Any, ...], list[int]] = {}
        for piece in pieces:
            found.setdefault(self.key(cells, piece), []).append(piece)
        return [sorted(members) for members in found.values()]
