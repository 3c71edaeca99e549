"""A row of answers as moves in notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.notation import Notation
from ludwright.kernel.play.trees.explored import Answer
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State


def moves_of(
    core: Core, notation: Notation, state: State, answers: Sequence[Answer]
) -> tuple[str, ...]:
    """The moves that these answers make; the last one may be unfinished."""
    told: list[str] = []
    begun: State | None = None
    params: dict[str, Any] = {}
    action = ""
    for answer in answers:
        stop, decision = core.stop(state), core.decision(state)
        if decision is None or (answer not in (DECLINE, STOP) and answer not in stop.answers):
            break
        begun = begun or state
        action = decision.action or action or decision.name
        _note(params, decision, outside(stop, decision, answer))
        try:
            step = core.advance(state, stop, answer)
        except LudwrightError:
            break
        state = step.state
        following = core.decision(state) if not core.part_ended(step) else None
        if following is not None:
            action = following.action or action
            continue
        told.append(notation.told(begun, Move(action, params)))
        begun, params, action = None, {}, ""
    if params and begun is not None:
        told.append(notation.told(begun, Move(action, params)) + " …")
    return tuple(told)


def _note(params: dict[str, Any], decision: Decision, option: Any) -> None:
    if decision.kind == "chooseN":
        if option != STOP:
            name = decision.decision_id.split("#")[0]
            params[name] = (*params.get(name, ()), option)
    else:
        params[decision.decision_id] = option


def outside(stop: Stop, decision: Decision, answer: Answer) -> Any:
    """The kernel's answer as callers give it."""
    if answer is DECLINE or answer == STOP:
        return answer
    return decision.options[stop.answers.index(answer)]
