"""Looking into an action that is not offered because it cannot be finished.

The answers that a move holds are given without asking whether the move can be finished. So a caller
sees each choice up to the one that has no options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.run import Cells, Unfiltered
from ludwright.kernel.interpreter.stop import STOP, Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.pick_request import Picking, single_picks
from ludwright.kernel.protocol.decision import Decision, Throughout
from ludwright.kernel.protocol.move import ChoiceRequest, request_of
from ludwright.kernel.protocol.state import State


class Probe:
    """A walk through one action on scratch cells, in which nothing is filtered."""

    def __init__(self, core: Core, state: State, stop: Stop) -> None:
        self._core = core
        self._cells: Cells = state.shared_cells
        self._stop = stop
        self._ended = False

    def request(self, label: int, params: Mapping[str, Any], reason: str) -> ChoiceRequest:
        """The first decision that the params leave open, or that has nothing to choose from."""
        self._give(label)
        while (decision := self._decision()) is not None:
            if not decision.answers:
                return _shown(request_of(decision), _too_few(decision))
            if decision.kind == "chooseN":
                request = self._give_several(decision, params)
                if request is not None:
                    return _shown(request, reason)
            elif decision.decision_id in params:
                self._give(self._inside(decision, params[decision.decision_id]))
            else:
                return _shown(request_of(decision), reason)
        return ChoiceRequest(complete=True, legal=False, reason=reason)

    def _decision(self) -> Decision | None:
        if self._ended:
            return None
        return self._core.decisions.publish(self._cells, self._stop)

    def _inside(self, decision: Decision, value: Any) -> Any:
        return self._core.answering.inside(self._cells, self._stop, decision, value)

    def _give(self, answer: Any) -> None:
        run = Unfiltered(self._stop.seat)
        machine = self._core.machine
        memory = machine.scratch(self._cells, run)
        self._stop = machine.answer(memory, self._stop, answer)
        self._cells = machine.state_cells(memory)
        self._ended = run.ended

    # ------------------------------------------------------------- several

    def _give_several(
        self, decision: Decision, params: Mapping[str, Any]
    ) -> ChoiceRequest | None:  # fmt: skip
        """All picks of a chooseN; a request where the params leave some of them open."""
        name, choice, pc = decision.decision_id, self._stop.choice, self._stop.pc
        assert choice is not None
        picks, stopped = single_picks(params, name)
        if name in params:
            picks, stopped = self._list(decision, params[name]), True
        self._check_number(decision, len(picks), stopped)
        if choice.sequence:
            for count, pick in enumerate(picks):
                self._give(self._inside(decision, pick))
                following = self._next_pick(pc, count + 1)
                if following is None:
                    return None
                decision = following
            request = replace(request_of(decision), decision_id=_numbered(name, len(picks)))
        else:
            state = self._core.new_state(self._cells, self._stop)
            picking = Picking(self._core, state, self._stop, decision, None, hopeless=True)
            request = picking.request(picks)
            if stopped or len(picks) == decision.max:
                for count, (_, answer) in enumerate(picking.values(picks)):
                    self._give(answer)
                    if self._next_pick(pc, count + 1) is None:
                        return None
        if not stopped:
            return request
        self._give(STOP)
        return None

    def _list(self, decision: Decision, picks: Any) -> list[Any]:
        if not isinstance(picks, list | tuple):
            name = decision.decision_id
            raise self._wrong("wrong-type", f"`{name}` takes a list, not `{picks}`")
        return list(picks)

    def _check_number(self, decision: Decision, number: int, stopped: bool) -> None:
        name = decision.decision_id
        if number > decision.max:
            raise self._wrong("too-many", f"`{name}` takes at most {decision.max}, not {number}")
        if stopped and number < decision.min:
            raise self._wrong("too-few", f"`{name}` takes at least {decision.min}, not {number}")

    def _wrong(self, code: str, reason: str) -> IllegalMove:
        assert self._stop.choice is not None
        rule, span = self._core.rule(self._stop.choice.site)
        return IllegalMove(code, rule, reason, span)

    def _next_pick(self, pc: int, count: int) -> Decision | None:
        """The same chooseN after some of its picks; None where it is over."""
        if self._ended or self._stop.pc != pc or len(self._stop.picked) != count:
            return None
        return self._decision()


def _numbered(name: str, picks: int) -> str:
    return f"{name}#{picks}" if picks else name


def _shown(request: ChoiceRequest, reason: str) -> ChoiceRequest:
    """As a question about an action that cannot be finished, whatever is answered."""
    words = Throughout("illegal", len(request.options))
    return replace(request, legality=words, legal=False, reason=reason)


def _too_few(decision: Decision) -> str:
    if 0 < decision.max < decision.min:
        return (
            f"`{decision.decision_id}` takes at least {decision.min}, "
            f"and there are only {decision.max}"
        )
    return f"there is nothing to choose for `{decision.decision_id}`"
