"""Looking up what a search for the best has found: see `passes.best_memo`."""

from __future__ import annotations

from collections.abc import Sequence

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.layout import Slot
from ludwright.native.runtime.frame import Frames
from ludwright.native.runtime.memo import AGE, HASH, HASH2, VALUE, VERDICT


def add_best_answers(frames: Frames) -> None:
    """`best_answers`: the answers of the decision a state waits at that lead to the best value, as
    a set of their numbers in the order of `Frames.next_answer`; -1 if that is not known."""
    module = frames.module
    with module.helper("best_answers", "i64") as f:
        age, wanted = f.ctx[layout.BEST_MEMO_AGE], f.ctx[layout.VALUE]
        at, width = f.ctx[layout.BEST_MEMO_AT], f.ctx[layout.BEST_MEMO_WIDTH]
        with f.block() as unknown:
            f.leave_if(age.eq(0), unknown)
            with f.for_range(0, width) as cell:
                f.leave_if(f.cell(at + cell).ne(f.load(wanted, cell)), unknown)
            # While the best was sought these cells were empty.
            with f.for_range(0, width) as cell:
                f.set_cell(at + cell, 0)
            key = f.array(2)
            f.call("void", "hash_cells", f.state, key)
            with f.for_range(0, width) as cell:
                f.set_cell(at + cell, f.load(wanted, cell))
            mask = (f.value(1) << f.ctx[layout.BEST_MEMO_BITS]) - 1
            one, two = f.load(key), f.load(key, 1)
            place = Var(f, init=one & mask)
            with f.loop() as found:
                table = f.ctx[layout.MEMO]
                entry = Words(f.gep(table, place.get() * module.memo_words))
                f.leave_if(entry[AGE].ne(age), unknown)
                f.leave_if(entry[HASH].eq(one) & entry[HASH2].eq(two), found)
                place.set((place.get() + 1) & mask)
            f.leave_if(entry[VERDICT].eq(0), unknown)
            value = f.gep(entry.base, VALUE)
            for word in range(frames.value_words):
                f.leave_if(f.load(value, word).ne(f.load(wanted, word)), unknown)
            f.ret(f.load(value, frames.value_words))
        f.ret(-1)


class BestMemo:
    """What is known of the decision at hand, for code that is being written to ask."""

    def __init__(self, f: Function) -> None:
        self.f = f
        good = f.call("i64", "best_answers", f.state, f.context)
        self.known = good >= 0
        decline, stop = f.ctx[layout.DECLINE], f.ctx[layout.CAN_STOP]
        self._decline, self._stop = good & decline, (good >> decline) & stop
        self._answers = Var(f, init=good >> (decline + stop))

    def extra(self, kind: Operand | int) -> Operand:
        """Whether an answer that is none of those listed can be finished."""
        declines = self.f.value(kind).eq(layout.GIVEN_DECLINE)
        return self.f.select(declines, self._decline, self._stop)

    def answer(self, at: Operand) -> Operand:
        return (self._answers.get() >> at) & 1

    def move(self, old: Operand, new: Operand) -> None:
        """An answer takes the place of another one."""
        others = self._answers.get() & ((self.f.value(1) << new) ^ -1)
        self._answers.set(others | (self.answer(old) << new))

    def mark(
        self, count: Operand, extras: Sequence[tuple[Slot, int, Var]], done: Label
    ) -> None:  # fmt: skip
        """Mark all answers and leave, if they are known.

        `extras`: what else may be answered, as (slot, kind, whether it can be finished).
        """
        f = self.f
        with f.if_(self.known):
            for _, kind, kept in extras:
                kept.set(self.extra(kind))
            with f.for_range(0, count) as at:
                f.store(f.ctx[layout.MARKS], at, self.answer(at), "i8")
            f.br(done)
