"""What every decision has in common: stopping, drawing at random, what a search leaves of it."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V
from ludwright.native.module import BODY_PARAMS, Module

OPTIONAL, STOPPABLE = 1, 2  # what may be answered besides the options
STOP_NOW, BACK = -1, -5  # instead of a drawn answer; BACK: to the start of the part
FAILED, NOTHING_LEFT = -1, -2  # of `filtered`
RETRIES = 100

_DECISION = layout.STOPS.index("decision")


def end_part(f: F, barrier: int) -> None:
    """What happened cannot be taken back."""
    before = f.ctx(layout.ENDED)
    f.set_ctx(layout.ENDED, f.select(before.eq(0), barrier, before))


class Publishing:
    """Writes those helpers."""

    def __init__(self, module: Module, searches: bool) -> None:
        self.module = module
        self.searches = searches

    def write(self) -> None:
        self._stop_here()
        self._publish()
        if self.searches:
            self._filtered()

    def _function(self, name: str, result: str, *params: str) -> F:
        told = tuple(("i64", param) for param in params)
        return F(name, result, (*BODY_PARAMS, *told), self.module.errors, on_fail="unreachable")

    def _stop_here(self) -> None:
        f = self._function("stop_here", "void", "pc", "count", "seat")
        f.set_cell(ir.PC, f.param("pc"))
        f.set_ctx(layout.COUNT, f.param("count"))
        f.set_ctx(layout.STOP_SEAT, f.param("seat"))
        f.set_ctx(layout.STOP_KIND, _DECISION)
        f.end("ret void")
        self.module.add(f)

    def _publish(self) -> None:
        """The number of the answer drawn in random play, or why the run ends here."""
        f = self._function("publish", "i64", "pc", "count", "seat", "extra")
        seat, count = f.param("seat"), f.param("count")
        f.set_cell(ir.PC, f.param("pc"))
        wait, play = f.label(), f.label()
        random = f.ctx(layout.MODE).eq(layout.RANDOM)
        f.branch(random, play, wait, likely=True)
        f.place(wait)
        f.call("void", "stop_here", f.state, f.context, f.param("pc"), count, seat)
        f.ret(STOP_NOW)
        f.place(play)
        if self.searches:
            self._mark_part(f)
        halted, going = f.label(), f.label()
        made = f.ctx(layout.DECISIONS)
        stop = f.emit(f"load volatile i64, ptr {f.ctx_ptr(layout.HALT).text}")
        f.branch((made >= f.ctx(layout.LIMIT)) | stop.ne(0), halted, going, likely=False)
        f.place(halted)
        f.set_ctx(layout.STOP_KIND, _DECISION)
        f.ret(STOP_NOW)
        f.place(going)
        self._draw(f, made, count, seat)
        self.module.add(f)

    def _draw(self, f: F, made: V, count: V, seat: V) -> None:
        extra = f.param("extra")
        more = f.select(
            extra.eq(OPTIONAL), f.ctx(layout.DECLINE),
            f.select(extra.eq(STOPPABLE), f.ctx(layout.CAN_STOP), 0),
        )  # fmt: skip
        total = count + more
        if self.searches:
            dead, alive = f.label(), f.label()
            f.branch(total.eq(0), dead, alive, likely=False)
            f.place(dead)
            f.ret(BACK)
            f.place(alive)
        f.set_ctx(layout.DECISIONS, made + 1)
        f.set_ctx(layout.SEAT, seat)
        f.set_ctx(layout.ENDED, 0)
        f.set_ctx(layout.TICKS_LEFT, f.ctx(layout.TICKS))
        f.ret(f.emit(f"call i64 @policy(ptr %ctx, i64 {total.text})"))

    def _mark_part(self, f: F) -> None:
        """Remember where a part began: a dead end returns there."""
        again = f.ctx(layout.ENDED).ne(0) | f.ctx(layout.MARKED).eq(0)
        with f.if_(again):
            f.copy(f.ctx_ptr(layout.PART), f.state, 4 * self.module.program.cells)
            f.set_ctx(layout.PART_DECISIONS, f.ctx(layout.DECISIONS))
            f.set_ctx(layout.TRIES, 0)
            f.set_ctx(layout.MARKED, 1)

    def _filtered(self) -> None:
        """How many answers can be finished; 0 is a dead end. `error` -1: there is a way around."""
        f = self._function("filtered", "i64", "pc", "seat", "count", "error")
        kept = f.call(
            "i64", "keep_finishable", f.state, f.context, f.param("pc"), f.param("seat"),
            f.param("count"),
        )  # fmt: skip
        f.set_ctx(layout.DEAD_END, 0)
        fine, empty, dead = f.label(), f.label(), f.label()
        f.branch(kept.ne(0), fine, empty, likely=True)
        f.place(fine)
        f.ret(kept)
        f.place(empty)
        free = (f.ctx(layout.DECLINE) | f.ctx(layout.CAN_STOP)).ne(0)
        around, stuck = f.label(), f.label()
        f.branch(free | (f.param("error") < 0), around, stuck)
        f.place(around)
        f.ret(NOTHING_LEFT)
        f.place(stuck)
        seat = f.ctx(layout.SEAT)
        # A state found again (seat -2) is published whatever it holds.
        late = (f.ctx(layout.ENDED).ne(0) | (seat < 0)) & seat.ne(-2)
        refuse = f.label()
        f.branch(late, refuse, dead)
        f.place(refuse)
        f.call("void", "fail", f.context, f.param("error"), f.value(0), f.value(0))
        f.ret(FAILED)
        f.place(dead)
        f.set_ctx(layout.DEAD_END, 1)
        f.ret(0)
        self.module.add(f)
