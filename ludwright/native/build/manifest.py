"""What Python must know of a Program's native code to use it; cached as JSON beside the code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ludwright.native.analysis.shapes import Bits, Int, Lst, Shape, Tup
from ludwright.program.events import EventKind


@dataclass(frozen=True, slots=True)
class NativeError:
    """An error that code can note; `{a}` and `{b}` in the reason are numbers noted with it."""

    kind: Literal["refusal", "fault", "engine"]
    code: str
    site: int
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """How the records of one kind of event at one place are read."""

    kind: EventKind
    subject: int  # a variable, an instruction, an end
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Interface:
    instructions: int  # of the code, with what passes have added to the Program's
    room: int  # words for the longest list of answers
    searches: bool
    events: bool  # runs can note events
    memo_words: int  # of an entry in the memo of searches
    result_words: int  # of a context, for memoised results and facts
    shared_words: int  # memory of a run for registers that several functions use
    errors: tuple[NativeError, ...]
    records: tuple[Record, ...]
    answers: Mapping[int, Shape]  # by the instruction that stops: what is answered there
    # the lowest and the highest value of every cell, which the code relies on
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    shown: tuple[Shape, ...] = ()  # of the values of `show`, where the code computes them

    def error(self, number: int) -> NativeError:
        """By its number: see `codegen.llvm.error_table`."""
        return self.errors[number >> 1]


def to_json(interface: Interface) -> bytes:
    given = {name: getattr(interface, name) for name in _PLAIN}
    given["errors"] = [[e.kind, e.code, e.site, e.reason] for e in interface.errors]
    given["records"] = [
        [record.kind, record.subject, [_shape_json(shape) for shape in record.shapes]]
        for record in interface.records
    ]
    given["answers"] = [[pc, _shape_json(shape)] for pc, shape in interface.answers.items()]
    given["lows"], given["highs"] = interface.lows, interface.highs
    given["shown"] = [_shape_json(shape) for shape in interface.shown]
    return json.dumps(given, separators=(",", ":")).encode()


def from_json(data: bytes) -> Interface:
    """Raises ValueError for anything that `to_json` does not write."""
    try:
        given = json.loads(data)
        return Interface(
            **{name: _plain(given[name], type_) for name, type_ in _PLAIN.items()},
            errors=tuple(_error(*item) for item in given["errors"]),
            records=tuple(
                Record(EventKind(kind), _plain(subject, int), tuple(map(_shape, shapes)))
                for kind, subject, shapes in given["records"]
            ),
            answers={_plain(pc, int): _shape(shape) for pc, shape in given["answers"]},
            lows=tuple(_plain(low, int) for low in given["lows"]),
            highs=tuple(_plain(high, int) for high in given["highs"]),
            shown=tuple(map(_shape, given["shown"])),
        )
    except (KeyError, IndexError, TypeError, RecursionError) as problem:
        raise ValueError(f"not an interface: {problem}") from None


_PLAIN = {
    "instructions": int, "room": int, "searches": bool, "events": bool, "memo_words": int,
    "result_words": int, "shared_words": int,
}  # fmt: skip
_KINDS = ("refusal", "fault", "engine")


def _plain(value: Any, type_: type) -> Any:
    if type(value) is not type_:
        raise ValueError(f"{value!r} is not a {type_.__name__}")
    return value


def _error(kind: Any, code: Any, site: Any, reason: Any) -> NativeError:
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is not a kind of error")
    return NativeError(kind, _plain(code, str), _plain(site, int), _plain(reason, str))


def _shape_json(shape: Shape | None) -> Any:
    if shape is None:
        return None
    if isinstance(shape, Int):
        return [shape.lo, shape.hi]
    if isinstance(shape, Bits):
        return {"bits": shape.words}
    if isinstance(shape, Tup):
        return {"items": [_shape_json(item) for item in shape.items], "optional": shape.optional}
    return {"cap": shape.cap, "item": _shape_json(shape.item)}


def _shape(given: Any) -> Shape:
    if isinstance(given, list):
        lo, hi = given
        return Int(_plain(lo, int), _plain(hi, int))
    if "bits" in given:
        return Bits(_plain(given["bits"], int))
    if "items" in given:
        return Tup(tuple(map(_shape, given["items"])), _plain(given["optional"], bool))
    item = given["item"]
    return Lst(_plain(given["cap"], int), None if item is None else _shape(item))
