"""What a search for the best has found out serves the decisions that follow it.

To find the largest value of a `best` block every way through it is walked, and so it is known of
each decision on the way which of its answers lead there. The memo of that search keeps it, by the
state; `recall` looks a decision up instead of searching again what can be finished.

It answers only where a search would say the same of every answer: nothing may end the part or
hand over to another seat inside the block, every way must have been walked to its end, and behind
the block nothing may refuse any more. Else the search is spoiled and leaves nothing to recall.
What is found is true of a state whenever it comes up: nothing has to be forgotten in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import BODY_PARAMS, Module
from ludwright.native.shapes import of_type

if TYPE_CHECKING:
    from ludwright.native.searching import Searching

MOST = 62  # answers of one decision that are told apart


def recallable(module: Module, instr: ir.BestBegin) -> bool:
    """Whether behind a block nothing can refuse, and its value lies in cells as it is compared."""
    ends = [
        pc
        for pc, other in enumerate(module.program.code)
        if isinstance(other, ir.BestEnd) and other.best == instr.best
    ]
    return (
        instr.addr < module.program.cells
        and instr.type.width == of_type(instr.type).words
        and all(pc + 1 in module.sure for pc in ends)
    )


def add_recall(search: Searching) -> None:
    """`recall`: the answers of the decision a state waits at that lead to the best, as a set of
    their numbers in the order of `Searching.answer`; -1 if that is not known."""
    module = search.module
    f = F("recall", "i64", BODY_PARAMS, module.errors, on_fail="unreachable")
    unknown = f.label()
    age = f.ctx(layout.RECALL)
    f.leave_if(age.eq(0), unknown)
    at, width, wanted = f.ctx(layout.RECALL_AT), f.ctx(layout.RECALL_WIDTH), f.ctx_ptr(layout.VALUE)
    with f.count(0, width) as word:
        f.leave_if(f.cell(at + word).ne(f.load(wanted, word)), unknown)
    # While the best was sought these cells were empty.
    with f.count(0, width) as word:
        f.set_cell(at + word, 0)
    key = V(f, f.alloca("[2 x i64]"), "ptr")
    f.call("void", "hash_cells", f.state, key)
    with f.count(0, width) as word:
        f.set_cell(at + word, f.load(wanted, word))
    table, mask = f.ctx_ptr(layout.MEMO), (f.value(1) << f.ctx(layout.RECALL_BITS)) - 1
    one, two = f.load(key), f.load(key, 1)
    place = Var(f, init=one & mask)
    with f.loop() as (_, found):
        entry = f.gep(table, place.get() * module.memo_words)
        f.leave_if(f.load(entry, 2).ne(age), unknown)
        f.leave_if(f.load(entry).eq(one) & f.load(entry, 1).eq(two), found)
        place.set((place.get() + 1) & mask)
    f.leave_if(f.load(entry, 3).eq(0), unknown)
    for number in range(search.value_words):
        f.leave_if(f.load(entry, 4 + number).ne(f.load(wanted, number)), unknown)
    f.ret(f.load(entry, 4 + search.value_words))
    f.place(unknown)
    f.ret(-1)
    module.add(f)


class Recalled:
    """What is recalled of a decision at hand, as code that is being written asks for it."""

    def __init__(self, f: F) -> None:
        self.f = f
        good = f.call("i64", "recall", f.state, f.context)
        self.known = good >= 0
        decline, stop = f.ctx(layout.DECLINE), f.ctx(layout.CAN_STOP)
        self._decline, self._stop = good & decline, (good >> decline) & stop
        self._answers = Var(f, init=good >> (decline + stop))

    def besides(self, kind: V | int) -> V:
        """Whether an answer that is none of those listed can be finished."""
        return self.f.select(self.f.value(kind).eq(layout.GIVEN_DECLINE), self._decline, self._stop)

    def answer(self, at: V) -> V:
        return (self._answers.get() >> at) & 1

    def move(self, old: V, new: V) -> None:
        """An answer takes the place of another one."""
        others = self._answers.get() & ((self.f.value(1) << new) ^ -1)
        self._answers.set(others | (self.answer(old) << new))

    def tell(self, verdict: Var, at: V, kind: V, told: str) -> None:
        """Set a verdict and leave, if it is known."""
        f = self.f
        known, unknown = f.label(), f.label()
        f.branch(self.known, known, unknown)
        f.place(known)
        listed = kind.eq(layout.GIVEN_VALUE)
        verdict.set(f.select(listed, self.answer(at), self.besides(kind)))
        f.br(told)
        f.place(unknown)

    def mark(self, count: V, extras: Sequence[tuple[int, int, Var]], told: str) -> None:
        """Mark all answers and leave, if they are known.

        `extras`: what may be answered besides, as (slot, kind, whether it can be finished).
        """
        f = self.f
        marks, unknown = f.ctx_ptr(layout.MARKS), f.label()
        f.leave_unless(self.known, unknown)
        for _, kind, kept in extras:
            kept.set(self.besides(kind))
        with f.count(0, count) as at:
            f.store(marks, at, self.answer(at), "i8")
        f.br(told)
        f.place(unknown)
