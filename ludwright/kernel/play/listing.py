"""Listing moves: complete moves of simple actions, templates of the rest."""

from __future__ import annotations

from typing import Any

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.play.core import Core
from ludwright.kernel.protocol.decision import CHANCE, Asked, Decision, Range
from ludwright.kernel.protocol.move import Move, move_of
from ludwright.kernel.protocol.state import State
from ludwright.program.action_choices import ActionChoices

LISTED = 256  # more moves of one action than this are offered as a template
MENUS = ("action", "menu")  # roles of decisions whose options are the names of moves


def head_name(head: ir.Head) -> str:
    """What a move is called that a choice of the flow opens."""
    return head.name.lstrip("$")


def move_name(game: Core, state: State) -> str:
    """What the move under way is called."""
    program = game.program
    if number := state.cell(ir.ACTION):
        return program.actions[number - 1].name
    if head := state.cell(ir.HEAD):
        return head_name(program.heads[head - 1])
    decision = game.decision(state)
    return decision.name.lstrip("$") if decision is not None else ""


class Listing:
    """The moves of whoever decides."""

    def __init__(self, game: Core, choices: ActionChoices) -> None:
        self._game = game
        self._program = game.program
        self._choices = choices
        self._templates = {action.name for action in self._program.actions if action.template}

    def moves(self, state: State, seat: str | None) -> list[Move]:
        game = self._game
        decision = game.decision(state, seat)
        if decision is None or decision.dead_end or not decision.asks(seat):
            return []
        if decision.seat == CHANCE:
            return [Move(CHANCE, {decision.decision_id: value}) for value in decision.options]
        name = move_name(game, state)
        if not decision.head:
            return [Move(name, {})]
        if decision.role in MENUS:
            found: list[Move] = []
            for option in decision.options:
                if decision.role == "action" and option in self._templates:
                    found.append(Move(option, {}))
                    continue
                try:
                    step = game.choose(state, option)
                except IllegalMove:  # it was of unknown legality
                    continue
                found += self._enumerate(step.state, game.part_ended(step), option)
            return found
        if state.cell(ir.ACTION):
            if name in self._templates:
                return [Move(name, {})]
            return self._enumerate(state, False, name)
        return self._choice_moves(decision, name)

    def _choice_moves(self, decision: Decision, name: str) -> list[Move]:
        """A choice at the level of the flow: each option is a move of its own."""
        options = decision.options
        if decision.kind == "chooseN" or isinstance(options, Range) or len(options) > LISTED:
            return [Move(name, {})]
        return [Move(name, {decision.decision_id: value}) for value in self._values(decision)]

    def _enumerate(self, state: State, ended: bool, name: str) -> list[Move]:
        """All answers to the declared parameters of a simple action, or its template."""
        found: list[dict[str, Any]] = []
        if ended or self._list(state, {}, found):
            return [move_of(name, params) for params in found or [{}]]
        return [Move(name, {})]

    def _list(self, state: State, params: dict[str, Any], found: list[dict[str, Any]]) -> bool:
        """Add the ways to answer from here on; False where there are too many."""
        game = self._game
        asked = game.asked(state)
        if asked.role != "param" or asked.many:
            found.append(params)
            return True
        decision = game.decision(state)
        assert decision is not None, "a move that is not over asks something"
        if len(found) + len(decision.options) > LISTED:
            return False
        key, last = asked.decision_id, self._is_last(state, asked)
        for position, value in enumerate(self._values(decision)):
            known = {**params, key: value}
            step = None if last else game.named_further(state, position, value, ("param",))
            if step is None:
                found.append(known)
            elif not self._list(step.state, known, found):
                return False
        return len(found) <= LISTED

    def _values(self, decision: Decision) -> list[Any]:
        return [*decision.options, *([None] if decision.optional else [])]

    def _is_last(self, state: State, asked: Asked) -> bool:
        """The action's last declared parameter: no need to run on to see that none follows."""
        number = state.cell(ir.ACTION)
        if not number or asked.role != "param":
            return False
        action = self._program.actions[number - 1]
        if not action.params or action.params[-1] != asked.name:
            return False
        return not self._choices.declares_more(action.name, action.params)
