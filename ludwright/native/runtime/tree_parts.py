"""What both kinds of search trees are made of: memory, keys, generators, values, playouts."""

from __future__ import annotations

from collections.abc import Callable

from ludwright import program as ir
from ludwright.kernel.play.trees.settings import SIXTEENTHS, WIDEST, WORTH
from ludwright.kernel.play.trees.valuing import skipped
from ludwright.native import layout
from ludwright.native.codegen.expressions.dispatch import new_body
from ludwright.native.codegen.llvm.builder import Function, Operand, Var, Words
from ludwright.native.codegen.llvm.module import RUN_PARAMS, Module
from ludwright.native.codegen.state.epochs import next_epoch, results_belong_to
from ludwright.native.codegen.state.facts import forget_facts
from ludwright.native.runtime import tree_layout as tree
from ludwright.native.runtime.library import bounded, following

_MIX = 0x9FB21C651E98DF25 - (1 << 64)
_OVER = layout.STOPS.index("over")


def head(f: Function) -> Words:
    """The head of the tree, in a function that has it as a parameter."""
    return Words(f.param("tree"))


def add_parts(module: Module) -> None:
    _take(module)
    _below(module)
    _next(module)
    _find(module)
    if module.program.score is not None:
        _measure(module)
        _measured(module)
    _values(module)


# ---------------------------------------------------------------------- memory


def _take(module: Module) -> None:
    """`tree_take`: a number of bytes, not cleared, or null."""
    with module.function("tree_take", "ptr", "ptr tree", "i64 size") as f:
        words, size = head(f), f.param("size")
        left = words[tree.LEFT] - size
        with f.if_(left < 0, likely=False):
            words[tree.FULL] = 1
            f.ret(f.null)
        found = words[tree.NEXT]
        words[tree.LEFT] = left
        words[tree.NEXT] = f.gep(found, size, "i8")
        f.ret(found)


def _find(module: Module) -> None:
    """`tree_find`: the place in the table for a key: of a node that has it, or a free one."""
    with module.function("tree_find", "ptr", "ptr tree", "i64 key") as f:
        words, key = head(f), f.param("key")
        bits = words[tree.TABLE_BITS]
        mask = (f.value(1) << bits) - 1
        at = Var(f, init=(key >> (f.value(64) - bits)) & mask)
        with f.loop():
            place = f.gep(words[tree.TABLE], at.get(), "ptr")
            node = f.load(place, 0, "ptr")
            with f.if_(node.is_null()):
                f.ret(place)
            with f.if_(f.load(node).eq(key)):
                f.ret(place)
            at.set((at.get() + 1) & mask)


def hashed(so_far: Operand, word: Operand) -> Operand:
    mixed = (so_far ^ word) * _MIX
    return mixed ^ (mixed >> 32)


# ------------------------------------------------------------------ generators


def _below(module: Module) -> None:
    """`tree_below`: a number below n from the tree's generator; a single one draws nothing."""
    with module.function("tree_below", "i64", "ptr tree", "i64 n") as f:
        with f.if_(f.param("n") <= 1):
            f.ret(0)
        seed = Var(f, init=head(f)[tree.RNG])
        found = bounded(seed, f.param("n"))
        head(f)[tree.RNG] = seed.get()
        f.ret(found)


def _next(module: Module) -> None:
    """`tree_next`: 64 bits from the tree's generator."""
    with module.function("tree_next", "i64", "ptr tree") as f:
        seed = Var(f, init=head(f)[tree.RNG])
        found = following(seed)
        head(f)[tree.RNG] = seed.get()
        f.ret(found)


# --------------------------------------------------------------------- answers


def thinned(f: Function, at: Operand, count: Operand) -> Operand:
    """The number of the option that stands at this place among those that a node looks at."""
    spread = f.divide("udiv", at * (count - 1), WIDEST - 1)
    return f.select(count > WIDEST, spread, at)


def looked_at(module: Module, pc: Operand, context: Words) -> tuple[Operand, Operand]:
    """How many options on offer a node looks at, and how many answers in all: as `all_answers`."""
    f = pc.f
    listed = f.smin(context[layout.COUNT], WIDEST)
    total = listed + context[layout.DECLINE] + context[layout.CAN_STOP]
    skip = skipped(module.program)
    if not skip:
        return listed, total
    flags = module.table(f, [int(at in skip) for at in range(len(module.program.code))])
    first_only = f.load(flags, pc, "i32").ne(0)
    return f.select(first_only, f.smin(listed, 1), listed), f.select(first_only, 1, total)


def copy_answer(source: Words, to: Operand, at: Operand, width: Operand) -> None:
    """Copy one of the options that a context offers."""
    f = to.f
    with f.if_(source[layout.RANGE].ne(0)):
        f.store(to, 0, source[layout.FIRST] + at)
    with f.else_(), f.for_range(0, width) as word:
        f.store(to, word, f.load(source[layout.ANSWERS], at * width + word))


# ---------------------------------------------------------------------- values


