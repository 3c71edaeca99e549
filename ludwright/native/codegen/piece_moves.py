"""The instructions that move, reveal and mix pieces."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Lst
from ludwright.native.codegen.builder import Operand, Var
from ludwright.native.codegen.bulk_moves import BulkMoves
from ludwright.native.codegen.epochs import next_epoch
from ludwright.native.codegen.facts import forget_facts, piece_moved
from ludwright.native.codegen.search_modes import Point
from ludwright.native.codegen.segment import Segment
from ludwright.native.codegen.values import Wide, number
from ludwright.native.passes.bulk_move import bulk_move_at
from ludwright.program import faults
from ludwright.program.events import EventKind

_REVEAL = layout.BARRIERS.index("reveal")


def move(s: Segment, instr: ir.MovePiece) -> None:
    f, body, pieces = s.f, s.body, s.pieces
    piece, place = body.num(instr.piece), body.num(instr.place)
    f.check(piece >= 0, f.errors.fault(faults.NO_PIECE_TO_MOVE, instr.site))
    world = s.program.world
    body.check_index(piece, body.bounds(instr.piece), world.piece_count, instr.site)
    body.check_index(place, body.bounds(instr.place), len(world.places), instr.site)
    at = body.num(instr.at) if instr.at is not None else f.value(0)
    origin = f.cell(piece + s.program.piece_place)
    before = seen_by(s, piece)
    beneath = pieces.beneath(f, origin) if any(pieces.tops) else None
    pieces.take(f, piece)
    pieces.put(f, piece, place, instr.where, at)
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


def move_in_bulk(s: Segment, pc: int) -> None:
    """Before the loop of a `move all of`: do it at once, unless each move is to be an event or
    the ticks may run out."""
    whole = bulk_move_at(s.program, pc) if s.module.uses("bulk_move") else None
    if whole is None:
        return
    f, body = s.f, s.body
    listed = body.get_register(whole.listed)
    if not isinstance(listed, Wide) or not isinstance(listed.shape, Lst):
        return  # nothing is ever listed
    if listed.shape.item is None:
        return
    length = f.load(listed.ptr)
    left = f.ctx[layout.TICKS_LEFT] - length
    fresh = number(body.get_register(whole.index)).eq(0) & (length > 1) & (left >= 0)
    if s.events.on:
        fresh = fresh & f.ctx[layout.EVENTS].eq(0)
    with f.block() as one_by_one:
        f.leave_unless(fresh, one_by_one)
        done = BulkMoves(s.module, s.pieces).move_all(f, listed.ptr, body.num(whole.place))
        f.leave_unless(done, one_by_one)
        f.ctx[layout.TICKS_LEFT] = left
        next_epoch(s.module, f)
        forget_facts(s.module, f)
        s.log(length)
        body.put_register(whole.index, length)
        body.put_register(whole.item, f.load(listed.ptr, length))
        s.goto(whole.out)


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
