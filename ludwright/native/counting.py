"""Counting move sequences inside native code: the walk of `kernel.perft`.

Depth first over copies of the state. A context of its own holds the frames; it points to the
context in which a part is played on to the next decision (PLAY), and to the one in which the last
part is followed only as long as something is asked (SEARCH). Positions that come up again are
looked up by a 128-bit hash of all that a rule can read; a full table forgets.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.frames import (
    ABOVE,
    BROKEN,
    COUNT,
    DECLINE,
    HAS,
    KEY,
    KEY2,
    LEFT,
    NO,
    PC,
    SEAT,
    TOTAL,
    VALUED,
    YES,
)
from ludwright.native.searching import Searching
from ludwright.native.settling import Settling
from ludwright.native.ticking import leave_if_halted

_MIX = 0x9FB21C651E98DF25 - (1 << 64)


class Counting:
    """Writes `count` and what it needs."""

    def __init__(self, search: Searching) -> None:
        self.search = search
        self.module = search.module
        self.program = search.program
        assert self.module.settling is not None
        self.settling: Settling = self.module.settling
        # a choice of many goes on after an answer
        self.single = self.module.table(
            [
                int(isinstance(i, ir.Choose) and self.program.choices[i.choice].kind != "many")
                for i in self.program.code
            ],
            "i8",
        )

    def write(self) -> None:
        self._add()
        self._ways()
        self._entry()
        self._play()
        self._count()

    def _function(self, name: str, result: str, *params: tuple[str, str]) -> F:
        return F(name, result, (("ptr", "ctx"), *params), self.module.errors, on_fail="unreachable")

    # ------------------------------------------------------------ small things

    def _add(self) -> None:
        """Add to a frame's count; gives 0, or -1 where it becomes too large."""
        f = self._function("add_count", "i64", ("ptr", "frame"), ("i64", "amount"))
        frame, amount = f.param("frame"), f.param("amount")
        pair = f.emit(
            f"call {{i64, i1}} @llvm.sadd.with.overflow.i64(i64 {f.load(frame, TOTAL).text}, "
            f"i64 {amount.text})", "{i64, i1}",
        )  # fmt: skip
        total = f.emit(f"extractvalue {{i64, i1}} {pair.text}, 0")
        fine, over = f.label(), f.label()
        f.branch(f.emit(f"extractvalue {{i64, i1}} {pair.text}, 1", "i1"), over, fine, likely=False)
        f.place(fine)
        f.store(frame, TOTAL, total)
        f.store(frame, HAS, f.load(frame, HAS) | amount)
        f.ret(0)
        f.place(over)
        error = f.errors.engine(
            layout.TOO_LARGE, "there are more sequences than a machine word can count"
        )
        f.call("void", "fail", f.context, f.value(error), f.value(0), f.value(0))
        f.ret(BROKEN)
        self.module.add(f)

    def _add_to(self, f: F, frame: V, amount: V | int, broken: str) -> None:
        f.leave_if(f.call("i64", "add_count", f.context, frame, amount).ne(0), broken)

    def _is_last(self, f: F, frame: V) -> V:
        """Whether every answer to a decision ends the part, and nothing can refuse it."""
        pc = f.load(frame, PC)
        single = f.load(V(f, self.single, "ptr"), pc, "i8").ne(0)
        return single & self.settling.holds(f, self.search.cells(f, frame), pc + 1)

    # ------------------------------------------------------------ the last part

    def _ways(self) -> None:
        """How many ways there are to finish the part that waits in a frame, or -1."""
        search = self.search
        f = self._function("ways", "i64", ("ptr", "root"))
        root = f.param("root")
        f.store(f.ctx_ptr(layout.SEARCH), layout.SEAT, f.load(root, SEAT))
        f.store(root, HAS, 1)  # what is offered is all there is
        top = Var(f, "ptr", root)
        value = V(f, f.alloca("i64"), "ptr")
        again, broken, finished = f.label(), f.label(), f.label()
        f.place(again)
        frame = top.get()

        def done() -> None:
            inside = f.label()
            f.branch(f.icmp("eq", frame, root), finished, inside)
            f.place(inside)
            above = f.load(frame, ABOVE, "ptr")
            top.set(above)
            found = f.load(frame, TOTAL)
            search.drop(f, frame)
            self._add_to(f, above, found, broken)
            f.br(again)

        given, at = search.answer(f, frame, value, again, done)
        leave_if_halted(f, broken)
        pc, seat = f.load(frame, PC), f.load(frame, SEAT)
        cells = search.cells(f, frame)
        result = search.attempt(f, cells, pc, seat, given.get(), at.get(), frame)
        f.leave_if(result.eq(BROKEN), broken)
        f.leave_if(result.eq(NO), again)
        ends, asks = f.label(), f.label()
        f.branch(result.eq(YES) | result.eq(VALUED), ends, asks)
        f.place(ends)
        self._add_to(f, frame, 1, broken)
        f.br(again)
        f.place(asks)
        found = f.emit(f"inttoptr i64 {result.text} to ptr", "ptr")
        last, deeper = f.label(), f.label()
        f.branch(self._is_last(f, found), last, deeper)
        f.place(last)
        answers = f.load(found, COUNT) + f.load(found, DECLINE)
        search.drop(f, found)
        self._add_to(f, frame, answers, broken)
        f.br(again)
        f.place(deeper)
        top.set(found)
        f.br(again)
        f.place(finished)
        f.ret(f.load(root, TOTAL))
        f.place(broken)
        search.drop_all(f, top, root)
        f.ret(BROKEN)
        self.module.add(f)

    # ------------------------------------------------------------ positions

    def _entry(self) -> None:
        """Where the table keeps the position of a frame, whose key is noted in it."""
        f = self._function("entry", "ptr", ("ptr", "frame"))
        frame = f.param("frame")
        cells, key = self.search.cells(f, frame), f.gep(frame, KEY)
        f.call("void", "hash_cells", cells, key)
        generator = f.emit(f"load i64, ptr {cells.text}, align 4")
        more = (generator ^ (f.load(frame, LEFT) * _MIX)) * _MIX
        first = f.load(frame, KEY) ^ more ^ (more >> 29)
        f.store(frame, KEY, first)
        f.store(frame, KEY2, f.load(frame, KEY2) + more)
        mask = (f.value(1) << f.ctx(layout.COUNTS_BITS)) - 1
        f.ret(f.gep(f.ctx_ptr(layout.COUNTS), (first & mask) * layout.COUNTS_ENTRY))
        self.module.add(f)

    def _remember(self, f: F, frame: V) -> None:
        mask = (f.value(1) << f.ctx(layout.COUNTS_BITS)) - 1
        first = f.load(frame, KEY)
        entry = f.gep(f.ctx_ptr(layout.COUNTS), (first & mask) * layout.COUNTS_ENTRY)
        f.store(entry, 0, first)
        f.store(entry, 1, f.load(frame, KEY2))
        f.store(entry, 2, f.load(frame, TOTAL))

    # ------------------------------------------------------------- the walk

    def _play(self) -> None:
        """Give an answer and play on: NO, YES (a sequence is complete), -1, or a new frame."""
        search = self.search
        f = self._function("play_on", "i64", ("ptr", "frame"), ("i64", "given"), ("ptr", "answer"))
        frame, play = f.param("frame"), f.ctx_ptr(layout.PLAY)

        def without() -> None:
            search.note_no_memory(f, f.context)
            f.ret(BROKEN)

        new = search.frame(f, without)
        cells = search.cells(f, new)
        f.copy(cells, search.cells(f, frame), 4 * self.program.cells)
        seat = f.load(frame, SEAT)
        f.store(play, layout.GIVEN, f.param("given"))
        f.store(play, layout.GIVEN_AT, f.param("answer"), "ptr")
        for slot in (layout.STOP_SEAT, layout.SEAT):
            f.store(play, slot, seat)
        for slot in (layout.ENDED, layout.PENDING):
            f.store(play, slot, 0)
        where = f.load(frame, PC) + search.size
        where32 = f.emit(f"trunc i64 {where.text} to i32", "i32")
        result = f.call("i32", "run", cells, play, where32)
        ended = f.load(play, layout.ENDED).ne(0)
        failed, ran, nothing = f.label(), f.label(), f.label()
        f.branch(f.icmp("eq", result, V(f, str(layout.STOPPED), "i32")), ran, failed, likely=True)
        f.place(failed)
        error = f.load(play, layout.ERROR)
        # refusals have even numbers, and the slot holds the number plus one
        dead_end = (error & 1).ne(0) & ended.not_() & (seat >= 0)
        f.leave_if(dead_end, nothing)  # an option of unknown legality
        search.drop(f, new)
        for slot in (layout.ERROR, layout.ERROR_A, layout.ERROR_B):
            f.set_ctx(slot, f.load(play, slot))
        f.ret(BROKEN)
        f.place(ran)
        left = f.load(frame, LEFT) - ended.i64()
        complete, more, opened = f.label(), f.label(), f.label()
        f.branch(left.eq(0), complete, more)
        f.place(complete)
        search.drop(f, new)
        f.ret(YES)
        f.place(more)
        f.branch(f.load(play, layout.STOP_KIND).eq(layout.STOPS.index("over")), nothing, opened)
        f.place(nothing)
        search.drop(f, new)
        f.ret(NO)
        f.place(opened)
        f.store(new, ABOVE, frame, "ptr")
        f.store(new, LEFT, left)
        search.fill(f, new, play)
        f.end(f"ret i64 {f.emit(f'ptrtoint ptr {new.text} to i64').text}")
        self.module.add(f)

    def _count(self) -> None:
        """`count`: sequences from the stop that PLAY stands at with `state`; -1 where it failed."""
        search = self.search
        f = F(
            "count", "i64", (("ptr", "ctx"), ("ptr", "state"), ("i64", "depth")),
            self.module.errors, on_fail="unreachable", linkage="dso_local",
        )  # fmt: skip
        null = V(f, "null", "ptr")

        def without() -> None:
            search.note_no_memory(f, f.context)
            f.ret(-1)

        root = search.frame(f, without)
        f.copy(search.cells(f, root), f.state, 4 * self.program.cells)
        f.store(root, ABOVE, null, "ptr")
        f.store(root, LEFT, f.param("depth"))
        search.fill(f, root, f.ctx_ptr(layout.PLAY))
        top, value = Var(f, "ptr", root), V(f, f.alloca("i64"), "ptr")
        arrived, again, counted = f.label(), f.label(), f.label()
        broken, finished = f.label(), f.label()
        f.place(arrived)
        self._arrive(f, top.get(), counted, broken)
        f.place(again)
        frame = top.get()
        f.store(frame, HAS, 1)  # what is offered is all there is

        def done() -> None:
            self._remember(f, frame)
            f.br(counted)

        given, at = search.answer(f, frame, value, again, done)
        leave_if_halted(f, broken)
        result = f.call("i64", "play_on", f.context, frame, given.get(), at.get())
        f.leave_if(result.eq(BROKEN), broken)
        f.leave_if(result.eq(NO), again)
        whole, opened = f.label(), f.label()
        f.branch(result.eq(YES), whole, opened)
        f.place(whole)
        self._add_to(f, frame, 1, broken)
        f.br(again)
        f.place(opened)
        top.set(f.emit(f"inttoptr i64 {result.text} to ptr", "ptr"))
        f.br(arrived)
        f.place(counted)
        frame = top.get()
        total, above = f.load(frame, TOTAL), f.load(frame, ABOVE, "ptr")
        search.drop(f, frame)
        top.set(above)
        f.leave_if(f.icmp("eq", above, null), finished)
        self._add_to(f, above, total, broken)
        f.br(again)
        f.place(finished)
        f.ret(total)
        f.place(broken)
        search.drop_all(f, top, null)
        f.ret(BROKEN)
        self.module.add(f)

    def _arrive(self, f: F, frame: V, counted: str, broken: str) -> None:
        """What is known of a position at once; goes on where its answers must be tried."""
        play = f.ctx_ptr(layout.PLAY)
        decides = f.load(play, layout.STOP_KIND).eq(layout.STOPS.index("decision"))
        last = decides & f.load(frame, LEFT).eq(1) & f.load(play, layout.PENDING).eq(0)
        only, plain = f.label(), f.label()
        f.branch(last & self._is_last(f, frame), only, plain)
        f.place(only)
        f.store(frame, TOTAL, f.load(frame, COUNT) + f.load(frame, DECLINE))
        f.br(counted)
        f.place(plain)
        entry = f.call("ptr", "entry", f.context, frame)
        same = f.load(entry, 0).eq(f.load(frame, KEY)) & f.load(entry, 1).eq(f.load(frame, KEY2))
        known, new, follow, walk = f.label(), f.label(), f.label(), f.label()
        f.branch(same, known, new)
        f.place(known)
        f.store(frame, TOTAL, f.load(entry, 2))
        f.br(counted)
        f.place(new)
        f.branch(last, follow, walk)
        f.place(follow)
        f.leave_if(f.call("i64", "ways", f.context, frame) < 0, broken)
        self._remember(f, frame)
        f.br(counted)
        f.place(walk)
