"""Moves, requests and answers: the plain values that callers exchange with a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ludwright.kernel.decisions import Decision, Legality
from ludwright.kernel.lazily import Lazy, late, lazily
from ludwright.kernel.state import State

MOVE_LIMIT = 10_000  # decisions in one move; a rulebook that needs more asks without end


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return value


@dataclass(frozen=True, eq=False)
class Move:
    """An action with answers to its decisions, keyed by decision id. Equal by value.

    Lists are kept as tuples: a move that was made never changes.
    """

    action_id: str
    params: Mapping[str, Any] = field(default_factory=dict)
    free_operation: bool = False

    def __post_init__(self) -> None:
        params = dict(self.params)
        for name, value in params.items():
            if isinstance(value, list | tuple):
                params[name] = _frozen(value)
        object.__setattr__(self, "params", MappingProxyType(params))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if self.action_id != other.action_id or self.free_operation != other.free_operation:
            return False
        return self.params == other.params

    def __hash__(self) -> int:
        return hash((self.action_id, frozenset(self.params.items()), self.free_operation))

    def __repr__(self) -> str:
        free = ", free_operation=True" if self.free_operation else ""
        return f"Move({self.action_id!r}, {dict(self.params)!r}{free})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Move, (self.action_id, dict(self.params), self.free_operation))

    def with_param(self, name: str, value: Any) -> Move:
        """The same move with one more answer."""
        return Move(self.action_id, {**self.params, name: value}, self.free_operation)


@late(
    "name", "type", "min", "max", "legality", "optional", "seat", "legal", "reason", "stops_at",
    "picked", "can_stop",
)  # fmt: skip
@dataclass(frozen=True, slots=True)
class ChoiceRequest(Lazy):
    """The next open decision of a partial move, or word that it is complete."""

    complete: bool
    decision_id: str | None = None
    name: str | None = None
    type: str | None = None  # "chooseOne" or "chooseN"
    options: Sequence[Any] = ()
    min: int | None = None
    max: int | None = None
    legality: Sequence[Legality] = ()
    optional: bool = False
    seat: str | None = None
    legal: bool = True  # False: the action cannot be taken or finished; see `reason`
    reason: str | None = None
    stops_at: str | None = None  # what ends the part: "chance", "reveal", "decision", "end", "over"
    picked: tuple[Any, ...] = ()  # of a chooseN answered one pick at a time (`$x#0`, `$x#1`, …)
    can_stop: bool = False  # and whether STOP ends it here


def request_of(decision: Decision) -> ChoiceRequest:
    """A decision as the question of a move that has not answered it."""
    return ChoiceRequest(
        complete=False, decision_id=decision.decision_id, options=decision.options,
        **as_decided("", decision),
    )  # fmt: skip


def as_decided(name: str, decision: Decision) -> dict[str, Any]:
    """The rest of a request that shows a decision as it is."""
    return {
        "name": decision.name, "type": decision.kind, "min": decision.min, "max": decision.max,
        "legality": decision.legality, "optional": decision.optional, "seat": decision.seat,
        "picked": decision.picked, "can_stop": decision.can_stop, "legal": True, "reason": None,
        "stops_at": None,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, told with outside values."""

    kind: str  # "moved", "changed", "rolled", "chose", …
    fields: Mapping[str, Any]
    number: int = 0  # position in the log

    def to_json(self) -> dict[str, Any]:
        return {"event": self.kind, "number": self.number, **self.fields}


@dataclass(frozen=True, slots=True)
class Result:
    """How a finished game ended, and why."""

    outcome: str  # "win", "lose", "draw", "score"
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    ranking: list[tuple[str, ...]]  # best first; seats that share a rank stand together
    reason: str


@dataclass(frozen=True, slots=True)
class Why:
    """Whether a move is legal, and the rule that says so."""

    legal: bool
    code: str | None = None
    rule: str | None = None
    reason: str | None = None
    line: int | None = None


@late("part_ended", "barrier", "learned", "raw_events", "_tell")
@dataclass(frozen=True, slots=True)
class Step(Lazy):
    """A new state and what happened on the way; `part_ended` when it cannot be taken back."""

    state: State
    part_ended: bool
    barrier: str
    learned: bool
    raw_events: tuple[tuple[Any, ...], ...]
    _tell: Any

    @property
    def events(self) -> list[Event]:
        """Everything that happened, as seen by nobody in particular (all of it)."""
        told: list[Event] = self._tell(self, None)
        return told

    def events_for(self, seat: str) -> list[Event]:
        """What a seat sees of it."""
        told: list[Event] = self._tell(self, seat)
        return told


def completed(last: Step) -> ChoiceRequest:
    """Word that a move is complete, and where its last step stops."""
    return lazily(ChoiceRequest, (_of_the_end, last), complete=True, decision_id=None, options=())


def _of_the_end(name: str, last: Step) -> Mapping[str, Any]:
    return {
        "name": None, "type": None, "min": None, "max": None, "legality": (), "optional": False,
        "seat": None, "legal": True, "reason": None, "stops_at": last.barrier, "picked": (),
        "can_stop": False,
    }  # fmt: skip


def joined(steps: Sequence[Step]) -> Step:
    """Steps that followed one another, as one."""
    last = steps[-1]
    if len(steps) == 1:
        return last
    source = (_of_all, tuple(steps))
    return lazily(
        Step, source, state=last.state, part_ended=last.part_ended, barrier=last.barrier,
        _tell=last._tell,
    )  # fmt: skip


def _of_all(name: str, steps: tuple[Step, ...]) -> Mapping[str, Any]:
    if name == "learned":
        return {name: any(step.learned for step in steps)}
    return {name: tuple(event for step in steps for event in step.raw_events)}
