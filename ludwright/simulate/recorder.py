"""Writing down a game while it is played, one answer at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ludwright.agents.protocol import Decision, Event, Game, Option, State, Step
from ludwright.simulate.trace import Entry, Trace, plain


@dataclass(frozen=True, slots=True)
class Answer:
    seat: str
    action: str
    decision_id: str
    option: Option
    ends_part: bool
    chance: tuple[Option, ...]
    state_hash: str


class Recorder:
    """Keeps answers, not entries, so that a step can be taken back inside a part."""

    def __init__(self, game: Game, state: State) -> None:
        self._game = game
        self._start_hash = game.state_hash(state)
        self.answers: list[Answer] = []

    def add(self, decision: Decision, option: Option, step: Step) -> None:
        self.answers.append(
            Answer(
                seat=decision.seat,
                action=decision.action or decision.name,
                decision_id=decision.decision_id,
                option=plain(option),
                ends_part=step.part_ended,
                chance=outcomes(step.events),
                state_hash=self._game.state_hash(step.state),
            )
        )

    def drop(self, length: int) -> None:
        """Forget everything after the first `length` answers."""
        del self.answers[length:]

    def trace(
        self, game: str, gamedef_hash: str, parameters: Mapping[str, int | bool], players: int,
        seed: int, scenario: str | None = None,
    ) -> Trace:  # fmt: skip
        return Trace(
            game=game,
            gamedef_hash=gamedef_hash,
            parameters=parameters,
            players=players,
            seed=seed,
            start_hash=self._start_hash,
            entries=tuple(_entry(part) for part in parts(self.answers)),
            scenario=scenario,
        )


def outcomes(events: Iterable[Event]) -> tuple[Option, ...]:
    """What chance decided, out of the events of a step."""
    return tuple(plain(event.fields["value"]) for event in events if event.kind == "rolled")


def parts(answers: Sequence[Answer]) -> list[list[Answer]]:
    """Answers grouped into parts: one seat's, up to the move's end or new information."""
    groups: list[list[Answer]] = []
    for answer in answers:
        if not groups or groups[-1][-1].ends_part:
            groups.append([])
        groups[-1].append(answer)
    return groups


def _entry(part: Sequence[Answer]) -> Entry:
    last = part[-1]
    return Entry(
        seat=last.seat,
        # the action is known once it has been chosen: the last answer knows it
        action=last.action,
        params=tuple((answer.decision_id, answer.option) for answer in part),
        chance=last.chance,
        state_hash=last.state_hash,
    )
