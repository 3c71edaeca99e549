"""The `Chance` instruction: draw an outcome, or stop where chance is a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import V, Var
from ludwright.native.eventing import ROLLED
from ludwright.native.shapes import CELL, Int, Shape
from ludwright.native.values import Value, Wide

if TYPE_CHECKING:
    from ludwright.native.running import Running

_CHANCE = layout.BARRIERS.index("chance")
_STOP_CHANCE = layout.STOPS.index("chance")


class Chances:
    """Writes chance into one function."""

    def __init__(self, run: Running) -> None:
        self.run = run
        self.f = run.f
        self.body = run.body
        self.module = run.module
        self.program = run.program
        self.options = run.options

    def write(self, pc: int, instr: ir.Chance) -> None:
        f, body, run = self.f, self.body, self.run
        shape = self.module.shapes.element(instr.outcomes) or CELL
        empty = f.errors.fault("empty", instr.site, f"nothing to draw for `{instr.name}`")
        within = _within_place(instr.outcomes)
        numbers = instr.outcomes if within is None else within[1]
        if isinstance(numbers, ir.RangeSource):
            first = Var(f, init=body.num(numbers.lo))
            count = Var(f, init=f.smax(body.num(numbers.hi) - first.get() + 1, 0))
        else:
            first = None
            buffer = f.ctx_ptr(layout.ANSWERS)
            count = Var(f, init=self._outcomes(instr.outcomes, buffer, shape))
        f.check(count.get() > 0, empty)

        def outcome(index: V) -> Value:
            if first is None:
                at = f.gep(f.ctx_ptr(layout.ANSWERS), index * shape.words)
                return body.read(at, shape)
            number = first.get() + index
            if within is None:
                return number
            return run.pieces.nth(f, f.value(within[0]), number)

        one, several = f.label(), f.label()
        f.branch(count.get().eq(1), one, several)
        f.place(one)
        self._settle(instr, outcome(f.value(0)), shape)
        run.goto(pc + 1)
        f.place(several)
        if run.deciding.searches:
            f.leave_if(run.searching(), run.complete)
        explicit, drawn = f.label(), f.label()
        settle = f"settle.{pc}"
        f.branch(f.ctx(layout.EXPLICIT).ne(0), explicit, drawn, likely=False)
        f.place(drawn)
        number = f.emit(f"call i64 @draw(ptr %state, i64 {count.get().text})")
        found = outcome(number)
        if isinstance(found, Wide):
            run.answer_at.set(found.ptr)
        else:
            run.answer.set(found)
        f.br(settle)
        f.place(explicit)
        run.settle_log()
        f.set_cell(ir.PC, pc)
        f.set_ctx(layout.STOP_KIND, _STOP_CHANCE)
        f.set_ctx(layout.STOP_SEAT, -1)
        if self.module.settling is not None:
            self._list(instr)
        run.end_part(_CHANCE)
        f.ret(layout.STOPPED)
        f.place(settle)
        value: Value = run.answer.get()
        if not isinstance(shape, Int):
            value = Wide(run.answer_at.get(), shape)
        self._settle(instr, value, shape)
        run.log()
        run.events.note(ROLLED, pc, (value, shape))
        run.end_part(_CHANCE)
        run.goto(pc + 1)

    def _outcomes(self, source: ir.Source, buffer: V, shape: Shape) -> V:
        """All outcomes, repeats included."""
        f, body = self.f, self.body
        number = Var(f, init=0)
        error = f.errors.engine("too-many-options", "there are too many outcomes to list")
        sure = self.options.most(source) is not None

        def take(value: Value) -> None:
            now = number.get()
            if not sure:
                f.check(now * shape.words < f.ctx(layout.ANSWER_ROOM) - shape.words, error)
            body.write(f.gep(buffer, now * shape.words), shape, value, shape)
            number.add(1)

        body.each(source, take)
        return number.get()

    def _list(self, instr: ir.Chance) -> None:
        """The outcomes that differ, as answers."""
        f, body = self.f, self.body
        if isinstance(instr.outcomes, ir.RangeSource):
            low, high = body.num(instr.outcomes.lo), body.num(instr.outcomes.hi)
            count, ranged = high - low + 1, 1
            f.set_ctx(layout.FIRST, low)
        else:
            buffer, ranged = f.ctx_ptr(layout.ANSWERS), 0
            count = self.options.listed(body, instr.outcomes, buffer, None)
            if instr.type.kind == "piece" and self.options.pieces.classes.any_alike:
                count = self.options.pieces.lowest(f, count)
        f.set_ctx(layout.RANGE, ranged)
        f.set_ctx(layout.COUNT, count)
        f.set_ctx(layout.DECLINE, 0)
        f.set_ctx(layout.CAN_STOP, 0)

    def _settle(self, instr: ir.Chance, value: Value, shape: Shape) -> None:
        if instr.addr < self.program.cells:
            self.body.encode(instr.type, instr.addr, value)
        else:
            self.body.put_register(instr.addr, value, shape)


def _within_place(outcomes: ir.Source) -> tuple[int, ir.RangeSource] | None:
    """Outcomes that are the pieces at some positions of one place: only the one drawn is looked up.

    This is how a card is drawn from the unordered part of a deck.
    """
    match outcomes:
        case ir.BindSource(
            reg=listed,
            value=ir.MakeList(stream=ir.PiecesSource(place=ir.Const(value=int(place)))),
            body=ir.Stream(
                clauses=(ir.Loop(regs=(at,), source=ir.RangeSource() as numbers),),
                head=ir.ListItem(of=ir.Load(addr=list_), index=ir.Load(addr=index)),
            ),
        ) if list_ == listed and index == at:
            return place, numbers
        case _:
            return None
