"""The walk that all searches have in common: depth first over the answers of decisions.

What a search makes of the decisions it comes to is up to its kind: `Completion` looks for any way
to the end of a part, `Best` for the largest value at the end of a block, `Ways` counts all ways to
the end of a part, and `Sequences` those through several parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.runtime.frame import PC, SEAT
from ludwright.native.runtime.trial import Trials


class Walk(ABC):
    """One kind of search, as it is written into a function. `top` holds the frame on top."""

    def __init__(self, trials: Trials, f: Function, top: Var, broken: Label) -> None:
        """`broken` is left for where an error has been noted."""
        self.trials, self.frames, self.f = trials, trials.frames, f
        self.top, self.broken = top, broken

    def write(self) -> None:
        """The walk; it is left by one of the methods below."""
        f, room = self.f, self.f.array(1)
        with f.loop(), f.block() as again:
            frame = self.top.get()
            given, at = self.frames.next_answer(
                frame, room, again, lambda: self.exhausted(frame, again)
            )
            self.visit()
            verdict, found = self.answer(frame, given, at)
            f.leave_if(verdict.eq(layout.BROKEN), self.broken)
            f.leave_if(verdict.eq(layout.NO), again)
            with f.if_(verdict.eq(layout.WAITS)):
                self.entered(frame, found)
            with f.else_():
                self.completed(frame, verdict)

    def answer(self, frame: Operand, given: Operand, at: Operand) -> tuple[Operand, Operand]:
        """Give an answer on a copy: the verdict, and the frame of a decision it leads to."""
        words = Words(frame)
        return self.trials.attempt(
            self.f, self.frames.cells(frame), words[PC], words[SEAT], given, at, frame
        )

    @abstractmethod
    def visit(self) -> None:
        """Before an answer is given: whether the search may go on."""

    @abstractmethod
    def exhausted(self, frame: Operand, again: Label) -> None:
        """All answers of a frame have been given; goes on `again` or leaves the walk."""

    @abstractmethod
    def entered(self, frame: Operand, found: Operand) -> None:
        """An answer leads to a decision; its frame goes on top, or is dropped."""

    @abstractmethod
    def completed(self, frame: Operand, verdict: Operand) -> None:
        """An answer leads to the end."""
