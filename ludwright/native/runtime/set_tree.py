"""Monte Carlo tree search over information sets inside native code: `kernel.play.trees.plain_sets`.

`grow_sets` runs simulations, each in one of the worlds that the caller has put into the tree.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm import reals
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import answer_widths
from ludwright.native.codegen.state.epochs import results_belong_to
from ludwright.native.codegen.state.pieces import PieceCode
from ludwright.native.codegen.state.ticks import halt_wanted, is_refusal
from ludwright.native.runtime import tree_layout as tree
from ludwright.native.runtime.tree import GROW_PARAMS, count_with, give_up, root_of_logarithm
from ludwright.native.runtime.tree_parts import (
    begin_playout,
    copy_answer,
    game_seed,
    hashed,
    head,
    is_over,
    looked_at,
    seed_state,
    stand,
    thinned,
)
from ludwright.native.runtime.view_key import add_view_key

_NOT_MINE = 0x2545F491  # in the place of another seat's answer
_NO_OPTION = 1 << 61  # tells the answer that is no option from all others


def add_set_tree(module: Module, pieces: PieceCode) -> None:
    add_view_key(module, pieces)
    _node(module)
    _edge(module)
    _id(module)
    _grow(module)


def _node(module: Module) -> None:
    """`set_node`: the node with a key, made if it is not there; null without memory."""
    with module.function("set_node", "ptr", "ptr tree", "i64 key") as f:
        words = head(f)
        place = f.call("ptr", "tree_find", *f.params("tree", "key"))
        known = f.load(place, 0, "ptr")
        with f.if_(~known.is_null()):
            f.ret(known)
        with f.if_(words[tree.TABLE_LEFT] <= 0, likely=False):
            words[tree.FULL] = 1
            f.ret(f.null)
        node = f.call("ptr", "tree_take", f.param("tree"), 8 * tree.SET_NODE_WORDS)
        with f.if_(node.is_null(), likely=False):
            f.ret(f.null)
        words[tree.TABLE_LEFT] = words[tree.TABLE_LEFT] - 1
        words[tree.NODES] = words[tree.NODES] + 1
        Words(node)[tree.SET_KEY] = f.param("key")
        for first in tree.FIRST_EDGES:
            Words(node)[first] = f.null
        f.store(place, 0, node, "ptr")
        f.ret(node)


def _edge(module: Module) -> None:
    """`set_edge`: the edge of a node with an id, or null."""
    with module.function("set_edge", "ptr", "ptr node", "i64 id") as f:
        at = Var(f, "ptr", f.load(_branch(*f.params("node", "id")), 0, "ptr"))
        with f.loop() as out:
            edge = at.get()
            f.leave_if(edge.is_null(), out)
            f.leave_if(Words(edge)[tree.ID].eq(f.param("id")), out)
            at.set(Words(edge)[tree.NEXT_EDGE])
        f.ret(at.get())


def _branch(node: Operand, id_: Operand) -> Operand:
    """Where the list begins that the edge of an answer is in."""
    f = node.f
    return f.gep(node, (id_ & (tree.BRANCHES - 1)) + tree.FIRST_EDGES[0])


def _id(module: Module) -> None:
    """`answer_id`: an answer on offer as one word, by its number; `listed` of them are options."""
    params = ("ptr noalias ctx", "i64 at", "i64 listed", "i64 count", "i64 width")
    with module.function("answer_id", "i64", *params) as f:
        at, listed, count, width = f.params("at", "listed", "count", "width")
        with f.if_(at >= listed):
            f.ret(_NO_OPTION)
        number = thinned(f, at, count)
        with f.if_(f.ctx[layout.RANGE].ne(0)):
            f.ret(f.ctx[layout.FIRST] + number)
        answers = f.ctx[layout.ANSWERS]
        with f.if_(width.eq(1)):
            f.ret(f.load(answers, number))
        key = Var(f, init=1)
        with f.for_range(0, width) as word:
            key.set(hashed(key.get(), f.load(answers, number * width + word)))
        f.ret(key.get())


def _grow(module: Module) -> None:
    """`grow_sets`: as `grow`, but nothing is proven."""
    with module.function("grow_sets", "i64", *GROW_PARAMS, exported=True) as f:
        with f.for_range(f.param("first"), f.param("end")) as number:
            with f.if_(halt_wanted(f), likely=False):
                f.ret(number)
            _Simulation(module, f, number).write()
        f.ret(f.param("end"))


class _Simulation:
    """The code of one simulation."""

    def __init__(self, module: Module, f: Function, number: Operand) -> None:
        self.module, self.f, self.number = module, f, number
        self.program = module.program
        self.words = head(f)
        self.step = Words(self.words[tree.STEP])
        self.scratch = self.words[tree.SCRATCH]
        self.node = Var(f, "ptr", self.words[tree.ROOT])
        self.edge, self.chosen = Var(f, "ptr"), Var(f)
        self.new = Var(f, "i1", 0)
        self.length, self.first = Var(f, init=0), Var(f, init=0)
        self.sealed, self.id = Var(f, init=0), Var(f, init=0)
        self.pc, self.seat = Var(f, init=0), Var(f, init=0)
        # the answers on offer
        self.count, self.listed, self.total = Var(f, init=0), Var(f, init=0), Var(f, init=0)
        self.width = Var(f, init=1)
        self.entries = layout.Entries(len(module.program.code))

    def write(self) -> None:
        f, words = self.f, self.words
        world = f.divide("urem", self.number, words[tree.WORLD_COUNT])
        f.copy(
            self.scratch, f.gep(words[tree.WORLDS], world * self.program.cells, "i32"),
            4 * self.program.cells,
        )  # fmt: skip
        seed_state(self.scratch, game_seed(f, self.number))
        with f.block() as done:
            with f.block() as back:
                with f.block() as playout:
                    stand(self.step, f.value(-2))
                    ran = self._run(self.step, self._pc() + self.entries.offer(0))
                    self._check(ran, self.step, tree.FAILED_IN_STEP, done)
                    with f.loop(), f.block() as again:
                        self._down(playout, back, done, again)
                self._playout(self._pc() + self.entries.offer(0), done)
            self._back_up()

    def _pc(self) -> Operand:
        return self.f.load(self.scratch, ir.PC, "i32")

    def _run(self, context: Words, where: Operand) -> Operand:
        results_belong_to(self.module, context, self.f.null)
        return self.f.call("i64", "run", self.scratch, context.base, where)

    def _down(self, playout: Label, back: Label, done: Label, again: Label) -> None:
        """One decision: choose an edge, carry it out, find the next node."""
        f = self.f
        self._offered()
        self._select()
        with f.if_(self.edge.get().is_null(), likely=False):
            with f.if_(self.length.get().ne(0)):
                give_up(Words(self._passed(self.length.get() - 1)[0]))
            f.br(done)
        with f.if_(self.length.get().eq(0)):
            self.first.set(self.chosen.get())
        self._note()
        with f.if_(self.new.get()):
            where = self._give(f.ctx)
            self._playout(where, done, answered=True)
            f.br(back)
        ran = self._run(self.step, self._give(self.step))
        self._check(ran, self.step, tree.FAILED_IN_STEP, done)
        with f.if_(is_over(f, self.scratch)):
            self._value()
            f.br(back)
        f.leave_if(self.length.get() >= self.words[tree.PATH_ROOM], playout)
        found = f.call("ptr", "set_node", f.param("tree"), self._next_key())
        f.leave_if(found.is_null(), playout)
        self.node.set(found)
        f.br(again)

    # ---------------------------------------------------------------- choosing

    def _offered(self) -> None:
        """Note what the step has come to."""
        f, step = self.f, self.step
        self.pc.set(self._pc())
        self.seat.set(step[layout.STOP_SEAT])
        self.count.set(step[layout.COUNT])
        listed, total = looked_at(self.module, self.pc.get(), step)
        self.listed.set(listed)
        self.total.set(total)
        widths = self.module.table(f, answer_widths(self.module))
        self.width.set(f.load(widths, self.pc.get(), "i32"))

    def _answer_id(self, at: Operand) -> Operand:
        given = (at, self.listed.get(), self.count.get(), self.width.get())
        return self.f.call("i64", "answer_id", self.step.base, *given)

    def _select(self) -> None:
        """The best of the answers that are available, or one that never was tried here."""
        f, words = self.f, self.words
        best, at_best = Var(f, "ptr", 0), Var(f, init=0)
        best_score, fresh = Var(f, reals.REAL, reals.constant(f, -1.0)), Var(f, init=0)
        known = words[tree.OPEN]
        with f.for_range(0, self.total.get()) as at, f.block() as skip:
            edge = f.call("ptr", "set_edge", self.node.get(), self._answer_id(at))
            f.store(known, at, edge, "ptr")
            with f.if_(edge.is_null()):
                fresh.add(1)
                f.br(skip)
            score = self._score(Words(edge))
            with f.if_(reals.exceeds(score, best_score.get())):
                best.set(edge)
                at_best.set(at)
                best_score.set(score)
        self.edge.set(best.get())
        self.chosen.set(at_best.get())
        self.new.set(0)
        with f.block() as chosen:
            f.leave_if(fresh.get().eq(0), chosen)
            urgent = ~reals.exceeds(best_score.get(), words[tree.URGENCY])
            f.leave_unless(best.get().is_null() | urgent, chosen)
            self._try_new(f.call("i64", "tree_below", f.param("tree"), fresh.get()), chosen)
        with f.for_range(0, self.total.get()) as at:
            edge = f.load(known, at, "ptr")
            with f.if_(~edge.is_null()):
                Words(edge)[tree.AVAILABLE] = Words(edge)[tree.AVAILABLE] + 1

    def _score(self, edge: Words) -> Operand:
        root = root_of_logarithm(edge[tree.AVAILABLE])
        weight = reals.combined("fmul", self.words[tree.WEIGHT], root)
        spread = reals.combined("fmul", weight, edge[tree.RARITY])
        return reals.combined("fadd", edge[tree.MEAN], spread)

    def _try_new(self, number: Operand, chosen: Label) -> None:
        """Make an edge for one of the answers that have none, if there is memory."""
        f, known = self.f, self.words[tree.OPEN]
        left = Var(f, init=number)
        with f.block() as found, f.for_range(0, self.total.get()) as at, f.block() as skip:
            f.leave_unless(f.load(known, at, "ptr").is_null(), skip)
            with f.if_(left.get().eq(0)):
                self.chosen.set(at)
                f.br(found)
            left.add(-1)
        edge = f.call("ptr", "tree_take", f.param("tree"), 8 * tree.SET_EDGE_WORDS)
        f.leave_if(edge.is_null(), chosen)
        f.zero(edge, 8 * tree.SET_EDGE_WORDS)
        made, id_ = Words(edge), self._answer_id(self.chosen.get())
        branch = _branch(self.node.get(), id_)
        made[tree.ID] = id_
        made[tree.NEXT_EDGE] = f.load(branch, 0, "ptr")
        f.store(branch, 0, edge, "ptr")
        f.store(known, self.chosen.get(), edge, "ptr")
        self.edge.set(edge)
        self.new.set(1)

    # --------------------------------------------------------------- carrying out

    def _give(self, context: Words) -> Operand:
        """Get ready to run on with the answer; where that goes on."""
        f, step, at = self.f, self.step, self.chosen.get()
        self.id.set(self._answer_id(at))
        listed = at < self.listed.get()
        stops = step[layout.CAN_STOP].ne(0)
        extra = f.select(stops, layout.GIVEN_STOP, f.value(layout.GIVEN_DECLINE))
        with f.if_(listed):
            number = thinned(f, at, self.count.get())
            copy_answer(step, context[layout.GIVEN_AT], number, self.width.get())
        stand(context, self.seat.get())
        context[layout.GIVEN] = f.select(listed, layout.GIVEN_VALUE, extra)
        return self.pc.get() + self.entries.answer(0)

    def _next_key(self) -> Operand:
        """Of the node that the step has come to."""
        f, program, me = self.f, self.program, self.words[tree.SEAT]
        together = [
            int(isinstance(instr, ir.Choose) and program.choices[instr.choice].together)
            for instr in program.code
        ]
        own = f.select(self.seat.get().eq(me), self.id.get(), f.value(_NOT_MINE))
        mine = hashed(self.sealed.get() + 1, own)
        under_seal = f.load(self.module.table(f, together), self.pc.get(), "i32").ne(0)
        self.sealed.set(f.select(under_seal, mine, f.value(0)))
        same = under_seal & self._pc().eq(self.pc.get())
        key = Words(self.node.get())[tree.SET_KEY]
        view = f.call("i64", "view_key", self.scratch, self.step.base, me)
        key = hashed(hashed(key, view), self.step[layout.STOP_SEAT])
        return hashed(key, f.select(same, f.value(0), mine))

    def _check(self, ran: Operand, context: Words, failed: int, done: Label) -> None:
        f = self.f
        with f.if_(halt_wanted(f), likely=False):  # perhaps that is why the run failed
            f.ret(self.number)
        with f.if_(ran.ne(layout.STOPPED), likely=False):
            with f.if_(~is_refusal(context[layout.ERROR]) | self.length.get().eq(0)):
                f.ret(failed)
            give_up(Words(self.edge.get()))
            f.br(done)

    def _value(self) -> None:
        f = self.f
        failed = f.call("i64", "tree_values", self.scratch, f.context, f.param("tree"))
        with f.if_(failed.ne(0), likely=False):
            f.ret(tree.FAILED_IN_PLAY)

    def _playout(self, where: Operand, done: Label, answered: bool = False) -> None:
        f, words = self.f, self.words
        begin_playout(self.module, f, self.number)
        if not answered:
            stand(f.ctx, f.value(-1))
        ran = f.call("i64", "run", self.scratch, f.context, where)
        self._check(ran, f.ctx, tree.FAILED_IN_PLAY, done)
        words[tree.DECISIONS] = words[tree.DECISIONS] + f.ctx[layout.DECISIONS]
        self._value()

    # --------------------------------------------------------------- the way back

    def _note(self) -> None:
        f, at = self.f, self.length.get() * 2
        f.store(self.words[tree.PATH], at, self.edge.get(), "ptr")
        f.store(self.words[tree.PATH], at + 1, self.seat.get())
        self.length.add(1)

    def _passed(self, at: Operand) -> tuple[Operand, Operand]:
        f, path = self.f, self.words[tree.PATH]
        return f.load(path, at * 2, "ptr"), f.load(path, at * 2 + 1)

    def _back_up(self) -> None:
        f, words = self.f, self.words
        values = words[tree.VALUES]
        with f.for_range(0, self.length.get()) as at:
            edge, seat = self._passed(at)
            count_with(Words(edge), f.load(values, seat))
        counts, sums, seats = words[tree.VISITS], words[tree.SUMS], len(self.program.world.seats)
        first = self.first.get()
        f.store(counts, first, f.load(counts, first) + 1)
        with f.for_range(0, f.load(self.scratch, ir.PLAYERS, "i32")) as seat:
            place = first * seats + seat
            f.store(sums, place, f.load(sums, place) + f.load(values, seat))
