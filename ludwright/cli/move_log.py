"""What has happened, in words, without telling a seat what it may not know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ludwright.agents.protocol import STOP
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.views.wording import option_text, plain

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.decision import Decision
    from ludwright.kernel.protocol.state import State
    from ludwright.kernel.protocol.step import Event, Step


@dataclass(frozen=True, slots=True)
class Line:
    """One part of a move in the log: who, what it is called, and what happened on the way."""

    seat: str
    move: str
    steps: tuple[Step, ...]

    def text(self, viewer: str | None) -> str:
        """As a seat may read it, "" if there is nothing to read; None reads everything."""
        events = [event for step in self.steps for event in step.events(viewer)]
        chosen = [event for event in events if event.kind == "chose"]
        if not chosen and viewer not in (None, self.seat):
            return ""  # a sealed pick; more picks will follow
        hidden = any("value" not in event.fields for event in chosen)
        text = ("; ".join(_moves(events, self.seat)) or "(hidden)") if hidden else self.move
        return "\n".join([f"{self.seat}: {text}", *news(events)])


def news(events: Iterable[Event]) -> Iterator[str]:
    """What the game says, what chance gave and what was shown, where the viewer may know it."""
    for event in events:
        if event.kind == "said":
            yield f"  {event.fields['text']}"
        elif event.kind in ("revealed", "concealed"):
            what = "is shown" if event.kind == "revealed" else "is hidden again"
            yield f"  {_piece(event)} {what}"
        if event.kind == "rolled" and "value" in event.fields:
            name = str(event.fields["name"]).removeprefix("$")
            yield f"  {name}: {option_text(event.fields['value'])}"


def _moves(events: Iterable[Event], seat: str) -> Iterator[str]:
    """The pieces that a viewer saw arriving, if the choices of the move are hidden."""
    moved = (e for e in events if e.kind == "moved" and e.fields["piece"] is not None)
    for place, group in groupby(moved, lambda event: event.fields["to"]):
        yield f"{', '.join(map(_piece, group))} {_to(place, seat)}"


def _piece(event: Event) -> str:
    """`KH`, or `3 apple` of pieces that are alike."""
    count = event.fields.get("count", 1)
    return f"{count} {event.fields['piece']}" if count > 1 else str(event.fields["piece"])


def _to(place: str | None, seat: str) -> str:
    """`to played` for the seat's own, `to taken of East` for another's."""
    if place is None:
        return "out of the game"
    zone, colon, owner = place.partition(":")
    return f"to {zone} of {owner}" if colon and owner != seat else f"to {zone}"


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


def answers_text(move: Move) -> str:
    """The answers of a part in the middle of another seat's move."""
    return ", ".join(f"{plain(name)} {option_text(value)}" for name, value in move.params.items())


def move_text(game: Game, state: State, move: Move) -> str:
    """In the game's notation; a choice outside any action by its name and answer."""
    if move.action_id.startswith("$"):
        return ", ".join(
            f"{name.removeprefix('$').partition('[')[0]} {option_text(value)}"
            for name, value in move.params.items()
        )
    return game.notation(state, move)
