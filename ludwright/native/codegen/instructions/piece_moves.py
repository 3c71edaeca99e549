"""The instructions that move, reveal and mix pieces."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, Lst
from ludwright.native.codegen.instructions.bulk_moves import BulkMoves
from ludwright.native.codegen.instructions.search_modes import Point
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.facts import forget_facts, piece_moved
from ludwright.native.codegen.state.ticks import tick
from ludwright.native.codegen.state.values import Wide, element, number, to_list
from ludwright.program import faults
from ludwright.program.events import EventKind

_REVEAL = layout.BARRIERS.index("reveal")


def move(s: Segment, instr: ir.MovePiece) -> None:
    f, body = s.f, s.body
    piece, place = body.num(instr.piece), body.num(instr.place)
    f.check(piece >= 0, f.errors.fault(faults.NO_PIECE_TO_MOVE, instr.site))
    world = s.program.world
    body.check_index(piece, body.bounds(instr.piece), world.piece_count, instr.site)
    body.check_index(place, body.bounds(instr.place), len(world.places), instr.site)
    at = body.num(instr.at) if instr.at is not None else f.value(0)
    _move_one(s, piece, place, instr.where, at)


def _move_one(s: Segment, piece: Operand, place: Operand, where: ir.Where, at: Operand) -> None:
    f, pieces = s.f, s.pieces
    origin = f.cell(piece + s.program.piece_place)
    before = seen_by(s, piece)
    beneath = pieces.beneath(f, origin) if any(pieces.tops) else None
    pieces.take(f, piece)
    pieces.put(f, piece, place, where, at)
    piece_moved(s.module, f, piece, origin, place)
    if s.program.revealed >= 0:
        f.set_cell(piece + s.program.revealed, 0)
    s.log()
    if s.events.on:
        after = seen_by(s, piece)
        s.events.learn(before, after)
        s.events.note(EventKind.MOVED, 0, piece, origin, place, before | after)
    if beneath is not None:
        _uncovered(s, beneath, origin)


def _uncovered(s: Segment, beneath: Operand, origin: Operand) -> None:
    """Another piece may have come to light, as by a `reveal`."""
    f = s.f
    with f.if_(beneath >= 0):
        everyone = (1 << len(s.program.world.seats)) - 1
        revealed = s.program.revealed
        seen = f.cell(beneath + revealed) if revealed >= 0 else f.value(0)
        on_top = f.cell(origin + s.program.place_head).eq(beneath)
        with f.if_(on_top & seen.ne(everyone)):
            s.leave_if_search_ends(Point.BARRIER)
            s.end_part(_REVEAL)
            s.events.learn(seen, f.value(everyone))


def seen_by(s: Segment, piece: Operand) -> Operand:
    """Who sees a piece; nobody asks where no events are wanted."""
    f = s.f
    seats = Var(f, init=0)
    if s.events.on:
        with f.if_(s.events.wanted()):
            seats.set(s.pieces.viewers(f, piece))
    return seats.get()


def move_all(s: Segment, instr: ir.MoveAll) -> None:
    f, body, world = s.f, s.body, s.program.world
    listed, place = to_list(body.expr(instr.pieces)), body.num(instr.place)
    assert isinstance(listed.shape, Lst)
    item = listed.shape.item
    if not isinstance(item, Int):
        return  # nothing is ever listed
    body.check_index(place, body.bounds(instr.place), len(world.places), instr.site)
    none = f.errors.fault(faults.NO_PIECE_TO_MOVE, instr.site)
    with f.block() as done:
        if instr.where == "default" and s.module.uses("bulk_move"):
            _move_in_bulk(s, listed, place, done)
        with f.for_range(0, f.load(listed.ptr)) as index:
            piece = number(element(listed, index))
            if item.lo < 0:
                f.check(piece >= 0, none)
            body.check_index(piece, item, world.piece_count, instr.site)
            _move_one(s, piece, place, instr.where, f.value(0))
            tick(f, instr.site)


def _move_in_bulk(s: Segment, listed: Wide, place: Operand, done: Label) -> None:
    """All pieces at once, unless each move is to be an event or the ticks may run out."""
    if any(s.pieces.tops):
        return  # the first piece that leaves may bring another to light
    f = s.f
    length = f.load(listed.ptr)
    left = f.ctx[layout.TICKS_LEFT] - length
    at_once = (length > 1) & (left >= 0)
    if s.events.on:
        at_once = at_once & f.ctx[layout.EVENTS].eq(0)
    with f.block() as one_by_one:
        f.leave_unless(at_once, one_by_one)
        f.leave_unless(BulkMoves(s.module, s.pieces).move_all(f, listed.ptr, place), one_by_one)
        f.ctx[layout.TICKS_LEFT] = left
        forget_facts(s.module, f)
        s.log(length)
        f.br(done)


def swap(s: Segment, instr: ir.SwapInPlace) -> None:
    f, body = s.f, s.body
    place, first, second = (body.num(n) for n in (instr.place, instr.first, instr.second))
    error = f.errors.engine("swap", "positions {a} and {b} are not in this place")
    f.check(place.below(len(s.program.world.places)), error, first, second)
    count = f.cell(place + s.program.place_count)
    f.check(first.below(count) & second.below(count), error, first, second)
    s.pieces.swap(f, place, first, second)
    forget_facts(s.module, f)


def mix(s: Segment, instr: ir.MixDeck) -> None:
    place = s.body.num(instr.place)
    s.pieces.mix(s.f, place)
    forget_facts(s.module, s.f)
    s.log()
    s.events.note(EventKind.SHUFFLED, 0, place)


def reveal(s: Segment, instr: ir.RevealPiece) -> None:
    f, body = s.f, s.body
    piece, seats = body.num(instr.piece), body.num(instr.seats)
    f.check(piece >= 0, f.errors.fault(faults.NO_PIECE_TO_REVEAL, instr.site))
    if s.program.revealed < 0:
        return
    body.check_index(piece, body.bounds(instr.piece), s.program.world.piece_count, instr.site)
    cell = piece + s.program.revealed
    before = f.cell(cell)
    after = before & (seats ^ -1) if instr.hide else before | seats
    with f.if_(after.ne(before)):
        s.leave_if_search_ends(Point.BARRIER)
        f.set_cell(cell, after)
        s.log()
        kind = EventKind.CONCEALED if instr.hide else EventKind.REVEALED
        s.events.note(kind, 0, piece, before ^ after, before | after)
        s.end_part(_REVEAL)
