"""Answers that were given, as the move they make and in the words of its notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.wording import option_text


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


def move_text(game: Game, state: State, move: Move) -> str:
    """In the game's notation; a choice outside any action by its name and answer."""
    if move.action_id.startswith("$"):
        return ", ".join(
            f"{name.removeprefix('$').partition('[')[0]} {option_text(value)}"
            for name, value in move.params.items()
        )
    return game.notation(state, move)
