"""A game being played: the states so far, undo inside a part, and every seat's log.

States keep no history; a session does. Undo goes back one answer at a time, never past the start
of the part: what came before it, someone may already have acted on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel.moves import Event, Move, Step
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game


@dataclass
class _Entry:
    """A stretch of the log: a step, or word that one was taken back."""

    step: Step | None
    seat: str


@dataclass
class Session:
    """Plays one game; `part` holds the states of the current part, its start first."""

    game: Game
    state: State
    part: list[State] = field(default_factory=list)
    _log: list[_Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.part = [self.state]

    def choose(self, option: Any, seat: str | None = None) -> Step:
        who = seat or self.game.current_seat(self.state) or ""
        return self._took(self.game.choose(self.state, option, seat), who)

    def apply_move(self, move: Move, seat: str | None = None) -> Step:
        who = seat or self.game.current_seat(self.state) or ""
        return self._took(self.game.apply_move(self.state, move, seat), who)

    def _took(self, step: Step, seat: str) -> Step:
        self.state = step.state
        if step.part_ended or step.learned:
            self.part = []
        self.part.append(self.state)
        self._log.append(_Entry(step, seat))
        return step

    @property
    def can_undo(self) -> bool:
        return len(self.part) > 1

    def undo(self) -> State:
        """Back to the state before the last answer of this part, to the bit."""
        if not self.can_undo:
            raise IllegalMove("no-undo", "", "nothing in this part can be taken back")
        self.part.pop()
        self.state = self.part[-1]
        self._log.append(_Entry(None, self.game.current_seat(self.state) or ""))
        return self.state

    def events(self, seat: str | None = None) -> list[Event]:
        """The log as a seat sees it, in its own numbering."""
        told: list[Event] = []
        for entry in self._log:
            if entry.step is None:
                events = [Event("undone", {"seat": entry.seat})]
            else:
                events = self.game.events(entry.step, seat)
            told += [Event(event.kind, event.fields, len(told) + at + 1)
                     for at, event in enumerate(events)]  # fmt: skip
        return told
