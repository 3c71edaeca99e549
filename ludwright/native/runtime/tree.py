"""Monte Carlo tree search inside native code, where nothing is hidden: `kernel.play.trees.plain`.

`grow` runs simulations without returning to Python: the way down, one new answer, random play to
the end, and the results on the way back.
"""

from __future__ import annotations

import math

from ludwright import program as ir
from ludwright.kernel.play.trees.settings import ROOTS, WORTH
from ludwright.native import layout
from ludwright.native.codegen.llvm import reals
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import answer_widths
from ludwright.native.codegen.state.epochs import results_belong_to
from ludwright.native.codegen.state.facts import keep_facts, pass_facts_on
from ludwright.native.codegen.state.ticks import halt_wanted, is_refusal
from ludwright.native.runtime import tree_layout as tree
from ludwright.native.runtime.kept_state import Row, keep, kept_words, restore, rows
from ludwright.native.runtime.tree_look import add_look
from ludwright.native.runtime.tree_parts import (
    begin_playout,
    copy_answer,
    game_seed,
    generator_of,
    hashed,
    head,
    is_over,
    looked_at,
    seed_state,
    stand,
    thinned,
)

GROW_PARAMS = ("ptr noalias ctx", "ptr tree", "i64 first", "i64 end")
_DECISION = layout.STOPS.index("decision")
_WORD = 8
NEVER = -100.0  # the score of a dead end
_CERTAIN = 10.0  # taken from what is proven, which is tried only if there is nothing else


def add_tree(module: Module) -> None:
    _key(module)
    _end_node(module)
    add_look(module)
    _node(module)
    _select(module)
    _proof(module)
    _root(module)
    _grow(module)


def vector(node: Operand) -> Operand:
    """Where the proven values of a node lie."""
    return node.f.gep(node, tree.NODE_WORDS)


def _kept(module: Module) -> list[Row]:
    """How nodes keep states."""
    return rows(*module.shapes.cells.all())


def _seats(module: Module) -> int:
    return len(module.program.world.seats)


# ----------------------------------------------------------------------- nodes


def _key(module: Module) -> None:
    """`tree_key`: a hash of a state; its generator and log are cleared."""
    with module.function("tree_key", "i64", "ptr noalias state") as f:
        cells = module.program.cells
        seed_state(f.state, f.value(0))
        f.set_cell(ir.LOG, 0)
        key = Var(f, init=1)
        pairs = cells // 2
        with f.for_range(1, pairs) as at:
            word = f.gep(f.state, at)
            key.set(hashed(key.get(), f.emit(f"load i64, ptr {word.text}, align 4")))
        if cells % 2:
            key.set(hashed(key.get(), f.cell(cells - 1)))
        key.set(hashed(key.get(), f.cell(ir.LOG + 1)))
        f.ret(key.get())


def _node(module: Module) -> None:
    """`tree_node`: the node of the state that a step has come to, or null without memory."""
    params = ("ptr noalias state", "ptr noalias ctx", "ptr tree")
    with module.function("tree_node", "ptr", *params) as f:
        words = head(f)
        key = f.call("i64", "tree_key", f.state)
        place = f.call("ptr", "tree_find", f.param("tree"), key)
        known = f.load(place, 0, "ptr")
        with f.if_(~known.is_null()):
            f.ret(known)
        count = f.ctx[layout.COUNT]
        listed, total = looked_at(module, f.cell(ir.PC), f.ctx)
        widths = module.table(f, answer_widths(module))
        width = f.load(widths, f.cell(ir.PC), "i32")
        seats, kept = _seats(module), _kept(module)
        fixed = _WORD * (tree.NODE_WORDS + seats + kept_words(kept))
        size = listed * width * _WORD + total * (_WORD * tree.EDGE_WORDS) + fixed
        full = words[tree.TABLE_LEFT] <= 0
        with f.if_(full, likely=False):
            words[tree.FULL] = 1
            f.ret(f.null)
        node = f.call("ptr", "tree_take", f.param("tree"), size)
        with f.if_(node.is_null(), likely=False):
            f.ret(f.null)
        words[tree.TABLE_LEFT] = words[tree.TABLE_LEFT] - 1
        words[tree.NODES] = words[tree.NODES] + 1
        f.store(place, 0, node, "ptr")
        made = Words(node)
        f.zero(node, _WORD * tree.NODE_WORDS)
        state = f.gep(node, tree.NODE_WORDS + seats)
        edges = f.gep(state, kept_words(kept))
        options = f.gep(edges, total * tree.EDGE_WORDS)
        extra_kind = f.select(
            f.ctx[layout.CAN_STOP].ne(0), layout.GIVEN_STOP, f.value(layout.GIVEN_DECLINE)
        )
        for slot, value in (
            (tree.KEY, key), (tree.PC, f.cell(ir.PC)), (tree.WHO, f.ctx[layout.STOP_SEAT]),
            (tree.COUNT, total), (tree.LISTED, listed), (tree.EXTRA, extra_kind),
            (tree.WIDTH, width), (tree.STATE, state), (tree.OPTIONS, options), (tree.EDGES, edges),
        ):  # fmt: skip
            made[slot] = value
        keep(f, kept, state, f.state)
        with f.for_range(0, total) as at:
            f.store(edges, at * tree.EDGE_WORDS + tree.ANSWER, at)
        with f.for_range(0, listed) as at:
            copy_answer(f.ctx, f.gep(options, at * width), thinned(f, at, count), width)
        f.call("void", "tree_look", f.context, f.param("tree"), node, f.state)
        f.ret(node)


