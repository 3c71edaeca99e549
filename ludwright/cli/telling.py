"""What has happened, in words, without telling a seat what it may not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludwright.agents.protocol import STOP
from ludwright.cli.menu import option_text
from ludwright.kernel.moves import Move

if TYPE_CHECKING:
    from ludwright.kernel.decisions import Decision
    from ludwright.kernel.game import Game
    from ludwright.kernel.moves import Step


@dataclass(frozen=True, slots=True)
class Line:
    """One part of a move in the log."""

    seat: str
    move: str
    secret: bool  # its answers are the seat's own
    chance: tuple[str, ...] = ()

    def told(self, viewer: str | None) -> str:
        """As a seat may read it; None reads everything."""
        known = not self.secret or viewer in (None, self.seat)
        return "\n".join([f"{self.seat}: {self.move if known else '(hidden)'}", *self.chance])


def move_of(part: Sequence[tuple[Decision, Any]]) -> Move:
    """The answers of a part as a move: picks of one decision become its list."""
    params: dict[str, Any] = {}
    action = ""
    for decision, option in part:
        action = decision.action or action
        if decision.role == "action":
            action = str(option)
        elif decision.kind == "chooseN":
            picks = params.setdefault(decision.decision_id, [])
            if option != STOP:
                picks.append(option)
        else:
            params[decision.decision_id] = option
    return Move(action or part[-1][0].name, params)


def hides_answer(game: Game, step: Step, viewer: str) -> bool:
    """Whether the viewer is told of a choice, but not what was chosen."""
    events = game.events(step, viewer)
    return any(event.kind == "chose" and "value" not in event.fields for event in events)


def rolled(step: Step, seats: Sequence[str]) -> Iterable[str]:
    """Chance outcomes that every seat may know."""
    views = [[event for event in step.events_for(seat) if event.kind == "rolled"] for seat in seats]
    for told in zip(*views, strict=True):
        if all("value" in event.fields for event in told):
            fields = told[0].fields
            yield f"  {str(fields['name']).removeprefix('$')}: {option_text(fields['value'])}"
