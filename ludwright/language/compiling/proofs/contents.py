"""Which pieces can ever lie in which places.

A card that never leaves the hands and the deck is hidden; a road that is only ever built on the map
is not, whatever other zones there are. The answer comes from `of:` of the zones, which every move
keeps to, and from every move of a piece in the rulebook, set-up included: the least solution of
"what is moved to a place can lie there". The order of moves does not matter to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.language.compiling.addresses import first_of, is_local
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.value_sets import (
    ANY,
    NOTHING,
    Env,
    Possible,
    Values,
    join,
    members,
)
from ludwright.program.world import World


@dataclass(frozen=True)
class _Definition:
    """Something that a local can hold: a value, or (`element`) an element of a collection."""

    addr: int
    node: ir.Expr | ir.Source
    element: bool = False


UNKNOWN = ir.Load(-1)


class Contents:
    """The contents of places, after all procedures have been lowered."""

    def __init__(self, lowering: Lowering) -> None:
        self.unit = lowering.unit
        self.possible = Possible(lowering.unit, [0] * len(lowering.unit.world.places))
        self.allowed = allowed(lowering.unit.world)
        self._solve(lowering)

    # ------------------------------------------------------------------- questions

    def pieces_in(self, place: int) -> set[int]:
        return set(members(self.possible.contents[place]))

    def places_of(self, place: ir.Expr, env: Env | None = None) -> set[int]:
        """The places that an expression can give."""
        values = self.possible.value(place, env or {})
        count = len(self.unit.world.places)
        return set(range(count)) if values is None else {m for m in members(values) if m < count}

    def hiding_place(self, piece: ir.Expr, env: Env | None = None) -> int | None:
        """A place that not every seat sees and in which the piece that an expression gives can
        lie; None where no such piece is ever hidden, so that where it lies is no secret."""
        values = self.possible.value(piece, env or {})
        for place in self._hidden_places:
            inside = self.possible.contents[place]
            if inside & ~NOTHING if values is None else inside & values & ~NOTHING:
                return place
        return None

    @cached_property
    def _hidden_places(self) -> tuple[int, ...]:
        places = enumerate(self.unit.world.places)
        return tuple(number for number, place in places if place.see != "all")

    # -------------------------------------------------------------------- solution

    def _solve(self, lowering: Lowering) -> None:
        definitions = list(_definitions(lowering))
        moves = [
            instr
            for code in lowering.codes
            for instr in code.instrs
            if isinstance(instr, ir.MovePiece | ir.MoveAll)
        ]
        possible = self.possible
        for definition in definitions:  # nothing yet; a local that nothing defines stays ANY
            possible.scalars[definition.addr] = possible.collections[definition.addr] = 0
        grown = True
        while grown:
            possible.known_calls.clear()
            grown = any([self._define(d) for d in definitions] + [self._move(m) for m in moves])

    def _define(self, definition: _Definition) -> bool:
        possible, node = self.possible, definition.node
        elements = possible.elements(node, {})
        value = elements
        if not definition.element:
            value = possible.value(node, {}) if isinstance(node, ir.Expr) else ANY
        before = possible.scalars[definition.addr], possible.collections[definition.addr]
        after = join(before[0], value), join(before[1], elements)
        possible.scalars[definition.addr], possible.collections[definition.addr] = after
        return after != before

    def moved_by(self, move: ir.MovePiece | ir.MoveAll) -> Values:
        """The pieces that an instruction can move."""
        if isinstance(move, ir.MoveAll):
            return self.possible.elements(move.pieces, {})
        return self.possible.value(move.piece, {})

    def _move(self, move: ir.MovePiece | ir.MoveAll) -> bool:
        possible, grown = self.possible, False
        pieces = self.moved_by(move)
        for place in self.places_of(move.place):
            fitting = self.allowed[place]
            new = possible.contents[place] | (fitting if pieces is None else fitting & pieces)
            grown = grown or new != possible.contents[place]
            possible.contents[place] = new
        return grown


def allowed(world: World) -> list[int]:
    """Per place: the pieces that may lie there, as `of:` says."""
    return [
        sum((1 << kind.count) - 1 << kind.first + 1 for kind in world.kinds if place.takes(kind))
        for place in world.places
    ]


def _definitions(lowering: Lowering) -> Iterator[_Definition]:
    """Everything that is ever stored in a local."""
    for code in lowering.codes:
        for instr in code.instrs:
            match instr:
                case ir.Store(addr=addr, value=value) if is_local(addr):
                    yield _Definition(first_of(addr), value)
                case ir.Chance(addr=addr, outcomes=outcomes) if is_local(addr):
                    yield _Definition(first_of(addr), outcomes, element=True)
                case ir.BestBegin(addr=addr) if is_local(addr):
                    yield _Definition(first_of(addr), UNKNOWN)
                case ir.Choose(choice=number):
                    yield from _answers(lowering.choices[number])
                case _:
                    pass


def _answers(choice: ir.Choice) -> Iterator[_Definition]:
    result = first_of(choice.result)
    if choice.options is None:
        yield _Definition(result, UNKNOWN)
        return
    yield _Definition(result, choice.options, element=True)
    # Several picks begin with none of them; as a set, -1 would be any pieces at all.
    yield _Definition(result, ir.Const(0 if choice.kind == "many" else -1))
    if choice.together:
        yield _Definition(result, ir.Const(0))  # of seats that are not asked
        yield _Definition(choice.chooser, ir.SeatsSource(), element=True)
        yield _Definition(first_of(choice.answered), ir.SeatsSource(), element=True)
