"""The largest value at the end of a `best` block: a search that walks every path to its end."""

from __future__ import annotations

from ludwright.kernel.types import NO_INT
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import BODY_PARAMS
from ludwright.native.searching import (
    ABOVE,
    BEST,
    BROKEN,
    HAS,
    NO,
    PC,
    SEAT,
    UNSEEN,
    VALUED,
    YES,
    Searching,
)


class BestSearch:
    """Writes `best_search`."""

    def __init__(self, search: Searching) -> None:
        self.search = search
        self.module = search.module
        self.words = search.value_words

    def write(self) -> None:
        self._improve()
        f = F(
            "best_search", "i64", (*BODY_PARAMS, ("i64", "pc"), ("i64", "number")),
            self.module.errors, on_fail="unreachable",
        )  # fmt: skip
        search = self.search
        inner = f.ctx_ptr(layout.SEARCH)
        reached = f.load(inner, layout.VALUE, "ptr")
        for slot, what in (
            (layout.SEAT, f.value(-1)), (layout.BEST, f.param("number") + 1),
            (layout.TICKS, f.ctx(layout.TICKS)),
        ):  # fmt: skip
            f.store(inner, slot, what)
        f.set_ctx(layout.MEMO_ON, 1)
        f.set_ctx(layout.NODES, 0)
        f.set_ctx(layout.MEMO_AGE, f.ctx(layout.MEMO_AGE) + 1)
        f.copy(
            f.load(inner, layout.REGISTERS, "ptr"), f.ctx_ptr(layout.REGISTERS),
            8 * self.module.shared_words,
        )  # fmt: skip
        null = V(f, "null", "ptr")
        value = V(f, f.alloca("i64"), "ptr")
        top, root = Var(f, "ptr", null), Var(f, "ptr", null)
        start = search.attempt(f, f.state, f.param("pc"), f.value(-1), f.value(-1), value, null)
        broken, none, at_once, waits = f.label(), f.label(), f.label(), f.label()
        f.leave_if(start.eq(BROKEN), broken)
        f.leave_if(start.eq(NO) | start.eq(YES), none)
        f.branch(start.eq(VALUED), at_once, waits)
        f.place(at_once)
        f.copy(f.ctx_ptr(layout.VALUE), reached, 8 * self.words)
        f.ret(YES)
        f.place(none)
        f.ret(NO)
        f.place(waits)
        root.set(f.emit(f"inttoptr i64 {start.text} to ptr", "ptr"))
        top.set(root.get())
        self._walk(f, top, root, value, reached, broken)
        f.place(broken)
        search.drop_all(f, top, null)
        f.ret(BROKEN)
        self.module.add(f)

    def _walk(self, f: F, top: Var, root: Var, value: V, reached: V, broken: str) -> None:
        search = self.search
        again, spent, finish = f.label(), f.label(), f.label()
        f.place(again)
        frame = top.get()

        def done() -> None:
            """Every answer tried: what was found goes to the memo and to the frame above."""
            inside = f.label()
            f.branch(f.icmp("eq", frame, root.get()), finish, inside)
            f.place(inside)
            entry = search.memo(f, frame)
            with f.if_(f.icmp("ne", entry, V(f, "null", "ptr"))):
                f.store(entry, 3, f.load(frame, HAS))
                f.copy(f.gep(entry, 4), f.gep(frame, BEST), 8 * self.words)
            above = f.load(frame, ABOVE, "ptr")
            with f.if_(f.load(frame, HAS).ne(0)):
                f.call("void", "improve", above, f.gep(frame, BEST))
            top.set(above)
            search.drop(f, frame)
            f.br(again)

        given, at = search.answer(f, frame, value, again, done)
        search.leave_if_spent(f, spent, broken, spent)
        cells = search.cells(f, frame)
        pc, seat = f.load(frame, PC), f.load(frame, SEAT)
        result = search.attempt(f, cells, pc, seat, given.get(), at.get(), frame)
        f.leave_if(result.eq(BROKEN), broken)
        f.leave_if(result.eq(NO), again)
        ends, deeper = f.label(), f.label()
        f.branch(result.eq(YES) | result.eq(VALUED), ends, deeper)
        f.place(ends)
        with f.if_(result.eq(YES)):
            # the part ended inside the block, so nothing is known of the value: every other is more
            for word in range(self.words):
                f.store(reached, word, NO_INT)
        f.call("void", "improve", frame, reached)
        f.br(again)
        f.place(deeper)
        self._deeper(f, top, frame, f.emit(f"inttoptr i64 {result.text} to ptr", "ptr"), again)
        f.place(spent)
        # the budget is gone: the best of what is open
        with f.loop() as (_, out):
            open_ = top.get()
            f.leave_if(f.icmp("eq", open_, root.get()), out)
            with f.if_(f.load(open_, HAS).ne(0)):
                f.call("void", "improve", root.get(), f.gep(open_, BEST))
            top.set(f.load(open_, ABOVE, "ptr"))
            search.drop(f, open_)
        f.place(finish)
        has = f.load(root.get(), HAS)
        f.copy(f.ctx_ptr(layout.VALUE), f.gep(root.get(), BEST), 8 * self.words)
        search.drop(f, root.get())
        f.ret(has)

    def _deeper(self, f: F, top: Var, frame: V, found: V, again: str) -> None:
        """A decision further on: known from the memo, or the next frame."""
        search = self.search
        entry = search.memo(f, found)
        known, fresh, old = f.label(), f.label(), f.label()
        f.branch(f.icmp("ne", entry, V(f, "null", "ptr")), known, fresh)
        f.place(known)
        f.branch(f.load(entry, 3).eq(UNSEEN), fresh, old)
        f.place(fresh)
        top.set(found)
        f.br(again)
        f.place(old)
        with f.if_(f.load(entry, 3).eq(YES)):
            f.call("void", "improve", frame, f.gep(entry, 4))
        search.drop(f, found)
        f.br(again)

    def _improve(self) -> None:
        """A frame takes a value if it is larger than its own."""
        f = F(
            "improve", "void", (("ptr", "frame"), ("ptr", "value")), self.module.errors,
            on_fail="unreachable",
        )  # fmt: skip
        frame, value = f.param("frame"), f.param("value")
        take, leave = f.label(), f.label()
        f.leave_if(f.load(frame, HAS).eq(0), take)
        for word in range(self.words):
            old, new = f.load(frame, BEST + word), f.load(value, word)
            f.leave_if(new > old, take)
            f.leave_if(new < old, leave)
        f.br(leave)
        f.place(take)
        f.store(frame, HAS, 1)
        f.copy(f.gep(frame, BEST), value, 8 * self.words)
        f.place(leave)
        f.end("ret void")
        self.module.add(f)
