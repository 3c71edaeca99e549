"""A new node looks for a win at once: `Tree.look` of `kernel.play.trees.plain`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.play.trees.settings import LOOK_DEPTH, LOOK_MOST, LOOK_SHARE, WORTH
from ludwright.native import layout
from ludwright.native.codegen.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.epochs import results_belong_to
from ludwright.native.codegen.module import Module
from ludwright.native.codegen.options import answer_widths
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


def _look(module: Module) -> None:
    """`tree_look`: prove a new node in which its seat can win at once."""
    with module.function("tree_look", "void", "ptr noalias ctx", "ptr tree", "ptr node") as f:
        words, node = head(f), Words(f.param("node"))
        credit = f.divide("sdiv", words[tree.DECISIONS], LOOK_SHARE) - words[tree.LOOKED]
        given = f.smin(credit, LOOK_MOST)
        with f.if_((given <= 0) | words[tree.LOOKS].eq(0) | words[tree.ROOT].is_null()):
            f.ret()
        words[tree.LOOKS_LEFT] = given
        offer = [node[slot] for slot in (tree.STATE, tree.OPTIONS, tree.LISTED, tree.COUNT)]
        offer += [node[tree.EXTRA], node[tree.WHO]]
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
        widths = answer_widths(module)
        self.widest = max(widths, default=1)
        self.widths = module.table(f, widths)
        size = tree.look_words(self.cells, self.widest)
        self.scratch = f.gep(self.words[tree.LOOK_ROOM], f.param("depth") * size)
        self.options = f.gep(self.scratch, (self.cells + 1) // 2)

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
        f, ctx = self.f, self.f.ctx
        pc = f.load(f.param("state"), ir.PC, "i32")
        width = f.load(self.widths, pc, "i32")
        f.copy(self.scratch, f.param("state"), 4 * self.cells)
        seed_state(self.scratch, f.value(_LOOKING))
        stand(f, ctx, f.param("who"))
        listed = at < f.param("listed")
        ctx[layout.GIVEN] = f.select(listed, layout.GIVEN_VALUE, f.param("extra"))
        with f.if_(listed), f.for_range(0, width) as word:
            value = f.load(f.param("options"), at * width + word)
            f.store(ctx[layout.GIVEN_AT], word, value)
        results_belong_to(self.module, ctx, f.null)
        return pc + layout.Entries(len(self.module.program.code)).answer(0)

    def _return_if_won(self, at: Operand, skip: Label) -> None:
        f = self.f
        failed = f.call("i64", "tree_values", self.scratch, f.context, f.param("tree"))
        f.leave_if(failed.ne(0), skip)
        f.leave_if(f.load(self.words[tree.VALUES], f.param("who")).ne(WORTH), skip)
        f.ret(at)

    def _go_on(self, at: Operand) -> None:
        """The same seat decides again: perhaps it wins then."""
        f, ctx = self.f, self.f.ctx
        count = ctx[layout.COUNT]
        pc = f.load(self.scratch, ir.PC, "i32")
        listed, total = looked_at(self.module, pc, ctx)
        stops = ctx[layout.CAN_STOP].ne(0)
        extra = f.select(stops, layout.GIVEN_STOP, f.value(layout.GIVEN_DECLINE))
        width = f.load(self.widths, pc, "i32")
        with f.for_range(0, listed) as one:
            copy_answer(ctx, f.gep(self.options, one * width), thinned(f, one, count), width)
        offer = (self.scratch, self.options, listed, total, extra, f.param("who"))
        found = Var(f, init=0)
        depth = f.param("depth") + 1
        found.set(f.call("i64", "tree_winning", f.context, f.param("tree"), *offer, depth))
        with f.if_(found.get() >= 0):
            f.ret(at)
