"""Writing down a game while it is played, one answer at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ludwright.agents.protocol import Decision, Event, Game, Option, State, Step
from ludwright.errors import LudwrightError
from ludwright.kernel.play.driver import action_of
from ludwright.simulate.trace import Entry, Stopped, Trace, Where, plain


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

    def __init__(self, game: Game, state: State | None) -> None:
        """`state` is the first one; None if set-up did not get that far."""
        self._game = game
        self._start_hash = "" if state is None else game.state_hash(state)
        self.answers: list[Answer] = []
        self.stopped: Stopped | None = None

    def add(self, decision: Decision, option: Option, step: Step) -> None:
        self.answers.append(
            Answer(
                seat=decision.seat,
                action=action_of(decision),
                decision_id=decision.decision_id,
                option=plain(option),
                ends_part=step.part_ended,
                chance=outcomes(step.events()),
                state_hash=self._game.state_hash(step.state),
            )
        )

    def drop(self, length: int) -> None:
        """Forget everything after the first `length` answers."""
        del self.answers[length:]

    def stop(
        self, where: Where, error: LudwrightError, decision: Decision | None = None,
        option: Option = None,
    ) -> None:  # fmt: skip
        """Note why the game could not go on."""
        seat, decision_id = ("", "") if decision is None else (decision.seat, decision.decision_id)
        try:
            given = plain(option)
        except TypeError:
            given = repr(option)  # what an agent gave may be anything
        self.stopped = Stopped(where, code_of(error), str(error), seat, decision_id, given)

    def trace(
        self, game: str, gamedef_hash: str, parameters: Mapping[str, int | bool], players: int,
        seed: int, scenario: str | None = None, sitting: Mapping[str, str] | None = None,
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
            chance=getattr(self._game, "chance", "generator"),
            stopped=self.stopped,
            sitting=sitting or {},
        )


def code_of(error: LudwrightError) -> str:
    """A stable word for an error."""
    return str(getattr(error, "code", type(error).__name__))


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
        chance=tuple(outcome for answer in part for outcome in answer.chance),
        state_hash=last.state_hash,
    )