def _end_node(module: Module) -> None:
    """`tree_end`: a node for the end of the game, with the last values as proven, or null."""
    with module.function("tree_end", "ptr", "ptr tree") as f:
        seats = _seats(module)
        size = _WORD * (tree.NODE_WORDS + seats)
        node = f.call("ptr", "tree_take", f.param("tree"), size)
        with f.if_(node.is_null(), likely=False):
            f.ret(f.null)
        f.zero(node, size)
        Words(node)[tree.PROVEN] = 1
        f.copy(vector(node), head(f)[tree.VALUES], 8 * seats)
        f.ret(node)


def _root(module: Module) -> None:
    """`tree_root`: make the node of the state to search from; 0, or FAILED."""
    params = ("ptr noalias ctx", "ptr tree", "ptr state")
    with module.function("tree_root", "i64", *params, exported=True) as f:
        words, entries = head(f), layout.Entries(len(module.program.code))
        scratch = words[tree.SCRATCH]
        f.copy(scratch, f.state, 4 * module.program.cells)
        stand(f.ctx, f.value(-2))
        results_belong_to(module, f.ctx, f.null)
        where = f.load(scratch, ir.PC, "i32") + entries.offer(0)
        ran = f.call("i64", "run", scratch, f.context, where)
        with f.if_(ran.ne(layout.STOPPED), likely=False):
            f.ret(layout.FAILED)
        words[tree.ROOT] = f.call("ptr", "tree_node", scratch, f.context, f.param("tree"))
        f.ret(0)


# ------------------------------------------------------------------- selection


def _select(module: Module) -> None:
    """`tree_select`: the edge to try next, or null."""
    with module.function("tree_select", "ptr", "ptr tree", "ptr node") as f:
        words, node = head(f), Words(f.param("node"))
        best, best_score = Var(f, "ptr", 0), Var(f, reals.REAL, reals.constant(f, NEVER))
        tried, edges = node[tree.TRIED], node[tree.EDGES]
        left = node[tree.COUNT] - tried
        at_once = left.ne(0) & ~reals.exceeds(reals.constant(f, math.inf), words[tree.URGENCY])
        with f.if_(~at_once):
            weight = reals.combined("fmul", words[tree.WEIGHT], root_of_logarithm(node[tree.TIMES]))
            with f.for_range(0, tried) as at:
                edge = Words(f.gep(edges, at * tree.EDGE_WORDS))
                spread = reals.combined("fmul", weight, edge[tree.RARITY])
                score = reals.combined("fadd", edge[tree.MEAN], spread)
                with f.if_(reals.exceeds(score, best_score.get())):
                    best.set(edge.base)
                    best_score.set(score)
        with f.block() as chosen:
            f.leave_if(left.eq(0), chosen)
            urgent = ~reals.exceeds(best_score.get(), words[tree.URGENCY])
            f.leave_unless(best.get().is_null() | urgent, chosen)
            other = f.call("i64", "tree_below", f.param("tree"), left) + tried
            one, two = (Words(f.gep(edges, at * tree.EDGE_WORDS)) for at in (tried, other))
            first, second = one[tree.ANSWER], two[tree.ANSWER]
            f.zero(one.base, _WORD * tree.EDGE_WORDS)
            two[tree.ANSWER] = first
            one[tree.ANSWER] = second
            node[tree.TRIED] = tried + 1
            best.set(one.base)
        f.ret(best.get())


