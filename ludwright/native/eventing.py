"""Events: what native code notes down as it runs, and how Python reads it back.

Only code written with `module.events` notes anything. A record is its kind, the number of its
words, and the words; wide values follow one another as their shapes say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.storage import set_members
from ludwright.native import layout
from ludwright.native.builder import F, V
from ludwright.native.interface import Record
from ludwright.native.module import Module
from ludwright.native.shapes import Bits, Int, Shape, Tup
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


def told(
    program: ir.Program, records: Sequence[Any], words: Sequence[int], points: Any, chances: Any
) -> list[tuple[Any, ...]]:
    """The interpreter's raw events from the words of a run."""
    found: list[tuple[Any, ...]] = []
    at = 0
    while at < len(words):
        record: Record = records[words[at]]
        at += 1
        values: list[Any] = []
        for shape in record.shapes:
            values.append(value_of(words[at : at + shape.words], shape))
            at += shape.words
        found.append(_raw(program, record, values, points, chances))
    return found


def _raw(
    program: ir.Program, record: Record, values: list[Any], points: Any, chances: Any
) -> tuple[Any, ...]:
    subject = record.subject
    match record.kind:
        case 0:  # CHANGED
            return ("changed", subject, *values)
        case 1:  # CHOSE
            seat, given, answer = values
            return ("chose", seat, points[subject], None if given else answer)
        case 2:  # PICKED
            seat, picks = values
            type_ = points[subject].choice.result_type
            if type_.kind == "set":
                picks = tuple(set_members(picks, type_.items[0].lo))
            return ("chose", seat, points[subject], picks)
        case 3:  # ROLLED
            return ("rolled", chances[subject], values[0])
        case 4:  # MOVED
            return ("moved", *values)
        case 5:  # SHUFFLED
            return ("shuffled", *values)
        case 6:  # REVEALED
            return ("revealed", *values)
        case 7:  # CONCEALED
            return ("concealed", *values)
        case 8:  # EMITTED
            instr = program.code[subject]
            assert isinstance(instr, ir.Emit)
            fields = [
                (name, value, type_)
                for (name, _, type_), value in zip(instr.fields, values, strict=True)
            ]
            return ("emitted", instr.event, fields)
        case _:
            return ("over", subject)


def value_of(words: Sequence[int], shape: Shape) -> Any:
    """The kernel's value of some words."""
    if isinstance(shape, Int):
        return words[0]
    if isinstance(shape, Tup):
        if shape.optional and not words[0]:
            return -1
        return tuple(
            value_of(words[shape.offset(at) : shape.offset(at) + item.words], item)
            for at, item in enumerate(shape.items)
        )
    if isinstance(shape, Bits):
        return sum((word & (1 << 64) - 1) << 64 * at for at, word in enumerate(words))
    item = shape.item
    if item is None:
        return ()
    return tuple(
        value_of(words[1 + at * shape.step : 1 + (at + 1) * shape.step], item)
        for at in range(words[0])
    )


def values_of(words: Sequence[int], shape: Shape) -> list[Any]:
    """The kernel's values of words that follow one another."""
    step = shape.words
    return [value_of(words[at : at + step], shape) for at in range(0, len(words), step)]
