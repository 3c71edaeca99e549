"""Moves, and the questions about them that a game answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ludwright.diagnostics import Span
from ludwright.kernel.protocol.arguments import needed, plain_answer, same_answer
from ludwright.kernel.protocol.decision import Decision, DecisionKind, Legality
from ludwright.kernel.protocol.lazy_record import Lazy, lazy_fields
from ludwright.kernel.protocol.step import Step


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if value.__class__ is list else value


def listed(value: Any) -> Any:
    """An answer that a move has frozen, as decisions write values of several parts."""
    return [listed(item) for item in value] if value.__class__ is tuple else value


class _Answers:
    __slots__ = ("answers",)

    answers: dict[str, Any]  # what `params` shows, for engines; not to be changed


@dataclass(frozen=True, eq=False, slots=True)
class Move(_Answers):
    """An action with answers to its decisions, keyed by decision id. Equal by value.

    Lists are kept as tuples, so a move never changes. Numbers are kept as `int`, whatever type of
    whole number they were given as.
    """

    action_id: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        needed(str, self.action_id)
        if not isinstance(self.params, Mapping):
            raise TypeError(f"a mapping is needed, not {type(self.params).__name__}")
        params = dict(self.params)
        for name, value in params.items():
            needed(str, name)
            if value.__class__ is not str and value.__class__ is not int:
                params[name] = _frozen(plain_answer(value))
        object.__setattr__(self, "answers", params)
        object.__setattr__(self, "params", MappingProxyType(params))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        mine, theirs = self.answers, other.answers
        return (
            self.action_id == other.action_id
            and mine == theirs
            and all(same_answer(value, theirs[name]) for name, value in mine.items())
        )

    def __hash__(self) -> int:
        return hash((self.action_id, frozenset(self.params.items())))

    def __repr__(self) -> str:
        return f"Move({self.action_id!r}, {dict(self.params)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Move, (self.action_id, dict(self.params)))

    def with_param(self, name: str, value: Any) -> Move:
        """The same move with one more answer."""
        return Move(self.action_id, {**self.params, name: value})


_blank = object.__new__
_put_action, _put_answers, _put_params = (
    getattr(Move, name).__set__ for name in ("action_id", "answers", "params")
)


def move_of(action: str, answers: dict[str, Any]) -> Move:
    """A move made of what decisions offer: its parts need no check. It takes over the dict."""
    for name, value in answers.items():
        if value.__class__ is list:
            answers[name] = _frozen(value)
    made = _blank(Move)
    _put_action(made, action)
    _put_answers(made, answers)
    _put_params(made, MappingProxyType(answers))
    return made


@lazy_fields(
    "name", "kind", "min", "max", "legality", "optional", "seat", "legal", "reason", "stops_at",
    "picked", "can_stop",
)  # fmt: skip
@dataclass(frozen=True, slots=True)
class ChoiceRequest(Lazy):
    """The next open decision of a partial move, or the news that it is complete."""

    complete: bool
    decision_id: str | None = None
    name: str | None = None
    kind: DecisionKind | None = None
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
        **decided_fields("", decision),
    )  # fmt: skip


_put_source, _put_complete, _put_id, _put_options = (
    getattr(ChoiceRequest, name).__set__
    for name in ("_source", "complete", "decision_id", "options")
)


def request_for(decision: Decision, decision_id: str) -> ChoiceRequest:
    """The same, whose other fields are found when they are read. (In the way of `lazily`, but each
    field is set on its own: this is done for every question.)"""
    made = _blank(ChoiceRequest)
    _put_source(made, (decided_fields, decision))
    _put_complete(made, False)
    _put_id(made, decision_id)
    _put_options(made, decision.options)
    return made


def decided_fields(name: str, decision: Decision) -> dict[str, Any]:
    """The rest of a request that shows a decision as it is."""
    return {
        "name": decision.name, "kind": decision.kind, "min": decision.min, "max": decision.max,
        "legality": decision.legality, "optional": decision.optional, "seat": decision.seat,
        "picked": decision.picked, "can_stop": decision.can_stop, "legal": True, "reason": None,
        "stops_at": None,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Why:
    """Whether a move is legal, and the rule that says so."""

    legal: bool
    code: str | None = None
    rule: str | None = None
    reason: str | None = None
    span: Span | None = None  # where the rule stands in the rulebook


def completed(last: Step) -> ChoiceRequest:
    """Word that a move is complete, and where its last step stops."""
    made = _blank(ChoiceRequest)
    _put_source(made, (completed_fields, last))
    _put_complete(made, True)
    _put_id(made, None)
    _put_options(made, ())
    return made


def completed_fields(name: str, last: Step) -> Mapping[str, Any]:
    """The rest of a request that says that a move is complete."""
    return {
        "name": None, "kind": None, "min": None, "max": None, "legality": (), "optional": False,
        "seat": None, "legal": True, "reason": None, "stops_at": last.barrier, "picked": (),
        "can_stop": False,
    }  # fmt: skip
