"""The largest value at the end of a `best` block: a search that walks every path to its end."""

from __future__ import annotations

from ludwright.kernel.types import NO_INT
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.frames import (
    ABOVE,
    BEST,
    BROKEN,
    COUNT,
    DECLINE,
    HAS,
    NEXT,
    NO,
    PC,
    SEAT,
    STOP,
    UNSEEN,
    VALUED,
    YES,
)
from ludwright.native.module import BODY_PARAMS
from ludwright.native.recalling import MOST, add_recall
from ludwright.native.searching import Searching


class BestSearch:
    """Writes `best_search`."""

    def __init__(self, search: Searching) -> None:
        self.search = search
        self.module = search.module
        self.words = search.value_words

    def write(self) -> None:
        self._improve()
        add_recall(self.search)
        f = F(
            "best_search", "i64",
            (*BODY_PARAMS, ("i64", "pc"), ("i64", "number"), ("i64", "at"), ("i64", "width")),
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
        search.begin_walk(f)
        f.set_ctx(layout.MEMO_ON, 1)
        f.set_ctx(layout.RECALL, 0)
        f.set_ctx(layout.RECALL_AT, f.param("at"))
        f.set_ctx(layout.RECALL_WIDTH, f.param("width"))
        again = f.label()
        f.place(again)
        # where a part is not recalled, its width is 0
        f.store(inner, layout.SPOILED, f.param("width").eq(0).i64())
        f.store(inner, layout.BLOCK_SEAT, -1)
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
        self._walk(f, top, root, value, reached, broken, again)
        f.place(broken)
        search.drop_all(f, top, null)
        f.ret(BROKEN)
        self.module.add(f)

    def _walk(
        self, f: F, top: Var, root: Var, value: V, reached: V, broken: str, anew: str
    ) -> None:  # fmt: skip
        search = self.search
        again, spent, finish, outgrown = f.label(), f.label(), f.label(), f.label()
        f.store(f.ctx_ptr(layout.SEARCH), layout.BLOCK_SEAT, f.load(root.get(), SEAT))
        self._spoil_if_wide(f, root.get())
        f.place(again)
        frame = top.get()

        def done() -> None:
            """Every answer tried: what was found goes to the memo and to the frame above."""
            inside = f.label()
            f.branch(f.icmp("eq", frame, root.get()), finish, inside)
            f.place(inside)
            self._remember(f, frame)
            above = f.load(frame, ABOVE, "ptr")
            with f.if_(f.load(frame, HAS).ne(0)):
                f.call("void", "improve", above, f.gep(frame, BEST))
            top.set(above)
            search.drop(f, frame)
            f.br(again)

        given, at = search.answer(f, frame, value, again, done)
        search.leave_if_spent(f, spent, broken, outgrown)
        cells = search.cells(f, frame)
        told = (f.load(frame, PC), f.load(frame, SEAT), given.get(), at.get(), frame)
        result = search.attempt(f, cells, *told)
        f.leave_if(result.eq(BROKEN), broken)
        f.leave_if(result.eq(NO), again)
        ends, deeper = f.label(), f.label()
        f.branch(result.eq(YES) | result.eq(VALUED), ends, deeper)
        f.place(ends)
        with f.if_(result.eq(YES)):
            # the part ended inside the block, so nothing is known of the value: every other is more
            for word in range(self.words):
                f.store(reached, word, NO_INT)
            self._spoil(f)
        f.call("void", "improve", frame, reached)
        f.br(again)
        f.place(deeper)
        found = f.emit(f"inttoptr i64 {result.text} to ptr", "ptr")
        self._spoil_if_wide(f, found)
        self._deeper(f, top, frame, found, again)
        f.place(outgrown)
        search.drop_all(f, top, V(f, "null", "ptr"))
        search.again(f)
        f.br(anew)
        f.place(spent)
        self._spoil(f)
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
        inner = f.ctx_ptr(layout.SEARCH)
        with f.if_(f.load(inner, layout.SPOILED).eq(0) & has.ne(0)):
            self._remember(f, root.get())
            f.set_ctx(layout.RECALL, f.ctx(layout.MEMO_AGE))
            f.set_ctx(layout.RECALL_BITS, f.ctx(layout.MEMO_USED))
        search.drop(f, root.get())
        f.ret(has)

    def _remember(self, f: F, frame: V) -> None:
        """What was found for a decision goes to the memo."""
        entry = self.search.memo(f, frame)
        with f.if_(f.icmp("ne", entry, V(f, "null", "ptr"))):
            f.store(entry, 3, f.load(frame, HAS))
            f.copy(f.gep(entry, 4), f.gep(frame, BEST), 8 * self.search.best_words)

    def _spoil(self, f: F) -> None:
        f.store(f.ctx_ptr(layout.SEARCH), layout.SPOILED, 1)

    def _spoil_if_wide(self, f: F, frame: V) -> None:
        """With too many answers the set of the best does not fit into a word."""
        answers = f.load(frame, COUNT) + f.load(frame, DECLINE) + f.load(frame, STOP)
        with f.if_(answers > MOST):
            self._spoil(f)

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
        """The value of the answer tried last: a frame takes it if it is larger than its own.

        If it is the same, the answer joins those that lead there.
        """
        f = F(
            "improve", "void", (("ptr", "frame"), ("ptr", "value")), self.module.errors,
            on_fail="unreachable",
        )  # fmt: skip
        frame, value = f.param("frame"), f.param("value")
        take, leave = f.label(), f.label()
        answers = BEST + self.words
        this = f.value(1) << (f.load(frame, NEXT) - 1)
        f.leave_if(f.load(frame, HAS).eq(0), take)
        for word in range(self.words):
            old, new = f.load(frame, BEST + word), f.load(value, word)
            f.leave_if(new > old, take)
            f.leave_if(new < old, leave)
        f.store(frame, answers, f.load(frame, answers) | this)
        f.br(leave)
        f.place(take)
        f.store(frame, HAS, 1)
        f.store(frame, answers, this)
        f.copy(f.gep(frame, BEST), value, 8 * self.words)
        f.place(leave)
        f.end("ret void")
        self.module.add(f)
