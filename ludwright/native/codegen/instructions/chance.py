"""The `Chance` instruction: draw an outcome, or stop where chance is a decision."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import CELL, Shape
from ludwright.native.codegen.expressions.draws import drawable
from ludwright.native.codegen.instructions.ranges import inside
from ludwright.native.codegen.instructions.search_modes import Point
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.values import Value, Wide, read, write
from ludwright.program import faults
from ludwright.program.events import EventKind
from ludwright.program.limits import OPTION_LIMIT

_CHANCE = layout.BARRIERS.index("chance")
_STOP_CHANCE = layout.STOPS.index("chance")


def chance(s: Segment, pc: int, instr: ir.Chance) -> None:
    f = s.f
    shape = s.module.shapes.element(instr.outcomes) or CELL
    outcomes = _Outcomes(s, instr, shape)
    empty = f.errors.fault(faults.nothing_to_draw(instr.name), instr.site)
    f.check(outcomes.count.get() > 0, empty)
    with f.if_(outcomes.count.get().eq(1)):
        sole = outcomes[f.value(0)]
        inside(s.body, sole, shape, instr.type, instr.site)
        s.store(instr.type, instr.addr, sole)
        s.goto(pc + 1)
    s.leave_if_search_ends(Point.BARRIER)
    with f.if_(f.ctx[layout.EXPLICIT].ne(0), likely=False):
        few = outcomes.count.get() <= OPTION_LIMIT  # they will be listed, ranges too
        f.check(few, f.errors.fault(faults.TOO_MANY, instr.site))
        _stop(s, pc, instr)
    drawn = outcomes[f.call("i64", "draw", f.state, outcomes.count.get())]
    if isinstance(drawn, Wide):
        s.answer_at.set(drawn.ptr)
    else:
        s.answer.set(drawn)
    f.place(s.answered(pc))
    value = s.answer_value(shape)
    inside(s.body, value, shape, instr.type, instr.site)
    s.store(instr.type, instr.addr, value)
    s.log()
    s.events.note(EventKind.ROLLED, pc, (value, shape))
    s.end_part(_CHANCE)
    s.goto(pc + 1)


class _Outcomes:
    """The outcomes of one instruction, repeats included."""

    def __init__(self, s: Segment, instr: ir.Chance, shape: Shape) -> None:
        f, body = s.f, s.body
        self._segment, self._shape = s, shape
        self._first: Var | None = None  # of a range
        self._place: Var | None = None  # of a draw
        match instr.outcomes:
            case ir.RangeSource(lo=low, hi=high):
                first = self._first = Var(f, init=body.num(low))
                self.count = Var(f, init=f.smax(body.num(high) - first.get() + 1, 0))
            case ir.DrawFrom() as outcomes:
                place, count = drawable(body, outcomes)
                self._place, self.count = Var(f, init=place), Var(f, init=count)
            case outcomes:
                self.count = Var(f, init=0)
                self._list(outcomes, instr.site)

    def _list(self, source: ir.Source, site: int) -> None:
        f, shape, count = self._segment.f, self._shape, self.count
        buffer = f.ctx[layout.ANSWERS]
        error = f.errors.fault(faults.TOO_MANY, site)
        unchecked = self._segment.options.sizes.most(source) is not None

        def take(value: Value) -> None:
            at = count.get() * shape.words
            if not unchecked:
                f.check(count.get() < OPTION_LIMIT, error)
            write(f.gep(buffer, at), shape, value)
            count.add(1)

        self._segment.body.each(source, take)

    def __getitem__(self, index: Operand) -> Value:
        f = index.f
        if self._first is not None:
            return self._first.get() + index
        if self._place is not None:
            return self._segment.pieces.nth(f, self._place.get(), index)
        return read(f.gep(f.ctx[layout.ANSWERS], index * self._shape.words), self._shape)


def _stop(s: Segment, pc: int, instr: ir.Chance) -> None:
    """Chance is a decision of the caller."""
    f = s.f
    s.write_log()
    f.set_cell(ir.PC, pc)
    f.ctx[layout.STOP_KIND] = _STOP_CHANCE
    f.ctx[layout.STOP_SEAT] = -1
    if s.module.counting is not None:
        _offer_outcomes(s, instr)
    s.end_part(_CHANCE)
    f.ret(layout.STOPPED)


def _offer_outcomes(s: Segment, instr: ir.Chance) -> None:
    """The outcomes that differ, as answers."""
    f, body = s.f, s.body
    if isinstance(instr.outcomes, ir.RangeSource):
        low, high = body.num(instr.outcomes.lo), body.num(instr.outcomes.hi)
        count, ranged = high - low + 1, 1
        f.ctx[layout.FIRST] = low
    else:
        count, ranged = (
            s.options.listed(body, instr.outcomes, f.ctx[layout.ANSWERS], None, instr.site),
            0,
        )
        if s.options.groups_alike(instr.type.kind):
            count = s.pieces.lowest(f, count)
    f.ctx[layout.RANGE] = ranged
    f.ctx[layout.COUNT] = count
    f.ctx[layout.DECLINE] = 0
    f.ctx[layout.CAN_STOP] = 0
