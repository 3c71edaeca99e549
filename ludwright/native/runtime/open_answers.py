"""Random play gives answers without a test, and comes back to those that lead nowhere.

Where a later rule may refuse an answer, play draws one and goes on. If something refuses before the
part ends, the part is played again from its start with the same numbers: the decisions come out the
same up to the last answer that was given without a test, its *level*. There the answers that were
refused before are drawn as before and dropped, and the next draw counts. So each answer that can be
finished is as likely as with a full list, and the numbers drawn are those that tests would take.

`layout.REFUSED` counts for each level how many of its answers were refused. A part that has begun
too often is played with tests; so are answers beyond the levels that there are.
"""

from __future__ import annotations

from ludwright.native import layout
from ludwright.native.codegen.instructions.retreats import MOST_RETREATS, refuse, refused_at
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.epochs import next_epoch
from ludwright.native.codegen.state.facts import forget_facts
from ludwright.native.codegen.state.ticks import is_refusal
from ludwright.program.limits import LONG_RANGE, RETRIES


def opens(module: Module, f: Function, count: Operand) -> Operand:
    """Whether an answer may be given without a test. In a `best` block only a sole answer is if the
    search for its value has tested the others. Long ranges are never tested, on either engine."""
    if not module.uses("open_answers"):
        return f.false
    few = count <= LONG_RANGE
    if module.has_best:
        few &= count.eq(1) | f.ctx[layout.BEST_IS_OPEN].ne(0)
    return f.ctx[layout.LEVEL].below(layout.LEVELS) & few


def some_are_open(f: Function) -> Operand:
    """Whether answers of this part have been given without a test."""
    return (f.ctx[layout.LEVEL] > 0) & (f.ctx[layout.RETREATS] <= MOST_RETREATS)


def begin_part(module: Module, f: Function) -> None:
    """Remember where a part begins, unless it begins once more."""
    ctx = f.ctx
    begins = (ctx[layout.ENDED].ne(0) | ctx[layout.MARKED].eq(0)) & ctx[layout.REPLAYED].eq(0)
    with f.if_(begins):
        f.copy(ctx[layout.PART], f.state, 4 * module.program.cells)
        for to, slot in _KEPT:
            ctx[to] = ctx[slot]
        with f.if_(ctx[layout.RETREATS].ne(0)):
            _forget_refusals(f)
            ctx[layout.RETREATS] = 0
        for slot in (layout.TRIES, layout.FACTS_CHANGED, layout.LEVEL):
            ctx[slot] = 0
        ctx[layout.MARKED] = 1


_KEPT = (
    (layout.PART_DECISIONS, layout.DECISIONS), (layout.PART_MOVES, layout.MOVES),
    (layout.PART_ENDED, layout.ENDED), (layout.PART_SEAT, layout.SEAT),
    (layout.PART_TICKS, layout.TICKS_LEFT), (layout.PART_POLICY, layout.POLICY),
    (layout.PART_BEST_IS_OPEN, layout.BEST_IS_OPEN),
)  # fmt: skip


def _forget_refusals(f: Function) -> None:
    f.zero(f.gep(f.context, layout.REFUSED), 8 * (layout.LEVELS + 1))


def add_going_back(module: Module) -> None:
    """`goes_back`: whether random play goes back to the start of the part, instead of giving back
    a result; everything is then as it was there."""
    with module.helper("goes_back", "i1", "i64 result") as f:
        f.attributes = "noinline nounwind"
        ctx, result = f.ctx, f.param("result")
        with f.block() as again:
            with f.if_(result.eq(layout.TO_PART_START)):
                _count_dead_end(f)
                _forget_refusals(f)
                f.br(again)
            with f.if_(result.eq(layout.TEST_PART)):
                ctx[layout.RETREATS] = MOST_RETREATS
            with f.else_():
                refused = result.eq(layout.FAILED) & is_refusal(ctx[layout.ERROR])
                refused &= ctx[layout.ENDED].eq(0)
                with f.if_(refused & ~some_are_open(f) & ctx[layout.UNSETTLED].ne(0)):
                    ctx[layout.ERROR] = 0  # nobody could know; as the driver does it
                    _count_dead_end(f)
                    _forget_refusals(f)
                    f.br(again)
                with f.if_(~(refused & some_are_open(f))):
                    f.ret(0)
                _note_refusal(f)
            ctx[layout.ERROR] = 0
            ctx[layout.RETREATS] = ctx[layout.RETREATS] + 1
            with f.if_(ctx[layout.RETREATS] > MOST_RETREATS):
                _forget_refusals(f)
            for slot, kept in ((layout.ENDED, layout.PART_ENDED), (layout.SEAT, layout.PART_SEAT),
                               (layout.POLICY, layout.PART_POLICY)):  # fmt: skip
                ctx[slot] = ctx[kept]
        _restore(module, f)
        f.ret(1)


def _note_refusal(f: Function) -> None:
    """The last answer that was given without a test has been refused; leaves if all have."""
    level = Var(f, init=f.ctx[layout.LEVEL])
    with f.loop() as found:
        refuse(f, level.get(), 0)
        with f.if_(level.get().eq(0)):
            f.ret(0)
        level.add(-1)
        f.leave_if(refused_at(f, level.get()).ne(layout.EXHAUSTED), found)
    refuse(f, level.get(), refused_at(f, level.get()) + 1)


def _count_dead_end(f: Function) -> None:
    tries = f.ctx[layout.TRIES] + 1
    error = f.errors.engine(
        "dead-end", "no way was found to finish what was offered, in {a} attempts"
    )
    with f.if_(tries > RETRIES):
        f.call("void", "fail", f.context, error, RETRIES, 0)
        f.ret(0)
    f.ctx[layout.TRIES] = tries


def _restore(module: Module, f: Function) -> None:
    ctx = f.ctx
    f.copy(f.state, ctx[layout.PART], 4 * module.program.cells)
    # A failed attempt gives its ticks back, or a game without decisions would never stop.
    ctx[layout.TICKS_LEFT] = ctx[layout.PART_TICKS]
    next_epoch(module, f)
    with f.if_(ctx[layout.FACTS_CHANGED].ne(0)):
        forget_facts(module, f)
    ctx[layout.DECISIONS] = ctx[layout.PART_DECISIONS]
    ctx[layout.MOVES] = ctx[layout.PART_MOVES]
    ctx[layout.BEST_IS_OPEN] = ctx[layout.PART_BEST_IS_OPEN]
    tested = ctx[layout.RETREATS] > MOST_RETREATS
    ctx[layout.LEVEL] = f.select(tested, layout.LEVELS, 0)
    ctx[layout.REPLAYED] = 1