def root_of_logarithm(times: Operand) -> Operand:
    """Of a number of visits, in a function that has the tree as a parameter."""
    f = times.f
    found = Var(f, reals.REAL)
    with f.if_(times < len(ROOTS), likely=True):
        found.set(f.load(head(f)[tree.ROOTS], times, reals.REAL))
    with f.else_():
        found.set(reals.root(reals.logarithm(reals.real(times))))
    return found.get()


def count_with(edge: Words, value: Operand) -> None:
    """Count a simulation, and what it was worth, with an edge."""
    f = value.f
    visits, total = edge[tree.TAKEN] + 1, edge[tree.TOTAL] + value
    edge[tree.TAKEN], edge[tree.TOTAL] = visits, total
    mean = reals.combined("fdiv", reals.real(total), reals.real(visits * WORTH))
    root = reals.root(reals.real(visits))
    edge[tree.MEAN] = mean
    edge[tree.RARITY] = reals.combined("fdiv", reals.constant(f, 1.0), root)


def give_up(edge: Words) -> None:
    """A dead end is never tried again."""
    edge[tree.MEAN] = reals.constant(edge.base.f, NEVER)
    edge[tree.RARITY] = reals.constant(edge.base.f, 0.0)


# ---------------------------------------------------------------------- proofs


def _proof(module: Module) -> None:
    """`tree_prove`: mark a node whose edges say what it is certainly worth."""
    params = ("ptr tree", "ptr node", "i64 players")
    with module.function("tree_prove", "void", *params) as f:
        node = Words(f.param("node"))
        seats, who = _seats(module), node[tree.WHO]
        best, best_value = Var(f, "ptr", node[tree.FLOOR]), Var(f, init=-1)
        with f.if_(~best.get().is_null()):
            best_value.set(f.load(best.get(), who))
        complete = Var(f, "i1", node[tree.TRIED].eq(node[tree.COUNT]) & (f.param("players") <= 2))
        with f.for_range(0, node[tree.TRIED]) as at, f.block() as skip:
            edge = Words(f.gep(node[tree.EDGES], at * tree.EDGE_WORDS))
            child = edge[tree.CHILD]
            number = f.emit(f"ptrtoint ptr {child.text} to i64")
            f.leave_if(number.eq(tree.DEAD), skip)
            with f.block() as known:
                with f.if_(number.ne(0)):
                    f.leave_if(Words(child)[tree.PROVEN].ne(0), known)
                complete.set(0)
                f.br(skip)
            own = f.load(vector(child), who)
            with f.if_(own > best_value.get()):
                best.set(vector(child))
                best_value.set(own)
        node[tree.FLOOR] = best.get()
        certain = best_value.get().eq(WORTH) | complete.get()
        with f.if_(certain & ~best.get().is_null()):
            node[tree.PROVEN] = 1
            f.copy(vector(f.param("node")), best.get(), 8 * seats)
        f.ret()


# ------------------------------------------------------------------- simulations


def _grow(module: Module) -> None:
    """`grow`: simulations first .. end-1. Gives the number of the one that was not finished,
    because all are done, the root is proven or the caller wants to stop; or FAILED_IN_..."""
    with module.function("grow", "i64", *GROW_PARAMS, exported=True) as f:
        with f.for_range(f.param("first"), f.param("end")) as number:
            with f.if_(halt_wanted(f), likely=False):
                f.ret(number)
            _Simulation(module, f, number).write()
            proven = Words(head(f)[tree.ROOT])[tree.PROVEN].ne(0) & head(f)[tree.SOLVE].ne(0)
            with f.if_(proven, likely=False):
                f.ret(number + 1)
        f.ret(f.param("end"))


