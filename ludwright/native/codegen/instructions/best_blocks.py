"""`best` blocks: the largest value that can be reached, and the refusal of less."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import of_type
from ludwright.native.codegen.expressions.comparison import order
from ludwright.native.codegen.instructions.ranges import inside
from ludwright.native.codegen.instructions.search_modes import BEST, COMPLETION
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.state.cells import decode
from ludwright.native.codegen.state.values import copied, read, temp, write
from ludwright.native.passes.best_memo import is_memoized
from ludwright.program import faults
from ludwright.program.types import NO_INT


def begin(s: Segment, pc: int, instr: ir.BestBegin) -> None:
    """Find the largest value by a search; inside a search the block does not bind, but a count
    follows only the moves that are legal."""
    f = s.f
    s.write_log()
    shape = of_type(instr.type)
    slot = temp(f, shape)
    for word in range(shape.words):
        f.store(slot, word, NO_INT)
    with f.block() as known:
        f.leave_if(s.searched(COMPLETION, BEST), known)
        memoized = s.module.uses("best_memo") and is_memoized(
            s.program, s.module.commit_points, instr
        )
        width = instr.type.width if memoized else 0
        verdict = f.call(
            "i64", "best_search", f.state, f.context, pc + 1, instr.best, instr.addr, width
        )
        f.leave_if(verdict.eq(layout.BROKEN), f.passed_on(), likely=False)
        f.leave_if(verdict.eq(0), known)
        f.copy(slot, f.ctx[layout.VALUE], 8 * shape.words)
    s.store(instr.type, instr.addr, read(slot, shape))


def end(s: Segment, instr: ir.BestEnd) -> None:
    """Leave a search with the value that was reached, or refuse if it is not the largest."""
    f, body = s.f, s.body
    shape = of_type(instr.type)
    reached = copied(body.expr(instr.value), body.shape(instr.value))
    inside(body, reached, body.shape(instr.value), instr.type, instr.site)
    with f.if_(s.searched(BEST) & f.ctx[layout.BLOCK].eq(instr.best)):
        write(f.ctx[layout.VALUE], shape, reached)
        f.ret(layout.BEST_END)
    in_cells = instr.addr < s.program.cells
    wanted = decode(f, instr.type, instr.addr) if in_cells else body.get_register(instr.addr)
    error = f.errors.refusal(faults.NOT_BEST, instr.site)
    f.check(order(reached, wanted) >= 0, error)
    if in_cells:
        s.clear(instr.addr, instr.type.width)
