"""Frames of searches: the decisions on the way, each with a copy of its state.

A frame is a block of memory: some words, then the answers of the decision, then the cells. It is
linked to the frame above it. Frames that are no longer needed are kept for later ones.
"""

from __future__ import annotations

from collections.abc import Callable

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import CELL, of_type
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import answer_shape
from ludwright.native.codegen.state.ticks import note_error
from ludwright.native.layout import Pointer, Slot

ABOVE = Pointer(0)
PC, SEAT, NEXT, COUNT, DECLINE, STOP, RANGE, FIRST, KEY, KEY2 = map(Slot, range(1, 11))
HAS = Slot(11)  # not 0: something was found below
LEFT, TOTAL = Slot(12), Slot(13)  # of a count: parts to go, sequences so far
BEST = Slot(14)  # of a search for the best: words of the value, then the answers that lead there

_STOP = (
    (SEAT, layout.STOP_SEAT), (COUNT, layout.COUNT), (DECLINE, layout.DECLINE),
    (STOP, layout.CAN_STOP), (RANGE, layout.RANGE), (FIRST, layout.FIRST),
)  # fmt: skip


class Frames:
    """The frames of one Program's searches."""

    def __init__(self, module: Module, room: int) -> None:
        self.module = module
        program = self.program = module.program
        self._steps, self._empties = [1] * len(program.code), [-1] * len(program.code)
        for pc, instr in enumerate(program.code):
            if isinstance(instr, ir.Choose):
                choice = program.choices[instr.choice]
                self._steps[pc] = answer_shape(module, choice).words
                self._empties[pc] = -1 if choice.empty is None else choice.empty
            elif isinstance(instr, ir.Chance):
                self._steps[pc] = (module.shapes.element(instr.outcomes) or CELL).words
        # the widest value that a search for the best compares; 0 where there is none
        self.value_words = max(
            (of_type(i.type).words for i in program.code if isinstance(i, ir.BestBegin)), default=0
        )
        # behind a value: the set of the answers that lead to it
        self.best_words = self.value_words + 1 if self.value_words else 0
        self._head = BEST + self.best_words
        self._cells = self._head + room
        self._bytes = 8 * self._cells + 4 * program.cells + 8

    def cells(self, frame: Operand) -> Operand:
        return frame.f.gep(frame, self._cells)

    def step(self, pc: Operand) -> Operand:
        """Words of one answer of a decision."""
        return pc.f.load(self.module.table(pc.f, self._steps), pc, "i32")

    def empty(self, pc: Operand) -> Operand:
        """Where a choice goes on that has no answer; -1: it does not say."""
        return pc.f.load(self.module.table(pc.f, self._empties), pc, "i32")

    # -------------------------------------------------------------- memory

    def new(self, f: Function, without: Callable[[], None]) -> Operand:
        """A frame; `without` is written where there is no memory, and leaves."""
        frame = Var(f, "ptr", f.ctx[layout.FREE_FRAMES])
        with f.if_(frame.get().is_null()):
            frame.set(f.call("ptr", "malloc", self._bytes))
            with f.if_(frame.get().is_null(), likely=False):
                without()
        with f.else_():
            f.ctx[layout.FREE_FRAMES] = Words(frame.get())[ABOVE]
        return frame.get()

    def note_no_memory(self, f: Function, context: Operand) -> None:
        error = f.errors.engine(layout.NO_MEMORY, "there is no memory left to search")
        note_error(f, context, error)

    def drop(self, frame: Operand) -> None:
        """Give a frame back."""
        ctx = frame.f.ctx
        Words(frame)[ABOVE] = ctx[layout.FREE_FRAMES]
        ctx[layout.FREE_FRAMES] = frame

    def drop_all(self, top: Var, until: Operand) -> None:
        """Give back the frames from the top to one that stays, or all with null."""
        with top.f.while_(lambda: top.get().ne(until)):
            self.pop(top)

    def pop(self, top: Var) -> None:
        frame = top.get()
        top.set(Words(frame)[ABOVE])
        self.drop(frame)

    def write_release(self) -> None:
        """`release`: free all frames that were given back; the context is about to go."""
        with self.module.function("release", "void", "ptr ctx", exported=True) as f:
            with f.loop() as out:
                frame = f.ctx[layout.FREE_FRAMES]
                f.leave_if(frame.is_null(), out)
                f.ctx[layout.FREE_FRAMES] = Words(frame)[ABOVE]
                f.call("void", "free", frame)
            f.ret()

    # ------------------------------------------------------------- answers

    def fill(self, frame: Operand, context: Words) -> None:
        """The stop that a run came to, with its answers."""
        f, words = frame.f, Words(frame)
        pc = f.load(self.cells(frame), ir.PC, "i32")
        words[PC] = pc
        for slot in (HAS, NEXT, TOTAL):
            words[slot] = 0
        for to, slot in _STOP:
            words[to] = context[slot]
        size = context[layout.COUNT] * self.step(pc) * 8
        with f.if_(context[layout.RANGE].eq(0)):
            f.copy(f.gep(frame, self._head), context[layout.ANSWERS], size)

    def next_answer(
        self, frame: Operand, room: Operand, skip: Label, exhausted: Callable[[], None]
    ) -> tuple[Operand, Operand]:
        """The kind and the address of the next answer of a frame.

        `exhausted` is written where there is none, and leaves. An answer of a range is put into
        `room`. To go elsewhere (see `Choice.empty`) counts as an answer where nothing else was
        found; otherwise `skip` is jumped to.
        """
        f, words = frame.f, Words(frame)
        index = Var(f, init=words[NEXT])
        words[NEXT] = index.get() + 1
        pc = words[PC]
        kind, at = Var(f, init=layout.GIVEN_VALUE), Var(f, "ptr", room)
        with f.block() as chosen:
            for slot, other in ((DECLINE, layout.GIVEN_DECLINE), (STOP, layout.GIVEN_STOP)):
                with f.if_(words[slot].ne(0)):
                    kind.set(other)
                    f.leave_if(index.get().eq(0), chosen)
                    index.add(-1)
            kind.set(layout.GIVEN_VALUE)
            with f.if_(index.get() < words[COUNT]):
                with f.if_(words[RANGE].ne(0)):
                    f.store(room, 0, words[FIRST] + index.get())
                with f.else_():
                    at.set(f.gep(f.gep(frame, self._head), index.get() * self.step(pc)))
                f.br(chosen)
            with f.if_((self.empty(pc) >= 0) & index.get().eq(words[COUNT])):
                kind.set(layout.GIVEN_ELSEWHERE)
                f.leave_if(words[HAS].eq(0), chosen)
                if self.value_words:
                    # where all else is worth too little, a search for any completion would try it
                    Words(f.ctx[layout.SEARCH])[layout.BEST_MEMO_VOID] = 1
                f.br(skip)
            exhausted()
        return kind.get(), at.get()


def answers_of(frame: Operand) -> Operand:
    """How many answers a frame has, besides going elsewhere."""
    words = Words(frame)
    return words[COUNT] + words[DECLINE] + words[STOP]
