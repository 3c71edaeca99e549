"""Random answers, with the same draws as the playouts of the native engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.play.core import Core
from ludwright.kernel.protocol.decision import CHANCE
from ludwright.kernel.protocol.state import State
from ludwright.program.candidates import Draw
from ludwright.program.limits import LONG_RANGE


def random_answer(core: Core, state: State, pick: Callable[[int], int]) -> Any:
    """One of the answers to the decision of a state, all equally likely.

    `pick(n)` gives a number below n. Where a later rule may refuse an answer, playouts draw among
    all answers until they have one that can be finished, so this is done here as well: the same
    numbers give the same game on either engine.
    """
    decision = core.decision(state)
    if decision is None:
        raise IllegalMove("game-over", "", "the game is over")
    if decision.seat == CHANCE:
        raise IllegalMove("not-your-turn", "", f"chance decides `{decision.name}` now")
    answers = decision.answers
    if not answers:
        raise IllegalMove("no-option", "", f"there is no answer to `{decision.decision_id}`")
    point = core.machine.choices[state.cell(ir.PC)]
    draw = core.draw_at(state.cell(ir.PC))
    if draw is not None:
        return _from_candidates(draw, answers, core.stop(state).answers, pick)
    if point.choice.safe or point.choice.together:
        return answers[pick(len(answers))]
    stop = core.stop(state)
    raw = point.here(core.machine.scratch(state.shared_cells, Run(seat=stop.seat)))
    if isinstance(raw.answers, range) and len(raw.answers) > LONG_RANGE:
        return answers[pick(len(raw.answers))]
    extra = raw.can_decline or raw.can_stop
    good, left = list(stop.answers), list(raw.answers)
    if not good:
        return answers[pick(len(answers))]
    while True:
        at = pick(len(left) + extra)
        if at == len(left):
            if len(answers) > len(good):
                return answers[-1]
            extra = False
        elif left[at] in good:
            return answers[good.index(left[at])]
        else:
            left[at] = left[-1]
            left.pop()


def _from_candidates(
    draw: Draw, answers: Sequence[Any], good: Sequence[Any], pick: Callable[[int], int]
) -> Any:
    """An answer drawn before all of them are listed; `good` are those among the candidates."""
    places = {value: at for at, value in enumerate(good)}
    count = len(draw.candidates)
    for _ in range(draw.tries):
        at = pick(count + len(answers) - len(good))
        if at == count:
            return answers[-1]
        if draw.candidates[at] in places:
            return answers[places[draw.candidates[at]]]
    return answers[pick(len(answers))]
