"""Steps: a new state and what happened on the way to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludwright.kernel.protocol.lazy_record import Lazy, lazily, lazy_fields, source_of
from ludwright.kernel.protocol.state import State


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in outside values."""

    kind: str  # "moved", "changed", "rolled", "chose", …
    fields: Mapping[str, Any]
    number: int = 0  # position in the log

    def __hash__(self) -> int:
        return hash((self.kind, self.number))  # fields may hold lists

    def to_json(self) -> dict[str, Any]:
        return {"event": self.kind, "number": self.number, **self.fields}


@lazy_fields("part_ended", "barrier", "learned", "raw_events", "describe")
@dataclass(frozen=True, slots=True)
class Step(Lazy):
    """A new state and what happened on the way; `part_ended` when it cannot be taken back."""

    state: State
    part_ended: bool
    barrier: str
    learned: bool
    raw_events: tuple[tuple[Any, ...], ...]
    describe: Callable[[Step, str | None], list[Event]]

    def events(self, seat: str | None = None) -> list[Event]:
        """What happened, as a seat sees it; without a seat, all of it."""
        return self.describe(self, seat)

    def __copy__(self) -> Step:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Step:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (Step, (
            self.state, self.part_ended, self.barrier, self.learned, self.raw_events, _told(self),
        ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """What happened in a step that was pickled: told by its game beforehand, for every viewer."""

    events: Mapping[str | None, Sequence[Event]]

    def __call__(self, step: Step, seat: str | None) -> list[Event]:
        if seat not in self.events:
            raise ValueError(f"nobody plays `{seat}` here")
        return list(self.events[seat])


def _told(step: Step) -> Told:
    describe = step.describe
    if isinstance(describe, Told):
        return describe
    game: Any = describe.__self__  # type: ignore[attr-defined]  # a game, which is not pickled
    return Told({viewer: describe(step, viewer) for viewer in game.viewers(step.state)})


def joined(steps: Sequence[Step]) -> Step:
    """Several consecutive steps as one."""
    if len(steps) == 1:
        return steps[0]
    return lazily(Step, (joined_fields, tuple(steps)), state=steps[-1].state)


def parts_of(step: Step) -> tuple[Step, ...]:
    """The steps that a joined one is made of; any other is one by itself."""
    source = source_of(step)
    if source is not None and source[0] is joined_fields:
        parts: tuple[Step, ...] = source[1]
        return parts
    return (step,)


def joined_fields(name: str, steps: tuple[Step, ...]) -> Mapping[str, Any]:
    """The rest of a step that is made of several."""
    if name == "learned":
        return {name: any(step.learned for step in steps)}
    if name == "raw_events":
        return {name: tuple(event for step in steps for event in step.raw_events)}
    return {name: getattr(steps[-1], name)}