class _Simulation:
    """The code of one simulation."""

    def __init__(self, module: Module, f: Function, number: Operand) -> None:
        self.module, self.f, self.number = module, f, number
        self.words = head(f)
        self.step = Words(self.words[tree.STEP])
        self.scratch = self.words[tree.SCRATCH]
        self.node = Var(f, "ptr", self.words[tree.ROOT])
        self.edge = Var(f, "ptr")
        self.length = Var(f, init=0)  # of the path

    def write(self) -> None:
        f = self.f
        with f.block() as done:
            with f.block() as back:
                with f.block() as playout, f.loop(), f.block() as again:
                    self._down(playout, back, done, again)
                self._playout(back, done)
            self._back_up()

    def _down(self, playout: Label, back: Label, done: Label, again: Label) -> None:
        """One step down the tree."""
        f, words = self.f, self.words
        self.edge.set(f.call("ptr", "tree_select", f.param("tree"), self.node.get()))
        with f.if_(self.edge.get().is_null(), likely=False):
            with f.if_(self.length.get().ne(0)):
                self._give_up(self._passed(self.length.get() - 1)[1])
            f.br(done)
        self._note()
        edge = Words(self.edge.get())
        child = edge[tree.CHILD]
        with f.if_(~child.is_null()):
            self._enter(child, back, again)
        f.leave_if(edge[tree.TAKEN].eq(0), playout)
        f.leave_if(self.length.get() >= words[tree.PATH_ROOM], playout)
        self._expand(playout, back, done, again)

    def _enter(self, child: Operand, back: Label, again: Label) -> None:
        """Go on at a node, unless it is known what it is worth."""
        f = self.f
        with f.if_(Words(child)[tree.PROVEN].ne(0)):
            seats = _seats(self.module)
            f.copy(self.words[tree.VALUES], vector(child), 8 * seats)
            f.br(back)
        self.node.set(child)
        f.br(again)

    def _expand(self, playout: Label, back: Label, done: Label, again: Label) -> None:
        """Carry out an answer that has been tried before."""
        f = self.f
        seed = f.call("i64", "tree_next", f.param("tree"))
        where = self._give(self.step, seed)
        ran = f.call("i64", "run", self.scratch, self.step.base, where)
        self._check(ran, self.step, tree.FAILED_IN_STEP, done)
        with f.if_(is_over(f, self.scratch)):
            self._value()
            f.br(back)
        drew = generator_of(self.scratch).ne(seed)
        tree_ = f.param("tree")
        found = f.call("ptr", "tree_node", self.scratch, self.step.base, tree_)
        f.leave_if(found.is_null(), playout)
        with f.if_(~drew):
            Words(self.edge.get())[tree.CHILD] = found
        self._enter(found, back, again)

    def _give(self, context: Words, seed: Operand) -> Operand:
        """Get ready to run on with the answer of the edge; where that goes on."""
        f, node, edge = self.f, Words(self.node.get()), Words(self.edge.get())
        restore(f, _kept(self.module), self.scratch, node[tree.STATE])
        seed_state(self.scratch, seed)
        stand(context, node[tree.WHO])
        at, width = edge[tree.ANSWER], node[tree.WIDTH]
        listed = at < node[tree.LISTED]
        context[layout.GIVEN] = f.select(listed, layout.GIVEN_VALUE, node[tree.EXTRA])
        with f.if_(listed), f.for_range(0, width) as word:
            value = f.load(node[tree.OPTIONS], at * width + word)
            f.store(context[layout.GIVEN_AT], word, value)
        results_belong_to(self.module, context, f.null)
        return node[tree.PC] + layout.Entries(len(self.module.program.code)).answer(0)

    def _check(self, ran: Operand, context: Words, failed: int, done: Label) -> None:
        """A refused answer is never tried again; an error, or the caller's wish, ends it all."""
        f = self.f
        with f.if_(halt_wanted(f), likely=False):  # perhaps that is why the run failed
            f.ret(self.number)
        with f.if_(ran.ne(layout.STOPPED), likely=False):
            with f.if_(~is_refusal(context[layout.ERROR])):
                f.ret(failed)
            self._give_up(self.edge.get())
            f.br(done)

    def _give_up(self, edge: Operand) -> None:
        f = self.f
        dead = f.emit(f"inttoptr i64 {tree.DEAD} to ptr", "ptr")
        Words(edge)[tree.CHILD] = dead
        give_up(Words(edge))

    def _value(self) -> None:
        f = self.f
        failed = f.call("i64", "tree_values", self.scratch, f.context, f.param("tree"))
        with f.if_(failed.ne(0), likely=False):
            f.ret(tree.FAILED_IN_PLAY)

    def _playout(self, back: Label, done: Label) -> None:
        f = self.f
        seed = game_seed(f, self.number)
        with f.if_(self.words[tree.AHEAD].ne(0)):
            self._open(seed, back, done)
            f.br(back)
        begin_playout(self.module, f, self.number)
        made = self._play_on(self._give(f.ctx, seed), done)
        with f.if_(made.eq(0) & is_over(f, self.scratch)):
            self._end_here(seed)

    def _open(self, seed: Operand, back: Label, done: Label) -> None:
        """A playout in whose first decisions nobody overlooks a win."""
        f, words = self.f, self.words
        ran = f.call("i64", "run", self.scratch, self.step.base, self._give(self.step, seed))
        self._check(ran, self.step, tree.FAILED_IN_STEP, done)
        with f.if_(is_over(f, self.scratch)):
            self._value()
            self._end_here(seed)
            f.br(back)
        opened = f.call("i64", "tree_ahead", self.step.base, words.base, self.scratch)
        with f.if_(opened.eq(tree.WON_AT_ONCE)):
            self._end_here(seed)
        f.leave_if(opened > 0, back)
        failed = f.select(opened.eq(layout.FAILED), layout.FAILED, f.value(layout.STOPPED))
        self._check(failed, self.step, tree.FAILED_IN_STEP, done)
        with f.if_(is_over(f, self.scratch)):
            self._value()
            f.br(back)
        begin_playout(self.module, f, self.number)
        pass_facts_on(self.module, f.ctx, self.scratch, self.scratch, self.step)
        keep_facts(self.module, f.ctx)
        stand(f.ctx, f.value(-1))
        entries = layout.Entries(len(self.module.program.code))
        self._play_on(f.load(self.scratch, ir.PC, "i32") + entries.offer(0), done)

    def _play_on(self, where: Operand, done: Label) -> Operand:
        """At random to the end, which is valued; how many decisions were made."""
        f, words = self.f, self.words
        ran = f.call("i64", "run", self.scratch, f.context, where)
        self._check(ran, f.ctx, tree.FAILED_IN_PLAY, done)
        made = f.ctx[layout.DECISIONS]
        words[tree.DECISIONS] = words[tree.DECISIONS] + made
        self._value()
        return made

    def _end_here(self, seed: Operand) -> None:
        """The answer decides the game; unless there was chance in it, that is proven."""
        f, edge = self.f, Words(self.edge.get())
        with f.if_(generator_of(self.scratch).eq(seed) & edge[tree.CHILD].is_null()):
            edge[tree.CHILD] = f.call("ptr", "tree_end", f.param("tree"))

    # --------------------------------------------------------------- the way back

    def _note(self) -> None:
        """Add the edge to the path."""
        f, at = self.f, self.length.get() * 2
        f.store(self.words[tree.PATH], at, self.node.get(), "ptr")
        f.store(self.words[tree.PATH], at + 1, self.edge.get(), "ptr")
        self.length.add(1)

    def _passed(self, at: Operand) -> tuple[Operand, Operand]:
        f, path = self.f, self.words[tree.PATH]
        return f.load(path, at * 2, "ptr"), f.load(path, at * 2 + 1, "ptr")

    def _back_up(self) -> None:
        f, words = self.f, self.words
        values, proves = Var(f, "ptr", words[tree.VALUES]), Var(f, "i1", words[tree.SOLVE].ne(0))
        players = f.load(self.scratch, ir.PLAYERS, "i32")
        at = Var(f, init=self.length.get())
        with f.while_(lambda: at.get().ne(0)):
            at.add(-1)
            node, edge = self._passed(at.get())
            own, passed = Words(node), Words(edge)
            own[tree.TIMES] = own[tree.TIMES] + 1
            count_with(passed, f.load(values.get(), own[tree.WHO]))
            with f.if_(proves.get()):
                child = passed[tree.CHILD]
                number = f.emit(f"ptrtoint ptr {child.text} to i64")
                proves.set(0)
                with f.if_(number > tree.DEAD), f.if_(Words(child)[tree.PROVEN].ne(0)):
                    proves.set(1)
                    self._settle(own, passed, child)
                    f.call("void", "tree_prove", f.param("tree"), node, players)
            with f.if_(at.get().eq(0)):
                self._tally(passed[tree.ANSWER], values.get(), players)
            floor = own[tree.FLOOR]
            with f.if_(~floor.is_null()):
                who = own[tree.WHO]
                with f.if_(f.load(floor, who) > f.load(values.get(), who)):
                    values.set(floor)

    def _settle(self, node: Words, edge: Words, child: Operand) -> None:
        """What is proven is tried only if there is nothing else."""
        f = self.f
        own = reals.real(f.load(vector(child), node[tree.WHO]))
        exact = reals.combined("fdiv", own, reals.constant(f, float(WORTH)))
        edge[tree.MEAN] = reals.combined("fsub", exact, reals.constant(f, _CERTAIN))
        edge[tree.RARITY] = reals.constant(f, 0.0)

    def _tally(self, answer: Operand, values: Operand, players: Operand) -> None:
        """Count the simulation with the root's answer."""
        f, words = self.f, self.words
        counts, sums, seats = words[tree.VISITS], words[tree.SUMS], _seats(self.module)
        f.store(counts, answer, f.load(counts, answer) + 1)
        with f.for_range(0, players) as seat:
            place = answer * seats + seat
            f.store(sums, place, f.load(sums, place) + f.load(values, seat))
