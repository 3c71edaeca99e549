"""The Python objects that native code works with, as a table of words it can read.

Native code (`game_calls`) makes states, decisions and steps itself. It finds their classes, where
in their memory the attributes lie, and what a game's answers are called in this table. Where
attributes lie is looked up in live objects, so code kept on disk serves every build of Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ludwright import program as ir
from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.play.listing import MENUS, head_name
from ludwright.kernel.protocol.decision import Decision, Range
from ludwright.kernel.protocol.move import (
    ChoiceRequest,
    Move,
    completed_fields,
    decided_fields,
)
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step, joined_fields
from ludwright.native.errors import NativeUnsupported
from ludwright.native.python.option_names import Naming

# Objects, by their addresses.
(
    STATE, DECISION, STEP, RANGE, REQUEST, MOVE,
    INT, STR, LIST, TUPLE, NO_OPTIONS, FALSE, STOP_WORD,
    DECIDED_FIELDS, COMPLETED_FIELDS, JOINED_FIELDS,
    GAME,  # what game the states of this game say they belong to
    SEAL,  # on states that this game has made or checked
    SEATS,  # tuple: their names
    PIECES,  # tuple: see `naming.piece_names`
    ACTIONS,  # tuple: their names
    HEADS,  # tuple: what moves are called that belong to no action
    DECIDED, STEPPED,  # what finds the rest of a decision or a step
    FIND_ID,  # gives the id of the decision of a state, from its bytes
    CHOOSE_ALL,  # answers the decision of a state with a tuple of picks
) = range(26)  # fmt: skip

# Attributes, by how many bytes after the start of an object they lie.
TYPE = 26
(
    STATE_BYTES, STATE_DECISION, STATE_GAME, STATE_LIST, STATE_SEAL, STATE_STOP, STATE_WAITS,
    DECISION_SOURCE, DECISION_SEAT, DECISION_OPTIONS, DECISION_OPTIONAL, DECISION_CAN_STOP,
    STEP_SOURCE, STEP_STATE, RANGE_LO, RANGE_HI,
    REQUEST_SOURCE, REQUEST_COMPLETE, REQUEST_ID, REQUEST_OPTIONS,
    MOVE_ACTION, MOVE_ANSWERS,
) = range(TYPE + 1, TYPE + 23)  # fmt: skip

# Per instruction: how answers are called, the tuple of names, the dict from names to answers; what
# kind of decision it is, and its id, if that is the same in every state and has been asked for.
NAMINGS = TYPE + 23
NAMING_WORDS = 5
ELSEWHERE, NAMED, NUMBERS, OF_PIECES = range(4)
ONE, SEVERAL, MENU = range(3)

_WORD = ctypes.c_int64
_SIZE = ctypes.sizeof(_WORD)


class Finders(NamedTuple):
    """Python functions that native code calls, or hands out to be called."""

    decided: Callable[..., Mapping[str, Any]]
    stepped: Callable[..., Mapping[str, Any]]
    find_id: Callable[[bytes], str]
    choose_all: Callable[[State, tuple[Any, ...]], Step]


class Objects:
    """The table of one game; it holds on to all that is in it."""

    def __init__(
        self, game: str, seal: object, program: ir.Program, pieces: tuple[str, ...],
        namings: Sequence[Naming], finders: Finders,
    ) -> None:  # fmt: skip
        state = (
            "_bytes", "known_decision", "_game", "_list", "seal", "known_stop", "known_record",
        )  # fmt: skip
        actions = tuple(action.name for action in program.actions)
        heads = tuple(head_name(head) for head in program.heads)
        objects = (
            State, Decision, Step, Range, ChoiceRequest, Move, int, str, list, tuple, (), False,
            STOP, decided_fields, completed_fields, joined_fields, game, seal,
            program.world.seats, pieces, actions, heads, *finders,
        )  # fmt: skip
        words = [*map(id, objects), _type_offset()]
        words += _offsets(State, state)
        words += _offsets(Decision, ("_source", "seat", "options", "optional", "can_stop"))
        words += _offsets(Step, ("_source", "state"))
        words += _offsets(Range, ("lo", "hi"))
        words += _offsets(ChoiceRequest, ("_source", "complete", "decision_id", "options"))
        words += _offsets(Move, ("action_id", "answers"))
        assert len(words) == NAMINGS
        for instr, known in zip(program.code, namings, strict=True):
            words += (*_naming(known), _kind(program, instr), 0)
        self._keep: list[object] = [objects, tuple(namings)]
        self._table = (_WORD * len(words))(*words)

    def keep_id(self, pc: int, name: str) -> None:
        """What the decision of an instruction is called in every state."""
        self._keep.append(name)
        self._table[NAMINGS + NAMING_WORDS * pc + NAMING_WORDS - 1] = id(name)

    @property
    def address(self) -> int:
        return ctypes.addressof(self._table)


def _kind(program: ir.Program, instr: ir.Instr) -> int:
    if not isinstance(instr, ir.Choose):
        return ONE
    choice = program.choices[instr.choice]
    if choice.kind == "many":
        return SEVERAL
    return MENU if choice.role in MENUS else ONE


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
