"""Events: what native code notes down as it runs; `retelling` reads it back.

Only code written with `module.events` notes anything. A record is its kind, the number of its
words, and the words; wide values follow one another as their shapes say.
"""

from __future__ import annotations

from ludwright.native import layout
from ludwright.native.builder import F, V
from ludwright.native.interface import Record
from ludwright.native.module import Module
from ludwright.native.shapes import Int, Shape
from ludwright.native.values import Value, Values, Wide

CHANGED, CHOSE, PICKED, ROLLED, MOVED, SHUFFLED, REVEALED, CONCEALED, EMITTED, ENDED = range(10)


class Events:
    """Notes events of one function."""

    def __init__(self, body: Values) -> None:
        self.body = body
        self.f: F = body.f
        self.module: Module = body.module

    @property
    def on(self) -> bool:
        return self.module.events

    def note(self, kind: int, subject: int, *values: tuple[Value | int, Shape]) -> None:
        """Write a record; nothing where this code keeps no events or the run wants none."""
        if not self.on:
            return
        f, body = self.f, self.body
        number = self.module.record(Record(kind, subject, tuple(shape for _, shape in values)))
        words = 1 + sum(shape.words for _, shape in values)
        done, write = f.label(), f.label()
        f.branch(f.ctx(layout.EVENTS).ne(0), write, done)
        f.place(write)
        at = f.ctx(layout.EVENTS_AT)
        error = f.errors.engine("too-many-events", "more happened at once than can be told")
        f.check(at + words <= f.ctx(layout.EVENTS_ROOM), error)
        base = f.gep(f.ctx_ptr(layout.EVENTS), at)
        f.store(base, 0, number)
        offset = 1
        for value, shape in values:
            given: Value = f.value(value) if isinstance(value, int) else value
            own = given.shape if isinstance(given, Wide) else Int()
            body.write(f.gep(base, offset), shape, given, own)
            offset += shape.words
        f.set_ctx(layout.EVENTS_AT, at + words)
        f.place(done)

    def learn(self, before: V, after: V) -> None:
        """The seat whose part it is came to see something it had not seen."""
        if not self.on:
            return
        f = self.f
        seat = f.ctx(layout.SEAT)
        bit = f.value(1) << f.smax(seat, 0)
        news = (after & (before ^ -1) & bit).ne(0) & (seat >= 0) & f.ctx(layout.EVENTS).ne(0)
        f.set_ctx(layout.LEARNED, f.ctx(layout.LEARNED) | news.i64())
