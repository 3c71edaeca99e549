"""A game as it is recorded while it is played: states, answers, log, and what can be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludwright.agents.protocol import STOP
from ludwright.cli.screen.move_log import Given, Line, line_of
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.numbered_options import seen_by
from ludwright.kernel.play.session import Session
from ludwright.kernel.views.wording import option_text
from ludwright.simulate import Recorder, Trace, TraceError, replay

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.decision import Decision
    from ludwright.kernel.protocol.state import State
    from ludwright.kernel.protocol.step import Step

NEWS = ("rolled", "shuffled", "revealed", "concealed")  # events nobody could foresee
WORDED = 500  # options; of more, an answer is told by its name


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game was started with; enough to start it again."""

    name: str
    parameters: Mapping[str, int | bool]
    seed: int
    players: int
    scenario: str | None = None
    sitting: Mapping[str, str] = field(default_factory=dict)  # by seat: a person, or which bot


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a person began a move, and how much had been written down before."""

    state: State
    answers: int
    lines: int


class Record:
    def __init__(self, game: Game, setting: Setting, state: State | None = None) -> None:
        """Begins with set-up, or at a state."""
        self._game = game
        self.setting = setting
        self.opening: Line | None = None  # what was told in set-up
        if state is None:
            begun = core_of(game).start(setting.seed, setting.players, setting.scenario)
            self.opening = Line("", "", (begun,), core_of(game).wording.called)
            state = begun.state
        self.seats = game.seats_in_play(state)
        self._session = Session(game, state)
        self._recorder = Recorder(game, state)
        self._past: list[tuple[State, Any]] = []  # the states before each answer, for bots
        self.lines: list[Line] = []
        self._part: list[Given] = []
        self._told: list[Given] = []  # what the next line of the log will tell
        self._told_from = state
        self._entries: list[int] = []  # answers before each entry of this part, for undo
        self._marks: list[Mark] = []  # beginnings of moves since something new became known

    @property
    def state(self) -> State:
        return self._session.state

    @property
    def story(self) -> list[Line]:
        """All that can be told: set-up, and then the lines of the log."""
        return [*([self.opening] if self.opening is not None else []), *self.lines]

    @property
    def in_a_part(self) -> bool:
        """Whether something was answered since the last part ended."""
        return bool(self._part)

    @property
    def trace(self) -> Trace:
        s = self.setting
        return self._recorder.trace(
            s.name, self._game.gamedef_hash, s.parameters, s.players, s.seed, s.scenario, s.sitting
        )

    def past(self) -> list[tuple[State, Any]]:
        """What was answered so far, without what was taken back."""
        del self._past[len(self._recorder.answers) :]
        return self._past

    # ------------------------------------------------------------ answering

    def begin_entry(self) -> None:
        """What a person enters now is taken back by one `undo`."""
        self._entries.append(len(self._recorder.answers))
        if not self._part and not self.hides_something():
            self._marks.append(Mark(self.state, len(self._recorder.answers), len(self.lines)))

    def hides_something(self) -> bool:
        """Whether some seat does not see everything. Else the moves of others reveal nothing."""
        whole = self._game.observe(self.state, None)
        return not all(
            seen[part] == whole[part]
            for seen in (self._game.observe(self.state, seat) for seat in self.seats)
            for part in ("places", "variables")
        )

    def answer(self, decision: Decision, option: Any, text: str = "") -> tuple[Step, Line | None]:
        """The step, and the line of the log if a part has ended with it.

        `text`: the words in which the answer was offered, where that was not by the state.
        """
        if not self._told:
            self._told_from = self.state
        before, past = self.state, self.past()
        text = text or answer_words(self._game, before, decision, option)
        seen = seen_by(self._game, before, decision, option)
        step = self._session.choose(option, decision.seat)
        past.append((before, option))
        self._recorder.add(decision, option, step)
        self._part.append(Given(decision, option, text, step, seen))
        self._told.append(self._part[-1])
        if step.learned:
            self._entries = []
        if step.learned or decision.together or any(e.kind in NEWS for e in step.events()):
            self._marks = []
        if not step.part_ended:
            return step, None
        self._part = []
        self._entries = []
        if self._picks_on(decision):
            return step, None
        line = line_of(self._game, self._told_from, self._told)
        self.lines.append(line)
        self._told = []
        return step, line

    def _picks_on(self, before: Decision) -> bool:
        """Whether a seat that picks several under seal picks on: all is told in one line."""
        if before.kind != "chooseN" or not before.together:
            return False
        now = self._game.decision(self.state, before.seat)
        same = now is not None and now.decision_id == before.decision_id
        return same and now is not None and before.seat in now.together and bool(now.picked)

    # -------------------------------------------------------- taking back

    def undo(self) -> bool:
        """Take back the last entry; False where nothing can be taken back."""
        if self._entries and self._session.can_undo:
            length = self._entries.pop()
            while len(self._recorder.answers) > length and self._session.can_undo:
                self._session.undo()
                self._recorder.drop(len(self._recorder.answers) - 1)
                self._part.pop()
                self._told.pop()
            return True
        while self._marks and self._marks[-1].state is self.state:
            self._marks.pop()  # this move was begun before, and taken back
        if self._part or not self._marks:
            return False
        self._back_to(self._marks.pop())
        return True

    def _back_to(self, mark: Mark) -> None:
        """Take back the whole last move, and the answers of others to it."""
        self._session = Session(self._game, mark.state)
        self._recorder.drop(mark.answers)
        del self.lines[mark.lines :]
        self._entries = []

    def back_to_start(self) -> None:
        """Out of a move that can't be finished."""
        while self._session.can_undo:
            self._session.undo()
        self._recorder.drop(len(self._recorder.answers) - len(self._part))
        del self._told[len(self._told) - len(self._part) :]
        self._part = []
        self._entries = []


def resumed(game: Game, trace: Trace, people: frozenset[str]) -> Record:
    """A saved game where it stopped, every step of it verified."""
    outcome = replay(game, game.gamedef_hash, trace)
    if outcome.difference is not None:
        raise TraceError(str(outcome.difference))
    setting = Setting(
        trace.game, trace.parameters, trace.seed, trace.players, trace.scenario, trace.sitting
    )
    record = Record(game, setting)
    for entry in trace.entries:
        for _, option in entry.params:
            decision = game.decision(record.state, entry.seat)
            assert decision is not None, "replay has verified every answer"
            if (entry.seat in people or record.in_a_part) and not decision.picked:
                record.begin_entry()
            record.answer(decision, option)
    return record


def answer_words(game: Game, state: State, decision: Decision, option: Any) -> str:
    """An answer in the words in which it was offered."""
    options = decision.options
    if option is None or option == STOP or isinstance(option, bool | int):
        return option_text(option)
    if len(options) > WORDED or option not in options:
        return option_text(option)
    try:
        texts = game.option_texts(state, None if decision.seat == "chance" else decision.seat)
    except LudwrightError:
        return option_text(option)
    return texts[list(options).index(option)] if len(texts) == len(options) else option_text(option)


def moved(steps: Iterator[Step], viewer: str | None) -> frozenset[str]:
    """The places that pieces left or came to, as far as the viewer saw it."""
    found: set[str] = set()
    for step in steps:
        for event in step.events(viewer):
            if event.kind in ("moved", "placed", "removed"):
                found |= {str(event.fields[k]) for k in ("from", "to") if event.fields.get(k)}
    return frozenset(found)
