"""What happened in a run, read back from the words that native code noted down (`eventing`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.storage import set_members
from ludwright.native.interface import Record
from ludwright.native.words import value_of


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
