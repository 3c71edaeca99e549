"""`best` blocks: the largest value that can be reached, and the refusal of less."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import of_type
from ludwright.native.codegen.expressions.comparison import order
from ludwright.native.codegen.instructions.ranges import inside
from ludwright.native.codegen.instructions.search_modes import BEST, COMPLETION
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Operand, Var, Words
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
        block = (pc + 1, instr.best, instr.addr, width, _bound(s, instr))
        verdict = f.call("i64", "best_search", f.state, f.context, *block)
        f.leave_if(verdict.eq(layout.BROKEN), f.passed_on(), likely=False)
        f.leave_if(verdict.eq(0), known)
        f.copy(slot, f.ctx[layout.VALUE], 8 * shape.words)
    s.store(instr.type, instr.addr, read(slot, shape))


def _bound(s: Segment, instr: ir.BestBegin) -> Operand:
    """The address of a value that no way exceeds; null where none is known. Only random play uses
    it: all other runs walk every way, because they report every fault on it."""
    f, found = s.f, Var(s.f, "ptr", s.f.null)
    relaxed = s.module.bounds.get(instr.best)
    if relaxed is not None:
        words = of_type(instr.type).words
        with f.if_(f.ctx[layout.MODE].eq(layout.RANDOM)):
            block = (relaxed.entry, relaxed.number, instr.addr, instr.type.width, f.null)
            verdict = f.call("i64", "best_search", f.state, f.context, *block)
            f.ctx[layout.ERROR] = 0
            void = Words(f.ctx[layout.SEARCH])[layout.BEST_MEMO_VOID]
            with f.if_(verdict.eq(layout.YES) & void.eq(0)):
                bound = temp(f, of_type(instr.type))
                f.copy(bound, f.ctx[layout.VALUE], 8 * words)
                found.set(bound)
    return found.get()


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
