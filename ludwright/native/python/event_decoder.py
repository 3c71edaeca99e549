"""What happened in a run, read back from the words that `codegen.state.events` noted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright import program as ir
from ludwright.native.analysis.words import value_of
from ludwright.native.build.manifest import Record
from ludwright.program.cells import set_members
from ludwright.program.events import EventKind


def decoded(
    program: ir.Program, records: Sequence[Any], words: Sequence[int]
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
        found.append(_raw(program, record, values))
    return found


def _raw(program: ir.Program, record: Record, values: list[Any]) -> tuple[Any, ...]:
    subject = record.subject
    match record.kind:
        case EventKind.CHANGED:
            return (EventKind.CHANGED, subject, *values)
        case EventKind.CHOSE:
            seat, given, answer = values
            return (EventKind.CHOSE, seat, subject, None if given else answer)
        case EventKind.PICKED:
            seat, picks = values
            return (EventKind.CHOSE, seat, subject, _picks(program.choice_at(subject), picks))
        case EventKind.OPENED:
            seats, *answers = values
            choice = program.choice_at(subject)
            if choice.kind == "many":
                answers = [_picks(choice, picks) for picks in answers]
            return (EventKind.OPENED, subject, seats, tuple(answers))
        case EventKind.ROLLED:
            return (EventKind.ROLLED, subject, values[0])
        case EventKind.MOVED | EventKind.SHUFFLED | EventKind.REVEALED | EventKind.CONCEALED:
            return (record.kind, *values)
        case EventKind.EMITTED:
            instr = program.code[subject]
            assert isinstance(instr, ir.Emit)
            fields = [
                (name, value, type_)
                for (name, _, type_), value in zip(instr.fields, values, strict=True)
            ]
            return (EventKind.EMITTED, instr.event, fields)
        case EventKind.SAID:
            hearers, *rest = values
            half = len(rest) // 2
            return (EventKind.SAID, subject, hearers, tuple(rest[:half]), tuple(rest[half:]))
        case EventKind.UNSAID:
            return (EventKind.SAID, subject, values[0], None, None)
        case EventKind.OVER:
            return (EventKind.OVER, subject)


def _picks(choice: ir.Choice, picks: Any) -> Any:
    """The picks of one seat; a set of them comes as its bits."""
    type_ = choice.result_type
    return tuple(set_members(picks, type_.items[0].lo)) if type_.kind == "set" else picks
