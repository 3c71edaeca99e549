"""Looking into an action that is not offered because nobody could finish it.

The answers that a move holds are given without asking whether the move can be finished. So a caller
sees each choice up to the one that runs dry, which is shown without options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel.choosing import STOP, Stop
from ludwright.kernel.context import Cells, Run
from ludwright.kernel.decisions import Decision, Throughout
from ludwright.kernel.moves import ChoiceRequest, request_of
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game


class Probe:
    """A walk through one action on scratch cells, in which nothing is filtered."""

    def __init__(self, game: Game, state: State, stop: Stop) -> None:
        self._game = game
        self._cells: Cells = state._cells
        self._stop = stop
        self._ended = False

    def request(self, label: int, params: Mapping[str, Any], reason: str) -> ChoiceRequest:
        """The first decision that the params leave open, or that has nothing to choose from."""
        self._give(label)
        while True:
            decision = self._decision()
            if decision is None:
                return ChoiceRequest(complete=True, legal=False, reason=reason)
            key = next((k for k in (decision.decision_id, f"{decision.decision_id}#0")
                        if k in params), None)  # fmt: skip
            if not decision.answers:
                reason = _too_few(decision)
            if key is None or not decision.answers:
                request = request_of(decision)
                words = Throughout("illegal", len(decision.options))
                return replace(request, legality=words, legal=False, reason=reason)
            if decision.kind != "chooseN":
                self._give(self._inside(decision, params[key]))
            elif key == decision.decision_id:
                self._give_many(decision, params[key])
            else:
                self._give_many(decision, single_picks(params, decision.decision_id))

    def _decision(self) -> Decision | None:
        if self._ended:
            return None
        return self._game.decisions.publish(self._cells, self._stop)

    def _inside(self, decision: Decision, value: Any) -> Any:
        return self._game._answering.inside(self._cells, self._stop, decision, value)

    def _give(self, answer: Any) -> None:
        run = Run(self._stop.seat)
        run.probing = True
        machine = self._game.machine
        S = machine.scratch(self._cells, run)
        self._stop = machine.answer(S, self._stop, answer)
        self._cells = machine.settled(S)
        self._ended = run.ended

    def _give_many(self, decision: Decision, picks: Any) -> None:
        """All picks of a chooseN, one after another; those of a set in the order of its domain."""
        name, site = decision.decision_id, self._stop.point
        assert site is not None
        rule, span = self._game._rule(site.choice.site)
        if not isinstance(picks, list | tuple):
            raise IllegalMove("wrong-type", rule, f"`{name}` takes a list, not `{picks}`", span)
        if len(picks) > decision.max:
            reason = f"`{name}` takes at most {decision.max}, not {len(picks)}"
            raise IllegalMove("too-many", rule, reason, span)
        if len(picks) < decision.min:
            reason = f"`{name}` takes at least {decision.min}, not {len(picks)}"
            raise IllegalMove("too-few", rule, reason, span)
        answers = [(self._inside(decision, pick), pick) for pick in picks]
        if not site.choice.sequence:
            order = list(self._stop.answers)
            answers.sort(key=lambda item: order.index(item[0]))
        before = self._stop.pc
        for count, (answer, pick) in enumerate(answers):
            if self._stop.pc != before or answer not in self._stop.answers:
                reason = f"`{pick}` is not an option of `{name}`"
                raise IllegalMove("not-an-option", rule, reason, span)
            self._give(answer)
            if self._ended or len(self._stop.picked) != count + 1:
                return
        if self._stop.pc == before and self._stop.can_stop:
            self._give(STOP)


def _too_few(decision: Decision) -> str:
    if 0 < decision.max < decision.min:
        return (
            f"`{decision.decision_id}` takes at least {decision.min}, "
            f"and there are only {decision.max}"
        )
    return f"there is nothing to choose for `{decision.decision_id}`"


def single_picks(params: Mapping[str, Any], base: str) -> list[Any]:
    """The picks that a move gives one by one: `$x#0`, `$x#1`, …"""
    picks: list[Any] = []
    while (key := f"{base}#{len(picks)}") in params and params[key] != STOP:
        picks.append(params[key])
    return picks
