"""Events: what native code notes as it runs; `native.python.event_decoder` reads it back.

Only code written with `module.events` notes anything. A record is the number of its kind and the
words of its values, one after another as their shapes say.
"""

from __future__ import annotations

from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.build.manifest import Record
from ludwright.native.codegen.llvm.builder import Function, Operand
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.values import Value, write
from ludwright.program.events import EventKind


class Events:
    """Notes events of one function."""

    def __init__(self, module: Module, f: Function) -> None:
        self._module = module
        self.f = f
        self.on = module.events

    def wanted(self) -> Operand:
        """Whether this run notes events."""
        return self.f.ctx[layout.EVENTS].ne(0) if self.on else self.f.false

    def note(self, kind: EventKind, subject: int, *values: Value | tuple[Value, Shape]) -> None:
        """Write a record, unless the run wants none; values without a shape are numbers."""
        if not self.on:
            return
        f = self.f
        shaped = [value if isinstance(value, tuple) else (value, Int()) for value in values]
        shapes = tuple(shape for _, shape in shaped)
        number = self._module.record(Record(kind, subject, shapes))
        words = 1 + sum(shape.words for shape in shapes)
        with f.if_(self.wanted()):
            at = f.ctx[layout.EVENTS_AT]
            error = f.errors.engine("too-many-events", "more happened at once than can be noted")
            f.check(at + words <= f.ctx[layout.EVENTS_ROOM], error)
            base = f.gep(f.ctx[layout.EVENTS], at)
            f.store(base, 0, number)
            offset = 1
            for value, shape in shaped:
                write(f.gep(base, offset), shape, value)
                offset += shape.words
            f.ctx[layout.EVENTS_AT] = at + words

    def learn(self, before: Operand, after: Operand) -> None:
        """Note if the seat whose part it is comes to see what it has not seen before."""
        if not self.on:
            return
        f = self.f
        seat = f.ctx[layout.SEAT]
        bit = f.value(1) << f.smax(seat, 0)
        news = (after & (before ^ -1) & bit).ne(0) & (seat >= 0) & self.wanted()
        f.ctx[layout.LEARNED] = f.ctx[layout.LEARNED] | news.i64()
