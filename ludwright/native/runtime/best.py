"""The largest value of a `best` block: a search that walks every way to its end."""

from __future__ import annotations

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.passes.best_memo import MOST_ANSWERS
from ludwright.native.runtime.best_memo import add_best_answers
from ludwright.native.runtime.frame import ABOVE, BEST, HAS, NEXT, SEAT, answers_of
from ludwright.native.runtime.legality import begin_again, begin_walk, visit_node
from ludwright.native.runtime.memo import VALUE, VERDICT, entry_of
from ludwright.native.runtime.trial import Trials
from ludwright.native.runtime.walk import Walk
from ludwright.program.types import NO_INT


class Best(Walk):
    """Looks for the largest value at the end of a block."""

    def __init__(
        self, trials: Trials, f: Function, top: Var, broken: Label, root: Operand, restart: Label
    ) -> None:
        super().__init__(trials, f, top, broken)
        self._bound = f.param("bound")
        self._root, self._restart = root, restart
        self._inner = Words(f.ctx[layout.SEARCH])
        self.reached = self._inner[layout.VALUE]

    def visit(self) -> None:
        visit_node(self.f, self.broken, self._out_of_nodes)

    def _out_of_nodes(self, verdict: int) -> None:
        f = self.f
        if verdict == layout.RESTART:
            self.frames.drop_all(self.top, f.null)
            begin_again(f)
            f.br(self._restart)
            return
        # the budget is spent: the best of what is open
        self._void_memo()
        with f.while_(lambda: self.top.get().ne(self._root)):
            frame = self.top.get()
            with f.if_(Words(frame)[HAS].ne(0)):
                self._improve(self._root, f.gep(frame, BEST))
            self.frames.pop(self.top)
        self._finish()

    def exhausted(self, frame: Operand, again: Label) -> None:
        """What was found goes to the memo and to the frame above."""
        f, words = self.f, Words(frame)
        with f.if_(frame.eq(self._root)):
            self._finish()
        self._remember(frame)
        with f.if_(words[HAS].ne(0)):
            self._improve(words[ABOVE], f.gep(frame, BEST))
        self.frames.pop(self.top)
        f.br(again)

    def entered(self, frame: Operand, found: Operand) -> None:
        """A decision further on: known from the memo, or the next frame."""
        f = self.f
        self.void_memo_if_wide(found)
        entry = entry_of(found)
        with f.if_(entry.is_null()):
            self.top.set(found)
        with f.else_():
            verdict = Words(entry)[VERDICT]
            with f.if_(verdict.eq(layout.UNSEEN)):
                self.top.set(found)
            with f.else_():
                with f.if_(verdict.eq(layout.YES)):
                    self._improve(frame, f.gep(entry, VALUE))
                self.frames.drop(found)

    def completed(self, frame: Operand, verdict: Operand) -> None:
        f = self.f
        with f.if_(verdict.eq(layout.YES)):
            # The part ended inside the block, so nothing is known of the value: any other is more.
            for word in range(self.frames.value_words):
                f.store(self.reached, word, NO_INT)
            self._void_memo()
        self._leave_at_bound()
        self._improve(frame, self.reached)

    def _leave_at_bound(self) -> None:
        """Leave with the value of the bound. Which answers lead there is not known then."""
        f, words = self.f, self.frames.value_words
        with f.if_(~self._bound.is_null()), f.block() as below:
            for word in range(words):
                f.leave_if(f.load(self.reached, word).ne(f.load(self._bound, word)), below)
            self.frames.drop_all(self.top, f.null)
            f.copy(f.ctx[layout.VALUE], self.reached, 8 * words)
            f.ctx[layout.BEST_IS_OPEN] = 1
            f.ret(layout.YES)

    def _finish(self) -> None:
        """Leave with what was found at the root."""
        f, root = self.f, Words(self._root)
        has = root[HAS]
        f.copy(f.ctx[layout.VALUE], f.gep(self._root, BEST), 8 * self.frames.value_words)
        with f.if_(self._inner[layout.BEST_MEMO_VOID].eq(0) & has.ne(0)):
            self._remember(self._root)
            f.ctx[layout.BEST_MEMO_AGE] = f.ctx[layout.MEMO_AGE]
            f.ctx[layout.BEST_MEMO_BITS] = f.ctx[layout.MEMO_USED]
        self.frames.drop(self._root)
        f.ret(has)

    def _improve(self, frame: Operand, value: Operand) -> None:
        self.f.call("void", "improve", frame, value)

    def _remember(self, frame: Operand) -> None:
        """What was found for a decision goes to the memo."""
        f = self.f
        entry = entry_of(frame)
        with f.if_(~entry.is_null()):
            Words(entry)[VERDICT] = Words(frame)[HAS]
            f.copy(f.gep(entry, VALUE), f.gep(frame, BEST), 8 * self.frames.best_words)

    def _void_memo(self) -> None:
        self._inner[layout.BEST_MEMO_VOID] = 1

    def void_memo_if_wide(self, frame: Operand) -> None:
        """With too many answers the set of the best does not fit into a word."""
        with self.f.if_(answers_of(frame) > MOST_ANSWERS):
            self._void_memo()


