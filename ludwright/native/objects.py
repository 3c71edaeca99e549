"""The Python objects that native code works with, as a table of words it can read.

`talking` makes states, decisions and steps itself. It finds their classes, where in their memory
the attributes lie, and what a game's answers are called in this table. Where attributes lie is
looked up in live objects: code kept on disk serves every build of Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from ludwright.kernel.choosing import STOP
from ludwright.kernel.decisions import Decision, Range
from ludwright.kernel.moves import Step
from ludwright.kernel.state import State
from ludwright.native.errors import NativeUnsupported
from ludwright.native.naming import Naming

# Objects, by their addresses.
STATE, DECISION, STEP, RANGE, INT, STR, LIST, STOP_WORD = range(8)
GAME = 8  # what game the states of this game say they belong to
SEAL = 9  # on states that this game has made or checked
SEATS = 10  # tuple: their names
PIECES = 11  # tuple: see `naming.piece_names`
DECIDED, STEPPED = 12, 13  # what finds the rest of a decision or a step

# Attributes, by how many bytes after the start of an object they lie.
TYPE = 14
(
    STATE_BYTES, STATE_DECISION, STATE_GAME, STATE_LIST, STATE_SEAL, STATE_STOP, STATE_WAITS,
) = range(15, 22)  # fmt: skip
DECISION_SOURCE, DECISION_SEAT, DECISION_OPTIONS, DECISION_OPTIONAL, DECISION_CAN_STOP = range(
    22, 27
)
STEP_SOURCE, STEP_STATE, RANGE_LO, RANGE_HI = range(27, 31)

# Per instruction: how answers are called, the tuple of names, the dict from names to answers.
NAMINGS = 31
NAMING_WORDS = 3
ELSEWHERE, NAMED, NUMBERS, OF_PIECES = range(4)

_WORD = ctypes.c_int64
_SIZE = ctypes.sizeof(_WORD)


class Objects:
    """The table of one game; it holds on to all that is in it."""

    def __init__(
        self, game: str, seal: object, seats: tuple[str, ...], pieces: tuple[str, ...],
        namings: Sequence[Naming], decided: Any, stepped: Any,
    ) -> None:  # fmt: skip
        state = ("_bytes", "_decision", "_game", "_list", "_seal", "_stop", "_waits")
        objects = (
            State, Decision, Step, Range, int, str, list, STOP, game, seal, seats, pieces, decided,
            stepped,
        )  # fmt: skip
        words = [*map(id, objects), _type_offset()]
        words += _offsets(State, state)
        words += _offsets(Decision, ("_source", "seat", "options", "optional", "can_stop"))
        words += _offsets(Step, ("_source", "state"))
        words += _offsets(Range, ("lo", "hi"))
        assert len(words) == NAMINGS
        for known in namings:
            words += _naming(known)
        self._keep = (objects, tuple(namings))
        self._table = (_WORD * len(words))(*words)

    @property
    def address(self) -> int:
        return ctypes.addressof(self._table)


def _naming(known: Naming) -> tuple[int, int, int]:
    if known.numbers:
        return NUMBERS, 0, 0
    if known.names is not None:
        return NAMED, id(known.names), id(known.answers)
    return (OF_PIECES if known.pieces is not None else ELSEWHERE), 0, 0


def _memory(value: object) -> list[int]:
    size = type(value).__basicsize__ // _SIZE
    return list((_WORD * size).from_address(id(value)))


def _type_offset() -> int:
    class Plain:
        __slots__ = ("only",)

    return _place(_memory(Plain()), Plain)


def _offsets(cls: type[Any], names: Sequence[str]) -> list[int]:
    """Where the attributes of a class with slots lie."""
    made = object.__new__(cls)
    marks = {name: object() for name in names}
    for name, mark in marks.items():
        object.__setattr__(made, name, mark)
    memory = _memory(made)
    return [_place(memory, mark) for mark in marks.values()]


def _place(memory: list[int], value: object) -> int:
    if memory.count(id(value)) != 1:
        raise NativeUnsupported("this Python keeps the attributes of its objects elsewhere")
    return _SIZE * memory.index(id(value))
