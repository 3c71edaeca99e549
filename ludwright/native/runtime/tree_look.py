"""New nodes, and the first decisions of playouts, look for a win at once: `Tree.look` and
`Tree.opened` of `kernel.play.trees.plain`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.play.trees.settings import (
    AHEAD_DEEP,
    AHEAD_FIRST,
    AHEAD_MOST,
    AHEAD_REWARD,
    AHEAD_SHARE,
    LOOK_DEPTH,
    LOOK_MOST,
    LOOK_SHARE,
    WORTH,
)
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import answer_widths
from ludwright.native.codegen.state.epochs import results_belong_to
from ludwright.native.codegen.state.facts import FactsAside
from ludwright.native.runtime import tree_layout as tree
from ludwright.native.runtime.tree_parts import (
    copy_answer,
    generator_of,
    head,
    is_over,
    looked_at,
    seed_state,
    stand,
    thinned,
)

_LOOKING = 1  # the generator while a node looks for a win; what changes it is chance
_OFFER = ("ptr state", "ptr options", "i64 listed", "i64 total", "i64 extra", "i64 who")
_WINNING = ("ptr noalias ctx", "ptr tree", *_OFFER, "i64 depth")


def add_look(module: Module) -> None:
    _winning(module)
    _look(module)
    _ahead(module)


def _look(module: Module) -> None:
    """`tree_look`: prove a new node in which its seat can win at once."""
    params = ("ptr noalias ctx", "ptr tree", "ptr node", "ptr state")
    with module.function("tree_look", "void", *params) as f:
        words, node = head(f), Words(f.param("node"))
        credit = f.divide("sdiv", words[tree.DECISIONS], LOOK_SHARE) - words[tree.LOOKED]
        given = f.smin(credit, LOOK_MOST)
        with f.if_((given <= 0) | words[tree.LOOKS].eq(0) | words[tree.ROOT].is_null()):
            f.ret()
        words[tree.LOOKS_LEFT] = given
        slots = (tree.OPTIONS, tree.LISTED, tree.COUNT, tree.EXTRA, tree.WHO)
        offer = (f.param("state"), *(node[slot] for slot in slots))
        at = f.call("i64", "tree_winning", f.context, f.param("tree"), *offer, 0)
        words[tree.LOOKED] = words[tree.LOOKED] + given - words[tree.LOOKS_LEFT]
        with f.if_(at < 0):
            f.ret()
        end = f.call("ptr", "tree_end", f.param("tree"))
        one, other = Words(node[tree.EDGES]), Words(f.gep(node[tree.EDGES], at * tree.EDGE_WORDS))
        other[tree.ANSWER] = 0
        one[tree.ANSWER] = at
        one[tree.CHILD] = end
        node[tree.TRIED] = 1
        node[tree.PROVEN] = 1
        vector = f.gep(node.base, tree.NODE_WORDS)
        f.copy(vector, words[tree.VALUES], 8 * len(module.program.world.seats))
        node[tree.FLOOR] = vector
        f.ret()


def _winning(module: Module) -> None:
    """`tree_winning`: the number of the first answer that wins, alone or with further ones of the
    same seat, or -1; the values then are those of the tree."""
    with module.function("tree_winning", "i64", *_WINNING) as f:
        _Look(module, f).write()
        f.ret(-1)


class _Look:
    """The code that tries out the answers of one decision."""

    def __init__(self, module: Module, f: Function) -> None:
        self.module, self.f, self.words = module, f, head(f)
        self.cells = module.program.cells
        size = tree.look_words(self.cells, max(answer_widths(module), default=1))
        self.scratch = f.gep(self.words[tree.LOOK_ROOM], (f.param("depth") + 1) * size)
        self.options = f.gep(self.scratch, (self.cells + 1) // 2)
        self.facts = FactsAside(module, f, f.param("state"))

    def write(self) -> None:
        f, words = self.f, self.words
        with f.for_range(0, f.param("total")) as at, f.block() as skip:
            with f.if_(words[tree.LOOKS_LEFT] <= 0):
                f.ret(-1)
            words[tree.LOOKS_LEFT] = words[tree.LOOKS_LEFT] - 1
            ran = f.call("i64", "run", self.scratch, f.context, self._give(at))
            f.leave_if(ran.ne(layout.STOPPED), skip)
            f.leave_if(generator_of(self.scratch).ne(_LOOKING), skip)
            with f.if_(is_over(f, self.scratch)):
                self._return_if_won(at, skip)
            f.leave_if(f.param("depth") >= LOOK_DEPTH - 1, skip)
            f.leave_if(f.ctx[layout.STOP_SEAT].ne(f.param("who")), skip)
            self._go_on(at)

    def _give(self, at: Operand) -> Operand:
        f, offer = self.f, [self.f.param(name) for name in ("options", "listed", "extra", "who")]
        pc = f.load(f.param("state"), ir.PC, "i32")
        f.copy(self.scratch, f.param("state"), 4 * self.cells)
        seed_state(self.scratch, f.value(_LOOKING))
        self.facts.give(self.scratch)
        return _given(self.module, f, pc, at, *offer)

    def _return_if_won(self, at: Operand, skip: Label) -> None:
        f = self.f
        failed = f.call("i64", "tree_values", self.scratch, f.context, f.param("tree"))
        f.leave_if(failed.ne(0), skip)
        f.leave_if(f.load(self.words[tree.VALUES], f.param("who")).ne(WORTH), skip)
        f.ret(at)

    def _go_on(self, at: Operand) -> None:
        """The same seat decides again: perhaps it wins then."""
        f = self.f
        pc = f.load(self.scratch, ir.PC, "i32")
        listed, total, extra = _copied(self.module, f, pc, self.options)
        offer = (self.scratch, self.options, listed, total, extra, f.param("who"))
        depth = f.param("depth") + 1
        found = f.call("i64", "tree_winning", f.context, f.param("tree"), *offer, depth)
        with f.if_(found >= 0):
            f.ret(at)


def _copied(
    module: Module, f: Function, pc: Operand, to: Operand
) -> tuple[Operand, Operand, Operand]:
    """Copy what the context offers. How many options there are, how many answers, and what kind the
    last one is if it is no option."""
    ctx = f.ctx
    count, width = ctx[layout.COUNT], f.load(module.table(f, answer_widths(module)), pc, "i32")
    listed, total = looked_at(module, pc, ctx)
    extra = f.select(ctx[layout.CAN_STOP].ne(0), layout.GIVEN_STOP, f.value(layout.GIVEN_DECLINE))
    with f.for_range(0, listed) as one:
        copy_answer(ctx, f.gep(to, one * width), thinned(f, one, count), width)
    return listed, total, extra


def _given(
    module: Module, f: Function, pc: Operand, at: Operand, options: Operand, listed: Operand,
    extra: Operand, who: Operand,
) -> Operand:  # fmt: skip
    """Get the context ready to run on with an answer; where that goes on."""
    ctx, width = f.ctx, f.load(module.table(f, answer_widths(module)), pc, "i32")
    stand(ctx, who)
    is_option = at < listed
    ctx[layout.GIVEN] = f.select(is_option, layout.GIVEN_VALUE, extra)
    with f.if_(is_option), f.for_range(0, width) as word:
        f.store(ctx[layout.GIVEN_AT], word, f.load(options, at * width + word))
    results_belong_to(module, ctx, f.null)
    return pc + layout.Entries(len(module.program.code)).answer(0)


def _ahead(module: Module) -> None:
    """`tree_ahead`: the first decisions of a playout, from the state that a step has come to. Gives
    WON or WON_AT_ONCE where somebody wins, and the values are those of the tree; FAILED; or 0."""
    params = ("ptr noalias ctx", "ptr tree", "ptr state")
    with module.function("tree_ahead", "i64", *params) as f:
        words, state = head(f), f.param("state")
        options = f.gep(words[tree.LOOK_ROOM], (module.program.cells + 1) // 2)
        begun, made = words[tree.LOOKED_AHEAD], Var(f, init=0)
        with f.loop():
            looked = words[tree.LOOKED_AHEAD]
            paid = words[tree.WON_AHEAD] * AHEAD_REWARD
            earned = f.divide("sdiv", words[tree.DECISIONS], AHEAD_SHARE) + paid + AHEAD_FIRST
            given = f.smin(earned - looked, LOOK_MOST)
            deepest = f.smax(f.smin(paid, AHEAD_DEEP), AHEAD_FIRST)
            deep = (looked < deepest) & (looked - begun < AHEAD_MOST)
            with f.if_((~deep & (made.get() >= words[tree.AHEAD])) | is_over(f, state)):
                f.ret(0)
            pc, who = f.load(state, ir.PC, "i32"), f.ctx[layout.STOP_SEAT]
            total = looked_at(module, pc, f.ctx)[1]
            with f.if_((given < total) | f.ctx[layout.UNKNOWN].ne(0) | total.eq(0)):
                f.ret(0)
            listed, total, extra = _copied(module, f, pc, options)
            made.add(1)
            words[tree.DECISIONS] = words[tree.DECISIONS] + 1
            words[tree.LOOKS_LEFT] = given
            offer = (state, options, listed, total, extra, who)
            facts = FactsAside(module, f, state)
            at = f.call("i64", "tree_winning", f.context, f.param("tree"), *offer, 0)
            words[tree.LOOKED_AHEAD] = looked + given - words[tree.LOOKS_LEFT]
            with f.if_(at >= 0):
                words[tree.WON_AHEAD] = words[tree.WON_AHEAD] + 1
                f.ret(f.select(made.get().eq(1), tree.WON_AT_ONCE, f.value(tree.WON)))
            one = f.call("i64", "tree_below", f.param("tree"), total)
            where = _given(module, f, pc, one, options, listed, extra, who)
            facts.give(state)
            ran = f.call("i64", "run", state, f.context, where)
            with f.if_(ran.ne(layout.STOPPED), likely=False):
                f.ret(layout.FAILED)
