"""The search behind "what is offered can be finished", natively.

The same walk as `kernel.search`: depth first over the raw answers of one part, on copies of the
state, with a memo of the states seen (by a 128-bit hash) and a budget of nodes. Frames are blocks
of memory, linked to the frame above; the last one tried is given back first.
"""

from __future__ import annotations

from collections.abc import Callable

from ludwright.kernel import program as ir
from ludwright.kernel.generator import mix
from ludwright.kernel.search import GLANCE_BUDGET
from ludwright.native import layout
from ludwright.native.attempting import Attempting
from ludwright.native.builder import F, V, Var
from ludwright.native.frames import (
    ABOVE,
    BEST,
    BROKEN,
    COUNT,
    DECLINE,
    FIRST,
    FORGETFUL,
    HAS,
    KEY,
    KEY2,
    LAX,
    LAX_BITS,
    NEXT,
    NO,
    OPEN,
    PC,
    RANGE,
    RESTART,
    SEAT,
    STOP,
    TOTAL,
    UNSEEN,
    YES,
)
from ludwright.native.module import BODY_PARAMS, Module
from ludwright.native.options import LONG_RANGE, answer_shape
from ludwright.native.recalling import Recalled
from ludwright.native.shapes import CELL, of_type
from ludwright.native.ticking import leave_if_halted

_FOUR = 4  # cells that are hashed at once


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


