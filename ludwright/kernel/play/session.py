"""A game being played: the states so far, undo inside a part, and every seat's log.

States keep no history; a session does. Undo goes back one answer at a time, never past the start
of the part: other seats may already have acted on what came before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Event, Step


@dataclass
class _Entry:
    """A part of the log: a step, or the news that one was taken back."""

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
        return self.took(self.game.choose(self.state, option, seat), who)

    def apply_move(self, move: Move, seat: str | None = None) -> Step:
        who = seat or self.game.current_seat(self.state) or ""
        return self.took(self.game.apply_move(self.state, move, seat), who)

    def took(self, step: Step, seat: str) -> Step:
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
        found: list[Event] = []
        for entry in self._log:
            if entry.step is None:
                events = [Event("undone", {"seat": entry.seat})]
            else:
                events = entry.step.events(seat)
            found += [Event(event.kind, event.fields, len(found) + at + 1)
                     for at, event in enumerate(events)]  # fmt: skip
        return found