class BestSearch:
    """Writes `best_search`."""

    def __init__(self, trials: Trials) -> None:
        self.trials, self.frames, self.module = trials, trials.frames, trials.module

    def write(self) -> None:
        self._improve()
        add_best_answers(self.frames)
        self._best_search()

    def _best_search(self) -> None:
        """`best_search`: YES with the value in VALUE, NO where there is none, or BROKEN.

        The block begins at `pc`; its value is stored in `width` cells `at` an address, or `width`
        is 0 where later decisions cannot use what is found. A `bound` that is not null ends the
        search: no value exceeds it.
        """
        params = ("i64 pc", "i64 block", "i64 at", "i64 width", "ptr bound")
        with self.module.helper("best_search", "i64", *params) as f:
            inner = Words(f.ctx[layout.SEARCH])
            inner[layout.SEAT] = -1
            inner[layout.MODE] = layout.BEST
            inner[layout.BLOCK] = f.param("block")
            inner[layout.TICKS] = f.ctx[layout.TICKS]
            begin_walk(self.module, f)
            f.ctx[layout.MEMO_ON] = 1
            f.ctx[layout.BEST_MEMO_AGE] = 0
            f.ctx[layout.BEST_IS_OPEN] = 0
            f.ctx[layout.BEST_MEMO_AT] = f.param("at")
            f.ctx[layout.BEST_MEMO_WIDTH] = f.param("width")
            top = Var(f, "ptr", f.null)
            with f.block() as broken, f.loop(), f.block() as restart:
                self._search(f, inner, top, broken, restart)
            self.frames.drop_all(top, f.null)
            f.ret(layout.BROKEN)

    def _search(
        self, f: Function, inner: Words, top: Var, broken: Label, restart: Label
    ) -> None:  # fmt: skip
        inner[layout.BEST_MEMO_VOID] = f.param("width").eq(0).i64()
        inner[layout.BLOCK_SEAT] = -1
        size = 8 * self.module.shared_words
        f.copy(inner[layout.REGISTERS], f.ctx[layout.REGISTERS], size)
        verdict, root = self.trials.attempt(
            f, f.state, f.param("pc"), f.value(-1), f.value(-1), f.array(1), f.null
        )
        f.leave_if(verdict.eq(layout.BROKEN), broken)
        walk = Best(self.trials, f, top, broken, root, restart)
        with f.if_(verdict.eq(layout.VALUED)):
            f.copy(f.ctx[layout.VALUE], walk.reached, 8 * self.frames.value_words)
            f.ret(layout.YES)
        with f.if_(verdict.ne(layout.WAITS)):
            f.ret(layout.NO)
        top.set(root)
        inner[layout.BLOCK_SEAT] = Words(root)[SEAT]
        walk.void_memo_if_wide(root)
        walk.write()

    def _improve(self) -> None:
        """`improve`: the value of the answer given last; a frame takes it if it is larger than its
        own. If it is the same, the answer joins those that lead there."""
        words = self.frames.value_words
        with self.module.function("improve", "void", "ptr frame", "ptr value") as f:
            frame, value = f.params("frame", "value")
            slots, answers = Words(frame), f.gep(frame, BEST + words)
            this = f.value(1) << (slots[NEXT] - 1)
            with f.block() as larger:
                f.leave_if(slots[HAS].eq(0), larger)
                for word in range(words):
                    old, new = f.load(frame, BEST + word), f.load(value, word)
                    f.leave_if(new > old, larger)
                    with f.if_(new < old):
                        f.ret()
                f.store(answers, 0, f.load(answers) | this)
                f.ret()
            slots[HAS] = 1
            f.store(answers, 0, this)
            f.copy(f.gep(frame, BEST), value, 8 * words)
            f.ret()