class Searching:
    """Writes the search of one Program."""

    def __init__(self, module: Module, room: int) -> None:
        self.module = module
        self.program = module.program
        self.room = room
        self.size = len(self.program.code)
        steps, empties = [1] * self.size, [-1] * self.size
        for pc, instr in enumerate(self.program.code):
            if isinstance(instr, ir.Choose):
                choice = self.program.choices[instr.choice]
                steps[pc] = answer_shape(module, choice).words
                empties[pc] = -1 if choice.empty is None else choice.empty
            elif isinstance(instr, ir.Chance):
                steps[pc] = (module.shapes.element(instr.outcomes) or CELL).words
        self.steps, self.empties = module.table(steps), module.table(empties)
        # the widest value that a search for the best compares; 0 where there is none
        self.value_words = max(
            (of_type(i.type).words for i in self.program.code if isinstance(i, ir.BestBegin)),
            default=0,
        )
        # behind a value: the set of the answers that lead to it
        self.best_words = self.value_words + 1 if self.value_words else 0
        module.memo_words = 4 + self.best_words
        self.head = BEST + self.best_words
        self.frame_bytes = 8 * (self.head + room) + 4 * self.program.cells + 8

    def write(self) -> None:
        self._key()
        self._memo()
        self._release()
        Attempting(self).write()
        self._explore()
        self._begin_search()
        self._asked()
        self._can_finish()
        self._keep_finishable()

    # ---------------------------------------------------------------- memo

    def _key(self) -> None:
        """128 bits of hash of all cells but the generator and the number of events.

        A sum of products, each of two pairs of cells with a number of its own added to either
        (known as NH): half as many multiplications as pairs, and none waits for another.
        """
        f = F(
            "hash_cells", "void", (("ptr", "cells"), ("ptr", "to")), self.module.errors,
            on_fail="unreachable",
        )  # fmt: skip
        cells = f.param("cells")
        whole = (self.program.cells - ir.PC) // _FOUR
        numbers = [_signed(mix(number)) for number in range(2 * whole + 2)]
        table = V(f, self.module.table(numbers, "i64"), "ptr")
        total = Var(f, "i128", V(f, "0", "i128"))

        def absorb(place: V, at: V | int) -> None:
            factors = []
            for word in range(2):
                pair = f.emit(f"load i64, ptr {f.gep(place, word).text}, align 4")
                told = pair + f.load(f.gep(table, word), f.value(at) * 2)
                factors.append(f.emit(f"zext i64 {told.text} to i128", "i128").text)
            product = f.emit(f"mul i128 {', '.join(factors)}", "i128")
            total.set(f.emit(f"add i128 {total.get().text}, {product.text}", "i128"))

        with f.count(0, whole) as at:
            absorb(f.gep(cells, at * _FOUR + ir.PC, "i32"), at)
        if ir.PC + _FOUR * whole < self.program.cells:
            # the last ones, with some that have been before
            absorb(f.gep(cells, self.program.cells - _FOUR, "i32"), whole)
        high = f.emit(f"lshr i128 {total.get().text}, 64", "i128")
        for place, half in enumerate((total.get(), high)):
            word = f.emit(f"trunc i128 {half.text} to i64")
            f.store(f.param("to"), place, f.call("i64", "mix", word))
        f.end("ret void")
        self.module.add(f)

    def _memo(self) -> None:
        """The entry of a state, new or old: hash, hash, age, verdict, value. Null if it is full.

        Entries of an older age count as empty; a new one has the verdict UNSEEN.
        """
        f = F(
            "memo", "ptr", (("ptr", "ctx"), ("ptr", "key")), self.module.errors,
            on_fail="unreachable",
        )  # fmt: skip
        table, bits, age = f.ctx_ptr(layout.MEMO), f.ctx(layout.MEMO_USED), f.ctx(layout.MEMO_AGE)
        mask = (f.value(1) << bits) - 1
        one, two = f.load(f.param("key")), f.load(f.param("key"), 1)
        at, tried = Var(f, init=one & mask), Var(f, init=0)
        absent, full = f.label(), f.label()
        with f.loop() as (_, found):
            entry = f.gep(table, at.get() * self.module.memo_words)
            f.leave_if(f.load(entry, 2).ne(age), absent)
            f.leave_if(f.load(entry).eq(one) & f.load(entry, 1).eq(two), found)
            at.set((at.get() + 1) & mask)
            tried.add(1)
            f.leave_if(tried.get() > mask, full)
        f.ret(f.gep(table, at.get() * self.module.memo_words))
        f.place(absent)
        entry = f.gep(table, at.get() * self.module.memo_words)
        f.store(entry, 0, one)
        f.store(entry, 1, two)
        f.store(entry, 2, age)
        f.store(entry, 3, UNSEEN)
        f.ret(entry)
        f.place(full)
        f.ret(V(f, "null", "ptr"))
        self.module.add(f)

    def memo(self, f: F, frame: V) -> V:
        return f.call("ptr", "memo", f.context, f.gep(frame, KEY))

    def remember(self, f: F, frame: V, verdict: int) -> None:
        # frames from before the search remembered anything have no hash
        with f.if_((f.load(frame, KEY) | f.load(frame, KEY2)).ne(0)):
            entry = self.memo(f, frame)
            with f.if_(f.icmp("ne", entry, V(f, "null", "ptr"))):
                f.store(entry, 3, verdict)

    def remembered(self, f: F, frame: V) -> V:
        """The verdict on a state, UNSEEN if there is none yet."""
        verdict = Var(f, init=UNSEEN)
        with f.if_(f.ctx(layout.MEMO_ON).ne(0)):
            entry = self.memo(f, frame)
            with f.if_(f.icmp("ne", entry, V(f, "null", "ptr"))):
                verdict.set(f.load(entry, 3))
        return verdict.get()

    # -------------------------------------------------------------- frames

    def cells(self, f: F, frame: V) -> V:
        return f.gep(frame, self.head + self.room)

    def frame(self, f: F, without: Callable[[], None]) -> V:
        """A frame that was given back, or a new one; `without` leaves where there is no memory."""
        null = V(f, "null", "ptr")
        frame = Var(f, "ptr", f.ctx_ptr(layout.SPARE))
        fresh, used, done = f.label(), f.label(), f.label()
        f.branch(f.icmp("eq", frame.get(), null), fresh, used)
        f.place(fresh)
        made = f.call("ptr", "malloc", f.value(self.frame_bytes))
        frame.set(made)
        missing = f.label()
        f.branch(f.icmp("eq", made, null), missing, done, likely=False)
        f.place(missing)
        without()
        f.place(used)
        f.store(f.context, layout.SPARE, f.load(frame.get(), ABOVE, "ptr"), "ptr")
        f.place(done)
        return frame.get()

    def note_no_memory(self, f: F, context: V) -> None:
        error = f.errors.engine(layout.NO_MEMORY, "there is no memory left to search")
        f.call("void", "fail", context, f.value(error), f.value(0), f.value(0))

    def drop(self, f: F, frame: V) -> None:
        """Give a frame back."""
        f.store(frame, ABOVE, f.ctx_ptr(layout.SPARE), "ptr")
        f.store(f.context, layout.SPARE, frame, "ptr")

    def drop_all(self, f: F, top: Var, until: V) -> None:
        """Give back the frames from the top to one that stays, or all with null."""
        with f.loop() as (_, out):
            frame = top.get()
            f.leave_if(f.icmp("eq", frame, until), out)
            top.set(f.load(frame, ABOVE, "ptr"))
            self.drop(f, frame)

    def _release(self) -> None:
        """Free all frames that were given back: the context is about to go."""
        f = F(
            "release", "void", (("ptr", "ctx"),), self.module.errors,
            on_fail="unreachable", linkage="dso_local",
        )  # fmt: skip
        with f.loop() as (_, out):
            frame = f.ctx_ptr(layout.SPARE)
            f.leave_if(f.icmp("eq", frame, V(f, "null", "ptr")), out)
            f.store(f.context, layout.SPARE, f.load(frame, ABOVE, "ptr"), "ptr")
            f.call("void", "free", frame)
        f.end("ret void")
        self.module.add(f)

    def fill(self, f: F, frame: V, context: V) -> None:
        """The stop that a run came to, with its answers."""
        pc = f.load(self.cells(f, frame), ir.PC, "i32")
        f.store(frame, PC, pc)
        for slot in (HAS, NEXT, TOTAL):
            f.store(frame, slot, 0)
        for to, slot in (
            (SEAT, layout.STOP_SEAT), (COUNT, layout.COUNT), (DECLINE, layout.DECLINE),
            (STOP, layout.CAN_STOP), (RANGE, layout.RANGE), (FIRST, layout.FIRST),
        ):  # fmt: skip
            f.store(frame, to, f.load(context, slot))
        size = f.load(context, layout.COUNT) * f.load(V(f, self.steps, "ptr"), pc, "i32") * 8
        with f.if_(f.load(context, layout.RANGE).eq(0)):
            f.copy(f.gep(frame, self.head), f.load(context, layout.ANSWERS, "ptr"), size)

    # ---------------------------------------------------------------- the walk

    def _explore(self) -> None:
        """Whether one answer to a decision can be finished."""
        f = F(
            "explore", "i64",
            (*BODY_PARAMS, ("i64", "pc"), ("i64", "seat"), ("i64", "given"), ("ptr", "answer")),
            self.module.errors, on_fail="unreachable",
        )  # fmt: skip
        top = Var(f, "ptr", V(f, "null", "ptr"))
        verdict = Var(f, init=NO)
        value = V(f, f.alloca("i64"), "ptr")
        leave, step, result = f.label("leave"), f.label("step"), Var(f)
        exhausted, found, broken = f.label("open"), f.label("found"), f.label("broken")
        restart = f.label("restart")
        told = (f.param("pc"), f.param("seat"), f.param("given"), f.param("answer"))
        glanced = Var(f, init=UNSEEN)
        if self.module.settling is None:
            with f.if_(f.ctx(layout.BUDGET) >= GLANCE_BUDGET):
                glanced.set(f.call("i64", "glance", f.context, f.state, *told))
                f.leave_if(glanced.get().eq(YES), found)
        self.leave_if_spent(f, exhausted, broken, restart)
        f.leave_if(glanced.get().eq(NO), leave)
        result.set(self.attempt(f, f.state, *told, top.get()))
        f.place(step)
        now = result.get()
        f.leave_if(now.eq(BROKEN), broken)
        f.leave_if(now.eq(YES), found)
        following = f.label()
        f.leave_if(now.eq(NO), following)
        frame = f.emit(f"inttoptr i64 {now.text} to ptr", "ptr")
        known = self.remembered(f, frame)
        fresh, seen = f.label(), f.label()
        f.branch(known.eq(UNSEEN), fresh, seen)
        f.place(seen)
        self.drop(f, frame)
        f.branch(known.eq(YES), found, following)
        f.place(fresh)
        top.set(frame)
        f.place(following)
        self.next(f, top, value, result, step, leave, exhausted, broken, restart)
        # every way out gives back what is left of the frames
        ends = ((found, YES), (exhausted, OPEN), (broken, BROKEN), (restart, RESTART))
        for label, outcome in ends:
            f.place(label)
            verdict.set(outcome)
            f.br(leave)
        f.place(leave)
        with f.loop() as (_, out):
            frame = top.get()
            f.leave_if(f.icmp("eq", frame, V(f, "null", "ptr")), out)
            with f.if_(verdict.get().eq(YES)):
                self.remember(f, frame, YES)
            top.set(f.load(frame, ABOVE, "ptr"))
            self.drop(f, frame)
        f.ret(verdict.get())
        self.module.add(f)

    def leave_if_spent(self, f: F, exhausted: str, broken: str, restart: str) -> None:
        leave_if_halted(f, broken)
        nodes = f.ctx(layout.NODES)
        f.leave_if(nodes >= f.ctx(layout.BUDGET), exhausted)
        f.leave_if(f.ctx(layout.EXACT).eq(0) & (nodes >= LAX), restart)
        f.set_ctx(layout.MEMO_ON, f.ctx(layout.MEMO_ON) | (nodes >= FORGETFUL).i64())
        f.set_ctx(layout.NODES, nodes + 1)

    def attempt(self, f: F, cells: V, pc: V, seat: V, given: V, answer: V, above: V) -> V:
        return f.call("i64", "attempt", f.context, cells, pc, seat, given, answer, above)

    def next(
        self, f: F, top: Var, value: V, result: Var, step: str, leave: str, exhausted: str,
        broken: str, restart: str,
    ) -> None:  # fmt: skip
        """The next answer of the frame on top; frames without one are dropped."""
        again = f.label()
        f.place(again)
        frame = top.get()
        f.leave_if(f.icmp("eq", frame, V(f, "null", "ptr")), leave)

        def done() -> None:
            self.remember(f, frame, NO)
            top.set(f.load(frame, ABOVE, "ptr"))
            self.drop(f, frame)
            f.br(again)

        given, at = self.answer(f, frame, value, again, done)
        self.leave_if_spent(f, exhausted, broken, restart)
        cells = self.cells(f, frame)
        pc, seat = f.load(frame, PC), f.load(frame, SEAT)
        result.set(self.attempt(f, cells, pc, seat, given.get(), at.get(), frame))
        f.br(step)

    def answer(
        self, f: F, frame: V, value: V, again: str, done: Callable[[], None]
    ) -> tuple[Var, Var]:
        """(kind, place) of the next answer of a frame; `done` is written where there is none."""
        index = Var(f, init=f.load(frame, NEXT))
        f.store(frame, NEXT, index.get() + 1)
        pc = f.load(frame, PC)
        given = Var(f, init=layout.GIVEN_VALUE)
        at = Var(f, "ptr", value)
        chosen = f.label()
        for slot, kind in ((DECLINE, layout.GIVEN_DECLINE), (STOP, layout.GIVEN_STOP)):
            this, past = f.label(), f.label()
            f.branch(f.load(frame, slot).ne(0), this, past)
            f.place(this)
            given.set(kind)
            f.leave_if(index.get().eq(0), chosen)
            index.add(-1)
            f.place(past)
        given.set(layout.GIVEN_VALUE)
        listed, behind = f.label(), f.label()
        f.branch(index.get() < f.load(frame, COUNT), listed, behind)
        f.place(listed)
        ranged, plain = f.label(), f.label()
        f.branch(f.load(frame, RANGE).ne(0), ranged, plain)
        f.place(ranged)
        f.store(value, 0, f.load(frame, FIRST) + index.get())
        f.br(chosen)
        f.place(plain)
        width = f.load(V(f, self.steps, "ptr"), pc, "i32")
        at.set(f.gep(f.gep(frame, self.head), index.get() * width))
        f.br(chosen)
        f.place(behind)
        elsewhere = f.load(V(f, self.empties, "ptr"), pc, "i32") >= 0
        last, finished, wanted = f.label(), f.label(), f.label()
        f.branch(elsewhere & index.get().eq(f.load(frame, COUNT)), last, finished)
        f.place(last)
        given.set(layout.GIVEN_ELSEWHERE)
        # only where nothing else can be finished
        skipped = f.label()
        f.branch(f.load(frame, HAS).eq(0), wanted, skipped)
        f.place(skipped)
        if self.value_words:
            # where all else is worth too little, a search for any way to finish would try it
            f.store(f.ctx_ptr(layout.SEARCH), layout.SPOILED, 1)
        f.br(again)
        f.place(wanted)
        f.br(chosen)
        f.place(finished)
        done()
        f.place(chosen)
        return given, at

    # ------------------------------------------------------------- questions

    def _begin(self, f: F) -> None:
        self.begin_walk(f)
        f.set_ctx(layout.MEMO_ON, f.ctx(layout.EXACT))
        inner = f.ctx_ptr(layout.SEARCH)
        f.store(inner, layout.BEST, 0)
        f.store(inner, layout.SEAT, f.param("seat"))
        f.store(inner, layout.TICKS, f.ctx(layout.TICKS))
        self.module.kept.belongs_to(f, inner, V(f, "null", "ptr"))

    def begin_walk(self, f: F) -> None:
        """As long as few nodes are visited, they are not counted exactly."""
        f.set_ctx(layout.EXACT, (f.ctx(layout.BUDGET) < LAX).i64())
        bits = f.ctx(layout.MEMO_BITS)
        f.set_ctx(layout.MEMO_USED, f.select(f.ctx(layout.EXACT).ne(0), bits, LAX_BITS))
        f.set_ctx(layout.NODES, 0)
        f.set_ctx(layout.MEMO_AGE, f.ctx(layout.MEMO_AGE) + 1)

    def again(self, f: F) -> None:
        """Begin the search anew, with an exact count of its nodes."""
        f.set_ctx(layout.MEMO_ON, 1)
        f.set_ctx(layout.EXACT, 1)
        f.set_ctx(layout.MEMO_USED, f.ctx(layout.MEMO_BITS))
        f.set_ctx(layout.NODES, 0)
        f.set_ctx(layout.MEMO_AGE, f.ctx(layout.MEMO_AGE) + 1)

    def _begin_search(self) -> None:
        f = F(
            "begin_search", "void", (*BODY_PARAMS, ("i64", "seat")), self.module.errors,
            on_fail="unreachable",
        )  # fmt: skip
        self._begin(f)
        f.end("ret void")
        self.module.add(f)

    def _asked(self) -> None:
        """The verdict on one answer of a search that has begun."""
        f = F(
            "asked", "i64",
            (*BODY_PARAMS, ("i64", "pc"), ("i64", "seat"), ("i64", "given"), ("ptr", "answer")),
            self.module.errors, on_fail="unreachable",
        )  # fmt: skip
        told = tuple(f.param(name) for name in ("pc", "seat", "given", "answer"))
        with f.loop() as (_, out):
            verdict = f.call("i64", "explore", f.state, f.context, *told)
            f.leave_if(verdict.ne(RESTART), out)
            self.again(f)
        f.ret(verdict)
        self.module.add(f)

    def _can_finish(self) -> None:
        """Whether the only answer of a silent offer can be finished."""
        f = F(
            "can_finish", "i64", (*BODY_PARAMS, ("i64", "pc"), ("i64", "seat")),
            self.module.errors, on_fail="unreachable",
        )  # fmt: skip
        self._begin(f)
        silent = f.value(layout.GIVEN_VALUE | 4)
        told = (f.param("pc"), f.param("seat"), silent, f.ctx_ptr(layout.ANSWERS))
        f.ret(f.call("i64", "asked", f.state, f.context, *told))
        self.module.add(f)

    def _keep_finishable(self) -> None:
        """Drop the answers that lead nowhere; gives how many are left, or -1."""
        f = F(
            "keep_finishable", "i64",
            (*BODY_PARAMS, ("i64", "pc"), ("i64", "seat"), ("i64", "count")),
            self.module.errors, on_fail="unreachable",
        )  # fmt: skip
        pc, seat, count = f.param("pc"), f.param("seat"), f.param("count")
        answers, marks = f.ctx_ptr(layout.ANSWERS), f.ctx_ptr(layout.MARKS)
        ranged = f.ctx(layout.RANGE).ne(0)
        f.set_ctx(layout.UNKNOWN, 0)
        broken, anew = f.label(), f.label()
        long, short = f.label(), f.label()
        f.branch(ranged & (count > LONG_RANGE), long, short)
        f.place(long)
        f.set_ctx(layout.UNKNOWN, 1)
        f.ret(count)
        f.place(short)
        step = f.load(V(f, self.steps, "ptr"), pc, "i32")
        with f.if_(ranged), f.count(0, count) as at:
            f.store(answers, at, f.ctx(layout.FIRST) + at)
        extras = (
            (layout.DECLINE, layout.GIVEN_DECLINE, Var(f)),
            (layout.CAN_STOP, layout.GIVEN_STOP, Var(f)),
        )

        def ask(kind: int, answer: V) -> V:
            verdict = f.call("i64", "explore", f.state, f.context, pc, seat, f.value(kind), answer)
            f.leave_if(verdict.eq(BROKEN), broken)
            f.leave_if(verdict.eq(RESTART), anew)
            return verdict

        again, asked = f.label(), f.label()
        if self.value_words:
            Recalled(f).mark(count, extras, asked)
        self._begin(f)
        f.place(again)
        with f.count(0, count) as at:
            f.store(marks, at, ask(layout.GIVEN_VALUE, f.gep(answers, at * step)), "i8")
        for slot, kind, kept in extras:
            kept.set(0)
            with f.if_(f.ctx(slot).ne(0)):
                kept.set(ask(kind, answers).ne(NO).i64())
        f.br(asked)
        f.place(anew)
        self.again(f)
        f.br(again)
        f.place(asked)
        for slot, _, kept in extras:
            f.set_ctx(slot, kept.get())
        left = self._compacted(f, count, step)
        whole = ranged & left.eq(count) & f.ctx(layout.UNKNOWN).eq(0)
        f.set_ctx(layout.RANGE, whole.i64())
        f.ret(left)
        f.place(broken)
        f.ret(BROKEN)
        self.module.add(f)

    def _compacted(self, f: F, count: V, step: V) -> V:
        """Move the answers that are left together; their marks become 1 where they are open."""
        answers, marks = f.ctx_ptr(layout.ANSWERS), f.ctx_ptr(layout.MARKS)
        kept, unknown = Var(f, init=0), Var(f, init=0)
        with f.count(0, count) as at:
            verdict = f.load(marks, at, "i8")
            skip = f.label()
            f.leave_if(verdict.eq(NO), skip)
            f.store(marks, kept.get(), verdict.eq(OPEN).i64(), "i8")
            unknown.set(unknown.get() + verdict.eq(OPEN).i64())
            with f.if_(kept.get().ne(at)), f.count(0, step) as word:
                f.store(answers, kept.get() * step + word, f.load(answers, at * step + word))
            kept.add(1)
            f.place(skip)
        f.set_ctx(layout.UNKNOWN, unknown.get())
        return kept.get()