def _measure(module: Module) -> None:
    """`measure`: the rulebook's `score` of a seat."""
    measure = module.program.score
    assert measure is not None
    register, expr = measure
    with module.fallible("measure", "i64 seat") as f:
        body = new_body(module, f)
        forget_facts(module, f)
        body.put_register(register, f.param("seat"))
        f.ret_checked(body.num(expr))


def _measured(module: Module) -> None:
    """`measured`: the `score` of every seat in play, for Python; 0, or FAILED."""
    failed = f"ret i64 {layout.FAILED}"
    params = (*RUN_PARAMS, "ptr to")
    with module.function("measured", "i64", *params, exported=True, on_fail=failed) as f:
        next_epoch(module, f)
        with f.for_range(0, f.cell(ir.PLAYERS)) as seat:
            f.ctx[layout.TICKS_LEFT] = f.ctx[layout.TICKS]
            f.store(f.param("to"), seat, f.call_checked("measure", f.state, f.context, seat))
        results_belong_to(module, f.ctx, f.null)
        f.ret(0)


def _values(module: Module) -> None:
    """`tree_values`: what a state is worth to each seat, as `kernel.play.trees.valuing`; gives 0,
    or FAILED where the rulebook's `score` faults."""
    params = ("ptr noalias state", "ptr noalias ctx", "ptr tree")
    failed = f"ret i64 {layout.FAILED}"
    with module.function("tree_values", "i64", *params, on_fail=failed) as f:
        program, words = module.program, head(f)
        seats = len(program.world.seats)
        scores, ranks = f.array(seats), f.array(seats)
        players = f.cell(ir.PLAYERS)
        scale, margin = Var(f, init=words[tree.SCALE]), Var(f, init=words[tree.MARGIN])
        with f.if_(f.cell(ir.OVER).ne(0), likely=True), f.for_range(0, players) as seat:
            f.store(scores, seat, f.cell(seat + program.scores))
            f.store(ranks, seat, f.cell(seat + program.ranks))
        with f.else_():
            scale.set(words[tree.CUT_SCALE])
            margin.set(SIXTEENTHS)
            with f.for_range(0, players) as seat:
                found = f.value(0)
                if program.score is not None:
                    found = f.call_checked("measure", f.state, f.context, seat)
                f.store(scores, seat, found)
                f.store(ranks, seat, 0)
        _write_worths(f, words, scores, ranks, scale.get(), margin.get())
        f.ret(0)


def _write_worths(
    f: Function, words: Words, scores: Operand, ranks: Operand, scale: Operand, margin: Operand
) -> None:
    players = f.cell(ir.PLAYERS)
    total = Var(f, init=0)
    with f.for_range(0, players) as seat:
        total.add(f.load(scores, seat))
    with f.for_range(0, players) as seat:
        own, rank = f.load(scores, seat), f.load(ranks, seat)
        lead = f.select(players > 1, players * own - total.get(), own)
        lead = f.smin(f.smax(lead, f.value(0) - scale), scale)
        by_margin = f.divide("sdiv", (lead + scale) * WORTH, scale * 2)
        by_rank = Var(f, init=by_margin)
        with f.if_(players > 1):
            beaten = Var(f, init=-1)
            with f.for_range(0, players) as other:
                its = f.load(ranks, other)
                beaten.add((its > rank).i64() * 2 + its.eq(rank).i64())
            share = f.divide("sdiv", beaten.get() * WORTH, (players - 1) * 2)
            by_rank.set(share)
        both = by_margin * margin + by_rank.get() * (f.value(SIXTEENTHS) - margin)
        f.store(words[tree.VALUES], seat, both >> 4)


# -------------------------------------------------------------------- playouts


def stand(context: Words, seat: Operand) -> None:
    """A context before a run by a seat."""
    for slot in (layout.ENDED, layout.PENDING, layout.DEAD_END, layout.UNKNOWN):
        context[slot] = 0
    context[layout.SEAT] = seat
    context[layout.STOP_SEAT] = seat


def begin_playout(module: Module, f: Function, number: Operand) -> None:
    """The context of random play before simulation `number`."""
    ctx = f.ctx
    ctx[layout.POLICY] = f.call("i64", "mix", head(f)[tree.SEED] ^ (number * 2))
    for slot, value in (
        (layout.DECISIONS, 0), (layout.MOVES, 0), (layout.MARKED, 0),
        (layout.LEVEL, 0),
    ):  # fmt: skip
        ctx[slot] = value
    results_belong_to(module, ctx, f.null)


def game_seed(f: Function, number: Operand) -> Operand:
    return f.call("i64", "mix", head(f)[tree.SEED] ^ (number * 2 + 1))


def generator_of(state: Operand) -> Operand:
    """The generator in a state as one word."""
    return state.f.emit(f"load i64, ptr {state.text}, align 4")


def seed_state(state: Operand, seed: Operand) -> None:
    state.f.do(f"store i64 {seed.text}, ptr {state.text}, align 4")


def is_over(f: Function, state: Operand) -> Operand:
    return f.load(state, ir.OVER, "i32").ne(0)


def per_seat(f: Function, module: Module, write: Callable[[Operand], None]) -> None:
    """Write code for every seat that can play."""
    for seat in range(len(module.program.world.seats)):
        write(f.value(seat))
